// Noise that differs by direction and noise with heavy tails: what is estimated, averaged and corrected, against noise that is known.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <prehend/geometry/primitives.h>
#include <prehend/math/random.h>
#include <prehend/math/so3.h>
#include <prehend/observation/relations/least_motion.h>
#include <prehend/observation/sequence/noise_directions.h>
#include <prehend/observation/sequence/smoothed_track.h>
#include <prehend/observation/simulated/demonstrations.h>
#include <prehend/observation/watch.h>

namespace prehend::observation {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::Pose;

constexpr double kDeg = 3.14159265358979 / 180.0;

// A camera's axes and standard deviations along them.
struct Camera {
  Matrix3d axes;
  Vector3d position, angle;

  Pose shaken(const Pose& X, math::RandomStream& random) const {
    const Vector3d shift = axes * position.cwiseProduct(random.normal3());
    const Vector3d turn = axes * angle.cwiseProduct(random.normal3());
    return Pose((math::exp_so3(turn) * X.q()).normalized(), X.p() + shift);
  }
};

Camera camera_of(std::uint64_t seed, double times) {
  math::RandomStream random(seed);
  const Vector3d turn = 1.5 * random.unit_vector();
  return {math::exp_so3(turn).toRotationMatrix(), Vector3d(5e-4, 5e-4, times * 5e-4),
          Vector3d(0.3 * times, 0.3 * times, 0.3) * kDeg};
}

// A slow path with noise.
std::vector<Pose> path_seen(const Camera& camera, int frames, std::uint64_t seed) {
  math::RandomStream random(seed);
  std::vector<Pose> track;
  for (int i = 0; i < frames; ++i) {
    const double s = 0.02 * i;
    const Pose X(math::exp_so3(Vector3d(0.1 * std::sin(s), 0.2 * s, 0.0)),
                 Vector3d(0.1 * s, 0.05 * std::cos(s), 0.02 * s));
    track.push_back(camera.shaken(X, random));
  }
  return track;
}

TEST(NoiseDirections, AxesOfACameraAreFound) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Camera camera = camera_of(seed, 4.0);
    const DirectedNoise found = directed_noise(path_seen(camera, 200, 100 + seed), {}, {}, Vector3d::Zero());
    ASSERT_FALSE(found.directions_W.is_even) << seed;
    const Matrix3d& root = found.directions_W.position;
    EXPECT_NEAR(root.determinant(), 1.0, 1e-9);
    // 200 frames: some 85 independent differences, whose standard deviations are known to 8 %.
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR((root * camera.axes.col(axis)).norm() * found.jitter.position / camera.position[axis], 1.0,
                  0.35)
          << seed;
      EXPECT_NEAR(
          (found.directions_W.angle * camera.axes.col(axis)).norm() * found.jitter.angle / camera.angle[axis],
          1.0, 0.35)
          << seed;
    }
  }
}

TEST(NoiseDirections, EvenNoiseStaysEven) {
  int uneven = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed)
    uneven += !directed_noise(path_seen(camera_of(seed, 1.0), 120, 300 + seed), {}, {}, Vector3d::Zero())
                   .directions_W.is_even;
  EXPECT_EQ(uneven, 0);
}

// A steady motion at uneven times is no noise along the motion.
TEST(NoiseDirections, UnevenTimesHaveNoDirection) {
  int uneven = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Camera camera = camera_of(seed, 1.0);
    math::RandomStream random(900 + seed);
    std::vector<Pose> track;
    std::vector<double> times;
    double t = 0.0;
    for (int i = 0; i < 120; ++i) {
      t += random.uniform(0.01, 0.06);
      times.push_back(t);
      track.push_back(
          camera.shaken(Pose(Eigen::Quaterniond::Identity(), Vector3d(0.1 * t, 0.05 * t, 0.0)), random));
    }
    uneven += !directed_noise(track, times, {}, Vector3d::Zero()).directions_W.is_even;
  }
  EXPECT_EQ(uneven, 0);
}

