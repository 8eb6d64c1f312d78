// The load-caused limit by two ways, the path from rest and bisection over states found from nothing, with their times; for
// load_caused_test.py. Standard input: one JSON line a question, {"family":"wall","size":50,"seed":1,"pushes":4,"bisect":true}; one line of
// JSON each on standard output.
#include <chrono>
#include <cmath>
#include <iostream>
#include <string>

#include <generated/benchmark_scenes.h>
#include <nlohmann/json.hpp>

#include "random_scenes.h"
#include <prehend/model/scene_reader.h>
#include <prehend/stability/limit_analysis.h>
#include <prehend/stability/robustness.h>
#include <prehend/stability/statics/load_caused.h>
#include <prehend/stability/surface_pushes.h>

namespace {
using namespace prehend;
using namespace prehend::stability;
using nlohmann::json;

// A can of 1 kg in a V of half angle `half`, both of random size, lying along y; friction `mu`.
model::Scene can_in_v(std::uint64_t seed) {
  math::RandomStream random(seed, 91);
  const double radius = random.uniform(0.02, 0.1), half = random.uniform(0.05, 0.3),
               open = random.uniform(0.35, 1.3);
  const double mu = random.uniform(0.1, 0.9), wide = 1.0, thick = 0.05;
  std::string walls;
  for (const double side : {-1.0, 1.0}) {
    // A plate whose inner face passes through the y axis, `open` off the vertical.
    const Eigen::Vector3d along(side * std::sin(open), 0, std::cos(open)),
        n(-side * std::cos(open), 0, std::sin(open));
    const Eigen::Vector3d p = 0.5 * wide * along - thick * n;
    const double turn = std::atan2(n.x(), n.z());
    char text[400];
    std::snprintf(text, sizeof text,
                  "<geom type=\"box\" size=\"%.17g 1 %.17g\" pos=\"%.17g 0 %.17g\" quat=\"%.17g 0 %.17g 0\" "
                  "friction=\"%.17g\"/>",
                  0.5 * wide, thick, p.x(), p.z(), std::cos(0.5 * turn), std::sin(0.5 * turn), mu);
    walls += text;
  }
  char can[400];
  std::snprintf(
      can, sizeof can,
      "<body name=\"can\" pos=\"0 0 %.17g\" quat=\"0.70710678118654757 0.70710678118654757 0 0\"><freejoint/>"
      "<geom type=\"cylinder\" mass=\"1\" size=\"%.17g %.17g\" friction=\"%.17g\"/></body>",
      radius / std::sin(open), radius, half, mu);
  return model::read_scene_text("<mujoco><worldbody>" + walls + can + "</worldbody></mujoco>",
                                model::SceneFormat::mjcf, "can.xml");
}

model::Scene scene_of(const json& question) {
  const std::string family = question.at("family");
  const auto seed = question.value("seed", std::uint64_t{0});
  const int size = question.value("size", 20);
  if (family == "wall") return wall_scene(size);
  if (family == "pile") return pile_scene(size, seed);
  if (family == "boxes") return box_scenes::random_scene(seed).scene;
  if (family == "can") return can_in_v(seed);
  throw std::invalid_argument("no family '" + family + "'");
}

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

json number(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }

json answer(const json& question) {
  const model::Scene scene = scene_of(question);
  const auto contacts = model::find_scene_contacts(scene, {});
  SurfacePushOptions surface;
  surface.points = question.value("pushes", 4);
  surface.seed = question.value("seed", std::uint64_t{0});
  std::vector<Push> pushes = surface_pushes(scene, contacts, surface);
  math::RandomStream random(surface.seed, 5);
  for (std::size_t i = 0; i < pushes.size(); i += 2)
    pushes[i].d_W = random.unit_vector();  // half of them along the normal
  json rows = json::array();
  const int only = question.value("only", -1);  // this push alone
  for (std::size_t i = 0; i < pushes.size(); ++i) {
    if (only >= 0 && static_cast<std::size_t>(only) != i) continue;
    const Push& push = pushes[i];
    const auto begin = std::chrono::steady_clock::now();
    const LimitAnalysis analysis(build_contact_system(scene, contacts, {}), {});
    if (analysis.stability() != Stability::stable) return {{"status", "unstable"}};
    const ContactSystem& system = analysis.system();
    const Load load = push_load(scene, system, push);
    const PushAnswer limit = analysis.ask(load);
    const double query = milliseconds_since(begin);
    const double statics = limit.unbounded ? limit.robustness : limit.lower;
    const auto middle = std::chrono::steady_clock::now();
    LoadCaused caused(system);
    const double rest = milliseconds_since(middle);
    const double by_path = caused.limit(load, statics);
    const double check = milliseconds_since(middle);
    json row = {{"static", number(statics)}, {"path", number(by_path)}, {"query_ms", query},
                {"rest_ms", rest},           {"check_ms", check},       {"steps", caused.steps()},
                {"lost", caused.lost()},     {"rests", caused.rests()},  {"unfinished", caused.unfinished()}};
    if (question.value("bisect", false)) {
      const auto last = std::chrono::steady_clock::now();
      row["bisection"] = number(caused.limit_by_bisection(load, statics));
      row["bisection_ms"] = milliseconds_since(last);
    }
    rows.push_back(row);
  }
  return {{"status", "ok"}, {"rows", rows}};
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) std::cout << answer(json::parse(line)).dump() << "\n";
}
