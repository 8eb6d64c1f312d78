// prehend.geometry: meshes, their mass, what is wrong with them, hulls.
#include "bindings.h"
#include <prehend/geometry/hull.h>
#include <prehend/geometry/mass_properties.h>
#include <prehend/geometry/mesh.h>
#include <prehend/geometry/mesh_check.h>
#include <prehend/geometry/mesh_repair.h>
#include <prehend/geometry/mesh_weld.h>
#include <prehend/geometry/primitives.h>

namespace prehend::python {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3i;
using geometry::TriangleMesh;

void bind_mesh(nb::module_& m) {
  using Arrays = std::pair<std::vector<Vector3d>, std::vector<Vector3i>>;
  nb::class_<TriangleMesh>(m, "TriangleMesh",
                           R"(Triangles, counter-clockwise seen from outside; vertices in metres.

`vertices` and `triangles` are read-only views of the mesh's own memory. The mesh copies the arrays it is made from.

>>> from prehend.geometry import TriangleMesh, mass_properties
>>> corner = TriangleMesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
>>> corner.vertices.shape, round(6 * mass_properties(corner).volume, 12)
((4, 3), 1.0)
)")
      .def(
          "__init__",
          [](TriangleMesh* mesh, std::vector<Vector3d> vertices, std::vector<Vector3i> triangles) {
            new (mesh) TriangleMesh{std::move(vertices), std::move(triangles)};
          },
          "vertices"_a = nb::make_tuple(), "triangles"_a = nb::make_tuple())
      .def_ro("vertices", &TriangleMesh::vertices, "(n, 3) [m], a read-only view")
      .def_ro("triangles", &TriangleMesh::triangles, "(n, 3) indices into vertices, a read-only view")
      .def("__getstate__", [](const TriangleMesh& mesh) { return Arrays(mesh.vertices, mesh.triangles); })
      .def("__setstate__",
           [](TriangleMesh& mesh, Arrays arrays) {
             new (&mesh) TriangleMesh{std::move(arrays.first), std::move(arrays.second)};
           })
      .def("__repr__", [](const TriangleMesh& mesh) {
        return "TriangleMesh(" + std::to_string(mesh.vertices.size()) + " vertices, " +
               std::to_string(mesh.triangles.size()) + " triangles)";
      });
}

void bind_mesh_operations(nb::module_& m) {
  m.def("transformed", &geometry::transformed, "mesh_M"_a, "X_AM"_a,
        R"(All vertices mapped by the pose.

>>> import prehend
>>> from prehend import geometry
>>> moved = geometry.transformed(geometry.make_box([1, 1, 1]), prehend.Pose.translation([0, 0, 2]))
>>> geometry.mass_properties(moved).centroid.round(12).tolist()
[0.0, 0.0, 2.0]
)");
  m.def("scaled", &geometry::scaled, "mesh"_a, "scale"_a,
        R"(Componentwise; a mirroring scale turns the triangles, so that outside stays outside.

>>> from prehend import geometry
>>> round(geometry.mass_properties(geometry.scaled(geometry.make_box([1, 1, 1]), [-1, 2, 3])).volume, 12)
6.0
)");
  m.def("merged", &geometry::merged, "a"_a, "b"_a,
        R"(Both, without welding.

>>> from prehend import geometry
>>> geometry.merged(geometry.make_box([1, 1, 1]), geometry.make_box([2, 2, 2]))
TriangleMesh(16 vertices, 24 triangles)
)");
  m.def(
      "bounding_box",
      [](const std::vector<Vector3d>& points) {
        const geometry::Aabb box = geometry::bounding_box(points);
        if (box.is_empty()) throw std::invalid_argument("bounding_box: there are no points");
        return std::make_pair(box.lower, box.upper);
      },
      "points"_a,
      R"(Lower and upper corner [m].

>>> from prehend import geometry
>>> lower, upper = geometry.bounding_box([[0, 1, 2], [3, -1, 2]])
>>> lower.tolist(), upper.tolist()
([0.0, -1.0, 2.0], [3.0, 1.0, 2.0])
)");
  m.def(
      "weld_vertices",
      [](const TriangleMesh& mesh, double relative_tolerance) {
        return geometry::weld_vertices(mesh, {.relative_tolerance = relative_tolerance}).mesh;
      },
      "mesh"_a, nb::kw_only(), "relative_tolerance"_a = geometry::WeldOptions{}.relative_tolerance,
      Released(),
      R"(The mesh with vertices that are the same point made one.

>>> from prehend import geometry
>>> geometry.weld_vertices(geometry.merged(geometry.make_box([1, 1, 1]), geometry.make_box([1, 1, 1])))
TriangleMesh(8 vertices, 24 triangles)
)");
}

void bind_shapes(nb::module_& m) {
  m.def("make_box", &geometry::make_box, "full_size"_a,
        R"(A closed box centred at the origin; sizes in metres.

>>> from prehend.geometry import make_box
>>> make_box([0.1, 0.2, 0.3])
TriangleMesh(8 vertices, 12 triangles)
)");
  m.def("make_icosphere", &geometry::make_icosphere, "radius"_a, "subdivisions"_a,
        R"(An icosahedron whose edges are halved `subdivisions` times, its vertices on the sphere [m].

>>> from prehend import geometry
>>> geometry.make_icosphere(0.1, 2)
TriangleMesh(162 vertices, 320 triangles)
)");
  m.def("make_ellipsoid", &geometry::make_ellipsoid, "radii"_a, "subdivisions"_a,
        R"(The icosphere stretched along the axes [m].

>>> from prehend import geometry
>>> geometry.make_ellipsoid([0.1, 0.2, 0.3], 2).vertices.max(axis=0).round(6).tolist()[2] <= 0.3
True
)");
  m.def("make_cylinder", &geometry::make_cylinder, "radius"_a, "length"_a, "segments"_a,
        R"(A prism of `segments` sides inscribed in the cylinder, axis along z [m].

>>> from prehend import geometry
>>> geometry.make_cylinder(0.1, 0.5, 32)
TriangleMesh(64 vertices, 124 triangles)
)");
  m.def("make_capsule", &geometry::make_capsule, "radius"_a, "length"_a, "segments"_a,
        R"(Inscribed in the capsule, axis along z; the length is without the caps [m].

>>> from prehend import geometry
>>> geometry.check_mesh(geometry.make_capsule(0.1, 0.5, 16)).status
'solid'
)");
  m.def("make_cone", &geometry::make_cone, "radius"_a, "length"_a, "segments"_a,
        R"(Base at z = -length/2, apex at z = +length/2 [m].

>>> import numpy as np
>>> from prehend import geometry
>>> geometry.make_cone(0.1, 0.5, 16).vertices[:, 2].max()
np.float64(0.25)
)");
  m.def("make_torus", &geometry::make_torus, "major_radius"_a, "minor_radius"_a, "major_segments"_a,
        "minor_segments"_a,
        R"(A tube of `minor_radius` around a circle of `major_radius` in the plane z = 0 [m].

>>> from prehend import geometry
>>> geometry.make_torus(0.2, 0.05, 32, 16)
TriangleMesh(512 vertices, 1024 triangles)
)");
  m.def("make_plane_patch", &geometry::make_plane_patch, "full_size"_a,
        R"(An open rectangle in the plane z = 0 with normal +z [m].

>>> from prehend import geometry
>>> geometry.check_mesh(geometry.make_plane_patch([1, 2])).is_closed
False
)");
}

void bind_mass(nb::module_& m) {
  using geometry::MassProperties;
  auto mass = nb::class_<MassProperties>(m, "MassProperties",
                                         "Of the solid that a closed mesh bounds, at unit density.");
  mass.def_prop_ro(
          "status", [](const MassProperties& r) { return to_string(r.status); }, "'ok', 'open', 'flat', ...")
      .def_ro("volume", &MassProperties::volume, "[m^3]")
      .def_ro("area", &MassProperties::area, "[m^2]")
      .def_ro("centroid", &MassProperties::centroid, "[m]")
      .def_ro("inertia_unit_density", &MassProperties::inertia_unit_density, "[m^5] about the centroid")
      .def_ro("closure_residual", &MassProperties::closure_residual)
      .def("brief_report", &MassProperties::brief_report);
  def_result(mass);
  m.def("mass_properties", &geometry::mass_properties, "mesh"_a, Released(),
        R"(Volume, area, centroid and inertia of the solid, exact for the polyhedron.

>>> from prehend.geometry import make_box, mass_properties
>>> box = mass_properties(make_box([1, 2, 3]))
>>> box.status, round(box.volume, 12), round(box.area, 12)
('ok', 6.0, 22.0)
)");
}

void bind_checks(nb::module_& m) {
  using geometry::MeshReport;
  auto report = nb::class_<MeshReport>(m, "MeshReport", "What is wrong with a mesh.");
  report
      .def_prop_ro(
          "status", [](const MeshReport& r) { return to_string(r.status); },
          "'solid', 'defective', 'unusable'")
      .def_ro("vertices", &MeshReport::vertices, "after welding")
      .def_ro("triangles", &MeshReport::triangles)
      .def_ro("merged_vertices", &MeshReport::merged_vertices)
      .def_ro("unused_vertices", &MeshReport::unused_vertices)
      .def_ro("nonfinite_vertices", &MeshReport::nonfinite_vertices)
      .def_ro("bad_index_triangles", &MeshReport::bad_index_triangles)
      .def_ro("nonfinite_triangles", &MeshReport::nonfinite_triangles)
      .def_ro("degenerate_triangles", &MeshReport::degenerate_triangles)
      .def_ro("duplicate_triangles", &MeshReport::duplicate_triangles)
      .def_ro("boundary_edges", &MeshReport::boundary_edges)
      .def_ro("nonmanifold_edges", &MeshReport::nonmanifold_edges)
      .def_ro("nonmanifold_vertices", &MeshReport::nonmanifold_vertices)
      .def_ro("inconsistent_edges", &MeshReport::inconsistent_edges)
      .def_ro("components", &MeshReport::components)
      .def_ro("inside_out_shells", &MeshReport::inside_out_shells)
      .def_ro("nested_outward_shells", &MeshReport::nested_outward_shells)
      .def_ro("flat_shells", &MeshReport::flat_shells)
      .def_ro("is_closed", &MeshReport::is_closed)
      .def_ro("is_oriented", &MeshReport::is_oriented)
      .def_ro("self_intersections_searched", &MeshReport::self_intersections_searched)
      .def_ro("self_intersections_complete", &MeshReport::self_intersections_complete)
      .def_ro("self_intersections", &MeshReport::self_intersections)
      .def_ro("first_self_intersections", &MeshReport::first_self_intersections);
  def_texts(report, "problems", &MeshReport::problems, "One sentence each; empty: a solid.");
  report.def("brief_report", &MeshReport::brief_report);
  def_result(report);
  m.def(
      "check_mesh",
      [](const TriangleMesh& mesh, double weld_tolerance, bool find_self_intersections,
         int max_self_intersections) {
        return geometry::check_mesh(mesh, {.weld_tolerance = weld_tolerance,
                                           .find_self_intersections = find_self_intersections,
                                           .max_self_intersections = max_self_intersections});
      },
      "mesh"_a, nb::kw_only(), "weld_tolerance"_a = geometry::MeshCheckOptions{}.weld_tolerance,
      "find_self_intersections"_a = geometry::MeshCheckOptions{}.find_self_intersections,
      "max_self_intersections"_a = geometry::MeshCheckOptions{}.max_self_intersections, Released(),
      R"(What is wrong with this mesh? Looks at everything and changes nothing.

>>> from prehend.geometry import TriangleMesh, check_mesh, make_box
>>> check_mesh(make_box([1, 1, 1])).status
'solid'
>>> box = make_box([1, 1, 1])
>>> check_mesh(TriangleMesh(box.vertices, box.triangles[1:])).boundary_edges
3
)");
}

void bind_repair(nb::module_& m) {
  using geometry::MeshRepair;
  auto repair = nb::class_<MeshRepair>(m, "MeshRepair", "A mended mesh and what was done to it.");
  repair.def_prop_ro(
            "status", [](const MeshRepair& r) { return to_string(r.status); }, "of the mended mesh")
      .def_ro("mesh", &MeshRepair::mesh);
  def_texts(repair, "actions", &MeshRepair::actions, "What was done, one sentence each.");
  repair.def_ro("volume_before", &MeshRepair::volume_before, "[m^3] or None")
      .def_ro("volume_after", &MeshRepair::volume_after, "[m^3] or None")
      .def_ro("report", &MeshRepair::report, "of the mended mesh")
      .def("brief_report", &MeshRepair::brief_report);
  def_result(repair);
  m.def(
      "repair_mesh",
      [](const TriangleMesh& mesh, double weld_tolerance, int max_hole_edges, bool find_self_intersections) {
        return geometry::repair_mesh(mesh, {.weld_tolerance = weld_tolerance,
                                            .max_hole_edges = max_hole_edges,
                                            .find_self_intersections = find_self_intersections});
      },
      "mesh"_a, nb::kw_only(), "weld_tolerance"_a = geometry::MeshRepairOptions{}.weld_tolerance,
      "max_hole_edges"_a = geometry::MeshRepairOptions{}.max_hole_edges,
      "find_self_intersections"_a = geometry::MeshRepairOptions{}.find_self_intersections, Released(),
      R"(Mends what can be mended without guessing, and says what it did.

>>> from prehend.geometry import TriangleMesh, make_box, repair_mesh
>>> box = make_box([1, 1, 1])
>>> repair_mesh(TriangleMesh(box.vertices, box.triangles[:, ::-1])).status   # inside out
'solid'
)");
}

void bind_hull(nb::module_& m) {
  using geometry::HullResult;
  auto hull = nb::class_<HullResult>(m, "HullResult", "A convex hull, or why there is none.");
  hull.def_prop_ro(
          "status", [](const HullResult& r) { return to_string(r.status); }, "'ok', 'coplanar', 'empty', ...")
      .def_ro("mesh", &HullResult::mesh)
      .def_ro("point_of", &HullResult::point_of, "for each vertex of the mesh, the index of its point")
      .def_ro("message", &HullResult::message);
  def_result(hull);
  m.def(
      "convex_hull",
      [](const PointRows& points, double flatness) {
        return geometry::convex_hull(points.of("points"), {.flatness = flatness});
      },
      "points"_a, nb::kw_only(), "flatness"_a = geometry::HullOptions{}.flatness, Released(),
      R"(The convex hull of points (n, 3) as a closed mesh.

>>> from prehend.geometry import convex_hull, make_box
>>> hull = convex_hull(make_box([1, 1, 1]).vertices)
>>> hull.status, len(hull.mesh.triangles)
('ok', 12)
)");
}

}  // namespace

void bind_geometry(nb::module_& m) {
  bind_mesh(m);
  bind_mesh_operations(m);
  bind_shapes(m);
  bind_mass(m);
  bind_checks(m);
  bind_repair(m);
  bind_hull(m);
}

}  // namespace prehend::python
