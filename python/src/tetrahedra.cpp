// prehend.geometry: tetrahedra that fill a closed surface.
#include "bindings.h"
#include <prehend/geometry/tetrahedra.h>

namespace nanobind::detail {
template <>
struct type_caster<std::vector<Eigen::Vector4i>> : vector_array_caster<std::vector<Eigen::Vector4i>, int, 4> {
};
}  // namespace nanobind::detail

namespace prehend::python {

void bind_tetrahedra(nb::module_& m) {
  using geometry::Tetrahedra;
  auto result =
      nb::class_<Tetrahedra>(m, "Tetrahedra", "Tetrahedra that fill a solid, or why there are none.");
  result
      .def_prop_ro(
          "status", [](const Tetrahedra& t) { return geometry::to_string(t.status); }, "of the tetrahedra")
      .def_ro("message", &Tetrahedra::message, "the reason when there are none")
      .def_ro("vertices", &Tetrahedra::vertices, "(n, 3) [m], the surface's vertices first; a read-only view")
      .def_ro("tetrahedra", &Tetrahedra::tetrahedra, "(n, 4) indices, positively oriented; a read-only view")
      .def_ro("neighbours", &Tetrahedra::neighbours, "(n, 4) across the face opposite vertex i; -1 outside")
      .def_ro("surface_volume", &Tetrahedra::surface_volume, "[m^3] enclosed by the surface")
      .def_ro("volume_error", &Tetrahedra::volume_error, "relative")
      .def_ro("surface_steiner", &Tetrahedra::surface_steiner)
      .def_ro("interior_steiner", &Tetrahedra::interior_steiner)
      .def("brief_report", &Tetrahedra::brief_report);
  def_result(result);
  const geometry::TetrahedraOptions defaults;
  m.def(
      "tetrahedralize",
      [](const geometry::TriangleMesh& surface, double max_edge, int improvement_passes, double flatness,
         int max_steiner, int max_points) {
        return geometry::tetrahedralize(surface,
                                        {max_edge, improvement_passes, flatness, max_steiner, max_points});
      },
      "surface"_a, nb::kw_only(), "max_edge"_a = defaults.max_edge,
      "improvement_passes"_a = defaults.improvement_passes, "flatness"_a = defaults.flatness,
      "max_steiner"_a = defaults.max_steiner, "max_points"_a = defaults.max_points, Released(),
      R"(Fills a closed, outward surface with tetrahedra.

>>> from prehend.geometry import make_box, tetrahedralize
>>> filled = tetrahedralize(make_box([1, 2, 3]))
>>> filled.status, filled.vertices.shape, bool(filled.volume_error < 1e-9)
('ok', (8, 3), True)
)");
}

}  // namespace prehend::python
