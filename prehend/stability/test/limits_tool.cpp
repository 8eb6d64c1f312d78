// The limits of pushes on a benchmark scene, for limits_oracle_test.py and bench/limits_vs_clarabel.py. One JSON line on
// standard input, {"scene":"wall","blocks":20,"points":"sampled","pushes":10,"seed":1}, one on standard output: the contact
// system as numbers, so that the other side assembles its programs itself, and our answers. "linear":false leaves out the
// linear programs, "map":1000 adds the time of a map.
#include <chrono>
#include <cmath>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>

#include <generated/benchmark_scenes.h>
#include <generated/cone_limit.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include <prehend/stability/limit_analysis.h>
#include <prehend/stability/methods/linear_limit.h>
#include <prehend/stability/surface_pushes.h>

namespace {
using namespace prehend;
using namespace prehend::stability;
using nlohmann::json;

model::Scene scene_named(const std::string& name, int blocks) {
  if (name == "cube") return cube_scene();
  if (name == "stack") return cube_stack_scene();
  if (name == "table") return table_scene();
  if (name == "wall") return wall_scene(blocks);
  if (name == "pile") return pile_scene(blocks);
  if (name == "slant") return slant_scene(blocks);
  if (name == "plank") return disassembly_scene();
  throw std::invalid_argument("no scene '" + name + "'");
}

json list(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }
json number(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }

template <class Function>
double seconds(const Function& function) {
  const auto start = std::chrono::steady_clock::now();
  function();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

json answer(const json& input) {
  const model::Scene scene = scene_named(input["scene"], input.value("blocks", 1));
  const model::SceneContacts contacts = model::find_scene_contacts(scene);
  ContactSystemOptions options;
  if (input.value("points", "corners") == "sampled") options.points = ContactPoints::sampled;
  const ContactSystem system = build_contact_system(scene, contacts, options);
  json result{{"bodies", json::array()}, {"contacts", json::array()}, {"pushes", json::array()}};
  for (const SystemBody& body : system.bodies) {
    result["bodies"].push_back({{"com", list(body.com_W)}, {"weight", list(body.mass * system.gravity_W)}});
  }
  for (const SystemContact& contact : system.contacts) {
    result["contacts"].push_back({{"a", contact.a.is_valid() ? contact.a.value() : -1},
                                  {"b", contact.b.is_valid() ? contact.b.value() : -1},
                                  {"p", list(contact.p_W)},
                                  {"u", list(contact.R_WC.col(0))},
                                  {"v", list(contact.R_WC.col(1))},
                                  {"n", list(contact.R_WC.col(2))},
                                  {"mu", contact.mu}});
  }
  const bool linear = input.value("linear", true);
  std::optional<LinearLimit> four, eight;
  if (linear) {
    four.emplace(system, LinearLimitOptions{.sides = 4});
    eight.emplace(system, LinearLimitOptions{.sides = 8});
  }
  LimitOptions limit_options;
  limit_options.keep_proofs = false;
  std::optional<LimitAnalysis> made;
  result["setup_s"] = seconds([&] { made.emplace(system, limit_options); });
  const LimitAnalysis& analysis = *made;
  if (input.contains("map")) {
    std::vector<PointPush> points;
    for (const Push& push : surface_pushes(scene, contacts, input["map"], 1)) {
      points.push_back({system.node_of_body[push.body], push.p_W, push.d_W});
    }
    result["map_s"] = seconds([&] { analysis.map(points, 1e-3); });
    result["map_programs"] = analysis.programs();
  }
  for (const Push& push :
       surface_pushes(scene, contacts, input.value("pushes", 10), input.value("seed", 0))) {
    const Load load = push_load(scene, system, push);
    PushAnswer exact;
    ConeLimitAnswer cone;
    const double exact_s = seconds([&] { exact = analysis.ask(load); });
    const double cone_s = seconds([&] { cone = cone_limit(system, load); });
    result["pushes"].push_back({{"body", load[0].body.value()},
                                {"p", list(push.p_W)},
                                {"d", list(push.d_W)},
                                {"lp4", linear ? number(four->ask_warm(load).limit) : json(nullptr)},
                                {"lp8", linear ? number(eight->ask_warm(load).limit) : json(nullptr)},
                                {"lp8_cold", linear ? number(eight->ask_cold(load).limit) : json(nullptr)},
                                {"cone", number(cone.limit)},
                                {"exact", number(exact.robustness)},
                                {"cone_status", to_string(cone.status)},
                                {"exact_s", exact_s},
                                {"cone_s", cone_s}});
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  result["peak_mb"] = static_cast<double>(usage.ru_maxrss) / 1024.0;
  return result;
}
}  // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    if (line.empty()) continue;
    try {
      std::cout << answer(json::parse(line)).dump() << std::endl;
    } catch (const std::exception& error) {
      std::cout << json{{"error", error.what()}}.dump() << std::endl;
    }
  }
}
