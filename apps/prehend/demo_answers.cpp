// The demo's sections that show a capability's own page in short: its sentence, its first 3D scene, its first strip of pictures.
#include <optional>
#include <stdexcept>

#include "demo_page.h"
#include <prehend/articulation/discovery.h>
#include <prehend/articulation/pages.h>
#include <prehend/assist/pages.h>
#include <prehend/assist/trial.h>
#include <prehend/geometry/mass_properties.h>
#include <prehend/knot/pages.h>
#include <prehend/knot/rope_shape.h>
#include <prehend/model/mesh_file.h>
#include <prehend/model/point_cloud.h>
#include <prehend/model/scene_reader.h>
#include <prehend/observation/pages.h>
#include <prehend/parts/pages.h>
#include <prehend/placement/pages.h>
#include <prehend/placement/placement.h>
#include <prehend/stability/mend.h>
#include <prehend/stability/pages.h>

namespace prehend::cli {
namespace {

template <class Kind>
const Kind* first_of(const report::Page& page) {
  for (const report::Page::Section& section : page.sections())
    for (const report::Page::Block& block : section.blocks)
      if (const Kind* found = std::get_if<Kind>(&block.content)) return found;
  return nullptr;
}

struct ShownAnswer {
  std::string question, intro, command;
};

void show(const ShownAnswer& shown, const report::Page& page, const std::string& report, Demo& demo) {
  demo.text += "\n" + shown.question + "\n" + report;
  demo.json.object()
      .field("question", shown.question)
      .field("command", shown.command)
      .field("answer", page.verdict_sentence())
      .end();
  demo.page.add_heading(shown.question);
  demo.page.add_text(shown.intro + " **" + page.verdict_sentence() + "** To see all of it: `" +
                     shown.command + "`.");
  if (const auto* scene = first_of<report::Scene3d>(page)) demo.page.add(*scene);
  if (const auto* pictures = first_of<report::Pictures>(page)) demo.page.add(*pictures);
}

model::Scene embedded_scene(const std::string& name) {
  return model::read_scene_text(std::string(model::embedded_file(name)), model::SceneFormat::mjcf, name);
}

geometry::TriangleMesh embedded_mesh(const std::string& name) {
  return model::parse_mesh(model::embedded_file(name), model::MeshFormat::obj, name).mesh;
}

void show_parts(Demo& demo) {
  const std::string name = "samples/tools/mallet/cloud.ply";
  const model::PointCloud cloud = model::parse_cloud(model::embedded_file(name), name);
  const parts::Segmentation found = parts::segment_cloud(cloud.points, cloud.colors);
  show({"What is it made of?", "A coloured cloud of a mallet, closed to a solid and divided along a tree.",
        "prehend segment data/samples/tools/mallet/cloud.ply --out DIR"},
       parts::segmentation_page({cloud.points, {}}, found), found.brief_report(), demo);
}

void show_joints(Demo& demo) {
  const std::string name = "poses/arm.csv";
  const articulation::Discovery found =
      articulation::discover(model::parse_pose_log(model::embedded_file(name), name), name);
  show({"How do its parts move?", "Five tracked parts of an arm, from noisy poses alone; press play.",
        "prehend discover data/poses/arm.csv --out DIR"},
       articulation::discovery_page(found, name), found.brief_report(), demo);
}

void show_mending(Demo& demo) {
  const model::Scene scene = embedded_scene("scenes/seen_stack.xml");
  const stability::MendResult mended = stability::mend(scene);
  show({"What if a camera saw it?",
        "Poses from a camera overlap and float. The nearest scene that does neither is what the questions "
        "about it are asked of.",
        "prehend mend data/scenes/seen_stack.xml --out DIR"},
       stability::mending_page(scene, mended), mended.brief_report(), demo);
}

void show_placement(Demo& demo) {
  model::Scene scene = embedded_scene("scenes/stack.xml");
  constexpr double kPorcelain = 2400.0;  // [kg/m^3]
  model::Body cup;
  cup.name = "cup";
  cup.movable = true;
  cup.geoms.emplace_back().mesh = embedded_mesh("objects/cup.obj");
  const geometry::MassProperties solid = geometry::mass_properties(cup.geoms.front().mesh);
  cup.inertia.mass = kPorcelain * solid.volume;
  cup.inertia.com = solid.centroid;
  cup.inertia.I_com = kPorcelain * solid.inertia_unit_density;
  scene.bodies.push_back(cup);
  const model::BodyIndex object(scene.bodies.size() - 1);
  placement::PlacementOptions options;
  options.upright = 0.1;
  options.touch = {"crate_small"};
  const placement::PlacementResult result = placement::place(scene, object, options);
  show({"Where can it go?", "A cup, upright, on the small crate and on nothing else.",
        "prehend place data/scenes/stack.xml data/objects/cup.obj --density 2400 --upright 5 --touch "
        "crate_small --out DIR"},
       placement::placement_page(scene, object, result, options), result.brief_report(), demo);
}

void show_observation(Demo& demo) {
  const std::string poses = "observation/insertion.csv";
  const observation::BodyPair pair(geometry::Polyhedron::from_mesh(embedded_mesh("observation/peg.obj")),
                                   geometry::Polyhedron::from_mesh(embedded_mesh("observation/groove.obj")));
  const observation::Watched watched = observation::watch(
      pair, observation::recording_of(model::parse_pose_log(model::embedded_file(poses), poses), poses, "peg",
                                      "groove"));
  show({"What did the person do?", "A person puts a peg into a groove; the tracker is a millimetre off.",
        "prehend watch --moving data/observation/peg.obj --fixed data/observation/groove.obj --poses "
        "data/observation/insertion.csv --out DIR"},
       observation::watch_page(pair, watched), watched.brief_report(), demo);
  observation::TrialOptions trials;
  trials.fixed = {0.002, 0.02};
  const observation::ExecutionTrials executed = observation::execute_trials(pair, watched, {}, trials);
  show({"Can a robot do it again?",
        "In simulation, with force feedback; the groove stands up to 2 mm and a degree from where the robot "
        "takes it to be.",
        "prehend execute --moving data/observation/peg.obj --fixed data/observation/groove.obj --poses "
        "data/observation/insertion.csv --pose-error 0.002 0.02 --out DIR"},
       observation::execution_page(pair, executed), executed.brief_report(), demo);
}

void show_knot(Demo& demo) {
  const std::string name = "knots/bowline.csv";
  const std::vector<Eigen::Vector3d> rope =
      model::parse_rope_log(model::embedded_file(name), name).frames.back().points_W;
  const knot::ProjectionResult seen = knot::project_for_naming(rope);
  if (seen.status != knot::ProjectionStatus::ok)
    throw std::logic_error("the embedded bowline shows no crossings");
  const knot::RopeName named = knot::name_rope(seen.p_data);
  show({"What was tied?", "The centre line of a rope, as a camera gives it.",
        "prehend knot name data/knots/bowline.csv --out DIR"},
       knot::naming_page(seen.p_data, named, rope, name), named.brief_report(), demo);
}

void show_assistance(Demo& demo) {
  const assist::Scenario scenario = assist::default_scenario();
  const assist::TrialResult result = assist::run_trial(scenario);
  show({"How do I touch a person safely?",
        "A wheeled humanoid drives to a seated person, says what it will do and lays a hand on the shoulder, "
        "in simulation.",
        "prehend assist data/assist/trial.yaml --out DIR"},
       assist::trial_page(scenario, result), result.brief_report(), demo);
}

}  // namespace

const std::vector<DemoSection>& answer_sections() {
  static const std::vector<DemoSection> sections{
      {"parts", show_parts},          {"joints", show_joints},           {"mending", show_mending},
      {"placement", show_placement},  {"observation", show_observation}, {"knot", show_knot},
      {"assistance", show_assistance}};
  return sections;
}

}  // namespace prehend::cli
