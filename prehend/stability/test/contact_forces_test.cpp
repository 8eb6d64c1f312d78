#include <cmath>

#include <gtest/gtest.h>

#include "contact_scenes.h"
#include <prehend/math/enum_text.h>
#include <prehend/model/scene_reader.h>
#include <prehend/stability/certificate.h>
#include <prehend/stability/contact_forces.h>
#include <prehend/stability/statics/force_distribution.h>

namespace prehend::stability {
namespace {

using namespace box_scenes;
using Eigen::Vector3d;

constexpr ForceMethod kMethods[] = {ForceMethod::cones, ForceMethod::pyramid, ForceMethod::qr};

double squares(const std::vector<Vector3d>& forces) {
  double sum = 0.0;
  for (const Vector3d& f : forces) sum += f.squaredNorm();
  return sum;
}

// Corners of a cube at the distance s / 2 from the middle: normals share W cos, less the moment of the slope; the
// friction W sin is shared alike.
TEST(ContactForces, BlockOnASlope) {
  const double angle = 0.3, mass = 2.0, g = 9.81;
  const model::Scene scene = box_on_slope(angle, 0.5);
  for (const ForceMethod method : kMethods) {
    const ContactForcesResult result = contact_forces(scene, {.method = method});
    ASSERT_EQ(result.status, ContactForcesStatus::stable) << result.brief_report();
    ASSERT_EQ(result.contacts.size(), 4u);
    EXPECT_FALSE(result.needs_prestress);
    EXPECT_LT(result.equilibrium_residual, 1e-9);
    for (const ContactForce& c : result.contacts) {
      const Vector3d p = tilted(angle).R().transpose() * c.p_W, f = tilted(angle).R().transpose() * c.f_W;
      const double front = p.x() > 0 ? 1.0 : -1.0;  // positive x is downhill
      EXPECT_NEAR(f.z(), 0.25 * mass * g * (std::cos(angle) + front * std::sin(angle)), 1e-6);
      // Uphill corners carry 0.16 W normally: their cones allow less friction than an equal share.
      if (method == ForceMethod::qr) {
        EXPECT_NEAR(f.x(), -0.25 * mass * g * std::sin(angle), 1e-6);
      }
      EXPECT_EQ(scene.bodies[c.body_b].name, "box");
      EXPECT_NEAR(c.n_W.z(), std::cos(angle), 1e-9);
    }
  }
}

TEST(ContactForces, SlidingBlockIsUnstableWithProof) {
  const model::Scene scene = box_on_slope(0.5, 0.5);  // tan 0.5 = 0.546
  const ContactSystem system = build_contact_system(scene);
  for (const ForceMethod method : {ForceMethod::cones, ForceMethod::pyramid}) {
    const ContactForcesResult result = contact_forces(scene, {.method = method});
    ASSERT_EQ(result.status, ContactForcesStatus::unstable);
    const Certificate certificate = check_falling(system, result.falling);
    EXPECT_TRUE(certificate.valid) << certificate.brief_report();
    ASSERT_EQ(result.moving.size(), 1u);
    EXPECT_EQ(scene.bodies[result.moving[0]].name, "box");
    EXPECT_NE(result.brief_report().find("it falls; these bodies move: box"), std::string::npos);
  }
  // Without cones it is undetermined, but by how much they are left is known.
  const ContactForcesResult glued = contact_forces(scene, {.method = ForceMethod::qr});
  EXPECT_EQ(glued.status, ContactForcesStatus::undetermined);
  EXPECT_GT(glued.cone_violation, 0.01);
  EXPECT_NE(glued.note.find("the method 'cones' tells whether it stands"), std::string::npos);
}

// Between the pyramid's friction, mu cos(pi / N) at worst, and the cone's.
TEST(ContactForces, PyramidsAreStricterThanCones) {
  const double angle = 0.3;
  model::Scene scene;
  add_floor(scene, 1.0, tilted(angle));
  const double mu = 1.02 * std::tan(angle);
  scene.bodies.back().geoms[0].friction = mu;
  add_box(
      scene,
      {.size = {1, 1, 0.1}, .X_WB = tilted(angle) * math::Pose::translation({0, 0, 0.05}), .friction = mu});
  EXPECT_EQ(contact_forces(scene).status, ContactForcesStatus::stable);
  // A square whose sides, not corners, face the slope allows mu cos 45 only.
  const ContactForcesResult square =
      contact_forces(scene, {.method = ForceMethod::pyramid, .pyramid_sides = 4});
  const ContactForcesResult fine =
      contact_forces(scene, {.method = ForceMethod::pyramid, .pyramid_sides = 64});
  EXPECT_EQ(fine.status, ContactForcesStatus::stable);
  EXPECT_EQ(square.status, ContactForcesStatus::undetermined);
  EXPECT_NE(square.note.find("inside pyramids of 4 sides"), std::string::npos);
}

TEST(ContactForces, TableOnLegs) {
  model::Scene scene;
  scene.gravity_W = {0, 0, -10};
  add_floor(scene);
  for (const double x : {-1.0, 1.0}) {
    add_box(
        scene,
        {.name = "leg", .size = {0.1, 0.4, 1}, .X_WB = math::Pose::translation({x, 0, 0.5}), .mass = 1.0});
  }
  add_box(
      scene,
      {.name = "slab", .size = {3, 0.4, 0.1}, .X_WB = math::Pose::translation({0.5, 0, 1.05}), .mass = 4.0});
  const ContactForcesResult result = contact_forces(scene);
  ASSERT_EQ(result.status, ContactForcesStatus::stable);
  double floor[2] = {0, 0}, slab[2] = {0, 0};
  for (const ContactForce& c : result.contacts) {
    const int side = c.p_W.x() > 0 ? 1 : 0;
    (c.p_W.z() < 0.5 ? floor : slab)[side] += c.f_W.dot(c.n_W);
    const double f_n = c.f_W.dot(c.n_W);
    EXPECT_LE((c.f_W - f_n * c.n_W).norm(), c.mu * f_n + 1e-9);
  }
  // Statically indeterminate: the lever rule holds to within the width of the legs.
  EXPECT_NEAR(slab[1], 30.0, 1.0);
  EXPECT_NEAR(slab[0] + slab[1], 40.0, 1e-7);
  EXPECT_NEAR(floor[1], slab[1] + 10.0, 1e-7);
}

// Two routes to the unique least: Newton's method on the dual, and the general cone program.
TEST(ContactForces, NewtonAgreesWithTheGeneralConeProgram) {
  int stable = 0, unstable = 0;
  for (int seed = 0; seed < 300; ++seed) {
    const ContactSystem system = random_tower(static_cast<std::uint64_t>(seed), 0.5);
    const ForceDistribution quick = least_cone_forces(system), general = general_cone_forces(system);
    ASSERT_EQ(quick.status, general.status) << seed << " " << quick.note << " / " << general.note;
    if (quick.status == DistributionStatus::balanced) {
      ++stable;
      EXPECT_TRUE(check_resting_forces(system, quick.forces_W).valid) << seed;
      EXPECT_NEAR(squares(quick.forces_W) / squares(general.forces_W), 1.0, 1e-6) << seed;
    } else {
      ++unstable;
      EXPECT_TRUE(check_falling(system, quick.falling).valid) << seed;
    }
  }
  EXPECT_GT(stable, 50);
  EXPECT_GT(unstable, 50);
}

TEST(ContactForces, DoNotDependOnUnitsPlaceOrTurn) {
  const auto scene_at = [](double scale, const math::Pose& X) {
    model::Scene scene;
    scene.gravity_W = X.R() * Vector3d(0, 0, -10);
    const auto place = [&](const Vector3d& p) { return X * math::Pose::translation(scale * p); };
    add_box(
        scene,
        {.name = "floor", .size = scale * Vector3d(4, 4, 1), .X_WB = place({0, 0, -0.5}), .movable = false});
    add_box(scene,
            {.name = "low", .size = scale * Vector3d(1, 1, 1), .X_WB = place({0, 0, 0.5}), .mass = 2.0});
    add_box(scene,
            {.name = "top", .size = scale * Vector3d(1, 1, 1), .X_WB = place({0.4, 0.1, 1.5}), .mass = 1.0});
    return scene;
  };
  const math::Pose away(Eigen::Quaterniond(Eigen::AngleAxisd(1.1, Vector3d(1, 2, -1).normalized())),
                        {300, -200, 70});
  const auto base = contact_forces(scene_at(1.0, math::Pose()));
  ASSERT_EQ(base.status, ContactForcesStatus::stable);
  for (const double scale : {0.001, 1.0, 1000.0}) {
    ContactForcesOptions options;
    options.system.contact.gap_tolerance = 1e-4 * scale;
    const auto turned = contact_forces(scene_at(scale, away), options);
    ASSERT_EQ(turned.status, ContactForcesStatus::stable);
    ASSERT_EQ(turned.contacts.size(), base.contacts.size());
    for (const ContactForce& c : turned.contacts) {  // corners may come in another order
      const Vector3d p = away.inverse() * c.p_W / scale;
      double nearest = 1.0, difference = 1.0;
      for (const ContactForce& d : base.contacts) {
        if (d.body_a != c.body_a || (d.p_W - p).norm() > nearest) continue;
        nearest = (d.p_W - p).norm();
        difference = (away.R().transpose() * c.f_W - d.f_W).norm();
      }
      EXPECT_LT(nearest, 1e-4);
      EXPECT_LT(difference, 2e-3);  // 30 N; corners of a millimetre scene 300 m away are known to 1e-10 m
    }
  }
}

TEST(ContactForces, OddScenes) {
  model::Scene empty;
  EXPECT_EQ(contact_forces(empty).status, ContactForcesStatus::undetermined);
  EXPECT_EQ(contact_forces(empty).note, "no body of the scene is movable; name one with --movable");
  model::Scene floating;
  add_floor(floating);
  add_box(floating, {.X_WB = math::Pose::translation({0, 0, 5})});
  for (const ForceMethod method : kMethods) {
    const ContactForcesResult result = contact_forces(floating, {.method = method});
    EXPECT_EQ(result.status, ContactForcesStatus::unstable) << to_string(method) << " " << result.note;
    EXPECT_EQ(result.moving.size(), 1u);
    EXPECT_FALSE(result.problems.empty());
  }
  floating.gravity_W.setZero();
  EXPECT_EQ(contact_forces(floating).status, ContactForcesStatus::stable);

  // No friction: stands on the flat, falls on the slightest slope.
  EXPECT_EQ(contact_forces(box_on_slope(0.0, 0.0)).status, ContactForcesStatus::stable);
  EXPECT_EQ(contact_forces(box_on_slope(1e-3, 0.0)).status, ContactForcesStatus::unstable);

  // A heavy box on a light one, and a light one on a heavy one.
  for (const double ratio : {1e-4, 1e4}) {
    model::Scene stack = box_on_slope(0.0, 0.5);
    add_box(stack, {.name = "top", .X_WB = math::Pose::translation({0.3, 0, 1.5}), .mass = 2.0 * ratio});
    const ContactForcesResult result = contact_forces(stack);
    EXPECT_EQ(result.status, ContactForcesStatus::stable);
    EXPECT_LT(result.equilibrium_residual, 1e-10);
  }
}

// A tool point without mass, fixed to an arm that lies on its limit: its own balance is rounding and proves nothing against the rest.
TEST(ContactForces, LinksWithoutMass) {
  const std::string arm =
      "<robot name='r'><link name='base'/><link name='arm'><inertial><origin xyz='0.1 0.2 0.3'/><mass "
      "value='0.3'/>"
      "<inertia ixx='.01' ixy='0' ixz='0' iyy='.01' iyz='0' izz='.01'/></inertial></link><link name='tool'/>"
      "<joint name='j' type='revolute'><parent link='base'/><child link='arm'/><axis xyz='1 0 0'/>"
      "<limit lower='0' upper='1' effort='0' velocity='1'/></joint><joint name='t' type='fixed'><parent "
      "link='arm'/>"
      "<child link='tool'/><origin xyz='0.3 0.1 0.7' rpy='0.1 0.2 0.3'/></joint></robot>";
  const model::Scene scene = model::read_scene_text(arm, model::SceneFormat::urdf, "arm.urdf");
  const ContactForcesResult held = contact_forces(scene);
  EXPECT_NE(held.status, ContactForcesStatus::undetermined) << held.brief_report();
}

TEST(ContactForces, BlockBetweenPostsNeedsPrestress) {
  model::Scene scene;
  for (const double side : {-1.0, 1.0}) {
    add_box(
        scene,
        {.name = "post", .X_WB = math::Pose::translation({side, 0, 0}), .friction = 0.1, .movable = false});
  }
  add_box(scene, {.name = "block", .mass = 1.0, .friction = 0.1});
  const ContactForcesResult result = contact_forces(scene);
  EXPECT_EQ(result.status, ContactForcesStatus::stable);
  EXPECT_TRUE(result.needs_prestress);
  EXPECT_NE(result.brief_report().find("internal stress that the weights do not cause"), std::string::npos);
  // Least forces: every corner carries its share of the weight at the edge of its cone.
  for (const ContactForce& c : result.contacts) EXPECT_NEAR(std::abs(c.f_W.x()), 9.81 / 8 / 0.1, 1e-6);
  EXPECT_FALSE(contact_forces(scene, {.check_prestress = false}).needs_prestress);
}

TEST(ContactForces, JsonAndNames) {
  const model::Scene scene = box_on_slope(0.0, 0.5);
  const std::string json = contact_forces(scene).to_json();
  EXPECT_EQ(json.find("{\"status\":\"stable\",\"method\":\"cones\",\"needs_prestress\":false,\"contacts\":[{"
                      "\"body_a\":\"floor\","
                      "\"body_b\":\"box\","
                      "\"p_W_m\":["),
            0u)
      << json;
  for (const char* field : {"\"n_W\":[", "\"f_W_N\":[", "\"mu\":0.5", "\"moving\":[]", "\"problems\":[]"}) {
    EXPECT_NE(json.find(field), std::string::npos) << field;
  }
  for (const ForceMethod method : kMethods) EXPECT_EQ(from_string<ForceMethod>(to_string(method)), method);
  EXPECT_FALSE(from_string<ForceMethod>("magic"));
  try {
    contact_forces(scene, {.pyramid_sides = 2});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "ContactForcesOptions::pyramid_sides is 2; it must be between 3 and 256");
  }
}

// A block on a slope holds from mu = tan(angle) on.
TEST(ContactForces, CriticalFrictionOnRequest) {
  const double angle = 0.3;
  const model::Scene scene = box_on_slope(angle, 0.5);
  EXPECT_FALSE(contact_forces(scene).critical_friction);
  const ContactForcesResult result = contact_forces(scene, {.critical_friction = true});
  ASSERT_TRUE(result.critical_friction);
  EXPECT_EQ(result.critical_friction->status, CriticalFrictionStatus::ok);
  EXPECT_LE(result.critical_friction->coefficient_below, std::tan(angle) + 1e-6);
  EXPECT_GE(result.critical_friction->coefficient_above, std::tan(angle) - 1e-6);
  EXPECT_NE(result.to_json().find(R"("critical_friction":{"status":"ok","factor_below":)"),
            std::string::npos);
  EXPECT_NE(result.brief_report().find("critical friction: holds from friction 0.309"), std::string::npos)
      << result.brief_report();
}

}  // namespace
}  // namespace prehend::stability
