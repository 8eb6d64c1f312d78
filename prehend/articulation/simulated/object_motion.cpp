#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <prehend/articulation/fit/joint_motion.h>
#include <prehend/articulation/simulated/object_motion.h>
#include <prehend/math/angles.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/number_text.h>
#include <prehend/math/random.h>
#include <prehend/math/se3.h>

namespace prehend::articulation {
namespace {

// Streams of random numbers, so that one option does not change what another draws.
constexpr std::uint64_t kRoot = 1, kStates = 2, kNoise = 3, kFeatures = 4, kLost = 5, kFlipped = 6;

math::Vector6d draw(math::RandomStream& random, double turn, double shift, bool gaussian) {
  math::Vector6d e;
  for (int k = 0; k < 6; ++k) {
    const double unit = gaussian ? random.normal() : random.uniform(-1.0, 1.0);
    e[k] = (k < 3 ? turn : shift) * unit;
  }
  return e;
}

// One state over time, within [lower, upper].
std::vector<double> state_track(const MotionOptions& options, double lower, double upper,
                                math::RandomStream random) {
  std::vector<double> track(static_cast<std::size_t>(options.frames));
  const double range = upper - lower;
  if (options.motion == MotionKind::walk) {
    double state = random.uniform(lower, upper);
    for (double& value : track) {
      value = state;
      state = std::clamp(state + random.uniform(-0.1, 0.1) * range, lower, upper);  // K, lines 8 and 9
    }
  } else {
    // Two sines of different periods [Hz], so that joints do not move alike.
    const double fast = random.uniform(0.25, 0.45), slow = random.uniform(0.1, 0.2);
    const double a = random.uniform(0, 2 * math::kPi), b = random.uniform(0, 2 * math::kPi);
    for (std::size_t i = 0; i < track.size(); ++i) {
      const double u = 2 * math::kPi * static_cast<double>(i) * options.frame_time;
      track[i] = 0.5 * (lower + upper) + 0.25 * range * (std::sin(slow * u + a) + std::sin(fast * u + b));
    }
  }
  const auto [low, high] = std::minmax_element(track.begin(), track.end());
  const double seen_low = *low, seen = *high - *low;
  if (options.full_travel && seen > 0) {
    for (double& value : track) value = std::clamp(lower + (value - seen_low) / seen * range, lower, upper);
  }
  return track;
}

math::Pose first_root(const MotionOptions& options, math::RandomStream& random) {
  Eigen::Vector3d p = options.place;
  for (int k = 0; k < 3; ++k) p[k] += random.uniform(-1.0, 1.0) * options.place_spread;
  const Eigen::Quaterniond q = random.rotation();
  return math::Pose(options.turn_root ? q : Eigen::Quaterniond::Identity(), p);
}

std::vector<Feature> make_features(const SimulatedObject& object, const MotionOptions& options) {
  std::vector<Feature> features;
  math::RandomStream random(options.seed, kFeatures);
  for (std::size_t part = 0; part < object.parts.size(); ++part) {
    features.push_back({object.parts[part].name, static_cast<int>(part), math::Pose()});
    for (int i = 1; i <= options.inflation; ++i) {
      const Eigen::Quaterniond q = random.rotation();
      const double distance = random.uniform(0.0, options.inflation_distance);
      const Eigen::Vector3d p = distance * random.unit_vector();
      features.push_back(
          {object.parts[part].name + "_" + std::to_string(i), static_cast<int>(part), math::Pose(q, p)});
    }
  }
  return features;
}

// Gaps of geometric length whose share of the frames is lost_share on average.
std::vector<bool> lost_frames(const MotionOptions& options, math::RandomStream random) {
  std::vector<bool> lost(static_cast<std::size_t>(options.frames), false);
  if (options.lost_share <= 0) return lost;
  const double leave = 1.0 / options.lost_run;
  const double enter = leave * options.lost_share / (1.0 - options.lost_share);
  bool now = random.uniform() < options.lost_share;
  for (std::size_t i = 0; i < lost.size(); ++i) {
    lost[i] = now;
    now = now ? random.uniform() >= leave : random.uniform() < enter;
  }
  return lost;
}

void measure(SimulatedMotion& motion) {
  const MotionOptions& options = motion.options;
  const bool gaussian = options.noise == NoiseModel::gaussian;
  math::RandomStream common(options.seed, kNoise);
  std::vector<math::RandomStream> noise, flips;
  std::vector<std::vector<bool>> lost;
  for (std::size_t f = 0; f < motion.features.size(); ++f) {
    noise.push_back(common.split(f));
    flips.push_back(math::RandomStream(options.seed, kFlipped).split(f));
    lost.push_back(lost_frames(options, math::RandomStream(options.seed, kLost).split(f)));
    motion.log.parts.push_back(motion.features[f].name);
  }
  for (std::size_t i = 0; i < motion.times.size(); ++i) {
    const math::Pose shared = math::exp_se3(draw(common, options.angle_noise, options.position_noise, false));
    for (std::size_t f = 0; f < motion.features.size(); ++f) {
      const Feature& feature = motion.features[f];
      math::Pose X_WF = motion.X_WP[i][static_cast<std::size_t>(feature.part)] * feature.X_PF;
      const bool flipped = flips[f].uniform() < options.flipped_share;
      if (flipped) X_WF = flipped_pose(X_WF);
      const math::Vector6d e = draw(noise[f], options.angle_noise, options.position_noise, gaussian);
      X_WF = options.noise == NoiseModel::printed ? shared * X_WF : X_WF * math::exp_se3(e);
      if (lost[f][i]) {
        ++motion.lost;
        continue;
      }
      if (flipped) motion.flipped_rows.push_back(motion.log.rows.size());
      motion.log.rows.push_back({motion.times[i], static_cast<int>(f), X_WF.p(), X_WF.q(), 0});
    }
  }
  motion.log.columns = {"t", "part", "x", "y", "z", "qw", "qx", "qy", "qz"};
}

}  // namespace

void MotionOptions::validate() const {
  const math::OptionCheck check("MotionOptions");
  check.at_least("frames", frames, 1);
  check.at_least("frame_time", frame_time, 1e-9, "s");
  check.at_least("place_spread", place_spread, 0, "m");
  check.at_least("root_step", root_step, 0, "m");
  check.at_least("root_turn", root_turn, 0, "rad");
  check.at_least("position_noise", position_noise, 0, "m");
  check.at_least("angle_noise", angle_noise, 0, "rad");
  check.at_least("inflation", inflation, 0);
  check.at_least("inflation_distance", inflation_distance, 0, "m");
  check.at_least("lost_run", lost_run, 1, "frames");
  for (const auto& [field, share] :
       {std::pair{"lost_share", lost_share}, std::pair{"flipped_share", flipped_share}})
    check.holds(share >= 0 && share < 1, field, math::number_text(share), "in 0 to below 1");
  check.holds(place.allFinite(), "place", "not finite", "finite");
}

std::vector<math::Pose> place_parts(const SimulatedObject& object, const math::Pose& X_WRoot,
                                    const std::vector<std::vector<double>>& states) {
  std::vector<math::Pose> X_WP(object.parts.size());
  X_WP[0] = X_WRoot;
  for (std::size_t j = 0; j < object.joints.size(); ++j) {
    const model::Joint& joint = object.joints[j].joint;
    X_WP[j + 1] = X_WP[joint.parent] * joint_pose(joint, states.at(j));
  }
  return X_WP;
}

math::Pose flipped_pose(const math::Pose& X_WM) {
  const double distance = X_WM.p().norm();
  const Eigen::Vector3d v = distance > 0 ? Eigen::Vector3d(X_WM.p() / distance) : Eigen::Vector3d::UnitZ();
  Eigen::Matrix3d R = X_WM.R() - 2 * v * (v.transpose() * X_WM.R());
  R.col(2) = -R.col(2);
  return math::Pose(R, X_WM.p());
}

SimulatedMotion simulate_motion(const SimulatedObject& object, const MotionOptions& options) {
  options.validate();
  object.validate();
  SimulatedMotion motion;
  motion.object = object;
  motion.options = options;
  motion.features = make_features(object, options);

  const math::RandomStream states(options.seed, kStates);
  const std::size_t frames = static_cast<std::size_t>(options.frames);
  for (std::size_t j = 0; j < object.joints.size(); ++j) {
    const SimulatedJoint& joint = object.joints[j];
    std::vector<std::vector<double>> by_frame(frames, std::vector<double>(joint.lower.size()));
    for (std::size_t s = 0; s < joint.lower.size(); ++s) {
      const std::vector<double> track =
          state_track(options, joint.lower[s], joint.upper[s], states.split(10 * j + s));
      for (std::size_t i = 0; i < frames; ++i) {
        by_frame[i][s] = joint.follows < 0
                             ? track[i]
                             : joint.ratio * motion.states[static_cast<std::size_t>(joint.follows)][i][0];
      }
    }
    motion.states.push_back(std::move(by_frame));
  }

  math::RandomStream root(options.seed, kRoot);
  math::Pose X_WRoot = first_root(options, root);
  for (std::size_t i = 0; i < frames; ++i) {
    motion.times.push_back(static_cast<double>(i) * options.frame_time);
    std::vector<std::vector<double>> now;
    for (const auto& track : motion.states) now.push_back(track[i]);
    motion.X_WP.push_back(place_parts(object, X_WRoot, now));
    X_WRoot = X_WRoot * math::exp_se3(draw(root, options.root_turn, options.root_step, false));
  }
  measure(motion);
  return motion;
}

}  // namespace prehend::articulation
