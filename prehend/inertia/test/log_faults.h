// Right and faulty recordings of generated objects and published tools, for the sweep of the diagnosis: what a log may look
// like without anything being wrong, and what users get wrong.
#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Dense>
#include <generated/generated_motion.h>
#include <generated/generated_objects.h>

#include <prehend/inertia/methods/least_squares.h>
#include <prehend/inertia/samples.h>
#include <prehend/math/angles.h>
#include <prehend/math/random.h>
#include <prehend/math/so3.h>
#include <prehend/model/wrench_log.h>

namespace prehend::inertia::test {

using Eigen::Vector3d;

struct Recording {
  std::string name;
  std::vector<inertia::MotionState> motion;
  math::SpatialInertia body_S;
  math::Pose X_SO;
  Vector3d gravity_W;
};

struct Trial {
  Recording recording;
  model::WrenchLog log;
  inertia::SampleOptions options;
  inertia::SampleNoise noise;
  math::RandomStream* random{nullptr};
  bool hidden{false};  // the fault lies below the noise
};

struct Case {
  std::string name;
  std::set<std::string> expected;                      // empty: a right log
  std::set<std::string> allowed;                       // true beside it
  std::function<void(Trial&)> motion = [](Trial&) {};  // changes the recording before the wrench is computed
  std::function<void(Trial&)> fault = [](Trial&) {};   // changes the noisy log
};

inline model::WrenchLog record(const Recording& r) {
  return inertia::record_motion(r.motion, r.body_S, r.X_SO, r.gravity_W);
}

// Object at rest at one pose of its motion.
inline void stand_still(Trial& trial) {
  auto& motion = trial.recording.motion;
  const math::Pose X = motion[motion.size() / 3].X_WS;
  motion.resize(std::min<std::size_t>(motion.size(), 200));
  for (auto& state : motion) {
    state.X_WS = X;
    state.v = state.w = state.a = state.al = Vector3d::Zero();
  }
}

inline void keep_rows(Trial& trial, std::size_t from, std::size_t count, std::size_t step = 1) {
  std::vector<inertia::MotionState> kept;
  for (std::size_t k = from; k < trial.recording.motion.size() && kept.size() < count; k += step)
    kept.push_back(trial.recording.motion[k]);
  trial.recording.motion = kept;
}

// The same object, larger or smaller, of the same density.
inline void scale_body(Trial& trial, double mass) {
  auto& body = trial.recording.body_S;
  const double size = std::cbrt(mass / body.mass);
  body.I_com *= std::pow(size, 5.0);
  body.com *= size;
  body.mass = mass;
  trial.recording.X_SO = math::Pose(trial.recording.X_SO.q(), size * trial.recording.X_SO.p());
}

inline void drop_columns(model::WrenchLog& log) {
  log.v_WS_W.clear();
  log.w_WS_W.clear();
  log.a_WS_W.clear();
  log.al_WS_W.clear();
}

inline void scale(std::vector<Vector3d>& column, double factor) {
  for (Vector3d& value : column) value *= factor;
}

// A change of the wrench in the sensor's axes, where sensors saturate and stick.
inline void in_sensor_axes(
    Trial& trial, const std::function<void(std::vector<Vector3d>&, std::vector<Vector3d>&)>& change) {
  auto& log = trial.log;
  for (std::size_t k = 0; k < log.rows(); ++k) {
    log.f_S[k] = log.X_WS[k].R().transpose() * log.f_S[k];
    log.tau_S[k] = log.X_WS[k].R().transpose() * log.tau_S[k];
  }
  change(log.f_S, log.tau_S);
  for (std::size_t k = 0; k < log.rows(); ++k) {
    log.f_S[k] = log.X_WS[k].R() * log.f_S[k];
    log.tau_S[k] = log.X_WS[k].R() * log.tau_S[k];
  }
}

inline void clip(std::vector<Vector3d>& column, int axis, double share) {
  double peak = 0.0;
  for (const Vector3d& value : column) peak = std::max(peak, std::abs(value[axis]));
  for (Vector3d& value : column) value[axis] = std::clamp(value[axis], -share * peak, share * peak);
}

inline int strongest_axis(const std::vector<Vector3d>& column) {
  Vector3d sum = Vector3d::Zero();
  for (const Vector3d& value : column) sum += value.cwiseAbs2();
  Eigen::Index axis = 0;
  sum.maxCoeff(&axis);
  return static_cast<int>(axis);
}

inline void move_object(Trial& trial, const math::Pose& X_OO2, bool seen) {
  // The wrench of the second half is that of the moved body, with the same noise.
  Recording moved = trial.recording;
  const math::Pose X_SO2 = moved.X_SO * X_OO2;
  moved.body_S = moved.body_S.expressed_in(X_SO2 * moved.X_SO.inverse());
  moved.X_SO = X_SO2;
  const model::WrenchLog before = record(trial.recording), after = record(moved);
  // Half of the change is left when one body is fitted to all; a likelihood ratio of 200 beside ten unknowns is safe.
  double squares = 0.0;
  auto& log = trial.log;
  for (std::size_t k = log.rows() / 2; k < log.rows(); ++k) {
    const Vector3d f = after.f_S[k] - before.f_S[k], tau = after.tau_S[k] - before.tau_S[k];
    log.f_S[k] += f;
    log.tau_S[k] += tau;
    squares += 0.5 * (f.squaredNorm() / std::max(1e-12, std::pow(trial.noise.force, 2)) +
                      tau.squaredNorm() / std::max(1e-12, std::pow(trial.noise.torque, 2)));
    if (seen) log.X_WO[k] = after.X_WO[k];
  }
  if (!seen) log.X_WO.clear();
  trial.hidden = !seen && squares < 400.0;
}

inline math::Pose shift_across(const Trial& trial, double length) {
  const Vector3d c = trial.recording.X_SO.inverse() * trial.recording.body_S.com;
  return {Eigen::Quaterniond::Identity(),
          length * (c.norm() > 1e-6 ? Vector3d(c.unitOrthogonal()) : Vector3d(Vector3d::UnitX()))};
}

// What the exact motion tells: deviations of the ten parameters for a wrench exact to this share of the weight, relative to
// those of a body of a tenth of a metre.
inline math::Vector10d deviations(const Recording& recording, double exactness) {
  inertia::SampleOptions options;
  options.gravity_W = recording.gravity_W;
  math::Vector10d size;
  size << 1.0, 0.1, 0.1, 0.1, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01;
  math::Matrix10d information = math::Matrix10d::Identity();
  for (const inertia::Sample& sample : inertia::prepare_samples(record(recording), options).samples) {
    inertia::Regressor A = inertia::wrench_regressor(sample.motion) * size.asDiagonal();
    A.topRows<3>() /= 0.1;
    A /= 9.81 * exactness;
    information += A.transpose() * A;
  }
  return information.inverse().diagonal().cwiseSqrt();
}

using Change = std::function<void(Trial&)>;
inline void none(Trial&) {}

// Collects cases: right logs, and logs with a fault.
struct Cases {
  std::vector<Case> all;
  void right(const char* name, Change motion, Change after = none, std::set<std::string> allowed = {}) {
    all.push_back({name, {}, std::move(allowed), std::move(motion), std::move(after)});
  }
  void wrong(const char* name, std::set<std::string> expected, Change fault) {
    all.push_back({name, std::move(expected), {}, none, std::move(fault)});
  }
};

inline void add_right_logs(Cases& cases) {
  cases.right("full", none);
  cases.right("window",
              [](Trial& t) {
                const std::size_t n = t.recording.motion.size(), length = std::min<std::size_t>(150, n);
                keep_rows(t, static_cast<std::size_t>(t.random->uniform() * static_cast<double>(n - length)),
                          length);
              },
              none, {"no_excitation"});
  cases.right("static", stand_still, none, {"no_excitation"});
  cases.right("slow", [](Trial& t) {
    for (auto& s : t.recording.motion) {
      s.t *= 4.0;
      s.v /= 4.0;
      s.w /= 4.0;
      s.a /= 16.0;
      s.al /= 16.0;
    }
  });
  cases.right("poses_only", none, [](Trial& t) { drop_columns(t.log); });
  cases.right("noisy_poses", none, [](Trial& t) {
    drop_columns(t.log);
    inertia::add_pose_noise(t.log, 1e-4, 5e-4, *t.random);
  });
  cases.right("half_rate", [](Trial& t) { keep_rows(t, 0, t.recording.motion.size(), 2); });
  cases.right("bias", none, [](Trial& t) {
    const Vector3d f = 0.5 * t.random->normal3().normalized(), tau = 0.02 * t.random->normal3().normalized();
    in_sensor_axes(t, [&](auto& force, auto& torque) {
      for (auto& value : force) value += f;
      for (auto& value : torque) value += tau;
    });
  });
  cases.right("light", [](Trial& t) { scale_body(t, 0.005); });
  cases.right("heavy", [](Trial& t) { scale_body(t, 10.0); });
  cases.right("sensor_frame", none, [](Trial& t) {
    for (std::size_t k = 0; k < t.log.rows(); ++k) {
      t.log.f_S[k] = t.log.X_WS[k].R().transpose() * t.log.f_S[k];
      t.log.tau_S[k] = t.log.X_WS[k].R().transpose() * t.log.tau_S[k];
    }
    t.options.wrench_frame = inertia::WrenchFrame::sensor;
  });
}

// Units, gravity, axes, signs and columns.
inline void add_wrong_readings(Cases& cases) {
  cases.all.push_back({"too_few", {"too_few_samples"}, {}, [](Trial& t) { keep_rows(t, 0, 6, 5); }, none});
  cases.wrong("gravity_sign", {"wrong_gravity", "gravity_or_wrench_sign"},
              [](Trial& t) { t.options.gravity_W = -t.options.gravity_W; });
  cases.wrong("gravity_axis", {"wrong_gravity"}, [](Trial& t) { t.options.gravity_W = {0.0, -9.81, 0.0}; });
  cases.wrong("mm_positions", {"units"}, [](Trial& t) {
    for (auto* poses : {&t.log.X_WS, &t.log.X_WO})
      for (math::Pose& X : *poses) X = math::Pose(X.q(), 1000.0 * X.p());
  });
  cases.wrong("mm_poses_only", {"units"}, [](Trial& t) {
    drop_columns(t.log);
    for (auto* poses : {&t.log.X_WS, &t.log.X_WO})
      for (math::Pose& X : *poses) X = math::Pose(X.q(), 1000.0 * X.p());
  });
  cases.wrong("Nmm_torque", {"units"}, [](Trial& t) { scale(t.log.tau_S, 1000.0); });
  cases.wrong("mN_force", {"units"}, [](Trial& t) { scale(t.log.f_S, 1000.0); });
  cases.wrong("gram_force", {"units"}, [](Trial& t) { scale(t.log.f_S, 1000.0 / 9.80665); });
  cases.wrong("both_1000", {"units", "implausible_body"}, [](Trial& t) {
    scale(t.log.f_S, 1000.0);
    scale(t.log.tau_S, 1000.0);
  });
  cases.wrong("degrees", {"units"}, [](Trial& t) {
    scale(t.log.w_WS_W, math::degrees(1.0));
    scale(t.log.al_WS_W, math::degrees(1.0));
  });
  cases.wrong("swapped", {"swapped_columns"}, [](Trial& t) { std::swap(t.log.f_S, t.log.tau_S); });
  cases.wrong("wrench_frame", {"wrench_frame"},
              [](Trial& t) { t.options.wrench_frame = inertia::WrenchFrame::sensor; });
  cases.wrong("wrench_sign", {"wrench_sign", "gravity_or_wrench_sign"}, [](Trial& t) {
    scale(t.log.f_S, -1.0);
    scale(t.log.tau_S, -1.0);
  });
}

// Missing rows, saturated and stuck channels.
inline void add_bad_sensors(Cases& cases) {
  cases.wrong("dropped", {"dropped_samples"}, [](Trial& t) {
    for (std::size_t k = t.log.rows() / 2; k < t.log.rows(); ++k) t.log.t[k] += 0.05;
    for (std::size_t k = t.log.rows() / 2; k < t.log.rows(); ++k) t.log.t[k] -= 0.05;
    const auto erase = [](auto& column, std::size_t from, std::size_t to) {
      if (column.empty()) return;
      column.erase(column.begin() + static_cast<std::ptrdiff_t>(from),
                   column.begin() + static_cast<std::ptrdiff_t>(to));
    };
    const std::size_t from = t.log.rows() / 2, to = from + 6;
    erase(t.log.t, from, to);
    erase(t.log.X_WS, from, to);
    erase(t.log.v_WS_W, from, to);
    erase(t.log.w_WS_W, from, to);
    erase(t.log.a_WS_W, from, to);
    erase(t.log.al_WS_W, from, to);
    erase(t.log.f_S, from, to);
    erase(t.log.tau_S, from, to);
    erase(t.log.X_WO, from, to);
  });
  cases.wrong("saturated_force", {"saturated_sensor"}, [](Trial& t) {
    in_sensor_axes(t, [&](auto& force, auto&) { clip(force, strongest_axis(force), 0.7); });
  });
  cases.wrong("saturated_torque", {"saturated_sensor"}, [](Trial& t) {
    in_sensor_axes(t, [&](auto&, auto& torque) { clip(torque, strongest_axis(torque), 0.6); });
  });
  const auto stick = [](std::vector<Vector3d>& column, std::size_t from, std::size_t to, int axis) {
    for (std::size_t k = from + 1; k < to; ++k) column[k][axis] = column[from][axis];
  };
  cases.wrong("stuck_part", {"stuck_sensor"}, [stick](Trial& t) {
    const std::size_t n = t.log.rows();
    in_sensor_axes(t, [&](auto& force, auto&) { stick(force, n / 4, n / 2, strongest_axis(force)); });
  });
  cases.wrong("stuck_axis", {"stuck_sensor"}, [stick](Trial& t) {
    in_sensor_axes(t, [&](auto& force, auto&) { stick(force, 0, force.size(), strongest_axis(force)); });
  });
  cases.wrong("stuck_all", {"stuck_sensor"}, [stick](Trial& t) {
    in_sensor_axes(t, [&](auto& force, auto& torque) {
      for (int axis = 0; axis < 3; ++axis) {
        stick(force, 0, force.size(), axis);
        stick(torque, 0, torque.size(), axis);
      }
    });
  });
}

// Objects that move in the grasp, rows out of order.
inline void add_bad_motions(Cases& cases) {
  for (bool seen : {true, false}) {
    cases.wrong(seen ? "shift_seen" : "shift_unseen", {"object_moved"},
                [seen](Trial& t) { move_object(t, shift_across(t, 0.02), seen); });
    cases.wrong(seen ? "turn_seen" : "turn_unseen", {"object_moved"}, [seen](Trial& t) {
      const Vector3d axis = t.random->normal3().normalized();
      move_object(t, math::Pose(math::exp_so3(0.349 * axis), Vector3d::Zero()), seen);
    });
  }
  cases.wrong("shuffled", {"motion_columns"}, [](Trial& t) {
    std::vector<std::size_t> order(t.log.rows());
    std::iota(order.begin(), order.end(), 0U);
    for (std::size_t k = order.size() - 1; k > 0; --k)
      std::swap(order[k], order[static_cast<std::size_t>(t.random->uniform() * static_cast<double>(k + 1))]);
    const auto reorder = [&](auto& column) {
      auto copy = column;
      for (std::size_t k = 0; k < copy.size(); ++k) column[k] = copy[order[k]];
    };
    reorder(t.log.X_WS);
    reorder(t.log.v_WS_W);
    reorder(t.log.w_WS_W);
    reorder(t.log.a_WS_W);
    reorder(t.log.al_WS_W);
    reorder(t.log.f_S);
    reorder(t.log.tau_S);
    reorder(t.log.X_WO);
  });
}

inline std::vector<Case> all_cases() {
  Cases cases;
  add_right_logs(cases);
  add_wrong_readings(cases);
  add_bad_sensors(cases);
  add_bad_motions(cases);
  return std::move(cases.all);
}

inline Recording generated(int number) {
  math::RandomStream random(static_cast<std::uint64_t>(1000 + number));
  const inertia::GeneratedObject object = inertia::generate_object(random);
  Recording r;
  r.name = object.name;
  if (number % 4 == 3) {
    inertia::WristMotionOptions wrist;
    wrist.duration = 8.0;
    wrist.mean_speed = 1.5;
    r.motion = inertia::wrist_motion(wrist);
  } else {
    r.motion = inertia::stop_and_go_motion(random);
  }
  r.body_S = object.truth.expressed_in(object.X_SO);
  r.X_SO = object.X_SO;
  r.gravity_W = {0.0, 0.0, -9.81};
  return r;
}

// Published recordings are free of noise: least squares gives their body to 5e-6.
inline Recording recorded(const std::filesystem::path& folder) {
  const model::WrenchLog log = model::read_wrench_log((folder / "motion.csv.gz").string());
  Recording r;
  r.name = folder.filename().string();
  r.gravity_W = {0.0, 0.0, 9.81};
  inertia::SampleOptions options;
  options.gravity_W = r.gravity_W;
  const inertia::Samples samples = inertia::prepare_samples(log, options);
  for (std::size_t k = 0; k < log.rows(); ++k)
    r.motion.push_back({log.t[k], log.X_WS[k], log.v_WS_W[k], log.w_WS_W[k], log.a_WS_W[k], log.al_WS_W[k]});
  r.body_S = inertia::least_squares(samples.samples).inertia_S;
  r.X_SO = *samples.X_SO;
  return r;
}

}  // namespace prehend::inertia::test
