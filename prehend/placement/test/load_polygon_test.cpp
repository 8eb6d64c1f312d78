#include <gtest/gtest.h>

#include <prehend/math/random.h>
#include <prehend/placement/search/load_polygon.h>
#include <prehend/placement/test/placement_scenes.h>
#include <prehend/placement/verify/object_contacts.h>

namespace prehend::placement {
namespace {

using Eigen::Vector2d;

// Point in polygon against the cone program of the whole assembly with the object there.
TEST(LoadPolygon, AgreesWithTheWholeAssembly) {
  int bears = 0, falls = 0;
  for (int trial = 0; trial < 12; ++trial) {
    math::RandomStream random(11, static_cast<std::uint64_t>(trial));
    model::Scene scene = floor_scene();
    const double foot = random.uniform(0.05, 0.15);
    const double offset = random.uniform(-0.02, 0.02);
    const double mass = random.uniform(0.5, 4.0);
    add_body(scene, "foot", box_geom({foot, 0.1, 0.1}), at(0, 0, 0.05), 1.0);
    const auto plank = add_body(scene, "plank", box_geom({0.5, 0.3, 0.02}), at(offset, 0, 0.11), 1.0);
    const auto cube = add_body(scene, "cube", box_geom({0.02, 0.02, 0.02}), at(0, 0, 5), mass);
    const Problem problem = prepare(scene, cube, {});
    SupportPlane plane;
    plane.d = 0.12;
    const Corners2 outline{{offset - 0.25, -0.15}, {offset + 0.25, -0.15}, {offset + 0.25, 0.15}, {offset - 0.25, 0.15}};
    plane.regions.push_back({outline, plank});
    const LoadPolygons loads(problem);
    const Corners2& bearing = loads.of(plank, plane);
    const ObjectContactSearch search(problem);
    for (int k = 0; k < 20; ++k) {
      const double x = offset + random.uniform(-0.23, 0.23);
      const double y = random.uniform(-0.13, 0.13);
      const math::Pose pose = at(x, y, 0.13);
      model::Scene whole = scene;
      whole.bodies[cube].X_WB = pose;
      const stability::LimitAnalysis limits(
          stability::build_contact_system(whole, search.together(search.at(pose)), {}));
      const double inside = bearing.empty() ? -1.0 : depth2(bearing, {x, y});
      if (std::abs(inside) < 5e-4) continue;
      EXPECT_EQ(inside > 0.0, limits.stability() == stability::Stability::stable) << trial << " " << x << " " << y;
      ++(inside > 0.0 ? bears : falls);
    }
  }
  EXPECT_GT(bears, 20);
  EXPECT_GT(falls, 50);
}

}  // namespace
}  // namespace prehend::placement
