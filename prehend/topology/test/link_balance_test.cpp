#include <cmath>

#include <gtest/gtest.h>

#include <prehend/math/random.h>
#include <prehend/math/so3.h>
#include <prehend/topology/evidence/balance.h>
#include <prehend/topology/evidence/link_balance.h>

namespace prehend::topology {
namespace {

// A body that tumbles and swings in closed form, and the wrench that this takes: Newton and Euler with exact derivatives.
struct ClosedForm {
  Eigen::Vector3d axis, swing;
  double rate, amplitude;

  double angle(double t) const { return amplitude * std::sin(rate * t); }
  math::Pose pose(double t) const {
    return math::Pose(math::exp_so3(angle(t) * axis),
                      swing * std::sin(1.3 * rate * t) + Eigen::Vector3d(0.2, 0.1, 0.9));
  }
  // On the body, in its axes, about its origin, gravity apart.
  math::Wrench wrench(const math::SpatialInertia& body, double t, const Eigen::Vector3d& gravity) const {
    const double dq = amplitude * rate * std::cos(rate * t),
                 ddq = -amplitude * rate * rate * std::sin(rate * t);
    const Eigen::Vector3d w = dq * axis, al = ddq * axis;  // body and world alike: the axis stands still
    const Eigen::Matrix3d R = pose(t).R();
    const Eigen::Vector3d a_W = -swing * 1.69 * rate * rate * std::sin(1.3 * rate * t);
    const Eigen::Vector3d a_L = R.transpose() * (a_W - gravity);
    const Eigen::Vector3d force = body.mass * (a_L + al.cross(body.com) + w.cross(w.cross(body.com)));
    math::Wrench F;
    F.force = force;
    F.moment = body.I_com * al + w.cross(body.I_com * w) + body.com.cross(force);
    return F;
  }
};

struct Made {
  ArticulatedObject object;
  Recording recording;
};

// Two bodies that move independently, each in a hand of its own: every link balances by itself.
Made two_free_bodies(double duration, double pose_noise, double wrench_noise, double step = 0.001) {
  math::RandomStream random(5);
  Made made;
  math::SpatialInertia a = math::SpatialInertia::solid_box(1.5, {0.2, 0.1, 0.3}),
                       b = math::SpatialInertia::solid_box(0.6, {0.1, 0.3, 0.05});
  a.com = {0.03, -0.05, 0.02};
  b.com = {-0.1, 0.02, 0.04};
  made.object.links = {{"a", a, -1, ""}, {"b", b, 0, "j"}};
  const ClosedForm motion[2] = {{random.unit_vector(), 0.1 * random.normal3(), 5.0, 0.7},
                                {random.unit_vector(), 0.1 * random.normal3(), 7.0, 1.1}};
  Recording& r = made.recording;
  r.X_WL.resize(2);
  r.held = {{0, {}}, {1, {}}};
  for (int k = 0; k * step < duration; ++k) {
    const double t = k * step;
    r.t.push_back(t);
    for (std::size_t i = 0; i < 2; ++i) {
      math::Vector6d e;
      e << 8.7 * pose_noise * random.normal3(), pose_noise * random.normal3();
      r.X_WL[i].push_back(motion[i].pose(t) * math::exp_se3(e));
      math::Wrench F = motion[i].wrench(made.object.links[i].inertia, t, r.gravity_W);
      F.force += wrench_noise * random.normal3();
      F.moment += 0.1 * wrench_noise * random.normal3();
      r.held[i].F_L.push_back(F);
    }
  }
  return made;
}

TEST(LinkBalance, ClosedFormMotionBalancesToFourthOrder) {
  const Made made = two_free_bodies(2.0, 0.0, 0.0);
  const RecordingNoise none{{1e-9, 1e-9}, 1e-9, 1e-9};
  double before = 0.0;
  for (const double duration : {0.02, 0.01}) {
    BlockOptions block_options;
    block_options.duration = duration;
    const MotionBlocks blocks = average_blocks(made.object, made.recording, block_options);
    BalanceOptions options;
    options.knot_distance = 0.06;
    const LinkBalance balance = balance_links(made.object, made.recording, blocks, none, options);
    ASSERT_GT(balance.size(), 8u);
    double worst = 0.0;
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t k = 0; k < balance.size(); ++k)
        worst = std::max(worst, balance.F[i][k].tail<3>().norm());
    // Forces are about 15 N; turning of the lever of the centre of mass within a block is of second order.
    EXPECT_LT(worst, duration == 0.02 ? 2e-2 : 5e-3);
    if (before > 0.0) {
      EXPECT_LT(worst, 0.35 * before);
    }
    before = worst;
  }
}

TEST(LinkBalance, NoiseIsMeasuredAndItsCovarianceIsRight) {
  const Made made = two_free_bodies(12.0, 1e-3, 0.1);
  const RecordingNoise noise = measure_noise(made.recording);
  EXPECT_NEAR(noise.pose.position, 1e-3, 5e-5);
  EXPECT_NEAR(noise.pose.angle, 8.7e-3, 5e-4);
  EXPECT_NEAR(noise.force, 0.1, 5e-3);
  EXPECT_NEAR(noise.torque, 0.01, 5e-4);
  const MotionBlocks blocks = average_blocks(made.object, made.recording);
  BalanceOptions options;
  options.model_error = 0.0;
  const LinkBalance balance = balance_links(made.object, made.recording, blocks, noise, options);
  // 90 windows of six: the mean square scatters by 6 percent.
  EXPECT_GT(balance.size(), 80u);
  EXPECT_NEAR(total_balance(balance), 1.0, 0.2);
}

TEST(LinkBalance, RowsAtUnevenTimesBalanceAndTheirNoiseIsKnown) {
  // 1 to 23 ms apart: balanced by row number, forces of 15 N were off by newtons.
  const auto uneven = [](const Made& made) {
    math::RandomStream random(5);
    Made out{made.object, {}};
    out.recording.gravity_W = made.recording.gravity_W;
    out.recording.X_WL.resize(made.recording.X_WL.size());
    for (const HeldLink& held : made.recording.held) out.recording.held.push_back({held.link, {}});
    for (std::size_t k = 0; k < made.recording.rows(); k += 1 + random.below(23)) {
      out.recording.t.push_back(made.recording.t[k]);
      for (std::size_t i = 0; i < made.recording.X_WL.size(); ++i)
        out.recording.X_WL[i].push_back(made.recording.X_WL[i][k]);
      for (std::size_t h = 0; h < made.recording.held.size(); ++h)
        out.recording.held[h].F_L.push_back(made.recording.held[h].F_L[k]);
    }
    return out;
  };
  const Made clean = uneven(two_free_bodies(4.0, 0.0, 0.0));
  const MotionBlocks blocks = average_blocks(clean.object, clean.recording);
  EXPECT_EQ(blocks.gaps, 0);
  const LinkBalance balance =
      balance_links(clean.object, clean.recording, blocks, {{1e-6, 1e-6}, 1e-3, 1e-3});
  ASSERT_GT(balance.size(), 20u);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t k = 0; k < balance.size(); ++k) EXPECT_LT(balance.F[i][k].tail<3>().norm(), 0.1);