// The fixed body is turned about under a camera that stands: the noise keeps the camera's axes.
TEST(NoiseDirections, AxesStayWithTheTracker) {
  const Camera camera = camera_of(7, 4.0);
  math::RandomStream random(8);
  std::vector<Pose> track;
  std::vector<Eigen::Quaterniond> q_WF;
  for (int i = 0; i < 300; ++i) {
    const Eigen::Quaterniond q(math::exp_so3(Vector3d(0.0, 0.01 * i, 0.0)));
    const Pose seen = camera.shaken(Pose(), random);
    q_WF.push_back(q);
    track.push_back(Pose(q.conjugate() * seen.q() * q, q.conjugate() * seen.p()));
  }
  const DirectedNoise found = directed_noise(track, {}, q_WF, Vector3d::Zero());
  ASSERT_FALSE(found.directions_W.is_even);
  const Vector3d depth = camera.axes.col(2);
  EXPECT_GT((found.directions_W.position * depth).norm(), 2.0);
  const NoiseDirections turned = turned_by(found.directions_W, q_WF[100].conjugate());
  EXPECT_NEAR((turned.position * (q_WF[100].conjugate() * depth)).norm(),
              (found.directions_W.position * depth).norm(), 1e-12);
}

// A vertex on a plane, closed form to first order: the motion is the covariance times the equation's slope, scaled.
TEST(NoiseDirections, TheLeastMotionGoesWhereTheNoiseIsLarge) {
  const Matrix3d turn = math::exp_so3(Vector3d(0.3, 0.5, 0.2)).toRotationMatrix();
  CorrectionOptions options;
  options.noise = {1e-3, 5e-3};
  options.directions = {false, turn * Vector3d(0.5, 0.5, 4.0).asDiagonal() * turn.transpose(),
                        turn * Vector3d(2.0, 1.0, 0.5).asDiagonal() * turn.transpose()};
  const BodyPair pair(geometry::Polyhedron::from_mesh(geometry::make_box({0.04, 0.04, 0.04})),
                      geometry::Polyhedron::from_mesh(geometry::make_box({0.2, 0.2, 0.2})));
  const Pose touching(math::exp_so3(Vector3d(0.6, 0.5, 0.1)), Vector3d(0.01, 0.02, 0.2));
  // Let down until its lowest corner touches the upper face, then lifted by a tenth of a millimetre.
  double lowest = 1e9;
  Vector3d corner_M = Vector3d::Zero();
  for (int c = 0; c < 8; ++c) {
    const Vector3d p_M(c & 1 ? 0.02 : -0.02, c & 2 ? 0.02 : -0.02, c & 4 ? 0.02 : -0.02);
    const double height = (touching * p_M).z() - 0.1;
    if (height >= lowest) continue;
    lowest = height;
    corner_M = p_M;
  }
  constexpr double kGap = 1e-4;
  const Pose on(touching.q(), touching.p() - Vector3d(0, 0, lowest)),
      seen(on.q(), on.p() + Vector3d(0, 0, kGap));
  const PrincipalContacts contacts = pair.contacts_at(on, pair.touch_tolerance());
  ASSERT_EQ(contacts.size(), 1u);
  const Correction corrected = correct_pose(pair, contacts, seen, options);
  ASSERT_EQ(corrected.status, CorrectionStatus::ok);
  const Vector3d arm = seen.q() * corner_M, up(0, 0, 1);
  Eigen::Matrix<double, 6, 1> slope;  // of the corner's height
  slope << arm.cross(up), up;
  Eigen::Matrix<double, 6, 6> covariance = Eigen::Matrix<double, 6, 6>::Zero();
  covariance.topLeftCorner<3, 3>() = 25e-6 * options.directions.angle * options.directions.angle;
  covariance.bottomRightCorner<3, 3>() = 1e-6 * options.directions.position * options.directions.position;
  const Eigen::Matrix<double, 6, 1> expected = covariance * slope * (-kGap / slope.dot(covariance * slope));
  EXPECT_LT((math::log_so3(corrected.X_FM.q() * seen.q().conjugate()) - expected.head<3>()).norm(),
            0.01 * expected.head<3>().norm());
  EXPECT_LT((corrected.X_FM.p() - seen.p() - expected.tail<3>()).norm(), 0.01 * expected.tail<3>().norm());
  EXPECT_NEAR(corrected.cost, kGap * kGap / slope.dot(covariance * slope), 0.01 * corrected.cost);
}

