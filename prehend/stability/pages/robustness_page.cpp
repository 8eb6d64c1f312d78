#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/Geometry>

#include <prehend/math/number_text.h>
#include <prehend/model/text_table.h>
#include <prehend/stability/certificate.h>
#include <prehend/stability/drawing/load_caused.h>
#include <prehend/stability/drawing/mechanism_view.h>
#include <prehend/stability/pages.h>
#include <prehend/stability/push_file.h>

namespace prehend::stability {
namespace {

using model::BodyIndex;

// Motions to choose from, and rows of a table, on a page that one can overlook.
constexpr std::size_t kMostMotions = 12;
constexpr int kMostRows = 200;

std::string newton(double value) {
  return std::isinf(value) ? "any force" : math::number_text(value, 4) + " N";
}

// Indices of answers, weakest first.
std::vector<std::size_t> by_strength(const RobustnessResult& result) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < result.answers.size(); ++i) {
    if (result.answers[i].status == AnswerStatus::ok) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return result.answers[a].robustness < result.answers[b].robustness;
  });
  return order;
}

// Few pushes: all. Many: the weakest of each failure mode.
std::vector<std::size_t> shown_answers(const RobustnessResult& result) {
  if (result.answers.size() > kMostMotions) return failure_modes(result, kMostMotions);
  std::vector<std::size_t> all(result.answers.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

// A push this small, of the weight of what may move, is none: what rolls freely, to rounding.
constexpr double kNoPush = 1e-6;

bool moves_at_once(const RobustnessResult& result, const PushAnswer& answer) {
  return !answer.unbounded && answer.robustness < kNoPush * result.system.weight;
}

std::string verdict_of(const model::Scene& scene, const RobustnessResult& result,
                       const std::vector<std::size_t>& order) {
  if (order.empty()) return "No push has an answer.";
  const PushAnswer& weakest = result.answers[order.front()];
  const Push& push = result.pushes[order.front()];
  const std::string on = " on '" + scene.bodies[push.body].name + "'";
  if (weakest.unbounded)
    return result.answers.size() == 1 ? "It withstands any force" + on + "."
                                      : "All pushes asked may be as hard as you like.";
  const std::string mode =
      weakest.mode == Mode::undetermined ? "" : std::string(to_string(weakest.mode)) + ": ";
  const std::string then = weakest.moving.empty()
                               ? (mode.empty() ? "" : " (" + std::string(to_string(weakest.mode)) + ")")
                               : " (" + mode + short_list(scene, weakest.moving) + ")";
  if (moves_at_once(result, weakest))
    return "It stands, but the slightest push" + on + " moves it" + then + ".";
  if (result.answers.size() == 1) {
    return "It holds up to " + newton(weakest.robustness) + on + then +
           (weakest.load_caused_less ? "; load-caused forces alone hold " + newton(weakest.without_prestress)
                                     : "") +
           ".";
  }
  return "It stands; the weakest of " + std::to_string(order.size()) + " pushes is " +
         newton(weakest.robustness) + on + then + ".";
}

struct Layers {
  ForceLayers forces;
  std::size_t push{0};
};

// [m per N] Pushes of very different size share one scale: the one in the middle, by ratio, is half the system long.
double push_scale(const RobustnessResult& result) {
  double sum = 0.0;
  int count = 0;
  for (const std::size_t i : shown_answers(result)) {
    const double value = result.answers[i].robustness;
    if (!std::isfinite(value) || !(value > 0.0)) continue;
    sum += std::log(value);
    ++count;
  }
  return count > 0 ? 0.5 * result.system.length / std::exp(sum / count) : 0.0;
}

Layers add_layers(const model::Scene& scene, const RobustnessResult& result, report::SceneView& view) {
  const ForceLayers forces = add_force_layers(scene, result.system, result.resting_forces_W, view);
  if (result.answers.size() > kMostMotions) {
    view.scene.arrows[forces.interfaces].visible = false;
    view.scene.arrows[forces.points].visible = false;
  }
  report::ArrowLayer push;
  push.name = "push";
  push.colour = report::colour_from_hex(0x2f6fd6);
  push.ends_at_point = true;
  push.scale = push_scale(result);
  view.scene.arrows.push_back(std::move(push));
  return {forces, view.scene.arrows.size() - 1};
}

// The push at its limit, following its body.
std::vector<std::vector<report::Arrow>> push_track(const model::Scene& scene, const Push& push,
                                                   const PushAnswer& answer, const report::SceneView& view,
                                                   const report::Motion& motion) {
  const Eigen::Vector3d p_B = scene.bodies[push.body].X_WB.inverse() * push.p_W;
  std::vector<std::vector<report::Arrow>> arrows(motion.times.size());
  for (std::size_t f = 0; f < arrows.size(); ++f) {
    Eigen::Vector3d p_W = push.p_W;
    for (const report::BodyTrack& track : motion.tracks) {
      if (track.body == view.bodies[push.body]) p_W = track.X_WB[f] * p_B;
    }
    arrows[f] = {{p_W, answer.robustness * push.d_W, ""}};
  }
  return arrows;
}

void add_motion(const model::Scene& scene, const RobustnessResult& result, std::size_t i,
                const Layers& layers, report::SceneView& view, report::RowLink& link) {
  const PushAnswer& answer = result.answers[i];
  const Push& push = result.pushes[i];
  if (!answer.proof || answer.proof->motion.empty()) return;
  report::Motion motion = mechanism_motion(scene, result.system, view,
                                           {answer.proof->motion, answer.proof->forces_W, answer.moving});
  motion.name =
      newton(answer.robustness) + " on " + scene.bodies[push.body].name + ": " + to_string(answer.mode);
  motion.note = "Sliding is drawn without the gap that its proof opens.";
  add_force_tracks(scene, result.system, answer.proof->forces_W, layers.forces, motion);
  motion.arrow_tracks.push_back({layers.push, push_track(scene, push, answer, view, motion)});
  link.motion = view.scene.add_motion(std::move(motion));
}

bool has_load_caused(const RobustnessResult& result) {
  return std::any_of(result.answers.begin(), result.answers.end(),
                     [](const PushAnswer& answer) { return !std::isnan(answer.without_prestress); });
}

report::Table answer_table(const std::string& caption, bool has_load_caused) {
  report::Table table;
  table.caption = caption;
  table.columns = {{"body", "", 4, ""},
                   {"point", "m", 4, "in the world"},
                   {"direction", "", 4, ""},
                   {"robustness", "N", 5, ""},
                   {"lower", "N", 6, "forces that hold this much are known"},
                   {"upper", "N", 6, "a motion that fails under this much is known"},
                   {"mode", "", 4, ""},
                   {"moves", "", 4, ""}};
  if (has_load_caused) {
    table.columns.insert(
        table.columns.begin() + 4,
        {kWithoutPrestress, "N", 5, "what the forces hold that the loads cause by themselves"});
    table.columns.push_back({"", "", 4, "less than 95 % of the robustness without prestress"});
  }
  return table;
}

std::string triple(const Eigen::Vector3d& v) {
  std::string text;
  for (const double x : v)
    text += (text.empty() ? "" : ", ") + math::number_text(std::abs(x) < 1e-9 ? 0.0 : x, 3);
  return text;
}

void add_row(const model::Scene& scene, const RobustnessResult& result, std::size_t i,
             const report::RowLink& link, report::Table& table) {
  const PushAnswer& answer = result.answers[i];
  const Push& push = result.pushes[i];
  std::string moves;
  for (const BodyIndex b : answer.moving) moves += (moves.empty() ? "" : ", ") + scene.bodies[b].name;
  table.rows.push_back({scene.bodies[push.body].name, triple(push.p_W), triple(push.d_W), answer.robustness,
                        answer.lower, moves_at_once(result, answer) ? answer.robustness : answer.upper,
                        std::string(to_string(answer.mode)), moves});
  if (table.columns.size() > table.rows.back().size()) {
    std::vector<report::Cell>& row = table.rows.back();
    row.insert(row.begin() + 4,
               std::isnan(answer.without_prestress) ? report::Cell{} : answer.without_prestress);
    row.emplace_back(answer.without_prestress < kSameWithoutPrestress * answer.robustness
                         ? report::Cell{"needs prestress"}
                         : report::Cell{});
  }
  table.links.push_back(link);
}

// The worst residuals of the proofs at hand, checked from the contacts' own numbers.
void add_proof_facts(const model::Scene& scene, const RobustnessResult& result, report::Facts& facts) {
  double equilibrium = 0.0, motion = 0.0;
  int checked = 0, valid = 0;
  for (std::size_t i = 0; i < result.answers.size() && checked < kMostRows; ++i) {
    if (!result.answers[i].proof) continue;
    const Certificate proof =
        check_answer(result.system, push_load(scene, result.system, result.pushes[i]), result.answers[i]);
    ++checked;
    valid += proof.valid;
    if (proof.equilibrium_residual > equilibrium) equilibrium = proof.equilibrium_residual;
    if (proof.motion_violation > motion) motion = proof.motion_violation;
  }
  if (checked == 0) return;
  facts.facts.push_back({"proofs checked",
                         std::to_string(valid) + " of " + std::to_string(checked) + " valid", "",
                         "forces inside their cones that balance, a motion that no contact opposes"});
  facts.facts.push_back(
      report::number_fact("largest unbalanced force, of weights and push", equilibrium, "", 2));
  facts.facts.push_back(
      report::number_fact("largest violation of a contact, of the motion's speed", motion, "", 2));
}

report::Facts facts_of(const model::Scene& scene, const RobustnessResult& result,
                       const std::vector<std::size_t>& order) {
  std::size_t unbounded = 0;
  double gap = 0.0, largest = 0.0;
  bool is_proven = true;
  for (const std::size_t i : order) {
    const PushAnswer& answer = result.answers[i];
    unbounded += answer.unbounded;
    if (answer.unbounded) continue;
    is_proven = is_proven && std::isfinite(answer.lower) && std::isfinite(answer.upper);
    if (!moves_at_once(result, answer)) gap = std::max(gap, (answer.upper - answer.lower) / answer.upper);
    largest = std::max(largest, answer.robustness);
  }
  report::Facts facts;
  facts.caption = "The answers";
  facts.facts = {{"method", to_string(result.method), "", ""},
                 {"pushes", std::to_string(result.answers.size()), "", ""}};
  if (result.answers.size() > 1) {
    facts.facts.push_back(
        {"unbounded", std::to_string(unbounded), "", "pushes that only press things together"});
  }
  if (!order.empty())
    facts.facts.push_back(report::number_fact("weakest", result.answers[order.front()].robustness, "N"));
  if (largest > 0.0 && result.answers.size() > 1)
    facts.facts.push_back(report::number_fact("strongest bounded", largest, "N"));
  if (is_proven) {
    report::Fact fact = report::number_fact("largest gap between the bounds", 100.0 * gap, "%", 2);
    fact.hint = "between the load that known forces hold and the load under which a known motion fails";
    facts.facts.push_back(fact);
  }
  add_proof_facts(scene, result, facts);
  facts.facts.push_back({"cone programs solved", std::to_string(result.cone_programs), "", ""});
  facts.facts.push_back({"holds without prestress", result.needs_prestress ? "no" : "yes", "",
                         "whether forces that the loads cause hold the scene"});
  if (has_load_caused(result)) {
    const auto flagged = std::count_if(order.begin(), order.end(), [&](std::size_t i) {
      const PushAnswer& answer = result.answers[i];
      return answer.without_prestress < kSameWithoutPrestress * answer.robustness;
    });
    facts.facts.push_back({"more than 5 % less without prestress",
                           std::to_string(flagged) + " of " + std::to_string(order.size()), "",
                           "pushes that hold so hard only where something was squeezed before"});
  }
  facts.facts.push_back({"contact points", std::to_string(result.system.contacts.size()), "", ""});
  return facts;
}

report::PointLayer pushed_points(const RobustnessResult& result, const std::string& map_name,
                                 double PushAnswer::* value) {
  report::PointLayer points;
  report::ScalarMap map;
  map.name = map_name;
  map.unit = "N";
  for (std::size_t i = 0; i < result.answers.size(); ++i) {
    const PushAnswer& answer = result.answers[i];
    points.points.push_back(result.pushes[i].p_W);
    map.values.push_back(moves_at_once(result, answer) ? 0.0 : answer.*value);
    points.hover.push_back(std::string(to_string(answer.mode)));
  }
  if (result.answers.size() > 1) points.map = std::move(map);
  return points;
}

void add_points(const RobustnessResult& result, bool visible, report::SceneView& view) {
  report::PointLayer points = pushed_points(result, "robustness", &PushAnswer::robustness);
  points.name = "pushed points";
  points.visible = visible;
  // The legend starts at the smallest value, whether a vertex or a point has it.
  for (const PushAnswer& answer : result.answers)
    for (report::SceneBody& body : view.scene.bodies)
      for (report::ScalarMap& map : body.maps)
        if (map.name == "robustness" && map.lower && answer.robustness < *map.lower &&
            answer.robustness > 0.0)
          map.lower = answer.robustness;
  view.scene.points.push_back(std::move(points));
  if (!has_load_caused(result) || result.answers.size() <= kMostMotions) return;
  report::PointLayer caused = pushed_points(result, kWithoutPrestress, &PushAnswer::without_prestress);
  caused.name = "pushed points, without prestress";
  caused.visible = false;
  view.scene.points.push_back(std::move(caused));
}

// From the side that is pushed, a little above.
Eigen::Vector3d view_of(const Push& push) {
  const Eigen::Vector3d side = Eigen::Vector3d::UnitZ().cross(push.d_W);
  if (side.norm() < 0.3) return report::Scene3d().view_direction;
  return 0.9 * side.normalized() - 0.55 * push.d_W + 0.5 * Eigen::Vector3d::UnitZ();
}

report::Page fallen_page(const model::Scene& scene, const RobustnessResult& result) {
  report::Page page("How hard may I push?");
  page.set_subtitle(scene.name);
  const bool falls = result.status == RobustnessStatus::unstable;
  page.set_verdict(report::Verdict::bad, falls ? "It falls by itself: " + short_list(scene, result.moving) +
                                                     "." + friction_advice(result.system)
                                               : "No answer.");
  const std::string problems = model::problem_lines(result.problems, "- ");
  page.add_text(problems);
  report::SceneView view = report::view_scene(scene);
  if (falls && !result.falling.empty()) {
    report::Motion motion = mechanism_motion(scene, result.system, view, {result.falling, {}, result.moving});
    motion.name = "how it begins to fall";
    mark_falling(scene, motion, result.moving, view);
    view.scene.caption = "What falls is red; the arrow shows where it goes. Play to see it begin.";
    view.scene.initial_motion = view.scene.add_motion(std::move(motion));
  }
  page.add(std::move(view.scene));
  return page;
}

}  // namespace

report::Page robustness_page(const model::Scene& scene, const RobustnessResult& result,
                             const MapPicture* picture) {
  if (result.status != RobustnessStatus::ok) return fallen_page(scene, result);
  const std::vector<std::size_t> order = by_strength(result);
  report::Page page("How hard may I push?");
  page.set_subtitle(scene.name);
  const bool is_loose = !order.empty() && moves_at_once(result, result.answers[order.front()]);
  page.set_verdict(order.empty() ? report::Verdict::bad
                   : is_loose    ? report::Verdict::note
                                 : report::Verdict::good,
                   verdict_of(scene, result, order));
  const std::string problems = model::problem_lines(result.problems, "- ");
  if (!problems.empty()) page.add_text(problems);

  report::SceneView view = report::view_scene(scene);
  if (picture) add_robustness_map(scene, *picture, view);
  const Layers layers = add_layers(scene, result, view);
  add_points(result, picture == nullptr, view);
  const bool many = result.answers.size() > kMostMotions;
  report::Table table =
      answer_table(many ? "The weakest push of each failure mode" : "Pushes", has_load_caused(result));
  for (const std::size_t i : shown_answers(result)) {
    report::RowLink link;
    if (view.bodies[result.pushes[i].body].is_valid()) link.body = view.bodies[result.pushes[i].body];
    add_motion(scene, result, i, layers, view, link);
    add_row(scene, result, i, link, table);
  }
  view.scene.caption = picture ? "Point at the surface to read how hard it may be pushed there, and what "
                                 "moves then. Choose a row to play it."
                               : "Choose a push to see the forces at its limit and play what moves.";
  if (!many && !view.scene.motions.empty()) {
    view.scene.initial_motion = report::MotionIndex(0);
    view.scene.view_direction = view_of(result.pushes.front());
  }
  table.scene = page.add(std::move(view.scene));
  page.add(std::move(table));
  page.add(facts_of(scene, result, order), report::Width::half);
  if (many && static_cast<int>(result.answers.size()) <= kMostRows && !picture) {
    report::Table rest = answer_table("All pushes", has_load_caused(result));
    for (std::size_t i = 0; i < result.answers.size(); ++i) add_row(scene, result, i, {}, rest);
    rest.links.clear();
    page.add(std::move(rest));
  }
  page.add(report::Downloads{{{"All answers as a table", "robustness.csv", "text/csv", answers_csv(result)}}},
           report::Width::half);
  return page;
}

}  // namespace prehend::stability
