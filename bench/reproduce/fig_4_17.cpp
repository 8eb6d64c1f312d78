// Source N, figure 4.17: in which order can four objects be taken away?
//
// Scene: disassembly_scene() in stability/benchmark_scenes.h, of our choice, with the source's order C, D, B, A. The
// simulation takes each body out of each stage in turn and lets the rest settle: where the rule says "free", nothing else
// may move; what moved otherwise is shown.
#include <cmath>
#include <cstdio>

#include <generated/benchmark_scenes.h>

#include "reproduction.h"
#include <prehend/model/json_writer.h>
#include <prehend/report/scene_view.h>
#include <prehend/simulate/settle.h>
#include <prehend/stability/disassemble.h>

namespace prehend::reproduce {
namespace {

using namespace stability;

// [m] How far the body that moves most goes when another is taken away; what does not come to rest went far.
double motion_without(model::Scene scene, const std::vector<model::BodyIndex>& gone) {
  for (auto b = gone.rbegin(); b != gone.rend(); ++b) {
    scene.bodies.erase(scene.bodies.begin() + b->value());
  }
  if (scene.bodies.size() < 2) return 0.0;
  simulate::SettleOptions options;
  options.simulation.contact_time_constant = 0.005;  // stiff: what holds should hardly sink
  const simulate::SettleResult settled = simulate::settle(scene, options);
  double farthest = 0.0;
  for (const simulate::BodyMotion& motion : settled.motions) farthest = std::max(farthest, motion.distance);
  return settled.status == simulate::SettleStatus::settled ? farthest : std::max(farthest, 1.0);
}

}  // namespace

Reproduction figure_4_17(const ReproduceOptions& options) {
  options.validate();
  constexpr double kStays =
      1e-3;  // [m] contacts of the engine are soft: bodies that hold sink by some micrometres
  const model::Scene scene = disassembly_scene();
  const DisassembleResult found = disassemble(scene);
  Reproduction result;
  result.page = report::Page("What may I take first?");
  result.page.set_subtitle("Nadeau 2026, figure 4.17, and here");
  result.page.add(report::view_scene(scene).scene);
  report::Table table;
  table.caption = "Upward pull that moves something, in weights of the body; free: 1";
  table.columns = {{"step", "", 2, ""},
                   {"body", "", 2, ""},
                   {"score", "", 4, ""},
                   {"free", "", 2, ""},
                   {"others move by", "mm", 3, "in simulation"}};
  model::JsonWriter json;
  json.object().field("id", "fig-4.17").key("steps").array();
  char line[200];
  std::string order;
  std::vector<model::BodyIndex> gone;
  int agreements = 0, comparisons = 0;
  for (std::size_t step = 0; step < found.steps.size(); ++step) {
    json.object().key("candidates").array();
    for (const DisassembleCandidate& candidate : found.steps[step].candidates) {
      std::vector<model::BodyIndex> without = gone;
      without.push_back(candidate.body);
      std::sort(without.begin(), without.end());
      const double motion = motion_without(scene, without);
      const std::string& name = scene.bodies[candidate.body].name;
      ++comparisons;
      agreements += candidate.is_free == (motion <= kStays);
      std::snprintf(line, sizeof line,
                    "  step %zu  %-2s %7.3f weights  %-8s simulation: the others move by %.3g mm\n", step + 1,
                    name.c_str(), candidate.score, candidate.is_free ? "free" : "not free", 1e3 * motion);
      result.text += line;
      table.rows.push_back({static_cast<double>(step + 1), name, candidate.score,
                            std::string(candidate.is_free ? "yes" : "no"), 1e3 * motion});
      json.object().field("body", name).field("score", candidate.score).field("free", candidate.is_free);
      json.field("others_move_m", motion).end();
    }
    json.end();
    const model::BodyIndex removed = found.steps[step].removed;
    if (!removed.is_valid()) {
      json.end();
      break;
    }
    json.field("removed", scene.bodies[removed].name).end();
    order += (order.empty() ? "" : ", ") + scene.bodies[removed].name;
    gone.push_back(removed);
  }
  json.end().field("order", order).field("source_order", "C, D, B, A");
  json.field("agree_with_simulation", agreements).field("compared", comparisons).end();
  std::snprintf(line, sizeof line,
                "order: %s (source: C, D, B, A); rule and simulation agree in %d of %d cases\n",
                order.c_str(), agreements, comparisons);
  result.text += line;
  result.page.set_verdict(report::Verdict::note, line);
  result.page.add(std::move(table));
  result.json = json.text();
  return result;
}

}  // namespace prehend::reproduce
