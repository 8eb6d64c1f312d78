#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>
#include <tests/places.h>

#include "contact_scenes.h"
#include <prehend/model/scene_reader.h>
#include <prehend/stability/certificate.h>
#include <prehend/stability/prestress.h>
#include <prehend/stability/statics/force_distribution.h>

namespace prehend::stability {
namespace {

using namespace box_scenes;
using Eigen::Vector3d;

// The law at every contact and the balance of every body, from the answer's displacements alone.
void expect_law_and_balance(const ContactSystem& system, const Load& load, double multiple,
                            const ElasticResponse& response, const ElasticOptions& options = {}) {
  ASSERT_EQ(response.status, ElasticStatus::held) << response.brief_report();
  ASSERT_EQ(response.forces_W.size(), system.contacts.size());
  double reference = system.weight;
  std::vector<Vector3d> force(system.bodies.size()), moment(system.bodies.size(), Vector3d::Zero());
  for (std::size_t i = 0; i < force.size(); ++i) force[i] = system.bodies[i].mass * system.gravity_W;
  for (const BodyLoad& part : load) {
    const Vector3d f = multiple * part.wrench.tail<3>();
    reference += f.norm();
    force[part.body] += f;
    moment[part.body] +=
        multiple * part.wrench.head<3>() + (system.origin_W - system.bodies[part.body].com_W).cross(f);
  }
  for (std::size_t k = 0; k < system.contacts.size(); ++k) {
    const SystemContact& c = system.contacts[k];
    const Vector3d d = system.relative_velocity(ContactIndex(k), response.displacements);
    const double d_n = d.dot(c.n_W());
    const Vector3d d_t = d - d_n * c.n_W();
    const double f_n = options.stiffness * std::max(0.0, -d_n);
    Vector3d f_t = -options.tangential_ratio * options.stiffness * d_t;
    if (f_t.norm() > c.mu * f_n) f_t *= c.mu * f_n / f_t.norm();
    EXPECT_LT((response.forces_W[k] - (f_n * c.n_W() + f_t)).norm(), 1e-7 * reference) << "contact " << k;
    for (const auto& [body, sign] : {std::pair{c.b, 1.0}, std::pair{c.a, -1.0}}) {
      if (!body.is_valid()) continue;
      force[body] += sign * response.forces_W[k];
      moment[body] += (c.p_W - system.bodies[body].com_W).cross(sign * response.forces_W[k]);
    }
  }
  for (std::size_t i = 0; i < force.size(); ++i) {
    EXPECT_LT(force[i].norm(), 1e-6 * reference);
    EXPECT_LT(moment[i].norm(), 1e-6 * reference * system.length);
  }
}

Load force_on_body(const ContactSystem& system, const Vector3d& f_W, const Vector3d& p_W) {
  return {{NodeIndex(0), system.force_wrench(f_W, p_W)}};
}

TEST(Prestress, BeamOnTwoSupports) {
  HandSystem hand(2.0);
  for (const double y : {-0.5, 0.5}) {
    hand.touch({-1.0, y, -0.2}, Vector3d::UnitZ(), 0.5);
    hand.touch({3.0, y, -0.2}, Vector3d::UnitZ(), 0.5);
  }
  const ElasticResponse response = elastic_response(hand.system, {}, 0.0);
  expect_law_and_balance(hand.system, {}, 0.0, response);
  for (std::size_t k = 0; k < 4; ++k) {  // lever rule: 3/4 of 20 N on the near end
    EXPECT_NEAR(response.forces_W[k].z(), k % 2 == 0 ? 7.5 : 2.5, 1e-6);
    EXPECT_NEAR(response.forces_W[k].head<2>().norm(), 0.0, 1e-6);
  }
  EXPECT_FALSE(needs_prestress(hand.system));
}

// Four feet on the floor and one wall, all in the plane of the centre of mass: one degree of freedom. The push F is
// shared by five equal springs until the feet slip; then the wall takes the rest.
TEST(Prestress, FloorAndWallShareAPush) {
  HandSystem hand(2.0);
  for (const double x : {-1.0, 1.0}) {
    for (const double y : {-1.0, 1.0}) hand.touch({x, y, 0}, Vector3d::UnitZ(), 0.3);
  }
  hand.touch({1, 0, 0}, -Vector3d::UnitX(), 0.0);
  const Load push = force_on_body(hand.system, Vector3d::UnitX(), Vector3d::Zero());
  for (const double F : {1.0, 7.0, 8.0, 50.0}) {
    const ElasticResponse response = elastic_response(hand.system, push, F);
    expect_law_and_balance(hand.system, push, F, response);
    const double slip = 0.3 * 20.0, wall = 0.8 * F <= slip ? F / 5 : F - slip;
    EXPECT_NEAR(-response.forces_W[4].x(), wall, 1e-5 * F);
    EXPECT_NEAR(response.displacements[0][3], wall / 1e6, 1e-11 * F);
  }
  EXPECT_EQ(load_caused_limit(hand.system, push, std::numeric_limits<double>::infinity()),
            std::numeric_limits<double>::infinity());
}

// Pressed by its weight into a V whose walls rise at `angle`. Where tan(angle) <= mu it sticks, f_t / f_n = tan(angle);
// else it slides in until f_n = W / (2 (cos + mu sin)) on each wall. mu tan(angle) > 1 is where discs alone would cycle.
TEST(Prestress, WedgeInAGroove) {
  for (const double angle : {0.3, 0.9, 1.2, 1.4, 1.5}) {
    for (const double mu : {0.0, 0.2, 0.84, 2.0}) {
      HandSystem hand(2.0);
      for (const double side : {-1.0, 1.0}) {
        for (const double y : {-1.0, 1.0}) {
          hand.touch({side, y, 0}, {-side * std::sin(angle), 0, std::cos(angle)}, mu);
        }
      }
      const ElasticResponse response = elastic_response(hand.system, {}, 0.0);
      SCOPED_TRACE("angle " + std::to_string(angle) + ", mu " + std::to_string(mu));
      expect_law_and_balance(hand.system, {}, 0.0, response);
      const double friction = std::min(mu, std::tan(angle));
      const double expected = 20.0 / (4 * (std::cos(angle) + friction * std::sin(angle)));
      const Vector3d n = hand.system.contacts[0].n_W();
      EXPECT_NEAR(response.forces_W[0].dot(n), expected, 1e-5 * expected);
    }
  }
}

// A block between two posts, nothing below: statics holds it for any friction, its weight alone never.
model::Scene block_between_posts(double friction, bool floor, double scale = 1.0) {
  model::Scene scene;
  scene.gravity_W = {0, 0, -10};
  for (const double side : {-1.0, 1.0}) {
    add_box(scene, {.name = side < 0 ? "left" : "right",
                    .size = scale * Vector3d(1, 1, 3),
                    .X_WB = math::Pose::translation(scale * Vector3d(side, 0, 0)),
                    .friction = friction,
                    .movable = false});
  }
  if (floor) {
    add_box(scene, {.name = "floor",
                    .size = scale * Vector3d(1, 1, 1),
                    .X_WB = math::Pose::translation(scale * Vector3d(0, 0, -1)),
                    .friction = friction,
                    .movable = false});
  }
  add_box(scene, {.name = "block", .size = scale * Vector3d(1, 1, 1), .mass = 2.0, .friction = friction});
  return scene;
}

TEST(Prestress, BlockBetweenPosts) {
  for (const double friction : {0.1, 0.84, 10.0}) {
    for (const double scale : {0.001, 1.0, 1000.0}) {
      ContactSystemOptions options;
      options.contact.gap_tolerance = 1e-4 * scale;
      const ContactSystem hanging =
          build_contact_system(block_between_posts(friction, false, scale), options);
      ASSERT_EQ(hanging.contacts.size(), 8u);
      EXPECT_TRUE(needs_prestress(hanging));
      const ContactSystem standing =
          build_contact_system(block_between_posts(friction, true, scale), options);
      ASSERT_EQ(standing.contacts.size(), 12u);
      EXPECT_FALSE(needs_prestress(standing));
    }
  }
  // Pulled up, the standing block is "held" without bound by squeezing posts; its weight holds it to 20 N.
  const ContactSystem standing = build_contact_system(block_between_posts(0.84, true));
  const Load pull = force_on_body(standing, Vector3d::UnitZ(), Vector3d(0, 0, 0.5));
  EXPECT_NEAR(load_caused_limit(standing, pull, std::numeric_limits<double>::infinity()), 20.0, 0.04);
  const ContactSystem hanging = build_contact_system(block_between_posts(0.84, false));
  EXPECT_EQ(load_caused_limit(hanging, pull, 1e9), 0.0);
}

// Under one post's push the hanging block is pressed against the other: the load causes what holds. F mu >= W and
// friction on one side only, as the pushing post is gone.
TEST(Prestress, APushThatHolds) {
  HandSystem hand(2.0);
  for (const double y : {-1.0, 1.0}) {
    for (const double z : {-1.0, 1.0}) hand.touch({0.0, y, z}, Vector3d::UnitX(), 0.5);
  }
  const Load push = force_on_body(hand.system, -Vector3d::UnitX(), Vector3d::Zero());
  EXPECT_EQ(elastic_response(hand.system, push, 39.0).status, ElasticStatus::not_held);
  expect_law_and_balance(hand.system, push, 41.0, elastic_response(hand.system, push, 41.0));
}

// A box that overhangs its base so far that part of the base lifts off: its weight causes that, no stress is needed.
TEST(Prestress, PartialLiftOff) {
  model::Scene scene;
  add_box(scene, {.name = "base", .size = {1, 1, 1}, .movable = false});
  add_box(scene,
          {.name = "low", .size = {1, 1, 0.2}, .X_WB = math::Pose::translation({0.1, 0, 0.6}), .mass = 2.0});
  add_box(scene,
          {.name = "top", .size = {1, 1, 0.2}, .X_WB = math::Pose::translation({0.55, 0, 0.8}), .mass = 3.0});
  ContactSystemOptions options;
  options.points = ContactPoints::sampled;
  const ContactSystem system = build_contact_system(scene, options);
  const ElasticResponse response = elastic_response(system, {}, 0.0);
  expect_law_and_balance(system, {}, 0.0, response);
  int open = 0;
  for (const Vector3d& f : response.forces_W) open += f.norm() < 1e-9 * system.weight ? 1 : 0;
  EXPECT_GT(open, 3);
  EXPECT_LT(open, static_cast<int>(system.contacts.size()) - 3);
}

TEST(Prestress, LimitsOfAPushedCube) {
  model::Scene scene = box_on_slope(0.0, 0.5);
  scene.gravity_W = {0, 0, -10};
  const ContactSystem system = build_contact_system(scene);
  // Slides at mu W = 10 N, topples at W / 2h; what the load causes is all there is.
  for (const double h : {0.1, 0.5, 0.95}) {
    const Load push = force_on_body(system, Vector3d::UnitX(), {-0.5, 0, h});
    const double limit = std::min(10.0, 20.0 * 0.5 / h);
    EXPECT_NEAR(load_caused_limit(system, push, limit), limit, 1e-3 * limit);
    EXPECT_NEAR(load_caused_limit(system, push, 3 * limit), limit, 3e-3 * limit);
  }
}

// What the loads hold, statics must hold. How many they hold, of the stable ones, is a floor as found: 100 random starts
// of Newton's method in each of the others found no further state.
TEST(Prestress, RandomTowers) {
  for (const double spread : {0.5, 1.5}) {  // contacts that face upwards; contacts that may jam
    int stable = 0, held = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
      const ContactSystem system = random_tower(seed, spread);
      const ElasticResponse response = elastic_response(system, {}, 0.0);
      const bool is_stable = least_cone_forces(system).status == DistributionStatus::balanced;
      if (is_stable) ++stable;
      if (response.status != ElasticStatus::held) continue;
      ++held;
      EXPECT_TRUE(is_stable) << seed;
      EXPECT_TRUE(check_resting_forces(system, response.forces_W).valid) << seed;
      expect_law_and_balance(system, {}, 0.0, response);
    }
    EXPECT_EQ(stable, spread < 1.0 ? 54 : 24);
    EXPECT_GE(held, spread < 1.0 ? 51 : 12);
  }
}

// Where friction discs circle around a state, lowering the friction from above reaches it.
TEST(Prestress, DiscsThatCircle) {
  for (const auto& [seed, spread] : {std::pair{972, 1.0}, std::pair{467, 2.0}}) {
    const ContactSystem system = random_tower(static_cast<std::uint64_t>(seed), spread);
    expect_law_and_balance(system, {}, 0.0, elastic_response(system, {}, 0.0));
  }
}

TEST(Prestress, LightBodiesCount) {
  // A grain on a slope too steep for it, beside a box ten million times heavier that stands.
  model::Scene scene = box_on_slope(0.0, 0.5);
  scene.bodies.back().inertia.mass = 1e4;
  const math::Pose ramp = math::Pose::translation({5, 0, 0}) * tilted(0.6);
  add_box(scene, {.name = "ramp", .X_WB = ramp, .movable = false});
  add_box(scene, {.name = "grain",
                  .size = {0.1, 0.1, 0.1},
                  .X_WB = ramp * math::Pose::translation({0, 0, 0.55}),
                  .mass = 1e-3});
  EXPECT_TRUE(needs_prestress(build_contact_system(scene)));
  for (model::Body& body : scene.bodies) {
    for (model::Geom& geom : body.geoms) geom.friction = 0.7;  // tan 0.6 = 0.68
  }
  EXPECT_FALSE(needs_prestress(build_contact_system(scene)));
}

// Published assemblies, as the physics says: in A (a keystone widening downwards) and H nothing presses; the last block
// of shelf-s1 lies under the frame on a face inclined by tan 1.195 and slides off unless friction alone holds it there.
TEST(Prestress, PublishedAssemblies) {
  const std::string folder = prehend::test::shared_data() + "/assemblies/";
  if (!std::filesystem::exists(folder))
    GTEST_SKIP() << "no " << folder << ": the published assemblies are not here";
  const struct {
    const char* name;
    double friction;
    bool needs;
  } cases[] = {{"A", 0.84, true},
               {"H", 0.84, true},
               {"bridge", 0.84, false},
               {"cubes", 0.84, false},
               {"concave-long", 0.84, false},
               {"concave-short", 0.84, false},
               {"type-a", 0.84, false},
               {"type-b", 0.84, false},
               {"shelf-stable", 0.84, false},
               {"shelf", 1.0, true},
               {"shelf", 2.0, true},
               {"shelf-s1", 1.0, true},
               {"shelf-s1", 1.19, true},
               {"shelf-s1", 1.2, false}};
  for (const auto& c : cases) {
    model::SceneOptions options;
    options.friction = c.friction;
    const ContactSystem system = build_contact_system(model::read_scene(folder + c.name + ".json", options));
    const ElasticResponse response = elastic_response(system, {}, 0.0);
    SCOPED_TRACE(std::string(c.name) + " " + std::to_string(c.friction) + ": " + response.brief_report());
    EXPECT_EQ(response.status == ElasticStatus::not_held, c.needs);
    if (!c.needs) {
      expect_law_and_balance(system, {}, 0.0, response);
      EXPECT_TRUE(check_resting_forces(system, response.forces_W).valid);
    }
  }
}

TEST(Prestress, BadOptionsAreNamed) {
  const ContactSystem system = HandSystem().system;
  const auto message = [&](const ElasticOptions& options) -> std::string {
    try {
      elastic_response(system, {}, 0.0, options);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message({.stiffness = -1.0}),
            "ElasticOptions::stiffness is -1 N/m; it must be finite and above 0 N/m");
  EXPECT_EQ(message({.tangential_ratio = 0.0}),
            "ElasticOptions::tangential_ratio is 0; it must be finite and above 0");
  EXPECT_EQ(message({.tolerance = 2.0}), "ElasticOptions::tolerance is 2; it must be between 1e-10 and 1");
  EXPECT_EQ(message({.max_rounds = 0}), "ElasticOptions::max_rounds is 0; it must be finite and at least 1");
  EXPECT_THROW(load_caused_limit(system, {}, 1.0), std::invalid_argument);
  EXPECT_TRUE(needs_prestress(system));  // nothing below it: it falls
}

}  // namespace
}  // namespace prehend::stability
