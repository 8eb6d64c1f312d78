#include <cmath>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>
#include <tests/places.h>

#include <prehend/inertia/motion_filter.h>
#include <prehend/inertia/motion_smoother.h>
#include <prehend/math/random.h>
#include <prehend/math/so3.h>
#include <prehend/model/wrench_log.h>

namespace prehend::inertia {
namespace {

constexpr double kPi = 3.14159265358979323846;

// A motion in closed form: p(t) sums of sines; R(t) = Rz(g1(t)) Ry(g2(t)) Rx(g3(t)), angles sums of sines as well.
struct Instant {
  math::Pose X;
  Eigen::Vector3d v, w, a, al;
};

Instant swing(double t) {
  const auto sine = [t](double amplitude, double rate, double phase) {
    return Eigen::Vector3d(amplitude * std::sin(rate * t + phase),
                           amplitude * rate * std::cos(rate * t + phase),
                           -amplitude * rate * rate * std::sin(rate * t + phase));
  };
  const Eigen::Vector3d x = sine(0.2, 2.0, 0.1), y = sine(0.15, 3.0, 1.0), z = sine(0.1, 4.0, 2.0);
  const Eigen::Vector3d g1 = sine(2.0, 1.0, 0.3), g2 = sine(0.7, 1.7, 0.9), g3 = sine(1.5, 1.3, 2.0);
  const Eigen::Matrix3d Rz = Eigen::AngleAxisd(g1(0), Eigen::Vector3d::UnitZ()).toRotationMatrix();
  const Eigen::Matrix3d Ry = Eigen::AngleAxisd(g2(0), Eigen::Vector3d::UnitY()).toRotationMatrix();
  const Eigen::Matrix3d Rx = Eigen::AngleAxisd(g3(0), Eigen::Vector3d::UnitX()).toRotationMatrix();
  Instant instant;
  instant.X = math::Pose(Eigen::Matrix3d(Rz * Ry * Rx), {x(0), y(0), z(0)});
  instant.v = {x(1), y(1), z(1)};
  instant.a = {x(2), y(2), z(2)};
  // Axes of the three turns in the world: e1 fixed, e2 turned by the first, e3 by the first two.
  const Eigen::Vector3d e1 = Eigen::Vector3d::UnitZ(), e2 = Rz.col(1), e3 = Rz * Ry.col(0);
  const Eigen::Vector3d w1 = g1(1) * e1, w2 = w1 + g2(1) * e2;
  instant.w = w2 + g3(1) * e3;
  instant.al = g1(2) * e1 + g2(2) * e2 + g2(1) * w1.cross(e2) + g3(2) * e3 + g3(1) * w2.cross(e3);
  return instant;
}

// A screw motion of constant pitch about an axis off the origin, at a rate that grows.
Instant screw(double t) {
  const Eigen::Vector3d axis = Eigen::Vector3d(1.0, 2.0, -0.5).normalized(), through(0.3, -0.1, 0.2),
                        start(0.5, 0.4, 0.0);
  const double angle = 0.4 * t + 0.6 * t * t, rate = 0.4 + 1.2 * t, grows = 1.2, pitch = 0.05;
  Instant instant;
  const Eigen::Quaterniond R = math::exp_so3(angle * axis);
  const Eigen::Vector3d arm = R * (start - through);
  instant.X = math::Pose(R, through + arm + pitch * angle * axis);
  instant.w = rate * axis;
  instant.al = grows * axis;
  instant.v = instant.w.cross(arm) + pitch * rate * axis;
  instant.a = instant.al.cross(arm) + instant.w.cross(instant.w.cross(arm)) + pitch * grows * axis;
  return instant;
}

model::WrenchLog record(const std::function<Instant(double)>& motion, const std::vector<double>& times) {
  model::WrenchLog log;
  for (double t : times) {
    const Instant instant = motion(t);
    log.t.push_back(t);
    log.X_WS.push_back(instant.X);
    log.v_WS_W.push_back(instant.v);
    log.w_WS_W.push_back(instant.w);
    log.a_WS_W.push_back(instant.a);
    log.al_WS_W.push_back(instant.al);
    log.f_S.emplace_back(1.0, 2.0, 3.0);
    log.tau_S.emplace_back(0.1, 0.2, 0.3);
  }
  return log;
}

std::vector<double> even_times(double duration, double step) {
  std::vector<double> times;
  for (int k = 0; k * step <= duration + 1e-9; ++k) times.push_back(k * step);
  return times;
}

// Largest errors of the smoothed motion, `margin` rows from the ends (splines are worse where they end).
struct Errors {
  double a{0.0}, al{0.0}, w{0.0}, R{0.0};
  double nees_a{0.0}, nees_al{0.0};
};

Errors errors_of(const SmoothedMotion& motion, const model::WrenchLog& truth, std::size_t margin) {
  Errors e;
  double count = 0.0;
  for (std::size_t k = margin; k + margin < truth.rows(); ++k, ++count) {
    const Eigen::Vector3d a = motion.a_W[k] - truth.a_WS_W[k], al = motion.al_W[k] - truth.al_WS_W[k];
    e.a = std::max(e.a, a.norm());
    e.al = std::max(e.al, al.norm());
    e.w = std::max(e.w, (motion.w_W[k] - truth.w_WS_W[k]).norm());
    e.R = std::max(e.R, motion.X_WS[k].q().angularDistance(truth.X_WS[k].q()));
    e.nees_a += a.squaredNorm() / (3.0 * motion.std_a[k] * motion.std_a[k]);
    e.nees_al += al.squaredNorm() / (3.0 * motion.std_al[k] * motion.std_al[k]);
  }
  e.nees_a /= count;
  e.nees_al /= count;
  return e;
}

SmootherOptions poses_alone() {
  SmootherOptions options;
  options.use_twist = options.use_acceleration = false;
  return options;
}

TEST(MotionSmoother, ClosedFormsAreRight) {
  for (const auto& motion : {swing, screw}) {
    for (double t : {0.2, 0.9, 1.7}) {
      constexpr double h = 1e-4;
      const Instant before = motion(t - h), now = motion(t), after = motion(t + h);
      EXPECT_LT((now.v - (after.X.p() - before.X.p()) / (2 * h)).norm(), 1e-6);
      EXPECT_LT((now.a - (after.v - before.v) / (2 * h)).norm(), 1e-6);
      EXPECT_LT((now.w - math::log_so3(after.X.q() * before.X.q().conjugate()) / (2 * h)).norm(), 1e-6);
      EXPECT_LT((now.al - (after.w - before.w) / (2 * h)).norm(), 1e-6);
    }
  }
}

TEST(MotionSmoother, ExactPosesGiveExactAccelerations) {
  for (const auto& motion : {swing, screw}) {
    const model::WrenchLog fine = record(motion, even_times(3.0, 0.01)),
                           coarse = record(motion, even_times(3.0, 0.02));
    const SmoothedMotion smoothed = smooth_motion(fine, poses_alone());
    ASSERT_EQ(smoothed.status, SmootherStatus::ok);
    const Errors e = errors_of(smoothed, fine, 20),
                 twice = errors_of(smooth_motion(coarse, poses_alone()), coarse, 10);
    EXPECT_LT(e.a, 2e-5);
    EXPECT_LT(e.al, 2e-5);
    EXPECT_LT(e.w, 1e-7);
    EXPECT_LT(e.R, 1e-9);
    // Fourth order: a factor of 16 for half the step, where rounding of poses does not matter yet.
    EXPECT_GT(twice.a, 6.0 * e.a);
  }
}

TEST(MotionSmoother, IrregularStepsAndGaps) {
  math::RandomStream random(4);
  std::vector<double> times;
  for (double t = 0.0; t < 3.0; t += 0.01 * random.uniform(0.3, 1.7))
    if (!(t > 1.5 && t < 1.56)) times.push_back(t);
  const model::WrenchLog log = record(swing, times);
  const Errors e = errors_of(smooth_motion(log, poses_alone()), log, 20);
  EXPECT_LT(e.a, 2e-2);
  EXPECT_LT(e.al, 2e-2);
  // A repeated time stays a number.
  model::WrenchLog repeated = log;
  repeated.t[50] = repeated.t[49];
  EXPECT_EQ(smooth_motion(repeated, poses_alone()).status, SmootherStatus::ok);
}

// Noise on one kind of column beside exact others must not matter; noise on poses alone is smoothed as the model can.
TEST(MotionSmoother, FusesColumnsByTheirNoise) {
  const model::WrenchLog truth = record(swing, even_times(5.0, 0.01));
  math::RandomStream random(9);
  model::WrenchLog log = truth;
  for (std::size_t k = 0; k < log.rows(); ++k) {
    log.a_WS_W[k] += 0.1 * random.normal3();
    log.al_WS_W[k] += 1.0 * random.normal3();
  }
  const SmoothedMotion fused = smooth_motion(log);
  const Errors clean = errors_of(fused, truth, 10);
  EXPECT_LT(clean.a, 1e-3);
  EXPECT_LT(clean.al, 1e-3);
  EXPECT_NEAR(*fused.noise.linear_acceleration, 0.1, 0.01);
  EXPECT_NEAR(*fused.noise.angular_acceleration, 1.0, 0.1);
  // The other way round: poor poses and twists beside good accelerations.
  log = truth;
  for (std::size_t k = 0; k < log.rows(); ++k) {
    log.X_WS[k] = math::Pose(math::exp_so3(0.05 * random.normal3()) * log.X_WS[k].q(),
                             log.X_WS[k].p() + 0.05 * random.normal3());
    log.v_WS_W[k] += 0.3 * random.normal3();
    log.w_WS_W[k] += 0.3 * random.normal3();
    log.a_WS_W[k] += 1e-3 * random.normal3();
    log.al_WS_W[k] += 1e-3 * random.normal3();
  }
  const Errors good = errors_of(smooth_motion(log), truth, 10);
  EXPECT_LT(good.a, 6e-3);
  EXPECT_LT(good.al, 6e-3);
}

TEST(MotionSmoother, NoisyPosesAloneAndTheirUncertainty) {
  const model::WrenchLog truth = record(swing, even_times(5.0, 0.01));
  double nees_a = 0.0, nees_al = 0.0;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    math::RandomStream random(seed);
    model::WrenchLog log = truth;
    for (std::size_t k = 0; k < log.rows(); ++k)
      log.X_WS[k] = math::Pose(math::exp_so3(0.2 * kPi / 180.0 * random.normal3()) * log.X_WS[k].q(),
                               log.X_WS[k].p() + 5e-4 * random.normal3());
    const SmoothedMotion motion = smooth_motion(log, poses_alone());
    EXPECT_NEAR(*motion.noise.position, 5e-4, 5e-5);
    EXPECT_NEAR(*motion.noise.rotation, 0.2 * kPi / 180.0, 4e-4);
    const Errors e = errors_of(motion, truth, 30);
    EXPECT_LT(e.a, 0.5);  // second differences would be wrong by 12 m/s^2
    EXPECT_LT(e.R, 0.2 * kPi / 180.0);
    nees_a += e.nees_a / 5.0;
    nees_al += e.nees_al / 5.0;
  }
  // A swing is smoother than white jerk, so the stated deviations are on the safe side, but not by much.
  EXPECT_GT(nees_a, 0.1);
  EXPECT_LT(nees_a, 1.3);
  EXPECT_GT(nees_al, 0.1);
  EXPECT_LT(nees_al, 1.3);
}

// Nothing depends on where the world's origin is, how it is turned, or on the unit of length.
TEST(MotionSmoother, FarAndScaledMotionsAreTheSame) {
  model::WrenchLog log = record(swing, even_times(2.0, 0.01));
  const SmoothedMotion here = smooth_motion(log, poses_alone());
  const math::Pose X_AW(Eigen::Quaterniond(0.5, 0.5, -0.5, 0.5), {1000.0, -2000.0, 500.0});
  model::WrenchLog moved = log, small = log;
  for (std::size_t k = 0; k < log.rows(); ++k) {
    moved.X_WS[k] = X_AW * log.X_WS[k];
    small.X_WS[k] = math::Pose(log.X_WS[k].q(), 1e-3 * log.X_WS[k].p());
  }
  const SmoothedMotion there = smooth_motion(moved, poses_alone()),
                       shrunk = smooth_motion(small, poses_alone());
  for (std::size_t k = 5; k + 5 < log.rows(); ++k) {
    EXPECT_LT((there.a_W[k] - X_AW.q() * here.a_W[k]).norm(),
              2e-2);  // 2000 m leave 2e-13 m, second differences 2e-9
    EXPECT_LT((there.al_W[k] - X_AW.q() * here.al_W[k]).norm(), 1e-4);
    EXPECT_LT((1e3 * shrunk.a_W[k] - here.a_W[k]).norm(), 1e-4);
  }
}

TEST(MotionFilter, ConvergesAndEndsWhereTheSmootherEnds) {
  const model::WrenchLog truth = record(swing, even_times(4.0, 0.01));
  model::WrenchLog log = truth;
  math::RandomStream random(2);
  for (std::size_t k = 0; k < log.rows(); ++k)
    log.X_WS[k] = math::Pose(math::exp_so3(1e-3 * random.normal3()) * log.X_WS[k].q(),
                             log.X_WS[k].p() + 2e-4 * random.normal3());
  SmootherOptions options = poses_alone();
  options.window = 0.0;
  const SmoothedMotion smoothed = smooth_motion(log, options), filtered = filter_motion(log, options);
  EXPECT_FALSE(std::isfinite(filtered.std_a[1]));
  EXPECT_TRUE(std::isfinite(filtered.std_a[3]));
  const std::size_t last = log.rows() - 1;
  EXPECT_LT((filtered.a_W[last] - smoothed.a_W[last]).norm(), 1e-6);
  // Rotation: linearised about different paths, so equal to a fraction of their uncertainty.
  EXPECT_LT((filtered.al_W[last] - smoothed.al_W[last]).norm(), 0.2 * smoothed.std_al[last]);
  double nees = 0.0, count = 0.0;
  for (std::size_t k = 50; k < log.rows(); ++k, ++count)
    nees +=
        (filtered.al_W[k] - truth.al_WS_W[k]).squaredNorm() / (3.0 * filtered.std_al[k] * filtered.std_al[k]);
  EXPECT_LT(nees / count, 1.5);
  EXPECT_GT(nees / count, 0.1);
  const Samples samples = filtered_samples(log, {}, options);
  EXPECT_LT(samples.samples.size(), log.rows());
  EXPECT_GT(samples.samples.size(), log.rows() / 2);
  EXPECT_THROW(MotionFilter({}, 0.01), std::invalid_argument);
}

TEST(MotionSmoother, BadInputIsNamed) {
  model::WrenchLog log = record(swing, even_times(1.0, 0.01));
  SmootherOptions options;
  options.noise.position = -1.0;
  EXPECT_THROW(smooth_motion(log, options), std::invalid_argument);
  options = {};
  options.window = -0.1;
  EXPECT_THROW(smooth_motion(log, options), std::invalid_argument);
  model::WrenchLog two = record(swing, {0.0, 0.01});
  EXPECT_THROW(smooth_motion(two), std::invalid_argument);
  log.t[5] = 0.0;
  EXPECT_THROW(smooth_motion(log), std::invalid_argument);
}

math::SpatialInertia fit(const std::vector<Sample>& samples) {
  const auto n = static_cast<Eigen::Index>(samples.size());
  Eigen::MatrixXd A(6 * n, 10);
  Eigen::VectorXd b(6 * n);
  for (Eigen::Index i = 0; i < n; ++i) {
    A.block<6, 10>(6 * i, 0) = wrench_regressor(samples[static_cast<std::size_t>(i)].motion);
    b.segment<6>(6 * i) = samples[static_cast<std::size_t>(i)].wrench;
  }
  const Eigen::VectorXd scale = A.colwise().norm().cwiseInverse();
  return math::SpatialInertia::from_parameters(scale.asDiagonal() *
                                               (A * scale.asDiagonal()).householderQr().solve(b));
}

// Published recordings: exact poses alone weigh as exactly as the recorded accelerations do.
TEST(MotionSmoother, PublishedToolsFromPosesAlone) {
  const std::filesystem::path tools = std::filesystem::path(prehend::test::shared_data()) / "tools";
  if (!std::filesystem::exists(tools)) GTEST_SKIP() << "no recordings at " << tools;
  SampleOptions gravity;
  gravity.gravity_W = {0.0, 0.0, 9.81};
  int tools_seen = 0;
  for (const auto& tool : std::filesystem::directory_iterator(tools)) {
    const model::WrenchLog log = model::read_wrench_log((tool.path() / "motion.csv.gz").string());
    const math::SpatialInertia truth = fit(prepare_samples(log, gravity).samples);
    const math::SpatialInertia found = fit(smooth_samples(log, gravity, poses_alone()).samples);
    EXPECT_NEAR(found.mass / truth.mass, 1.0, 1e-5) << tool.path();
    EXPECT_LT((found.com - truth.com).norm(), 2e-6) << tool.path();  // smallest tool: 0.1 m; wanted 1e-5
    EXPECT_LT((found.I_com - truth.I_com).norm(), 1e-3 * truth.I_com.norm()) << tool.path();
    // Accelerations of table 3.7's highest noise beside exact poses and twists do no harm.
    model::WrenchLog noisy = log;
    math::RandomStream random(1);
    for (std::size_t k = 0; k < log.rows(); ++k) {
      noisy.a_WS_W[k] += 0.1 * random.normal3();
      noisy.al_WS_W[k] += 1.0 * random.normal3();
    }
    const math::SpatialInertia fused = fit(smooth_samples(noisy, gravity).samples);
    EXPECT_NEAR(fused.mass / truth.mass, 1.0, 1e-5) << tool.path();
    EXPECT_LT((fused.com - truth.com).norm(), 2e-6) << tool.path();
    EXPECT_LT((fused.I_com - truth.I_com).norm(), 1e-3 * truth.I_com.norm()) << tool.path();
    ++tools_seen;
  }
  EXPECT_EQ(tools_seen, 12);
}

// Velocities by differences of noisy positions know the positions' noise: they are no measurements of their own.
TEST(MotionSmoother, DifferencesOfTheLogsOwnColumnsAreLeftOut) {
  math::RandomStream random(91);
  model::WrenchLog log;
  for (int k = 0; k < 600; ++k) {
    log.t.push_back(0.008 * k);
    const Instant at = swing(log.t.back());
    const Eigen::Vector3d p = at.X.p() + 2e-5 * random.normal3();
    const Eigen::Quaterniond q = math::exp_so3(5e-5 * random.normal3()) * at.X.q();
    log.X_WS.emplace_back(q, p);
    log.w_WS_W.push_back(at.w + 0.01 * random.normal3());
    log.v_WS_W.push_back(at.v);
    log.a_WS_W.push_back(at.a);
    log.al_WS_W.push_back(at.al);
  }
  const auto slopes = [&](const std::vector<Eigen::Vector3d>& x) {
    std::vector<Eigen::Vector3d> v(x.size());
    for (std::size_t k = 0; k < x.size(); ++k) {
      const std::size_t from = k > 0 ? k - 1 : 0, to = std::min(k + 1, x.size() - 1);
      v[k] = (x[to] - x[from]) / (log.t[to] - log.t[from]);
    }
    return v;
  };
  std::vector<Eigen::Vector3d> p;
  for (const math::Pose& X : log.X_WS) p.push_back(X.p());
  const auto error = [&](const model::WrenchLog& given) {
    const SmoothedMotion motion = smooth_motion(given);
    double sum = 0.0, stated = 0.0;
    for (std::size_t k = 20; k + 20 < given.rows(); ++k) {
      sum += (motion.a_W[k] - swing(given.t[k]).a).squaredNorm();
      stated += 3.0 * motion.std_a[k] * motion.std_a[k];
    }
    return std::pair(std::sqrt(sum), std::sqrt(stated));
  };
  model::WrenchLog differences = log, alone = log;
  differences.v_WS_W = slopes(p);
  differences.a_WS_W = slopes(differences.v_WS_W);
  differences.al_WS_W = slopes(log.w_WS_W);
  alone.v_WS_W = alone.w_WS_W = alone.a_WS_W = alone.al_WS_W = {};
  const auto [off, stated] = error(differences);
  EXPECT_DOUBLE_EQ(off, error(alone).first);
  EXPECT_LT(off, 1.5 * stated);
  EXPECT_LT(error(log).first, 0.5 * off);  // exact columns are measurements
}

}  // namespace
}  // namespace prehend::inertia
