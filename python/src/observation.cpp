// prehend.observation: how a body may move that touches another.
#include "bindings.h"
#include <prehend/observation/motion_freedom.h>

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

void bind_contacts(nb::module_& m) {
  nb::class_<Contact>(m, "Contact",
                      "Points that share their separating planes; normals out of the fixed body.")
      .def(
          "__init__",
          [](Contact* self, std::vector<Eigen::Vector3d> points, std::vector<Eigen::Vector3d> normals,
             std::string type) {
            new (self) Contact{std::move(type), std::move(points), std::move(normals)};
          },
          "points"_a, "normals"_a, "type"_a = "", R"(Several normals: one suffices, the contact is singular.

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

}  // namespace

void bind_observation(nb::module_& m) {
  bind_counts(m);
  bind_contacts(m);
  bind_freedom(m);
  bind_watch(m);
}

}  // namespace prehend::python
