#include <cmath>
#include <sstream>

#include <Eigen/Geometry>

#include "peg_insertion.h"
#include <prehend/math/se3.h>
#include <prehend/math/so3.h>
#include <prehend/model/files.h>
#include <prehend/model/input_error.h>
#include <prehend/observation/simulated/demonstrations.h>

namespace prehend::reproduce {
namespace {

using Eigen::Vector3d;

constexpr double kWidth = 0.035;  // [m] of shaft and hole; both are 70 mm long

// The shaft's lower right edge stands at (x, y) of the hole's plane; tilted to the right.
math::Pose by_edge(double x, double y, double tilt, double z = 0.0) {
  const Eigen::Quaterniond q = math::exp_so3(-tilt * Vector3d::UnitZ());
  return math::Pose(q, Vector3d(x, y, z) - q * Vector3d(0.0175, -0.035, 0.0));
}

}  // namespace

geometry::TriangleMesh peg_mesh() {
  return observation::solid_of_cells({-0.035, -0.0175, 0.0175, 0.035}, {-0.035, 0.035, 0.053}, {-0.0175, 0.0175},
                                     [](int i, int j, int) { return j == 1 || i == 1; });
}

geometry::TriangleMesh hole_mesh() {
  return observation::solid_of_cells({-0.07, -0.0525, -0.0175, 0.0175, 0.0525, 0.07}, {-0.053, -0.035, 0.035},
                                     {-0.0175, 0.0175}, [](int i, int j, int) { return j == 0 || i == 1 || i == 3; });
}

std::vector<PegState> peg_states(double roll) {
  const double right = 0.0175, top = 0.035, tilt = 0.35;
  const auto wedged = [&](double phi) {
    return by_edge(-right + kWidth * std::cos(phi) * std::cos(phi), top - kWidth * std::cos(phi) * std::sin(phi), phi);
  };
  math::Pose free = by_edge(right + 0.02, top + 0.05, tilt + 0.2);
  free = math::Pose((math::exp_so3(roll * Vector3d(0.6, 0.7, 0.0)) * free.q()).normalized(), free.p());
  const char* make = "make-contact translation, make-contact rotation (type 1)";
  return {{'A', "300 300 00", make, false, free},
          {'B', "210 210 11", "slide translation, slide rotation", false, by_edge(right + 0.015, top, tilt)},
          {'C', "300 300 22", "no sub-skill", false, by_edge(right, top, tilt)},
          {'D', "210 210 11", make, false,
           by_edge(right - 0.005 * std::sin(tilt), top - 0.005 * std::cos(tilt), tilt)},
          {'E', "120 120 22", "slide rotation", false, wedged(0.25)},
          {'F', "300 300 23", "no sub-skill; critical", true, by_edge(right, top, 0.0)},
          {'G', "201 102 12", make, false, by_edge(right, 0.0, 0.0)},
          {'H', "111 012 23", "", false, by_edge(right, -0.035, 0.0)}};
}

observation::Recording recorded_insertion(const std::string& folder) {
  const std::string path = folder + "/peg_in_hole/peg_in_hole.pose.list";
  std::istringstream lines(model::read_file(path));
  model::PoseLog log;
  log.parts = {"peg", "hole"};
  std::string line;
  int number = 0;
  std::size_t rows = 0;
  while (std::getline(lines, line)) {
    ++number;
    std::istringstream words(line);
    int model_id = -1;
    Vector3d p, axis;
    double angle = 0.0;
    // Heading lines do not begin with eight numbers.
    if (!(words >> model_id >> p.x() >> p.y() >> p.z() >> axis.x() >> axis.y() >> axis.z() >> angle)) continue;
    if (!(axis.norm() > 0.0)) throw model::InputError(path, number, "the axis of a turn is zero");
    model::PoseRow row;
    row.t = static_cast<double>(rows++ / 2);
    row.part = model_id == 0 ? 1 : 0;
    row.p_WP = 1e-3 * p;
    row.q_WP = math::exp_so3(angle * axis.normalized());
    row.line = number;
    log.rows.push_back(row);
  }
  return observation::recording_of(log, path, "peg", "hole");
}

}  // namespace prehend::reproduce
