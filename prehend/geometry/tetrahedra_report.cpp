// Options check, names and the one-line report of tetrahedra.h.
#include <prehend/geometry/tetrahedra.h>
#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>

namespace prehend::geometry {

void TetrahedraOptions::validate() const {
  const math::OptionCheck check("TetrahedraOptions");
  check.at_least("max_edge", max_edge, 0.0, "m");
  check.at_least("improvement_passes", improvement_passes, 0);
  check.between("flatness", flatness, 0.0, 1e-4);
  check.at_least("max_steiner", max_steiner, 0);
  check.at_least("max_points", max_points, 4);
}

const char* to_string(TetrahedraStatus status) { return enum_text(status); }

std::string Tetrahedra::brief_report() const {
  if (status != TetrahedraStatus::ok) return std::string("tetrahedra: ") + to_string(status) + ": " + message;
  return "tetrahedra: ok, " + quality.brief_report() + "; " + std::to_string(surface_steiner) +
         " Steiner points on the surface, " + std::to_string(interior_steiner) + " inside; recovered " +
         std::to_string(missing_edges) + " edges and " + std::to_string(missing_triangles) +
         " triangles by " + std::to_string(flips) + " flips";
}

}  // namespace prehend::geometry
