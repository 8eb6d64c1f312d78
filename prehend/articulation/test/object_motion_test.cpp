#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include <prehend/articulation/fit/joint_motion.h>
#include <prehend/articulation/simulated/object_motion.h>
#include <prehend/math/se3.h>
#include <prehend/math/so3.h>

namespace prehend::articulation {
namespace {

using model::JointType;
const std::vector<JointType> kAllTypes = {JointType::rigid,     JointType::prismatic,   JointType::revolute,
                                          JointType::screw,     JointType::cylindrical, JointType::universal,
                                          JointType::spherical, JointType::planar,      JointType::free};

SimulatedObject mixed_object(std::uint64_t seed, int parts = 40) {
  RandomObjectOptions options;
  options.parts = parts;
  options.types = kAllTypes;
  options.seed = seed;
  return random_object(options);
}

MotionOptions without_noise(std::uint64_t seed, int frames = 20) {
  MotionOptions options;
  options.frames = frames;
  options.position_noise = options.angle_noise = 0.0;
  options.seed = seed;
  return options;
}

math::Pose pose_of(const model::PoseRow& row) { return math::Pose(*row.q_WP, row.p_WP); }

// The invariants that define each type, from poses and the truth's axes alone: not the forward kinematics again.
void expect_obeys(const model::Joint& joint, const math::Pose& X_PC, const std::vector<double>& q) {
  const math::Pose& rest = joint.X_PC;
  const Eigen::Vector3d axis_P = rest.q() * joint.axis_C, anchor_P = rest * joint.p_CJ;
  const Eigen::Vector3d moved_anchor = X_PC * joint.p_CJ, moved_axis = X_PC.q() * joint.axis_C;
  const Eigen::Vector3d turned = math::log_so3((X_PC.q() * rest.q().conjugate()).normalized());
  const Eigen::Vector3d shifted = moved_anchor - anchor_P;
  const double tiny = 1e-12;
  SCOPED_TRACE(to_string(joint.type));
  switch (joint.type) {
    case JointType::rigid:
      EXPECT_TRUE(X_PC.is_approx(rest, tiny));
      break;
    case JointType::prismatic:
      EXPECT_LT(turned.norm(), tiny);
      EXPECT_LT((shifted - q[0] * axis_P).norm(), tiny);
      break;
    case JointType::revolute:
      EXPECT_LT(shifted.norm(), tiny);
      EXPECT_LT((turned - q[0] * axis_P).norm(), 1e-9);
      break;
    case JointType::screw:
      EXPECT_LT((shifted - joint.pitch * q[0] * axis_P).norm(), tiny);
      EXPECT_LT((turned - q[0] * axis_P).norm(), 1e-9);
      EXPECT_GT(std::abs(joint.pitch), 0.0);
      break;
    case JointType::cylindrical:
      EXPECT_LT((shifted - q[1] * axis_P).norm(), tiny);
      EXPECT_LT((turned - q[0] * axis_P).norm(), 1e-9);
      break;
    case JointType::universal: {
      EXPECT_LT(shifted.norm(), tiny);
      // The axes stay perpendicular, one fixed to each part.
      const Eigen::Vector3d second_P = X_PC.q() * joint.axis2_C;
      EXPECT_NEAR(axis_P.dot(second_P), 0.0, tiny);
      break;
    }
    case JointType::spherical:
      EXPECT_LT(shifted.norm(), tiny);
      break;
    case JointType::planar:
      EXPECT_NEAR(shifted.dot(axis_P), 0.0, tiny);
      EXPECT_LT((moved_axis - axis_P).norm(), tiny);
      EXPECT_NEAR(shifted.norm(), std::hypot(q[0], q[1]), tiny);
      break;
    case JointType::free:
      break;
  }
}

TEST(ObjectMotion, WithoutNoiseEveryJointIsObeyed) {
  const SimulatedObject object = mixed_object(3);
  const SimulatedMotion motion = simulate_motion(object, without_noise(3));
  int seen[9] = {};
  for (std::size_t j = 0; j < object.joints.size(); ++j) {
    const model::Joint& joint = object.joints[j].joint;
    ++seen[static_cast<int>(joint.type)];
    for (std::size_t i = 0; i < motion.times.size(); ++i) {
      const auto row = [&](int part) {
        return motion.log.rows[i * object.parts.size() + static_cast<std::size_t>(part)];
      };
      const math::Pose X_PC =
          pose_of(row(joint.parent.value())).inverse() * pose_of(row(joint.child.value()));
      // Parts stand up to 5 m from the origin: relative poses lose a few digits.
      EXPECT_TRUE(X_PC.is_approx(joint_pose(joint, motion.states[j][i]), 1e-13 * 200));
      expect_obeys(joint, joint_pose(joint, motion.states[j][i]), motion.states[j][i]);
    }
  }
  for (const int count : seen) EXPECT_GT(count, 0);
}

TEST(ObjectMotion, EveryStateTravelsItsWholeRange) {
  for (const MotionKind kind : {MotionKind::walk, MotionKind::smooth}) {
    MotionOptions options = without_noise(5, 200);
    options.motion = kind;
    const SimulatedMotion motion = simulate_motion(mixed_object(5, 12), options);
    for (std::size_t j = 0; j < motion.states.size(); ++j) {
      for (std::size_t s = 0; s < motion.object.joints[j].lower.size(); ++s) {
        double low = 1e9, high = -1e9;
        for (const auto& q : motion.states[j]) low = std::min(low, q[s]), high = std::max(high, q[s]);
        EXPECT_NEAR(low, motion.object.joints[j].lower[s], 1e-12);
        EXPECT_NEAR(high, motion.object.joints[j].upper[s], 1e-12);
        const double least = is_angle(motion.object.joints[j].joint.type, static_cast<int>(s)) ? 1.0472 : 0.2;
        EXPECT_GE(high - low, least - 1e-12);
      }
    }
  }
}

// Noise is in each feature's own frame: its size there is that of the options, and does not depend on where the part is.
TEST(ObjectMotion, NoiseLivesInEachPartsFrame) {
  for (const NoiseModel noise : {NoiseModel::uniform, NoiseModel::gaussian}) {
    for (const double far : {0.0, 1000.0}) {
      MotionOptions options;
      options.frames = 1500;
      options.noise = noise;
      options.position_noise = 0.02;
      options.angle_noise = 0.03;
      options.place = Eigen::Vector3d(far, 0, 0);
      const SimulatedMotion motion = simulate_motion(mixed_object(7, 4), options);
      math::Matrix6d sum = math::Matrix6d::Zero();
      double largest = 0.0;
      for (const model::PoseRow& row : motion.log.rows) {
        const auto frame = static_cast<std::size_t>(std::lround(row.t / options.frame_time));
        const math::Pose& truth = motion.X_WP[frame][static_cast<std::size_t>(row.part)];
        const math::Vector6d e = math::log_se3(truth.inverse() * pose_of(row));
        sum += e * e.transpose();
        largest = std::max(largest, e.head<3>().cwiseAbs().maxCoeff());
      }
      sum /= static_cast<double>(motion.log.rows.size());
      const double shape = noise == NoiseModel::uniform ? 1.0 / 3.0 : 1.0;
      for (int k = 0; k < 6; ++k) {
        const double expected = shape * (k < 3 ? 0.03 * 0.03 : 0.02 * 0.02);
        // 6000 samples: 5 % is more than two standard deviations for both shapes.
        EXPECT_NEAR(sum(k, k), expected, 0.08 * expected);
      }
      if (noise == NoiseModel::uniform) {
        EXPECT_LE(largest, 0.03 + 1e-9);
        EXPECT_GT(largest, 0.0299);
      }
    }
  }
}

TEST(ObjectMotion, ThePrintedNoiseIsNotRelative) {
  MotionOptions options;
  options.frames = 30;
  options.noise = NoiseModel::printed;
  const SimulatedMotion motion = simulate_motion(mixed_object(9, 2), options);
  for (std::size_t i = 0; i < motion.times.size(); ++i) {
    const math::Pose measured =
        pose_of(motion.log.rows[2 * i]).inverse() * pose_of(motion.log.rows[2 * i + 1]);
    EXPECT_TRUE(measured.is_approx(motion.X_WP[i][0].inverse() * motion.X_WP[i][1], 1e-12));
    EXPECT_FALSE(pose_of(motion.log.rows[2 * i]).is_approx(motion.X_WP[i][0], 1e-6));
  }
}

TEST(ObjectMotion, InflatedFeaturesAreRigidOnTheirPart) {
  MotionOptions options = without_noise(11);
  options.inflation = 3;
  const SimulatedMotion motion = simulate_motion(mixed_object(11, 3), options);
  ASSERT_EQ(motion.features.size(), 12u);
  EXPECT_EQ(motion.features[5].name, "part1_1");
  for (std::size_t r = 0; r < motion.log.rows.size(); ++r) {
    const Feature& feature = motion.features[static_cast<std::size_t>(motion.log.rows[r].part)];
    const std::size_t own = r - r % 12 + static_cast<std::size_t>(4 * feature.part);
    const math::Pose X_PF = pose_of(motion.log.rows[own]).inverse() * pose_of(motion.log.rows[r]);
    EXPECT_TRUE(X_PF.is_approx(feature.X_PF, 1e-12));
    EXPECT_LE(feature.X_PF.p().norm(), 0.1);
  }
}

TEST(ObjectMotion, LostAndFlippedShares) {
  MotionOptions options = without_noise(13, 2000);
  options.lost_share = 0.2;
  options.flipped_share = 0.1;
  const SimulatedMotion motion = simulate_motion(mixed_object(13, 5), options);
  EXPECT_NEAR(motion.lost / 10000.0, 0.2, 0.03);
  EXPECT_EQ(motion.log.rows.size() + static_cast<std::size_t>(motion.lost), 10000u);
  EXPECT_NEAR(static_cast<double>(motion.flipped_rows.size()) / static_cast<double>(motion.log.rows.size()),
              0.1, 0.02);
  std::vector<bool> flipped(motion.log.rows.size(), false);
  for (const std::size_t row : motion.flipped_rows) flipped[row] = true;
  for (std::size_t r = 0; r < motion.log.rows.size(); ++r) {
    const auto frame = static_cast<std::size_t>(std::lround(motion.log.rows[r].t / options.frame_time));
    const math::Pose& truth = motion.X_WP[frame][static_cast<std::size_t>(motion.log.rows[r].part)];
    EXPECT_EQ(pose_of(motion.log.rows[r]).is_approx(truth, 1e-9), !flipped[r]);
  }
}

// Under weak perspective a flat marker and its flip have the same picture.
TEST(ObjectMotion, AFlippedMarkerLooksTheSame) {
  const math::Pose X(math::exp_so3({0.5, -0.3, 0.8}), {1.0, 2.0, 30.0});
  const math::Pose flip = flipped_pose(X);
  const Eigen::Vector3d v = X.p().normalized();
  const Eigen::Matrix3d across = Eigen::Matrix3d::Identity() - v * v.transpose();
  for (const Eigen::Vector3d& corner :
       {Eigen::Vector3d(1, 1, 0), Eigen::Vector3d(-1, 1, 0), Eigen::Vector3d(0.3, -1, 0)})
    EXPECT_LT((across * (X * corner - flip * corner)).norm(), 1e-12);
  EXPECT_GT((X.R() - flip.R()).norm(), 0.1);
  EXPECT_TRUE(flipped_pose(flip).is_approx(X, 1e-12));
}

TEST(ObjectMotion, TheLinkageStaysClosed) {
  const SimulatedObject lamp = named_object("lamp_linkage");
  EXPECT_EQ(lamp.degrees_of_freedom(), 4);  // turn, swing of the linkage, neck, shade
  const SimulatedMotion motion = simulate_motion(lamp, without_noise(1, 60));
  // Bar b carries the carrier's second pin: the place of the pin is the same seen from both.
  const Eigen::Vector3d pin_on_bar(0.15, 0, 0),
      pin_on_carrier = Eigen::Vector3d(0.30, -0.03, 0.20) - Eigen::Vector3d(0.30, 0, 0.17);
  for (const auto& X_WP : motion.X_WP)
    EXPECT_LT((X_WP[3] * pin_on_bar - X_WP[4] * pin_on_carrier).norm(), 1e-12);
}

TEST(ObjectMotion, NamedObjects) {
  for (const std::string& name : object_names()) EXPECT_NO_THROW(named_object(name).validate()) << name;
  EXPECT_EQ(named_object("arm").parts.size(), 5u);
  EXPECT_EQ(named_object("arm").degrees_of_freedom(), 4);
  try {
    named_object("door");
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "no object is called 'door'; there are: lamp, lamp_linkage, arm, chair, cupboard");
  }
}

TEST(ObjectMotion, SameSeedSameLogAndOptionsDoNotDisturbEachOther) {
  const SimulatedObject object = mixed_object(17, 4);
  MotionOptions options;
  options.frames = 10;
  options.seed = 4;
  const SimulatedMotion a = simulate_motion(object, options), b = simulate_motion(object, options);
  options.inflation = 2;
  options.lost_share = 0.3;
  const SimulatedMotion c = simulate_motion(object, options);
  EXPECT_EQ(a.log.rows[7].p_WP, b.log.rows[7].p_WP);
  EXPECT_EQ(a.X_WP[9][3].p(), c.X_WP[9][3].p());
  options.seed = 5;
  EXPECT_NE(simulate_motion(object, options).X_WP[0][0].p(), a.X_WP[0][0].p());
}

TEST(ObjectMotion, TheLogIsWrittenAndReadBack) {
  MotionOptions options;
  options.frames = 5;
  const SimulatedMotion motion = simulate_motion(mixed_object(19, 3), options);
  const std::string path = ::testing::TempDir() + "/simulated_object_poses.csv";
  model::write_pose_log(path, motion.log);
  const model::PoseLog back = model::read_pose_log(path);
  ASSERT_EQ(back.rows.size(), motion.log.rows.size());
  EXPECT_EQ(back.parts, motion.log.parts);
  EXPECT_EQ(back.rows[4].p_WP, motion.log.rows[4].p_WP);
  std::filesystem::remove(path);
}

TEST(ObjectMotion, BadOptionsAreNamed) {
  MotionOptions motion;
  motion.lost_share = 1.5;
  try {
    simulate_motion(named_object("arm"), motion);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "MotionOptions::lost_share is 1.5; it must be in 0 to below 1");
  }
  RandomObjectOptions random;
  random.parts = 0;
  EXPECT_THROW(random_object(random), std::invalid_argument);
  random = {};
  random.types.clear();
  EXPECT_THROW(random_object(random), std::invalid_argument);
  SimulatedObject broken = named_object("arm");
  broken.joints[2].joint.parent = model::BodyIndex(4);
  EXPECT_THROW(simulate_motion(broken), std::invalid_argument);
}

}  // namespace
}  // namespace prehend::articulation
