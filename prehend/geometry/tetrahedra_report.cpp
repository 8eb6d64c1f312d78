// Options check, names and the one-line report of tetrahedra.h.
#include <cmath>
#include <stdexcept>

#include <prehend/geometry/tetrahedra.h>

namespace prehend::geometry {

void TetrahedraOptions::validate() const {
  const auto refuse = [](const std::string& name, const std::string& value, const std::string& bound) {
    throw std::invalid_argument("TetrahedraOptions::" + name + " is " + value + ", must be " + bound);
  };
  if (!(max_edge >= 0.0) || !std::isfinite(max_edge))
    refuse("max_edge", std::to_string(max_edge), "finite and >= 0");
  if (improvement_passes < 0) refuse("improvement_passes", std::to_string(improvement_passes), ">= 0");
  if (!(flatness >= 0.0 && flatness <= 1e-4))
    refuse("flatness", std::to_string(flatness), "between 0 and 1e-4");
  if (max_steiner < 0) refuse("max_steiner", std::to_string(max_steiner), ">= 0");
  if (max_points < 4) refuse("max_points", std::to_string(max_points), ">= 4");
}

const char* to_string(TetrahedraStatus status) {
  switch (status) {
    case TetrahedraStatus::failed:
      return "failed";
    case TetrahedraStatus::ok:
      return "ok";
    case TetrahedraStatus::empty:
      return "empty";
    case TetrahedraStatus::bad_index:
      return "bad index";
    case TetrahedraStatus::not_finite:
      return "not finite";
    case TetrahedraStatus::not_closed:
      return "not closed";
    case TetrahedraStatus::degenerate:
      return "degenerate";
    case TetrahedraStatus::self_intersecting:
      return "self-intersecting";
    case TetrahedraStatus::inside_out:
      return "inside out";
    case TetrahedraStatus::not_solid:
      return "not a solid";
    case TetrahedraStatus::steiner_limit:
      return "Steiner limit";
    case TetrahedraStatus::point_limit:
      return "point limit";
  }
  return "unknown";
}

std::string Tetrahedra::brief_report() const {
  if (status != TetrahedraStatus::ok)
    return std::string("tetrahedra: ") + to_string(status) + ": " + message;
  return "tetrahedra: ok, " + quality.brief_report() + "; " + std::to_string(surface_steiner) +
         " Steiner points on the surface, " + std::to_string(interior_steiner) + " inside; recovered " +
         std::to_string(missing_edges) + " edges and " + std::to_string(missing_triangles) +
         " triangles by " + std::to_string(flips) + " flips";
}

}  // namespace prehend::geometry
