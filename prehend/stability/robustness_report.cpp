#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <prehend/math/number_text.h>
#include <prehend/model/json_writer.h>
#include <prehend/stability/robustness.h>

namespace prehend::stability {
namespace {

// More pushes than this are summed up by body.
constexpr std::size_t kMostLines = 40;

std::string names_of(const model::Scene& scene, const std::vector<model::BodyIndex>& bodies) {
  std::string text;
  for (const model::BodyIndex b : bodies) text += (text.empty() ? "" : ", ") + scene.bodies[b].name;
  return text;
}

std::string newton(double value) { return std::isinf(value) ? "unbounded" : math::number_text(value, 5); }

std::string vector_text(const Eigen::Vector3d& v) {
  const auto number = [](double x) { return math::number_text(std::abs(x) < 1e-9 ? 0.0 : x, 4); };
  return "(" + number(v.x()) + ", " + number(v.y()) + ", " + number(v.z()) + ")";
}

// Columns as wide as their longest cell.
std::string aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line = " ";
    for (std::size_t i = 0; i < row.size(); ++i)
      line += " " + row[i] + std::string(widths[i] - row[i].size() + 1, ' ');
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string push_lines(const model::Scene& scene, const RobustnessResult& result) {
  std::vector<std::vector<std::string>> rows{
      {"body", "point [m]", "direction", "robustness [N]", "proven [N]", "mode", "moves"}};
  for (std::size_t i = 0; i < result.answers.size(); ++i) {
    const PushAnswer& answer = result.answers[i];
    const Push& push = result.pushes[i];
    std::string proven = "-";
    if (answer.unbounded) proven = "unbounded";
    if (std::isfinite(answer.lower) && std::isfinite(answer.upper)) {
      proven = math::number_text(answer.lower, 7) + " .. " + math::number_text(answer.upper, 7);
    }
    std::string moves = names_of(scene, answer.moving);
    if (!std::isnan(answer.guaranteed)) proven += ", guaranteed " + newton(answer.guaranteed);
    if (answer.needs_prestress) {
      moves += moves.empty() ? "(needs prestress" : " (needs prestress";
      if (std::isfinite(answer.without_prestress)) {
        moves += "; without it " + math::number_text(answer.without_prestress, 4) + " N";
      }
      moves += ")";
    }
    rows.push_back({scene.bodies[push.body].name, vector_text(push.p_W), vector_text(push.d_W),
                    answer.status == AnswerStatus::answered ? newton(answer.robustness) : answer.note, proven,
                    to_string(answer.mode), moves});
  }
  return aligned(rows);
}

std::string body_lines(const model::Scene& scene, const RobustnessResult& result) {
  std::vector<std::vector<std::string>> rows{
      {"body", "pushes", "unbounded", "weakest [N]", "median [N]", "at [m]", "mode", "moves"}};
  for (model::BodyIndex b(0); b < scene.bodies.size(); ++b) {
    std::vector<double> values;
    std::size_t weakest = 0, unbounded = 0;
    for (std::size_t i = 0; i < result.answers.size(); ++i) {
      const PushAnswer& answer = result.answers[i];
      if (result.pushes[i].body != b || answer.status != AnswerStatus::answered) continue;
      if (values.empty() || answer.robustness < result.answers[weakest].robustness) weakest = i;
      values.push_back(answer.robustness);
      unbounded += answer.unbounded;
    }
    if (values.empty()) continue;
    std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2), values.end());
    const PushAnswer& answer = result.answers[weakest];
    rows.push_back({scene.bodies[b].name, std::to_string(values.size()), std::to_string(unbounded),
                    newton(answer.robustness), newton(values[values.size() / 2]),
                    vector_text(result.pushes[weakest].p_W), to_string(answer.mode),
                    names_of(scene, answer.moving)});
  }
  return aligned(rows);
}

