// prehend.observation: how a body may move that touches another.
#include "bindings.h"
#include <prehend/observation/grasp_stability.h>
#include <prehend/observation/mesh_grasp.h>
#include <prehend/observation/motion_freedom.h>
#include <prehend/observation/neighbour_relations.h>
#include <prehend/observation/second_order.h>

namespace prehend::python {
namespace {

using observation::Contact;
using observation::Freedoms;
using observation::MotionFreedom;
using Screws = std::vector<math::Vector6d>;

// One screw per row.
Eigen::MatrixXd table(const Screws& screws) {
  Eigen::MatrixXd rows(static_cast<Eigen::Index>(screws.size()), 6);
  for (std::size_t i = 0; i < screws.size(); ++i) rows.row(static_cast<Eigen::Index>(i)) = screws[i];
  return rows;
}

void bind_counts(nb::module_& m) {
  nb::class_<Freedoms>(m, "Freedoms", "Freedoms counted, in translation, rotation or all motion.")
      .def_ro("maintaining", &Freedoms::maintaining, "keep every contact")
      .def_ro("detaching", &Freedoms::detaching, "possible, but a contact opens")
      .def_ro("constraining", &Freedoms::constraining, "impossible")
      .def_ro("restricted", &Freedoms::restricted, "cannot keep every contact, singular ones included");
  nb::class_<observation::RotationFreedoms, Freedoms>(m, "RotationFreedoms", "Of axis directions.")
      .def_ro("detaching_type1", &observation::RotationFreedoms::detaching_type1, "both ways")
      .def_ro("detaching_type2", &observation::RotationFreedoms::detaching_type2, "one way only");
  nb::class_<observation::LegalCone>(m, "LegalCone", "Legal screws: [w, v], v of the world's origin.")
      .def_prop_ro(
          "lineality", [](const observation::LegalCone& c) { return table(c.lineality_W); },
          "(n, 6) both ways")
      .def_prop_ro("rays", [](const observation::LegalCone& c) { return table(c.rays_W); }, "(n, 6) one way");
}

void bind_sides(nb::module_& m) {
  using observation::ContactSide;
  nb::class_<ContactSide>(m, "ContactSide",
                          "What one body has at a contact, for second order; absent is flat.")
      .def(
          "__init__",
          [](ContactSide* self, std::optional<Eigen::Vector3d> tangent,
             std::optional<Eigen::Vector3d> edge_curvature, std::optional<Eigen::Matrix3d> face_curvature,
             std::optional<Eigen::Vector3d> inward, std::vector<Eigen::Vector3d> tangents,
             std::vector<Eigen::Vector3d> normals, std::vector<Eigen::Matrix3d> curvatures) {
            new (self) ContactSide{tangent,
                                   edge_curvature,
                                   face_curvature,
                                   inward,
                                   std::move(tangents),
                                   std::move(normals),
                                   std::move(curvatures)};
          },
          nb::kw_only(), "tangent"_a = nb::none(), "edge_curvature"_a = nb::none(),
          "face_curvature"_a = nb::none(), "inward"_a = nb::none(),
          "tangents"_a = std::vector<Eigen::Vector3d>{}, "normals"_a = std::vector<Eigen::Vector3d>{},
          "curvatures"_a = std::vector<Eigen::Matrix3d>{},
          R"(Curvatures in 1/m; docs/observation_second_order.md.

>>> from prehend.observation import ContactSide
>>> float(ContactSide(face_curvature=[[1, 0, 0], [0, 1, 0], [0, 0, 0]]).face_curvature.trace())
2.0
)")
      .def_ro("tangent", &ContactSide::tangent_W)
      .def_ro("edge_curvature", &ContactSide::edge_curvature_W, "[1/m]")
      .def_ro("face_curvature", &ContactSide::face_curvature_W, "[1/m]");
}

void bind_contacts(nb::module_& m) {
  bind_sides(m);
  nb::class_<Contact>(m, "Contact",
                      "Points that share their separating planes; normals out of the fixed body.")
      .def(
          "__init__",
          [](Contact* self, std::vector<Eigen::Vector3d> points, std::vector<Eigen::Vector3d> normals,
             std::string type, observation::ContactSide moving, observation::ContactSide fixed) {
            new (self) Contact{std::move(type), std::move(points), std::move(normals), std::move(moving),
                               std::move(fixed)};
          },
          "points"_a, "normals"_a, "type"_a = "", nb::kw_only(), "moving"_a = observation::ContactSide{},
          "fixed"_a = observation::ContactSide{}, R"(Several normals: one suffices, the contact is singular.

>>> from prehend.observation import Contact
>>> Contact([[0, 0, 0]], [[0, 0, 1]]).singular
False
)")
      .def_prop_ro("type", [](const Contact& c) { return text(c.type); })
      .def_ro("points", &Contact::points_W, "[m]")
      .def_ro("normals", &Contact::normals_W)
      .def_prop_ro("singular", &Contact::is_singular);
  m.def(
      "read_contacts",
      [](const Path& path) { return observation::read_contact_relation(path.text).contacts; }, "path"_a,
      Released(), R"(The contacts of a JSON file (docs/files.md).

>>> import pathlib, tempfile
>>> from prehend.observation import read_contacts
>>> path = pathlib.Path(tempfile.mkdtemp()) / "contacts.json"
>>> _ = path.write_text('{"contacts":[{"points_W_m":[[0,0,0]],"n_W":[0,0,1]}]}')
>>> len(read_contacts(path))
1
)");
}

void bind_freedom(nb::module_& m) {
  auto result = nb::class_<MotionFreedom>(m, "MotionFreedom", "How a body may move that touches another.");
  result.def_prop_ro("status", [](const MotionFreedom& f) { return to_string(f.status); })
      .def_ro("singular", &MotionFreedom::singular)
      .def_ro("translation", &MotionFreedom::translation)
      .def_ro("rotation", &MotionFreedom::rotation)
      .def_ro("all", &MotionFreedom::all)
      .def_prop_ro(
          "maintaining", [](const MotionFreedom& f) { return table(f.maintaining_W); },
          "(n, 6) basis of the screws that keep every contact")
      .def_ro("legal", &MotionFreedom::legal, "cones whose union holds the legal screws")
      .def_prop_ro(
          "screws",
          [](const MotionFreedom& f) {
            std::vector<std::string> verdicts;
            for (const observation::ScrewVerdict verdict : f.screws)
              verdicts.emplace_back(to_string(verdict));
            return texts(verdicts);
          },
          "of the screws asked about: maintaining, detaching or illegal")
      .def("brief_report", [](const MotionFreedom& f) { return text(f.brief_report()); })
      .def(
          "to_json", [](const MotionFreedom& f) { return text(f.to_json()); },
          "As the command line prints it with --json.");
  def_result(result);
  m.def(
      "motion_freedom",
      [](std::vector<Contact> contacts, const Screws& screws) {
        return observation::motion_freedom({std::move(contacts)}, screws);
      },
      "contacts"_a, nb::kw_only(), "screws"_a = Screws{}, Released(),
      R"(Freedoms of a body that touches a fixed one, to first order. `screws`: rows [w, v] to be judged.

>>> from prehend.observation import Contact, motion_freedom
>>> edge = Contact([[0, -1, 0], [0, 1, 0]], [[0, 0, 1]])
>>> freedom = motion_freedom([edge], screws=[[0, 0, 0, 0, 0, -1]])
>>> freedom.translation.maintaining, freedom.rotation.detaching, freedom.screws
(2, 1, ['illegal'])
)");
}

void bind_judged(nb::module_& m) {
  using namespace observation;
  nb::class_<DependencyTerm>(m, "DependencyTerm", "A contact row with its weight.")
      .def_ro("contact", &DependencyTerm::contact)
      .def_ro("point", &DependencyTerm::point)
      .def_ro("plane", &DependencyTerm::plane)
      .def_ro("weight", &DependencyTerm::weight);
  nb::class_<JudgedScrew>(m, "JudgedScrew", "The verdict of second order on one screw, with its proof.")
      .def_prop_ro("verdict", [](const JudgedScrew& s) { return to_string(s.verdict); })
      .def_ro("coefficients", &JudgedScrew::coefficients, "h per contact")
      .def_ro("s3_s4", &JudgedScrew::s3_s4_W, "a second-order screw, or None where illegal")
      .def_ro("dependency", &JudgedScrew::dependency, "weights that forbid it")
      .def_prop_ro("reason", [](const JudgedScrew& s) { return text(s.reason); });
  nb::class_<DependentForm>(m, "DependentForm",
                            "Contacts that depend on each other, and their quadratic form.")
      .def_ro("positive", &DependentForm::positive)
      .def_ro("negative", &DependentForm::negative)
      .def_ro("zero", &DependentForm::zero)
      .def_ro("one_sided", &DependentForm::one_sided, "it bounds what is legal")
      .def_ro("terms", &DependentForm::terms)
      .def_ro("matrix", &DependentForm::matrix_W, "(6, 6) [m], of screws that first order keeps");
}

void bind_second_order(nb::module_& m) {
  using namespace observation;
  bind_judged(m);
  auto result = nb::class_<SecondOrderFreedom>(m, "SecondOrderFreedom",
                                               "What curvature adds to the first-order freedoms.");
  result.def_prop_ro("status", [](const SecondOrderFreedom& f) { return to_string(f.first.status); })
      .def_ro("first", &SecondOrderFreedom::first)
      .def_ro("forms", &SecondOrderFreedom::forms)
      .def_prop_ro("maintaining_linear", [](const SecondOrderFreedom& f) { return f.maintaining.linear; })
      .def_prop_ro(
          "maintaining",
          [](const SecondOrderFreedom& f) {
            std::vector<Eigen::MatrixXd> components;
            for (const ScrewSubspace& component : f.maintaining.components)
              components.push_back(table(component.basis_W));
            return components;
          },
          "(n, 6) bases of subspaces")
      .def_prop_ro("legal_linear", [](const SecondOrderFreedom& f) { return f.legal.linear; })
      .def_prop_ro("legal_dimension", [](const SecondOrderFreedom& f) { return f.legal.dimension; })
      .def_ro("screws", &SecondOrderFreedom::screws)
      .def_prop_ro("notes", [](const SecondOrderFreedom& f) { return texts(f.notes); })
      .def("brief_report", [](const SecondOrderFreedom& f) { return text(f.brief_report()); })
      .def(
          "to_json", [](const SecondOrderFreedom& f) { return text(f.to_json()); },
          "As the command line prints it with --order 2 --json.");
  def_result(result);
  m.def(
      "second_order_freedom",
      [](std::vector<Contact> contacts, const Screws& screws) {
        return second_order_freedom({std::move(contacts)}, screws);
      },
      "contacts"_a, nb::kw_only(), "screws"_a = Screws{}, Released(),
      R"(Verdicts and forms of curved contacts. `screws`: rows [w, v] to be judged.

>>> from prehend.observation import Contact, ContactSide, second_order_freedom
>>> ball = ContactSide(face_curvature=[[1, 0, 0], [0, 1, 0], [0, 0, 0]])
>>> grasp = [Contact([[0, 0, z]], [[0, 0, -z]], "face-face", fixed=ball) for z in (1, -1)]
>>> freedom = second_order_freedom(grasp, screws=[[1, 0, 0, 0, 0, 0]])
>>> freedom.screws[0].verdict, freedom.forms[0].negative
('illegal', 2)
)");
}

void bind_grasps(nb::module_& m) {
  using namespace observation;
  nb::class_<GraspStability>(m, "GraspStability", "What a grasp lets a body do.")
      .def_prop_ro("name", [](const GraspStability& g) { return text(g.name); })
      .def_ro("freedom", &GraspStability::freedom)
      .def_prop_ro("legal_share", [](const GraspStability& g) { return g.legal.share; })
      .def_prop_ro("detaching_share", [](const GraspStability& g) { return g.detaching.share; })
      .def_ro("second_order_mobility", &GraspStability::second_order_mobility,
              "Rimon and Burdick 1998; 0: immobile")
      .def(
          "compared_with",
          [](const GraspStability& a, const GraspStability& b) { return to_string(compare(a, b)); },
          "other"_a, "stabler, less_stable, equal or not_comparable");
  m.def(
      "grasp_stability",
      [](std::vector<Contact> contacts, const std::string& name, int screws, std::uint64_t seed) {
        GraspStabilityOptions options;
        options.screws = screws;
        options.seed = seed;
        return grasp_stability(name, {std::move(contacts)}, options);
      },
      "contacts"_a, nb::kw_only(), "name"_a = "", "screws"_a = GraspStabilityOptions{}.screws, "seed"_a = 0,
      Released(),
      R"(How much of what first order leaves is legal, and how much opens a contact, to second order.

>>> from prehend.observation import Contact, ContactSide, grasp_stability
>>> ball = ContactSide(face_curvature=[[1, 0, 0], [0, 1, 0], [0, 0, 0]])
>>> box = grasp_stability([Contact([[0, 0, z]], [[0, 0, -z]], "face-face", fixed=ball) for z in (1, -1)])
>>> box.second_order_mobility
3
)");
}

void bind_mesh_grasps(nb::module_& m) {
  using namespace observation;
  nb::class_<CurvatureEstimate>(m, "CurvatureEstimate", "A surface point with its curvature.")
      .def_ro("point", &CurvatureEstimate::p_B, "[m]")
      .def_ro("normal", &CurvatureEstimate::n_B)
      .def_ro("curvature", &CurvatureEstimate::curvature_B, "(3, 3) [1/m]")
      .def_ro("std", &CurvatureEstimate::std, "[1/m]");
  nb::class_<MeshGrasp>(m, "MeshGrasp", "A grasp of a mesh by round or flat fingers.")
      .def_prop_ro("contacts", [](const MeshGrasp& g) { return g.relation.contacts; })
      .def_ro("estimates", &MeshGrasp::estimates)
      .def_ro("positive", &MeshGrasp::positive)
      .def_ro("negative", &MeshGrasp::negative)
      .def_ro("sure", &MeshGrasp::sure,
              "share of curvatures within the uncertainty that give the same signature")
      .def_prop_ro("notes", [](const MeshGrasp& g) { return texts(g.notes); });
  m.def(
      "mesh_grasp",
      [](const geometry::TriangleMesh& mesh, const std::vector<Eigen::Vector3d>& points,
         const std::vector<double>& finger_curvatures, std::uint64_t seed) {
        if (points.size() != finger_curvatures.size())
          throw std::invalid_argument("mesh_grasp: as many finger_curvatures as points are needed");
        std::vector<FingerTip> fingers;
        for (std::size_t i = 0; i < points.size(); ++i) fingers.push_back({points[i], finger_curvatures[i]});
        return mesh_grasp(mesh, fingers, seed);
      },
      "mesh"_a, "points"_a, "finger_curvatures"_a, nb::kw_only(), "seed"_a = 0, Released(),
      R"(Contacts of balls (curvature in 1/m, 0: flat) with a body given as a mesh, near the given points.

>>> from prehend.geometry import make_icosphere
>>> from prehend.observation import mesh_grasp
>>> ball = mesh_grasp(make_icosphere(1.0, 4), [[0, 0, 1], [0, 0, -1]], [1.0, 1.0])
>>> round(float(ball.estimates[0].curvature.trace()), 1)
2.0
)");
}

void bind_neighbours(nb::module_& m) {
  using namespace observation;
  nb::class_<RelationNode>(m, "RelationNode",
                           "A contact relation of two polyhedra with a pose that realises it.")
      .def_prop_ro(
          "pairs", [](const RelationNode& n) { return texts(n.pairs); }, "v3-f1: vertex 3 on face 1")
      .def_ro("X_FM", &RelationNode::X_FM)
      .def_prop_ro("contacts", [](const RelationNode& n) { return n.relation.contacts; });
  nb::class_<RelationGraph>(m, "RelationGraph", "Contact relations next to each other.")
      .def_ro("nodes", &RelationGraph::nodes)
      .def_ro("edges", &RelationGraph::edges)
      .def("brief_report", [](const RelationGraph& g) { return text(g.brief_report()); });
  m.def(
      "neighbouring_relations",
      [](const geometry::Polyhedron& moving, const geometry::Polyhedron& fixed, const math::Pose& X_FM,
         int motions, bool whole_graph, std::uint64_t seed) {
        NeighbourOptions options;
        options.motions = motions;
        options.whole_graph = whole_graph;
        options.seed = seed;
        return neighbouring_relations(moving, fixed, X_FM, options);
      },
      "moving"_a, "fixed"_a, "X_FM"_a, nb::kw_only(), "motions"_a = NeighbourOptions{}.motions,
      "whole_graph"_a = true, "seed"_a = 0, Released(),
      R"(Relations that opening contacts of two polyhedra leads to.

>>> from prehend import Pose
>>> from prehend.geometry import Polyhedron, make_box
>>> from prehend.observation import neighbouring_relations
>>> box = Polyhedron.from_mesh(make_box([1, 1, 1]))
>>> graph = neighbouring_relations(box, box, Pose.translation([0.3, 0.2, 1]), motions=50, whole_graph=False)
>>> len(graph.nodes) > 1
True
)");
}

}  // namespace

void bind_observation(nb::module_& m) {
  bind_counts(m);
  bind_contacts(m);
  bind_freedom(m);
  bind_second_order(m);
  bind_grasps(m);
  bind_mesh_grasps(m);
  bind_neighbours(m);
  bind_watch(m);
  bind_execution(m);
}

}  // namespace prehend::python
