// prehend.model: scenes and what stands in them; readers and writers.
#include <map>
#include <optional>
#include <nanobind/stl/map.h>

#include "bindings.h"
#include "length_unit.h"
#include <prehend/math/enum_text.h>
#include <prehend/model/body_names.h>
#include <prehend/model/embedded_data.h>
#include <prehend/model/mesh_file.h>
#include <prehend/model/scene.h>
#include <prehend/model/scene_reader.h>
#include <prehend/model/scene_writer.h>

namespace prehend::python {
namespace {

using model::Body;
using model::Geom;
using model::Joint;
using model::Scene;

using Torques = std::map<std::string, double>;

model::SceneOptions scene_options(double friction, double density, const std::vector<std::string>& fixed,
                                  const std::vector<std::string>& movable, int round_segments,
                                  bool keep_facets, const Torques& joint_torques) {
  model::SceneOptions options;
  for (const auto& [joint, torque] : joint_torques) options.joint_torques.push_back({joint, torque});
  options.keep_facets = keep_facets;
  options.friction = friction;
  options.density = density;
  options.fixed = fixed;
  options.movable = movable;
  options.round_segments = round_segments;
  options.validate();
  return options;
}

model::SceneFormat scene_format(const std::string& name) {
  if (const auto format = from_string<model::SceneFormat>(name)) return *format;
  throw std::invalid_argument("format is '" + name + "'; it must be " + enum_choices<model::SceneFormat>());
}

// The items as a tuple of references that keep their owner alive: what cannot be appended to says so.
template <class T>
nb::typed<nb::tuple, T, nb::ellipsis> references(std::vector<T>& items, nb::handle owner) {
  nb::list list;
  for (T& item : items) list.append(nb::cast(item, nb::rv_policy::reference_internal, owner));
  return nb::borrow<nb::typed<nb::tuple, T, nb::ellipsis>>(nb::tuple(list));
}

void bind_bodies(nb::module_& m) {
  nb::class_<model::Shape>(m, "Shape", "The primitive a geom was given as.")
      .def_prop_ro(
          "kind", [](const model::Shape& s) { return to_string(s.kind); }, "'box', 'sphere', ..., 'mesh'")
      .def_ro("size", &model::Shape::size,
              "[m] box: full lengths; sphere: radius; cylinder, capsule: radius, length");
  nb::class_<Geom>(m, "Geom", "What a body touches with.")
      .def_prop_ro("name", [](const Geom& g) { return text(g.name); })
      .def_ro("shape", &Geom::shape)
      .def_prop_ro(
          "X_BG", [](const Geom& g) { return g.X_BG; }, "geom in its body")
      .def_ro("mesh", &Geom::mesh, "[m] in the geom's frame")
      .def_rw("friction", &Geom::friction, "sliding coefficient")
      .def_rw("priority", &Geom::priority)
      .def_rw("contype", &Geom::contype)
      .def_rw("conaffinity", &Geom::conaffinity)
      .def_rw("condim", &Geom::condim)
      .def("__repr__",
           [](const Geom& g) { return text("Geom('" + g.name + "', " + to_string(g.shape.kind) + ")"); });
  nb::class_<Body>(m, "Body", "A rigid body of a scene.")
      .def_prop_ro("name", [](const Body& b) { return text(b.name); })
      .def_rw("movable", &Body::movable, "free to move; everything else is fixed where it stands")
      .def_prop_rw(
          "inertia", [](const Body& b) { return b.inertia; },
          [](Body& b, const math::SpatialInertia& inertia) { b.inertia = inertia; },
          "in the body's frame (a copy)")
      .def_prop_rw(
          "X_WB", [](const Body& b) { return b.X_WB; },
          [](Body& b, const math::Pose& X_WB) { b.X_WB = X_WB; },
          "body in the world (a copy; assign a new pose to move the body)")
      .def_prop_ro(
          "geoms", [](nb::handle self) { return references(nb::cast<Body&>(self).geoms, self); },
          "in the file's order; a tuple")
      .def_ro("line", &Body::line, "of the file that described it; 0 when unknown")
      .def("__repr__", [](const Body& b) {
        return text("Body('" + b.name + "', " + (b.movable ? "movable" : "fixed") + ")");
      });
  nb::class_<Joint>(m, "Joint", "Between two bodies; motion described in the child's frame.")
      .def_prop_ro("name", [](const Joint& j) { return text(j.name); })
      .def_prop_ro(
          "type", [](const Joint& j) { return to_string(j.type); }, "'revolute', 'prismatic', ...")
      .def_ro("parent", &Joint::parent, "index into Scene.bodies")
      .def_ro("child", &Joint::child, "index into Scene.bodies")
      .def_prop_ro(
          "X_PC", [](const Joint& j) { return j.X_PC; }, "child in parent at the state `reference`")
      .def_ro("p_CJ", &Joint::p_CJ, "[m] a point on the axis, in the child")
      .def_ro("axis_C", &Joint::axis_C)
      .def_ro("axis2_C", &Joint::axis2_C)
      .def_ro("lower", &Joint::lower, "[rad] or [m]")
      .def_ro("upper", &Joint::upper, "[rad] or [m]")
      .def_ro("pitch", &Joint::pitch, "[m/rad]")
      .def_ro("reference", &Joint::reference)
      .def("__repr__",
           [](const Joint& j) { return text("Joint('" + j.name + "', " + to_string(j.type) + ")"); });
}

void bind_scene(nb::module_& m) {
  auto scene =
      nb::class_<Scene>(m, "Scene", R"(Bodies, joints, gravity and friction, in SI units and one world frame.

>>> import prehend
>>> scene = prehend.embedded_scene("scenes/stack.xml")
>>> scene.bodies[1].X_WB.p.shape, scene.bodies[0].name
((3,), 'world')
)");
  scene.def_prop_ro("name", [](const Scene& s) { return text(s.name); })
      .def_prop_ro("format", [](const Scene& s) { return text(s.format); })
      .def_rw("gravity_W", &Scene::gravity_W, "[m/s^2]")
      .def_prop_ro(
          "bodies", [](nb::handle self) { return references(nb::cast<Scene&>(self).bodies, self); },
          "bodies[0] is the fixed body 'world'; a tuple: bodies can be moved and changed, not added or "
          "removed")
      .def_prop_ro(
          "joints", [](nb::handle self) { return references(nb::cast<Scene&>(self).joints, self); },
          "a tuple");
  def_texts(scene, "notes", &Scene::notes, "What the reader converted or assumed.");
  def_texts(scene, "problems", &Scene::problems, "What deserves a look.");
  scene
      .def(
          "find_body",
          [](const Scene& s, const std::string& name) -> std::optional<int> {
            const model::BodyIndex index = s.find_body(name);
            return index.is_valid() ? std::optional(index.value()) : std::nullopt;
          },
          "name"_a, "Index of the body, or None.")
      .def(
          "body",
          [](Scene& s, const std::string& name) -> Body& {
            const model::BodyIndex index = s.find_body(name);
            if (!index.is_valid()) throw nb::key_error(model::no_such_body(s, name).c_str());
            return s.bodies[index];
          },
          "name"_a, nb::rv_policy::reference_internal, "The body of that name or index.")
      .def(
          "body", [](Scene& s, model::BodyIndex index) -> Body& { return s.bodies.at(index); }, "index"_a,
          nb::rv_policy::reference_internal)
      .def_prop_ro("triangle_count", &Scene::triangle_count)
      .def_prop_ro("extent", &Scene::extent, "[m] diagonal of the box around all meshes")
      .def("brief_report", [](const Scene& s) { return text(s.brief_report()); })
      .def("__copy__", [](const Scene& s) { return Scene(s); })
      .def(
          "__deepcopy__", [](const Scene& s, nb::handle) { return Scene(s); }, "memo"_a)
      .def("__repr__", [](const Scene& s) {
        return text("Scene('" + s.name + "', " + std::to_string(s.bodies.size()) + " bodies, " +
                    std::to_string(s.joints.size()) + " joints)");
      });
}

void bind_scene_readers(nb::module_& m) {
  const model::SceneOptions defaults;
  m.def(
      "read_scene",
      [](const Path& path, double friction, double density, const std::vector<std::string>& fixed,
         const std::vector<std::string>& movable, int round_segments, bool keep_facets,
         const Torques& joint_torques) {
        return model::read_scene(path.text, scene_options(friction, density, fixed, movable, round_segments,
                                                          keep_facets, joint_torques));
      },
      "path"_a, nb::kw_only(), "friction"_a = defaults.friction, "density"_a = defaults.density,
      "fixed"_a = nb::make_tuple(), "movable"_a = nb::make_tuple(),
      "round_segments"_a = defaults.round_segments, "keep_facets"_a = defaults.keep_facets,
      "joint_torques"_a = Torques{}, Released(),
      R"(Reads MJCF, URDF, SDF, COMPAS assembly JSON or a transport arrangement (`file.yaml#name`); `model.xml#home` is an MJCF keyframe.

Raises prehend.InputError with file and line when the file is wrong. `joint_torques`: what the motors of joints hold at most [N m] or [N], by the
joint's name or 'all'; 0: free, infinite: held.

>>> import prehend
>>> prehend.read_scene("no/such/file.xml")
Traceback (most recent call last):
...
prehend.InputError: no/such/file.xml: error: ...
)");
  m.def(
      "read_scene_text",
      [](const std::string& scene_text, const std::string& format, const std::string& name, double friction,
         double density, const std::vector<std::string>& fixed, const std::vector<std::string>& movable,
         int round_segments, bool keep_facets, const Torques& joint_torques) {
        return model::read_scene_text(
            scene_text, scene_format(format), name,
            scene_options(friction, density, fixed, movable, round_segments, keep_facets, joint_torques));
      },
      "text"_a, "format"_a, "name"_a = "text", nb::kw_only(), "friction"_a = defaults.friction,
      "density"_a = defaults.density, "fixed"_a = nb::make_tuple(), "movable"_a = nb::make_tuple(),
      "round_segments"_a = defaults.round_segments, "keep_facets"_a = defaults.keep_facets,
      "joint_torques"_a = Torques{}, Released(),
      R"(The same from memory; format 'mjcf', 'urdf', ...

>>> from prehend.model import read_scene_text
>>> read_scene_text("<mujoco><worldbody><geom type='plane' size='1 1 1'/></worldbody></mujoco>", "mjcf").bodies
(Body('world', fixed),)
)");
}

void bind_scene_writers(nb::module_& m) {
  m.def(
      "write_mjcf", [](const Scene& scene, const Path& path) { model::write_mjcf(scene, path.text); },
      "scene"_a, "path"_a, Released(),
      R"(Writes MJCF that reads back as the same scene; meshes beside it as OBJ.

>>> import os, prehend, tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     prehend.write_mjcf(prehend.embedded_scene("scenes/stack.xml"), os.path.join(folder, "copy.xml"))
...     print(len(prehend.read_scene(os.path.join(folder, "copy.xml")).bodies))
4
)");
  m.def(
      "write_urdf", [](const Scene& scene, const Path& path) { model::write_urdf(scene, path.text); },
      "scene"_a, "path"_a, Released(),
      R"(Writes URDF that reads back as the same scene; meshes beside it as OBJ.

>>> import os, prehend, tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     prehend.write_urdf(prehend.embedded_scene("scenes/stack.xml"), os.path.join(folder, "copy.urdf"))
...     print(len(prehend.read_scene(os.path.join(folder, "copy.urdf")).bodies))
4
)");
}

void bind_meshes(nb::module_& m) {
  m.def(
      "read_mesh",
      [](const Path& path, const LengthUnit& unit, bool use_stated_unit, bool weld) {
        return model::read_mesh(path.text,
                                {.unit = metres(unit), .use_stated_unit = use_stated_unit, .weld = weld});
      },
      "path"_a, nb::kw_only(), "unit"_a = "m", "use_stated_unit"_a = false, "weld"_a = true, Released(),
      R"(Reads STL, OBJ, PLY or glTF; `unit` is the file's unit of length: "m", "cm", "mm", "in", or a number of metres.

>>> import os, prehend, tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     prehend.write_mesh(os.path.join(folder, "box.stl"), prehend.geometry.make_box([100, 200, 300]))
...     print(prehend.read_mesh(os.path.join(folder, "box.stl"), unit="mm"))
TriangleMesh(8 vertices, 12 triangles)
)");
  m.def(
      "write_mesh",
      [](const Path& path, const geometry::TriangleMesh& mesh) { model::write_mesh(path.text, mesh); },
      "path"_a, "mesh"_a, Released(),
      R"(By the extension: .obj, .stl or .ply; the file is complete or absent.

>>> import os, prehend, tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     prehend.write_mesh(os.path.join(folder, "box.ply"), prehend.geometry.make_box([1, 2, 3]))
...     print(os.listdir(folder))
['box.ply']
)");
}

void bind_embedded_files(nb::module_& m) {
  m.def(
      "embedded_files",
      [] {
        std::vector<std::string> names;
        for (const model::EmbeddedFile& file : model::embedded_files()) names.emplace_back(file.name);
        return names;
      },
      R"(Names of the objects and scenes that come with the library.

>>> import prehend
>>> "scenes/stack.xml" in prehend.model.embedded_files()
True
)");
  m.def(
      "embedded_file",
      [](const std::string& name) {
        try {
          return std::string(model::embedded_file(name));
        } catch (const std::out_of_range& error) {
          throw nb::key_error(error.what());
        }
      },
      "name"_a,
      R"(The text of one of them.

>>> import prehend
>>> "<mujoco" in prehend.embedded_file("scenes/stack.xml")
True
)");
}

}  // namespace

void bind_model(nb::module_& m) {
  bind_bodies(m);
  bind_scene(m);
  bind_scene_readers(m);
  bind_scene_writers(m);
  bind_meshes(m);
  bind_embedded_files(m);
}

}  // namespace prehend::python