  const Made noisy = uneven(two_free_bodies(24.0, 2e-4, 0.1));
  const RecordingNoise noise = measure_noise(noisy.recording);
  EXPECT_NEAR(noise.pose.position, 2e-4, 2e-5);
  EXPECT_NEAR(noise.pose.angle, 1.74e-3, 2e-4);
  EXPECT_NEAR(noise.force, 0.1, 0.01);
  EXPECT_NEAR(noise.torque, 0.01, 1e-3);
  BalanceOptions options;
  options.model_error = options.resolution = 0.0;
  const LinkBalance whitened = balance_links(noisy.object, noisy.recording,
                                             average_blocks(noisy.object, noisy.recording), noise, options);
  EXPECT_NEAR(total_balance(whitened), 1.0, 0.25);
}

TEST(LinkBalance, NothingIsConcludedAcrossAGap) {
  Made made = two_free_bodies(2.0, 0.0, 0.0);
  Recording& r = made.recording;
  for (std::size_t k = 1000; k < r.rows(); ++k) r.t[k] += 0.5;
  const MotionBlocks blocks = average_blocks(made.object, r);
  EXPECT_EQ(blocks.gaps, 1);
  const LinkBalance balance = balance_links(made.object, r, blocks, {{1e-6, 1e-6}, 1e-3, 1e-3});
  EXPECT_GT(balance.size(), 8u);
  for (std::size_t k = 0; k < balance.size(); ++k)
    EXPECT_LT((balance.F[0][k] + balance.F[1][k]).tail<3>().norm(), 0.02);
}

TEST(LinkBalance, OtherReadingsOfARecordingAreTold) {
  const Made made = two_free_bodies(3.0, 2e-4, 0.02);
  const auto named = [&](const ArticulatedObject& object, const Recording& recording) {
    const std::vector<BalanceVariant> variants = balance_variants(object, recording);
    EXPECT_EQ(variants.front().reading, Reading::as_recorded);
    return variants;
  };
  EXPECT_LT(named(made.object, made.recording).front().balance, 1.5);
  Recording wrong = made.recording;
  for (math::Wrench& F : wrong.held[1].F_L) F = -F;
  std::vector<BalanceVariant> v = named(made.object, wrong);
  EXPECT_GT(v[0].balance, 25.0);
  EXPECT_EQ(v[1].reading, Reading::opposite_sign);
  EXPECT_EQ(v[1].link, 1);
  EXPECT_LT(v[1].balance, 2.0);

  wrong = made.recording;
  for (std::size_t k = 0; k < wrong.rows(); ++k)
    wrong.held[0].F_L[k] = wrong.held[0].F_L[k].expressed(wrong.X_WL[0][k].R());
  v = named(made.object, wrong);
  EXPECT_EQ(v[1].reading, Reading::world_axes);
  EXPECT_EQ(v[1].link, 0);

  wrong = made.recording;
  wrong.gravity_W.setZero();
  EXPECT_EQ(named(made.object, wrong)[1].reading, Reading::gravity_missing);

  ArticulatedObject heavy = made.object;
  heavy.links[1].inertia.mass *= 1.4;
  heavy.links[1].inertia.I_com *= 1.4;
  v = named(heavy, made.recording);
  EXPECT_EQ(v[1].reading, Reading::mass_scaled);
  EXPECT_EQ(v[1].link, 1);
  EXPECT_NEAR(v[1].scale, 1.0 / 1.4, 0.02);
}

}  // namespace
}  // namespace prehend::topology
