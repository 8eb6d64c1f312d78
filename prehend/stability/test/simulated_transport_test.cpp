#include <generated/benchmark_scenes.h>
#include <generated/simulated_transport.h>
#include <gtest/gtest.h>

namespace prehend::stability {
namespace {

TEST(SimulatedTransport, CubeSlidesAndTopples) {
  // Soft contacts and a threshold of 0.05 m/s after half a second: a few per cent.
  CubeScene low;
  low.friction = 0.3;
  EXPECT_NEAR(simulated_transport_limit(cube_scene(low), {1, 0, 0}) / (0.3 * 9.81), 1.0, 0.05);
  CubeScene rough;
  rough.friction = 2.0;
  EXPECT_NEAR(simulated_transport_limit(cube_scene(rough), {0, -1, 0}) / 9.81, 1.0, 0.05);
}

TEST(SimulatedTransport, UpwardHoldsForEverAndWhatSlidesHoldsNothing) {
  EXPECT_TRUE(std::isinf(simulated_transport_limit(cube_scene(), {0, 0, 1})));
  model::Scene scene = cube_scene();
  scene.gravity_W = {9.0, 0, -9.81};
  EXPECT_EQ(simulated_transport_limit(scene, {1, 0, 0}), 0.0);
  SimulatedTransportOptions options;
  options.speed = 0.0;
  EXPECT_THROW(simulated_transport_limit(scene, {1, 0, 0}, options), std::invalid_argument);
}

}  // namespace
}  // namespace prehend::stability
