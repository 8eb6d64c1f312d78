#include <algorithm>
#include <cmath>
#include <map>

#include <Eigen/Geometry>

#include <prehend/math/angles.h>
#include <prehend/math/number_text.h>
#include <prehend/model/text_table.h>
#include <prehend/stability/drawing/load_caused.h>
#include <prehend/stability/drawing/mechanism_view.h>
#include <prehend/stability/limit/falling.h>
#include <prehend/stability/pages.h>

namespace prehend::stability {
namespace {

constexpr std::size_t kMostTransportMotions = 12;
// [m/s^2] A millionth of gravity: what rolls freely, to rounding.
constexpr double kNoAcceleration = 1e-5;

std::string acceleration(double value) { return math::number_text(value, 3) + " m/s²"; }

double angle_of(const Eigen::Vector3d& d, const Eigen::Vector3d& first, const Eigen::Vector3d& normal) {
  const double angle = std::atan2(normal.cross(first).dot(d), first.dot(d));
  return angle < -1e-9 ? angle + 2.0 * math::kPi : angle;
}

report::Plot polar_plot(const TransportResult& result, const TransportOptions& options) {
  report::Plot plot;
  plot.title = "Largest acceleration of the ground at which nothing moves";
  plot.kind = report::Plot::Kind::polar;
  plot.x_label = "direction";
  plot.x_unit = "rad";
  plot.y_label = "acceleration";
  plot.y_unit = "m/s²";
  const Eigen::Vector3d normal = options.normal_W.normalized(), first = result.answers.front().d_W;
  std::map<std::string, report::Series> modes;
  report::Series line{"limit", {}, {}, report::Series::Style::line, report::colour_from_hex(report::kGrey)};
  for (const TransportAnswer& answer : result.answers) {
    const double angle = angle_of(answer.d_W, first, normal);
    const double value = answer.limit.unbounded ? PushAnswer::kUnknown : answer.limit.robustness;
    line.x.push_back(angle);
    line.y.push_back(value);
    report::Series& points = modes[to_string(answer.limit.mode)];
    points.x.push_back(angle);
    points.y.push_back(value);
  }
  if (result.answers.size() > 2) {
    line.x.push_back(line.x.front());
    line.y.push_back(line.y.front());
  }
  report::Series caused{kWithoutPrestress, {}, {}, report::Series::Style::dashed, {}};
  for (const TransportAnswer& answer : result.answers) {
    if (std::isnan(answer.limit.without_prestress)) continue;
    caused.x.push_back(angle_of(answer.d_W, first, normal));
    caused.y.push_back(answer.limit.without_prestress);
  }
  plot.series.push_back(std::move(line));
  if (!caused.x.empty()) plot.series.push_back(std::move(caused));
  for (auto& [mode, points] : modes) {
    points.name = mode;
    points.style = report::Series::Style::points;
    plot.series.push_back(std::move(points));
  }
  return plot;
}

// The weakest direction of each failure mode, weakest first.
std::vector<std::size_t> weakest_ways(const TransportResult& result) {
  std::map<std::pair<Mode, std::vector<model::BodyIndex>>, std::size_t> weakest;
  for (std::size_t i = 0; i < result.answers.size(); ++i) {
    const PushAnswer& limit = result.answers[i].limit;
    if (limit.status != AnswerStatus::ok || limit.unbounded) continue;
    const auto [entry, is_new] = weakest.try_emplace({limit.mode, limit.moving}, i);
    if (!is_new && limit.robustness < result.answers[entry->second].limit.robustness) entry->second = i;
  }
  std::vector<std::size_t> ways;
  for (const auto& [way, i] : weakest) ways.push_back(i);
  std::stable_sort(ways.begin(), ways.end(), [&](std::size_t a, std::size_t b) {
    return result.answers[a].limit.robustness < result.answers[b].limit.robustness;
  });
  if (ways.size() > kMostTransportMotions) ways.resize(kMostTransportMotions);
  return ways;
}

void add_way(const model::Scene& scene, const ContactSystem& system, const TransportAnswer& answer,
             report::SceneView& view, report::Table& table) {
  const PushAnswer& limit = answer.limit;
  report::RowLink link;
  if (limit.proof && !limit.proof->motion.empty()) {
    report::Motion motion =
        mechanism_motion(scene, system, view, {limit.proof->motion, limit.proof->forces_W, limit.moving});
    motion.name = acceleration(limit.robustness) + ": " + to_string(limit.mode) + " of " +
                  short_list(scene, limit.moving);
    motion.note = "Sliding is drawn without the gap that its proof opens.";
    // Beside the bodies, at their feet.
    Eigen::Vector3d foot = system.origin_W + 1.1 * system.length * answer.d_W;
    for (const SystemContact& contact : system.contacts) foot.z() = std::min(foot.z(), contact.p_W.z());
    const std::vector<report::Arrow> arrow{
        {foot, limit.robustness * answer.d_W, "the ground accelerates this way"}};
    motion.arrow_tracks.push_back({0, {motion.times.size(), arrow}});
    link.motion = view.scene.add_motion(std::move(motion));
  }
  const Eigen::Vector3d d = answer.d_W.unaryExpr([](double x) { return std::abs(x) < 1e-9 ? 0.0 : x; });
  table.rows.push_back(
      {math::number_text(d.x(), 3) + ", " + math::number_text(d.y(), 3) + ", " + math::number_text(d.z(), 3),
       limit.robustness, limit.lower, limit.upper, std::string(to_string(limit.mode)),
       short_list(scene, limit.moving)});
  if (table.columns.size() > table.rows.back().size()) {
    table.rows.back().push_back(std::isnan(limit.without_prestress) ? report::Cell{}
                                                                    : limit.without_prestress);
    table.rows.back().push_back(limit.without_prestress < kSameWithoutPrestress * limit.robustness
                                    ? report::Cell{"needs prestress"}
                                    : report::Cell{});
  }
  table.links.push_back(link);
}

void set_transport_verdict(const model::Scene& scene, const ContactSystem& system,
                           const TransportResult& result, const std::vector<std::size_t>& ways,
                           report::Page& page) {
  if (result.status == TransportStatus::unstable) {
    page.set_verdict(report::Verdict::bad,
                     "It falls without any acceleration: " + short_list(scene, result.moving) + "." +
                         friction_advice(system));
  } else if (result.status != TransportStatus::ok) {
    page.set_verdict(report::Verdict::bad, "No answer.");
  } else if (system.bodies.empty()) {
    page.set_verdict(report::Verdict::note, "Nothing in this scene may move.");
  } else if (ways.empty()) {
    page.set_verdict(report::Verdict::good, "Nothing moves, however hard the ground accelerates.");
  } else {
    const PushAnswer& weakest = result.answers[ways.front()].limit;
    if (weakest.robustness < kNoAcceleration) {
      page.set_verdict(report::Verdict::note, "It stands, but the slightest acceleration moves " +
                                                  short_list(scene, weakest.moving) + ".");
      return;
    }
    page.set_verdict(report::Verdict::good, "In every direction asked, up to " +
                                                acceleration(weakest.robustness) + " moves nothing; then " +
                                                short_list(scene, weakest.moving) +
                                                (weakest.moving.size() == 1 ? " moves (" : " move (") +
                                                to_string(weakest.mode) + ").");
  }
}

}  // namespace

report::Page transport_page(const model::Scene& scene, const TransportResult& result,
                            const TransportOptions& options) {
  report::Page page("How fast may I drive?");
  page.set_subtitle(scene.name);
  const std::vector<std::size_t> ways = weakest_ways(result);
  const ContactSystem system = build_contact_system(scene, options.system);
  set_transport_verdict(scene, system, result, ways, page);
  const std::string problems = model::problem_lines(result.problems, "- ");
  if (!problems.empty()) page.add_text(problems);
  report::SceneView view = report::view_scene(scene);
  if (result.status != TransportStatus::ok) {
    if (result.status == TransportStatus::unstable) {
      const Falling falling = find_falling(system, options.limit);
      if (!falling.motion.empty()) {
        report::Motion motion = mechanism_motion(scene, system, view, {falling.motion, {}, falling.bodies});
        motion.name = "how it begins to fall";
        mark_falling(scene, motion, falling.bodies, view);
        view.scene.caption = "What falls is red; the arrow shows where it goes. Play to see it begin.";
        view.scene.initial_motion = view.scene.add_motion(std::move(motion));
      }
    }
    page.add(std::move(view.scene));
    return page;
  }
  report::ArrowLayer ground;
  ground.name = "ground";
  ground.unit = "m/s²";
  ground.colour = report::colour_from_hex(0x2f6fd6);
  view.scene.arrows.push_back(std::move(ground));
  report::Table table;
  table.caption = "The weakest direction of each failure mode";
  table.columns = {{"ground accelerates along", "", 4, ""},
                   {"up to", "m/s²", 4, ""},
                   {"lower", "m/s²", 5, ""},
                   {"upper", "m/s²", 5, ""},
                   {"mode", "", 4, ""},
                   {"moves", "", 4, ""}};
  const bool has_load_caused =
      std::any_of(result.answers.begin(), result.answers.end(),
                  [](const TransportAnswer& answer) { return !std::isnan(answer.limit.without_prestress); });
  if (has_load_caused) {
    table.columns.push_back(
        {kWithoutPrestress, "m/s²", 4, "what the forces hold that the loads cause by themselves"});
    table.columns.push_back({"", "", 4, "less than 95 % of the limit without prestress"});
  }
  for (const std::size_t way : ways) add_way(scene, system, result.answers[way], view, table);
  if (!view.scene.motions.empty()) view.scene.initial_motion = report::MotionIndex(0);
  view.scene.caption = "Choose a row to play what moves, as seen from the ground.";
  table.scene = page.add(std::move(view.scene));
  page.add(polar_plot(result, options), report::Width::half);
  report::Facts facts;
  facts.caption = "The answers";
  facts.facts = {{"directions", std::to_string(result.answers.size()), "", ""},
                 {"movable bodies", std::to_string(system.bodies.size()), "", ""},
                 {"contact points", std::to_string(system.contacts.size()), "", ""}};
  if (!ways.empty()) {
    double strongest = 0.0, gap = 0.0;
    for (const TransportAnswer& answer : result.answers) {
      if (answer.limit.unbounded) continue;
      strongest = std::max(strongest, answer.limit.robustness);
      if (answer.limit.upper > kNoAcceleration)
        gap = std::max(gap, (answer.limit.upper - answer.limit.lower) / answer.limit.upper);
    }
    facts.facts.push_back(
        report::number_fact("weakest direction", result.answers[ways.front()].limit.robustness, "m/s²"));
    facts.facts.push_back(report::number_fact("strongest bounded direction", strongest, "m/s²"));
    facts.facts.push_back(report::number_fact("largest gap between the bounds", 100.0 * gap, "%", 2));
  }
  page.add(std::move(facts), report::Width::half);
  page.add(std::move(table));
  return page;
}

}  // namespace prehend::stability