void write_falling(model::JsonWriter& json, const model::Scene& scene, const RobustnessResult& result) {
  json.key("moving").array();
  for (const model::BodyIndex b : result.moving) json.value(scene.bodies[b].name);
  json.end().key("falling").array();
  for (std::size_t i = 0; i < result.falling.size(); ++i) {
    const SystemBody& body = result.system.bodies[i];
    const Eigen::Vector3d w = result.falling[i].head<3>();
    const Eigen::Vector3d v = result.falling[i].tail<3>() + w.cross(body.com_W - result.system.origin_W);
    json.object()
        .field("body", scene.bodies[body.body].name)
        .field("w_W_radps", w)
        .field("v_com_W_mps", v)
        .end();
  }
  json.end();
}

}  // namespace

std::vector<std::size_t> ways_to_give_way(const RobustnessResult& result, std::size_t most) {
  std::map<std::pair<Mode, std::vector<model::BodyIndex>>, std::size_t> weakest;
  for (std::size_t i = 0; i < result.answers.size(); ++i) {
    const PushAnswer& answer = result.answers[i];
    if (answer.status != AnswerStatus::answered || answer.unbounded) continue;
    const auto [entry, is_new] = weakest.try_emplace({answer.mode, answer.moving}, i);
    if (!is_new && answer.robustness < result.answers[entry->second].robustness) entry->second = i;
  }
  std::vector<std::size_t> ways;
  for (const auto& [way, i] : weakest) ways.push_back(i);
  std::sort(ways.begin(), ways.end(), [&](std::size_t a, std::size_t b) {
    const double left = result.answers[a].robustness, right = result.answers[b].robustness;
    return left != right ? left < right : a < b;
  });
  if (ways.size() > most) ways.resize(most);
  return ways;
}

std::string RobustnessResult::brief_report(const model::Scene& scene) const {
  std::string text;
  switch (status) {
    case RobustnessStatus::answered:
      text = "robustness of " + std::to_string(answers.size()) + (answers.size() == 1 ? " push" : " pushes") +
             ", method " + to_string(method) +
             (needs_prestress ? "; the scene holds by prestress alone\n" : "\n");
      text += answers.size() > kMostLines ? body_lines(scene, *this) : push_lines(scene, *this);
      break;
    case RobustnessStatus::unstable:
      text = "unstable\n";
      break;
    case RobustnessStatus::no_answer:
      text = "no answer\n";
      break;
    case RobustnessStatus::not_computed:
      text = "not computed\n";
      break;
  }
  for (const std::string& problem : problems) text += "  problem: " + problem + "\n";
  return text;
}

std::string RobustnessResult::to_json(const model::Scene& scene) const {
  model::JsonWriter json;
  json.object().field("method", to_string(method)).key("results").array();
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const PushAnswer& answer = answers[i];
    json.object()
        .field("body", scene.bodies[pushes[i].body].name)
        .field("p_W_m", pushes[i].p_W)
        .field("d_W", pushes[i].d_W)
        .field("robustness_N", answer.robustness)  // not finite: null
        .field("unbounded", answer.unbounded)
        .field("lower_N", answer.lower)
        .field("upper_N", answer.upper)
        .field("mode", to_string(answer.mode))
        .key("moving")
        .array();
    for (const model::BodyIndex b : answer.moving) json.value(scene.bodies[b].name);
    json.end().field("needs_prestress", answer.needs_prestress);
    if (std::isfinite(answer.without_prestress)) json.field("without_prestress_N", answer.without_prestress);
    if (!std::isnan(answer.guaranteed)) json.field("guaranteed_N", answer.guaranteed);
    json.field_unless_empty("note", answer.note).end();
  }
  json.end().field("cone_programs", cone_programs).field("needs_prestress", needs_prestress);
  if (status == RobustnessStatus::unstable) write_falling(json, scene, *this);
  json.field("problems", problems).end();
  return json.text();
}

}  // namespace prehend::stability
