// prehend.geometry: polyhedra and where posed polyhedra touch.
#include <nanobind/stl/tuple.h>

#include "bindings.h"
#include <prehend/geometry/contact.h>
#include <prehend/geometry/polyhedron.h>

namespace prehend::python {
namespace {

using geometry::ContactInterface;
using geometry::Polyhedron;
using geometry::TriangleMesh;

void bind_polyhedron(nb::module_& m) {
  nb::class_<Polyhedron>(m, "Polyhedron",
                         R"(Plane faces, straight edges and corners behind a mesh of triangles.

>>> from prehend.geometry import Polyhedron, make_box
>>> box = Polyhedron.from_mesh(make_box([1, 2, 3]))
>>> box.face_count, box.edge_count, box.is_closed, sorted(set(box.face_areas.round(9).tolist()))
(6, 12, True, [2.0, 3.0, 6.0])
)")
      .def_static(
          "from_mesh", [](const TriangleMesh& mesh) { return Polyhedron::from_mesh(mesh); }, "mesh"_a,
          Released())
      .def_prop_ro("mesh", &Polyhedron::mesh, nb::rv_policy::reference_internal, "The welded mesh.")
      .def_prop_ro("face_count", [](const Polyhedron& p) { return p.faces().size(); })
      .def_prop_ro("edge_count", [](const Polyhedron& p) { return p.edges().size(); })
      .def_prop_ro("vertex_count", [](const Polyhedron& p) { return p.vertices().size(); })
      .def_prop_ro(
          "face_normals",
          [](const Polyhedron& p) {
            std::vector<Eigen::Vector3d> normals;
            for (const auto& face : p.faces()) normals.push_back(face.normal);
            return normals;
          },
          "(n, 3), outward")
      .def_prop_ro(
          "face_areas",
          [](const Polyhedron& p) {
            std::vector<double> areas;
            for (const auto& face : p.faces()) areas.push_back(face.area);
            return areas;
          },
          "[m^2]")
      .def_prop_ro(
          "triangle_faces",
          [](const Polyhedron& p) {
            std::vector<int> faces;
            for (const geometry::FaceIndex face : p.triangle_faces()) faces.push_back(face.value());
            return faces;
          },
          "for each triangle of `mesh`, its face")
      .def_prop_ro("is_closed", &Polyhedron::is_closed)
      .def_prop_ro("is_manifold", &Polyhedron::is_manifold)
      .def_prop_ro("size", &Polyhedron::size, "[m] diagonal of the bounding box")
      .def_prop_ro("problems", [](const Polyhedron& p) { return texts(p.problems()); })
      .def("brief_report", &Polyhedron::brief_report);
}

void bind_interfaces(nb::module_& m) {
  auto interface =
      nb::class_<ContactInterface>(m, "ContactInterface", "Where two bodies touch in one plane.");
  interface.def_ro("body_a", &ContactInterface::body_a)
      .def_ro("body_b", &ContactInterface::body_b)
      .def_prop_ro(
          "kind", [](const ContactInterface& i) { return to_string(i.kind); }, "'face', 'edge' or 'point'")
      .def_ro("n_W", &ContactInterface::n_W, "unit, from a to b")
      .def_ro("area_m2", &ContactInterface::area_m2)
      .def_ro("gap_min_m", &ContactInterface::gap_min_m)
      .def_ro("gap_max_m", &ContactInterface::gap_max_m)
      .def_ro("points_W", &ContactInterface::points_W, "(n, 3) [m], a read-only view")
      .def_ro("hull", &ContactInterface::hull, "the points that span the rest, counter-clockwise about n_W")
      .def_prop_ro(
          "loops_W",
          [](const ContactInterface& i) {
            nb::typed<nb::list, nb::ndarray<double>> loops;
            for (const auto& loop : i.loops_W) loops.append(nb::cast(std::vector<Eigen::Vector3d>(loop)));
            return loops;
          },
          "outlines of the face patches, each (n, 3) [m]");
  def_result(interface);

  nb::class_<geometry::Penetration>(m, "Penetration", "Two bodies that overlap.")
      .def_ro("body_a", &geometry::Penetration::body_a)
      .def_ro("body_b", &geometry::Penetration::body_b)
      .def_ro("depth_m", &geometry::Penetration::depth_m)
      .def_ro("p_W", &geometry::Penetration::p_W, "[m]");

  using geometry::ContactResult;
  auto result = nb::class_<ContactResult>(m, "ContactResult", "All interfaces between posed shapes.");
  result.def_prop_ro("status", [](const ContactResult& r) { return to_string(r.status); })
      .def_ro("interfaces", &ContactResult::interfaces)
      .def_ro("penetrations", &ContactResult::penetrations)
      .def_ro("candidate_pairs", &ContactResult::candidate_pairs)
      .def("brief_report", &ContactResult::brief_report);
  def_result(result);
}

}  // namespace

void bind_contact(nb::module_& m) {
  bind_polyhedron(m);
  bind_interfaces(m);
  using geometry::ContactOptions;
  m.def(
      "find_contacts",
      [](const std::vector<std::pair<const Polyhedron*, math::Pose>>& shapes, const std::vector<int>& bodies,
         std::optional<double> contact_tolerance, double angle_tolerance, double tilt_limit,
         double normal_spread, int threads) {
        if (!bodies.empty() && bodies.size() != shapes.size()) {
          throw std::invalid_argument("find_contacts: " + std::to_string(bodies.size()) + " bodies for " +
                                      std::to_string(shapes.size()) + " shapes");
        }
        std::vector<geometry::PosedPolyhedron> posed;
        for (std::size_t i = 0; i < shapes.size(); ++i) {
          posed.push_back({shapes[i].first, shapes[i].second,
                           geometry::ContactBodyIndex(bodies.empty() ? static_cast<int>(i) : bodies[i])});
        }
        ContactOptions options{.angle_tolerance = angle_tolerance,
                               .tilt_limit = tilt_limit,
                               .normal_spread = normal_spread,
                               .threads = threads};
        options.set_tolerance(contact_tolerance);
        return geometry::find_contacts(posed, options);
      },
      "shapes"_a, "bodies"_a = nb::make_tuple(), nb::kw_only(), "contact_tolerance"_a = nb::none(),
      "angle_tolerance"_a = ContactOptions{}.angle_tolerance, "tilt_limit"_a = ContactOptions{}.tilt_limit,
      "normal_spread"_a = ContactOptions{}.normal_spread, "threads"_a = ContactOptions{}.threads, Released(),
      R"(Where posed polyhedra touch. `shapes` lists (Polyhedron, Pose); shapes of one body do not touch each other.

`bodies` numbers the body of each shape; without it every shape is a body of its own.

>>> from prehend import Pose
>>> from prehend.geometry import Polyhedron, find_contacts, make_box
>>> box = Polyhedron.from_mesh(make_box([1, 1, 1]))
>>> contacts = find_contacts([(box, Pose()), (box, Pose.translation([0.5, 0, 1]))])
>>> [(i.kind, round(i.area_m2, 9), i.n_W.tolist()) for i in contacts.interfaces]
[('face', 0.5, [0.0, 0.0, 1.0])]
)");
}

}  // namespace prehend::python