double root_mean_square(const std::vector<Pose>& track, const std::vector<Pose>& truth) {
  double sum = 0.0;
  for (std::size_t i = 4; i + 4 < track.size(); ++i) sum += (track[i].p() - truth[i].p()).squaredNorm() / 3.0;
  return std::sqrt(sum / static_cast<double>(track.size() - 8));
}

// Student's t of three degrees of freedom; least squares through seven frames would leave 0.49 of the jitter.
TEST(SmoothedTrack, TailsAreAveragedOut) {
  math::RandomStream random(5);
  std::vector<Pose> truth, track;
  for (int i = 0; i < 2000; ++i) {
    const auto tails = [&random](double scale) {
      Vector3d value;
      for (int axis = 0; axis < 3; ++axis) {
        const double normal = random.normal();
        const Vector3d others = random.normal3();
        value[axis] = scale * normal / std::sqrt(others.squaredNorm() / 3.0);
      }
      return value;
    };
    truth.push_back(Pose(Eigen::Quaterniond::Identity(), Vector3d(1e-3 * i, 0, 0)));
    const Vector3d turn = tails(1e-3), shift = tails(1e-3);
    track.push_back(Pose(math::exp_so3(turn), truth.back().p() + shift));
  }
  CorrectionOptions options;
  options.noise = jitter_of(track);
  EXPECT_LT(root_mean_square(smoothed(track, options, {}).X_FM, truth), 0.43 * options.noise.position);
}

// A part that is let down and then lies still: no average may reach across.
TEST(SmoothedTrack, ABendIsNoTail) {
  std::vector<Pose> truth;
  for (int i = 0; i < 40; ++i)
    truth.push_back(Pose(Eigen::Quaterniond::Identity(), Vector3d(0, 0, 8e-3 * std::max(0, 20 - i))));
  math::RandomStream random(9);
  const Camera camera{Matrix3d::Identity(), Vector3d::Constant(1e-3), Vector3d::Constant(0.3 * kDeg)};
  std::vector<Pose> track;
  for (const Pose& X : truth) track.push_back(camera.shaken(X, random));
  CorrectionOptions options;
  options.noise = {1e-3, 0.3 * kDeg};
  const SmoothedTrack averaged = smoothed(track, options, {});
  for (std::size_t i = 0; i < truth.size(); ++i)
    EXPECT_LT(std::abs(averaged.X_FM[i].p().z() - truth[i].p().z()), 3.5e-3) << i;
}

// A camera that is four times worse in depth and tilts: the states, and what it is like.
TEST(NoiseDirections, DemonstrationsUnderACamera) {
  int right = 0, named = 0;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const DemonstrationKind kind = seed % 2 == 0 ? DemonstrationKind::corner : DemonstrationKind::hook;
    const Demonstration demo = demonstrate(kind, 700 + seed);
    const Camera camera = camera_of(seed, 4.0);
    Recording recording = seen(demo, {0.0, 0.0}, 1);
    math::RandomStream random(800 + seed);
    for (Pose& X : recording.X_FM) X = camera.shaken(X, random);
    const Watched watched =
        watch({geometry::Polyhedron::from_mesh(demo.moving), geometry::Polyhedron::from_mesh(demo.fixed)},
              recording);
    std::vector<std::string> numbers;
    for (const WatchedState& state : watched.states) numbers.push_back(state.freedom.eight_numbers());
    right += numbers == demo.numbers;
    named += watched.noise_axes.has_value();
  }
  EXPECT_GE(right, 3);
  EXPECT_GE(named, 3);
}

}  // namespace
}  // namespace prehend::observation
