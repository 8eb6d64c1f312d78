#include <cstdio>

#include <prehend/geometry/mass_properties.h>
#include <prehend/geometry/primitives.h>
#include <prehend/math/se3.h>
#include <prehend/model/scene.h>

int main() {
  const auto box = prehend::geometry::make_box({0.1, 0.2, 0.3});
  const prehend::model::Scene scene;
  std::printf("volume %.3g m3, %zu bodies\n", prehend::geometry::mass_properties(box).volume,
              scene.bodies.size());
}
