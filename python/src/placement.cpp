// prehend.placement: where can it go?
#include <nanobind/stl/map.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>

#include "bindings.h"
#include <prehend/math/angles.h>
#include <prehend/math/enum_text.h>
#include <prehend/model/body_names.h>
#include <prehend/placement/grasp_file.h>
#include <prehend/placement/placed_object.h>
#include <prehend/placement/placement.h>

namespace prehend::python {
namespace {

using Eigen::Vector3d;
using placement::AxisBox;
using placement::Placement;
using placement::PlacementOptions;
using placement::PlacementResult;

AxisBox box_of(const Eigen::Matrix<double, 6, 1>& numbers) { return {numbers.head<3>(), numbers.tail<3>()}; }

placement::Objective objective_of(const std::string& word) {
  const auto objective = from_string<placement::Objective>(word);
  if (!objective) throw std::invalid_argument("there is no objective '" + word + "'");
  return *objective;
}

void bind_placement_class(nb::module_& m) {
  nb::class_<Placement>(m, "Placement", "A pose at which the object rests, and how well it holds there.")
      .def_prop_ro(
          "X_WO", [](const Placement& p) { return p.X_WO; }, "pose of the object's own frame")
      .def_prop_ro(
          "min_sr", [](const Placement& p) { return p.min_sr; },
          "[N] least push along an inward normal that moves something")
      .def_prop_ro(
          "margin_g", [](const Placement& p) { return p.margin_g; },
          "[g] least horizontal acceleration that does")
      .def_prop_ro(
          "guaranteed_margin_g", [](const Placement& p) { return p.guaranteed_margin_g; },
          "[g] of margin_g, what holds for all friction, masses and outlines within the margins; nan without")
      .def_prop_ro(
          "guaranteed_min_sr", [](const Placement& p) { return p.guaranteed_min_sr; },
          "[N] of min_sr, likewise; nan where it is not known")
      .def_prop_ro(
          "robustness", [](const Placement& p) { return p.robustness; },
          "[N] least force at a centre of mass that does")
      .def_prop_ro(
          "volume", [](const Placement& p) { return p.volume; },
          "[m^3] smallest box around all movable bodies")
      .def_prop_ro(
          "grasps", [](const Placement& p) { return p.grasps; }, "numbers of the grasps that are free");
}

void bind_placement_result(nb::module_& m) {
  auto result = nb::class_<PlacementResult>(m, "PlacementResult", "Where an object can go.");
  result
      .def_prop_ro(
          "status", [](const PlacementResult& r) { return to_string(r.status); },
          "'ok', 'none' (with a proof), 'not_found', 'unstable' or 'invalid'")
      .def_prop_ro(
          "placements", [](const PlacementResult& r) { return r.placements; }, "best first")
      .def_ro("attempts", &PlacementResult::attempts, "poses that were verified")
      .def_prop_ro(
          "rejected", [](const PlacementResult& r) { return r.rejected; }, "reason: count")
      .def_prop_ro(
          "proof", [](const PlacementResult& r) { return text(r.proof); }, "of 'none'")
      .def_prop_ro(
          "loose",
          [](const PlacementResult& r) {
            std::vector<std::string> names;
            for (const model::BodyIndex body : r.loose) names.push_back(model::name_of(r.body_names, body));
            return texts(names);
          },
          "bodies that move at less than the margin without the object; they are left out of the measures")
      .def_prop_ro("problems", [](const PlacementResult& r) { return texts(r.problems); })
      .def("brief_report", [](const PlacementResult& r) { return text(r.brief_report()); })
      .def(
          "to_json", [](const PlacementResult& r) { return text(r.to_json()); },
          "As the command line prints it with --json.");
  def_result(result);
}

void bind_add_object(nb::module_& m) {
  m.def(
      "add_object",
      [](model::Scene& scene, const Path& path, std::optional<double> density, std::optional<double> mass,
         double unit) {
        placement::ObjectFileOptions options;
        options.density = density;
        options.mass = mass;
        options.unit = unit;
        return scene.bodies[placement::add_object(scene, path.text, options)].name;
      },
      "scene"_a, "path"_a, nb::kw_only(), "density"_a = nb::none(), "mass"_a = nb::none(), "unit"_a = 1.0,
      R"(Adds the body of a file (a closed mesh, MJCF or URDF with one free body) to the scene and returns its name.

>>> import pathlib, tempfile
>>> import prehend
>>> scene = prehend.embedded_scene("scenes/stack.xml")
>>> with tempfile.TemporaryDirectory() as folder:
...     path = pathlib.Path(folder) / "box.obj"
...     prehend.write_mesh(path, prehend.geometry.make_box([0.1, 0.1, 0.1]))
...     prehend.add_object(scene, path, density=400)
'box'
)");
}

void bind_place(nb::module_& m) {
  m.def(
      "place",
      [](const model::Scene& scene, const std::variant<std::string, std::vector<std::string>>& object,
         const std::string& objective, std::optional<Vector3d> near, std::vector<std::string> touch,
         std::optional<Eigen::Matrix<double, 6, 1>> region,
         const std::vector<Eigen::Matrix<double, 6, 1>>& keep_out, std::optional<double> upright_deg,
         double clearance, std::optional<Vector3d> approach, std::optional<Path> grasps, double pose_error,
         double margin, double margin_friction, double margin_mass, double margin_position, int count,
         const std::string& planner, double time_limit, std::uint64_t seed) {
        PlacementOptions options;
        options.objective = near ? placement::Objective::near : objective_of(objective);
        if (near) options.near_W = *near;
        options.touch = std::move(touch);
        if (region) options.region = box_of(*region);
        for (const auto& box : keep_out) options.keep_out.push_back(box_of(box));
        if (upright_deg) options.upright = *upright_deg * math::kDegree;
        options.clearance = clearance;
        options.approach_W = approach;
        if (grasps) options.grasps = placement::read_grasps(grasps->text);
        options.pose_error = pose_error;
        options.margin = margin;
        options.intervals.friction = margin_friction;
        options.intervals.mass = margin_mass;
        options.intervals.position = margin_position;
        options.count = count;
        const auto chosen = placement::planner_of(planner);
        if (!chosen) throw std::invalid_argument("there is no planner '" + planner + "'");
        options.planner = *chosen;
        options.time_limit = time_limit;
        options.seed = seed;
        const auto body_of = [&](const std::string& name) {
          const model::BodyIndex body = scene.find_body(name);
          if (!body.is_valid()) throw std::invalid_argument(model::no_such_body(scene, name));
          return body;
        };
        std::variant<PlacementResult, std::vector<PlacementResult>> answer;
        if (const std::string* name = std::get_if<std::string>(&object)) {
          answer = placement::place(scene, body_of(*name), options);
          return answer;
        }
        std::vector<model::BodyIndex> bodies;
        for (const std::string& name : std::get<1>(object)) bodies.push_back(body_of(name));
        answer = placement::place_in_turn(scene, bodies, options).steps;
        return answer;
      },
      "scene"_a, "object"_a, nb::kw_only(), "objective"_a = "robust", "near"_a = nb::none(),
      "touch"_a = std::vector<std::string>{}, "region"_a = nb::none(),
      "keep_out"_a = std::vector<Eigen::Matrix<double, 6, 1>>{}, "upright_deg"_a = nb::none(),
      "clearance"_a = 0.0, "approach"_a = nb::none(), "grasps"_a = nb::none(), "pose_error"_a = 0.0,
      "margin"_a = 0.02, "margin_friction"_a = 0.0, "margin_mass"_a = 0.0, "margin_position"_a = 0.0,
      "count"_a = 1, "planner"_a = "auto", "time_limit"_a = 5.0, "seed"_a = 0, Released(),
      R"(Poses at which a movable body of the scene rests; where it stands now does not matter. Of a list of bodies each is placed among the ones before it, and
the answer is a list: all have a place when it is as long and the last status is 'ok'.

>>> import prehend
>>> scene = prehend.read_scene_text('''<mujoco><worldbody><geom type="box" size="1 1 0.1"/>
... <body name="cube" pos="0 0 3"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body></worldbody></mujoco>''', "mjcf")
>>> result = prehend.place(scene, "cube")
>>> result.status, round(float(result.placements[0].X_WO.p[2]), 6)
('ok', 0.2)
)");
}

}  // namespace

void bind_placement(nb::module_& m) {
  bind_placement_class(m);
  bind_placement_result(m);
  bind_add_object(m);
  bind_place(m);
}

}  // namespace prehend::python
