// prehend.model: where the bodies of a scene touch, and what is in a file.
#include "bindings.h"
#include "length_unit.h"
#include <prehend/model/friction.h>
#include <prehend/model/inspection.h>
#include <prehend/model/scene_contacts.h>
#include <prehend/model/scene_reader.h>

namespace prehend::python {
namespace {

using model::Scene;

void bind_contacts(nb::module_& m) {
  using model::SceneInterface;
  auto interface =
      nb::class_<SceneInterface>(m, "SceneInterface", "Where two bodies of a scene touch in one plane.");
  interface.def_ro("body_a", &SceneInterface::body_a, "index into Scene.bodies")
      .def_ro("body_b", &SceneInterface::body_b)
      .def_ro("friction", &SceneInterface::friction, "Coulomb coefficient of this pair")
      .def_ro("patch", &SceneInterface::patch, "normal from a to b, area, points, outlines");
  def_result(interface);
  nb::class_<model::ScenePenetration>(m, "ScenePenetration", "Two bodies that overlap.")
      .def_ro("body_a", &model::ScenePenetration::body_a)
      .def_ro("body_b", &model::ScenePenetration::body_b)
      .def_ro("depth", &model::ScenePenetration::depth, "[m]")
      .def_ro("p_W", &model::ScenePenetration::p_W, "[m]");
  using model::SceneContacts;
  auto contacts = nb::class_<SceneContacts>(m, "SceneContacts", "The contact interfaces of a scene.");
  contacts.def_prop_ro(
              "status", [](const SceneContacts& c) { return to_string(c.status); }, "'ok'")
      .def_ro("interfaces", &SceneContacts::interfaces)
      .def_ro("penetrations", &SceneContacts::penetrations)
      .def_ro("floating", &SceneContacts::floating, "movable bodies that touch nothing");
  def_texts(contacts, "problems", &SceneContacts::problems, "One sentence each.");
  def_texts(contacts, "body_names", &SceneContacts::body_names, "by body index");
  contacts
      .def(
          "to_json", [](const SceneContacts& c) { return text(c.to_json()); },
          "As `prehend contacts --json` prints it.")
      .def("brief_report", [](const SceneContacts& c) { return text(c.brief_report()); });
  def_result(contacts);
  using geometry::ContactOptions;
  m.def(
      "find_scene_contacts",
      [](const Scene& scene, std::optional<double> contact_tolerance, double angle_tolerance,
         double tilt_limit, double normal_spread, int threads) {
        ContactOptions options{.angle_tolerance = angle_tolerance,
                               .tilt_limit = tilt_limit,
                               .normal_spread = normal_spread,
                               .threads = threads};
        options.set_tolerance(contact_tolerance);
        return model::find_scene_contacts(scene, options);
      },
      "scene"_a, nb::kw_only(), "contact_tolerance"_a = nb::none(),
      "angle_tolerance"_a = ContactOptions{}.angle_tolerance, "tilt_limit"_a = ContactOptions{}.tilt_limit,
      "normal_spread"_a = ContactOptions{}.normal_spread, "threads"_a = ContactOptions{}.threads, Released(),
      R"(Where the bodies of a scene touch, with names and friction.

>>> import prehend
>>> contacts = prehend.find_scene_contacts(prehend.embedded_scene("scenes/stack.xml"))
>>> contacts.status, contacts.to_dict()["interfaces"][0]["kind"]
('ok', 'face')
)");
  m.def(
      "pair_friction",
      [](const Scene& scene, int body_a, int geom_a, int body_b, int geom_b) {
        const auto ref = [&scene](int body, int geom) {
          const auto& geoms = scene.bodies.at(body).geoms;
          if (geom < 0 || static_cast<std::size_t>(geom) >= geoms.size())
            throw std::out_of_range("pair_friction: there is no such geom");
          return model::GeomRef{model::BodyIndex(body), model::GeomIndex(geom)};
        };
        return model::pair_friction(scene, ref(body_a, geom_a), ref(body_b, geom_b));
      },
      "scene"_a, "body_a"_a, "geom_a"_a, "body_b"_a, "geom_b"_a,
      R"(Coulomb coefficient of two geoms of a scene, by the indices of body and geom.

>>> import prehend
>>> prehend.model.pair_friction(prehend.embedded_scene("scenes/stack.xml"), 0, 0, 1, 0)
0.6
)");
}

void bind_stored_contacts(nb::module_& m) {
  m.def(
      "read_stored_contacts",
      [](const Path& path, const Scene& scene) { return model::read_stored_contacts(path.text, scene); },
      "path"_a, "scene"_a, Released(),
      R"(The interfaces that a COMPAS assembly stores, as contacts of the scene read from that file, whether or not the blocks overlap there.

Raises prehend.InputError where the file is no assembly or stores none. `prehend.forces(scene, contacts=...)` takes them.

>>> import os, prehend, tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     path = os.path.join(folder, "stack.xml")
...     prehend.write_mjcf(prehend.embedded_scene("scenes/stack.xml"), path)
...     prehend.model.read_stored_contacts(path, prehend.read_scene(path))
Traceback (most recent call last):
...
prehend.InputError: ...
)");
}

void bind_files(nb::module_& m) {
  using model::Inspection;
  auto inspection = nb::class_<Inspection>(m, "Inspection", "What is in a file.");
  inspection.def_prop_ro("status", [](const Inspection& i) { return to_string(i.status); })
      .def_prop_ro("file", [](const Inspection& i) { return text(i.file); })
      .def_prop_ro(
          "kind", [](const Inspection& i) { return text(i.kind); }, "'mesh', 'cloud', 'scene', 'poses', ...")
      .def_prop_ro("format", [](const Inspection& i) { return text(i.format); });
  def_texts(inspection, "problems", &Inspection::problems, "One sentence each.");
  def_texts(inspection, "notes", &Inspection::notes, "What the reader converted, assumed or ignored.");
  inspection
      .def(
          "to_json", [](const Inspection& i) { return text(i.to_json()); },
          "As `prehend inspect --json` prints it.")
      .def("brief_report", [](const Inspection& i) { return text(i.brief_report()); });
  def_result(inspection);
  m.def(
      "inspect_file",
      [](const Path& path, const LengthUnit& unit, double friction, double density) {
        model::InspectOptions options;
        options.mesh.unit = metres(unit);
        options.scene.friction = friction;
        options.scene.density = density;
        options.scene.validate();
        return model::inspect_file(path.text, options);
      },
      "path"_a, nb::kw_only(), "unit"_a = "m", "friction"_a = model::SceneOptions{}.friction,
      "density"_a = model::SceneOptions{}.density, Released(),
      R"(What is in this file: mesh, cloud, scene or log; what is wrong with it.

>>> import os, prehend, tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     prehend.write_mesh(os.path.join(folder, "box.obj"), prehend.geometry.make_box([1, 2, 3]))
...     found = prehend.inspect_file(os.path.join(folder, "box.obj"))
>>> found.kind, found.to_dict()["faces"], found.problems
('mesh', 6, [])
)");
}

}  // namespace

void bind_inspection(nb::module_& m) {
  bind_contacts(m);
  bind_stored_contacts(m);
  bind_files(m);
}

}  // namespace prehend::python
