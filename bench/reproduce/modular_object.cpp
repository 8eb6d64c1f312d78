#include "modular_object.h"

#include <array>
#include <cmath>

#include <prehend/math/angles.h>
#include <prehend/math/so3.h>

namespace prehend::reproduce {
namespace {

using Eigen::Vector3d;

constexpr double kPla = 491.0, kAbs = 1321.0, kSteel = 7847.0;  // [kg/m^3]
constexpr double kThickness = 0.026;                            // [m]
constexpr double kSteelWeight = 0.101;                          // [kg]
constexpr int kColumns = 7, kRows = 5;
constexpr double kPitch = 0.036;  // [m] between holes
const Vector3d kPlate{kPitch * kColumns, kPitch* kRows, kThickness};

double hole_radius() { return std::sqrt(kSteelWeight / (kSteel * math::kPi * kThickness)); }

Vector3d hole(int column, int row) {
  return {(column - (kColumns - 1) / 2.0) * kPitch, (row - (kRows - 1) / 2.0) * kPitch, 0.0};
}

// A cylinder that fills a hole with the given density; negative: takes it away.
math::SpatialInertia plug(int column, int row, double density) {
  const double radius = hole_radius();
  math::SpatialInertia body = math::SpatialInertia::solid_cylinder(
      density * math::kPi * radius * radius * kThickness, radius, kThickness);
  body.com = hole(column, row);
  return body;
}

// '#' steel, 'o' ABS, '.' an empty hole.
struct Configuration {
  const char* name;
  std::array<const char*, kRows> holes;
};
constexpr std::array<Configuration, 8> kConfigurations{{
    {"Hammer", {"......#", "......#", "ooooo.#", "......#", "......#"}},
    {"Tee", {"#######", "...o...", "...o...", "...o...", "...o..."}},
    {"Barbell", {"#.....#", "#.....#", "#ooooo#", "#.....#", "#.....#"}},
    {"Corners", {"#.....#", ".......", "...o...", ".......", "#.....#"}},
    {"Rod", {".......", ".......", "#######", ".......", "......."}},
    {"Homogeneous", {"ooooooo", "ooooooo", "ooooooo", "ooooooo", "ooooooo"}},
    {"Half", {"###oooo", "###oooo", "###oooo", "###oooo", "###oooo"}},
    {"Single", {".......", ".......", ".......", ".......", "......#"}},
}};

}  // namespace

std::vector<ModularObject> modular_objects() {
  std::vector<ModularObject> objects;
  for (const Configuration& configuration : kConfigurations) {
    ModularObject& object = objects.emplace_back();
    object.name = configuration.name;
    object.truth_O = math::SpatialInertia::solid_box(kPla * kPlate.prod(), kPlate);
    for (int row = 0; row < kRows; ++row)
      for (int column = 0; column < kColumns; ++column) {
        const char filling = configuration.holes[static_cast<std::size_t>(row)][column];
        const double density = filling == '#' ? kSteel : filling == 'o' ? kAbs : 0.0;
        object.truth_O = object.truth_O + plug(column, row, density - kPla);
      }
    // The outline, filled with points: 3 by 3 by 2 to a hole's cell.
    inertia::Shape& shape = object.shape;
    const Eigen::Vector3i n(3 * kColumns, 3 * kRows, 2);
    for (int i = 0; i < n.x(); ++i)
      for (int j = 0; j < n.y(); ++j)
        for (int k = 0; k < n.z(); ++k)
          shape.points.push_back(kPlate.cwiseProduct(
              Vector3d((i + 0.5) / n.x() - 0.5, (j + 0.5) / n.y() - 0.5, (k + 0.5) / n.z() - 0.5)));
    shape.volumes.assign(shape.points.size(), kPlate.prod() / static_cast<double>(shape.points.size()));
    shape.of_unit_mass = math::SpatialInertia::solid_box(1.0, kPlate);
    shape.box = Eigen::AlignedBox3d(Vector3d(-kPlate / 2), Vector3d(kPlate / 2));
    // Screwed to the sensor by its middle, the plate upright before it.
    object.X_SO = math::Pose(Eigen::Quaterniond::Identity(), {0.0, 0.0, 0.05});
    object.truth = {object.truth_O.expressed_in(object.X_SO), kPlate};
  }
  return objects;
}

}  // namespace prehend::reproduce
