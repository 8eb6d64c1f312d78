#include <generated/benchmark_scenes.h>
#include <generated/cone_limit.h>
#include <generated/table_4_1_truth.h>
#include <gtest/gtest.h>

#include <prehend/stability/surface_pushes.h>

namespace prehend::stability {
namespace {

// The hand derivation against the cone program, at points all over the surface.
void expect_same(const model::Scene& scene, int count, std::uint64_t seed) {
  const model::SceneContacts contacts = model::find_scene_contacts(scene);
  const ContactSystem system = build_contact_system(scene, contacts, {});
  int bounded = 0;
  for (const Push& push : surface_pushes(scene, contacts, count, seed)) {
    const double truth = cube_stack_limit(scene, push);
    const ConeLimitAnswer solved = cone_limit(system, push_load(scene, system, push));
    ASSERT_EQ(solved.status, AnswerStatus::ok);
    ASSERT_EQ(solved.unbounded, std::isinf(truth)) << push.p_W.transpose();
    if (solved.unbounded) continue;
    ++bounded;
    EXPECT_NEAR(solved.limit / truth, 1.0, 1e-6) << push.p_W.transpose() << "  " << push.d_W.transpose();
  }
  EXPECT_GT(bounded, count / 3);
}

TEST(Table41Truth, CubeAgreesWithTheConeProgram) {
  expect_same(cube_scene(), 300, 1);
  for (const double friction : {0.05, 0.4, 0.5, 1.0, 2.0})
    expect_same(cube_scene({0.1, 0.5, friction}), 60, 2);
}

TEST(Table41Truth, StackAgreesWithTheConeProgram) {
  expect_same(cube_stack_scene(), 300, 3);
  expect_same(cube_stack_scene(5, {0.02, 3.0, 0.3}), 60, 4);
}

TEST(Table41Truth, KnownPoints) {
  const SquareFace face{0.05, 10.0, 0.7};
  EXPECT_DOUBLE_EQ(sideways_limit(face, 0.0, 0.0), 7.0);
  EXPECT_DOUBLE_EQ(sideways_limit(face, 0.1, 0.0), 5.0);  // topples: W h / z
  EXPECT_DOUBLE_EQ(upward_limit(face, 0.0, 0.0), 10.0);
  EXPECT_DOUBLE_EQ(upward_limit(face, 0.05, -0.02), 5.0);
  // At a corner, low down: t^2 = s with (1 - s)^3 (1 - 2 s) = s, s = 0.23586..., u = sqrt(2 - 1/(1 - s)).
  const double s = 0.23586, u = std::sqrt(2 - 1 / (1 - s));
  EXPECT_NEAR(sideways_limit(face, 0.0, 0.05), 7.0 / (u + std::sqrt(s)), 1e-3);
  EXPECT_THROW(sideways_limit(face, 0.0, 0.06), std::invalid_argument);
}

TEST(Table41Truth, UpwardPushesUnderTheCube) {
  const model::Scene scene = cube_stack_scene();
  const ContactSystem system = build_contact_system(scene);
  for (const double x : {0.0, 0.01, -0.03, 0.05}) {
    const Push push{model::BodyIndex(2), {x, 0.02, 0.1}, Eigen::Vector3d::UnitZ()};
    EXPECT_NEAR(cone_limit(system, push_load(scene, system, push)).limit / cube_stack_limit(scene, push), 1.0,
                1e-6);
  }
}

// The slab pressed down outside the legs tips about the leg's outer edge: F (x - x_edge) = W x_edge.
TEST(Table41Truth, OverhangOfTheTable) {
  const TableScene sizes;
  const model::Scene scene = table_scene(sizes);
  const ContactSystem system = build_contact_system(scene);
  const double edge = sizes.leg_offset + 0.5 * sizes.leg.x();
  for (const double x : {edge + 0.005, edge + 0.01, 0.5 * sizes.slab.x()}) {
    const Push push{
        scene.find_body("slab"), {x, 0.05, sizes.leg.z() + sizes.slab.z()}, -Eigen::Vector3d::UnitZ()};
    EXPECT_NEAR(cone_limit(system, push_load(scene, system, push)).limit,
                sizes.slab_mass * 9.81 * edge / (x - edge), 1e-5);
  }
}

TEST(BenchmarkScenes, AllRest) {
  for (const model::Scene& scene :
       {cube_scene(), cube_stack_scene(), table_scene(), wall_scene(5), wall_scene(20), pile_scene(5),
        pile_scene(20), slant_scene(1), slant_scene(2), disassembly_scene()}) {
    const model::SceneContacts contacts = model::find_scene_contacts(scene);
    EXPECT_TRUE(contacts.problems.empty()) << scene.name << ": " << contacts.problems.front();
    const ContactSystem system = build_contact_system(scene, contacts, {});
    for (NodeIndex b(0); b < system.bodies.size(); ++b) {
      const Load down{{b, system.gravity_wrench(b)}};
      EXPECT_EQ(cone_limit(system, down).status, AnswerStatus::ok) << scene.name;
    }
  }
}

}  // namespace
}  // namespace prehend::stability
