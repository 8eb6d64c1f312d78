#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <prehend/math/number_text.h>
#include <prehend/model/body_names.h>
#include <prehend/model/json_writer.h>
#include <prehend/model/text_table.h>
#include <prehend/stability/robustness.h>

namespace prehend::stability {
namespace {

using model::Align;
using model::name_of;
using model::names_of;

// More pushes than this are summed up by body.
constexpr std::size_t kMostLines = 40;

std::string listed(const RobustnessResult& result, const std::vector<model::BodyIndex>& bodies) {
  std::string text;
  for (const model::BodyIndex b : bodies) text += (text.empty() ? "" : ", ") + name_of(result.body_names, b);
  return text;
}

std::string newton_text(double value) {
  return std::isinf(value) ? "unbounded" : math::number_text(value, 5);
}

std::string vector_text(const Eigen::Vector3d& v) {
  const auto number = [](double x) { return math::number_text(std::abs(x) < 1e-9 ? 0.0 : x, 4); };
  return "(" + number(v.x()) + ", " + number(v.y()) + ", " + number(v.z()) + ")";
}

std::string push_lines(const RobustnessResult& result) {
  model::TextTable table({{"body", Align::left},
                          {"point [m]", Align::left},
                          {"direction", Align::left},
                          {"robustness [N]", Align::left},
                          {"proven [N]", Align::left},
                          {"mode", Align::left},
                          {"moves", Align::left}});
  for (std::size_t i = 0; i < result.answers.size(); ++i) {
    const PushAnswer& answer = result.answers[i];
    const Push& push = result.pushes[i];
    std::string proven = "-";
    if (answer.unbounded) proven = "unbounded";
    if (std::isfinite(answer.lower) && std::isfinite(answer.upper)) {
      proven = math::number_text(answer.lower, 7) + " .. " + math::number_text(answer.upper, 7);
    }
    std::string moves = listed(result, answer.moving);
    if (!std::isnan(answer.guaranteed)) proven += ", guaranteed " + newton_text(answer.guaranteed);
    if (answer.needs_prestress) {
      moves += moves.empty() ? "(needs prestress" : " (needs prestress";
      if (std::isfinite(answer.without_prestress)) {
        moves += "; without it " + math::number_text(answer.without_prestress, 4) + " N";
      }
      moves += ")";
    }
    const bool is_found = answer.status == AnswerStatus::ok;
    table.row({name_of(result.body_names, push.body), vector_text(push.p_W), vector_text(push.d_W),
               is_found ? newton_text(answer.robustness) : to_string(answer.status), proven,
               to_string(answer.mode), is_found ? moves : answer.note});
  }
  return table.text();
}

std::string body_lines(const RobustnessResult& result) {
  model::TextTable table({{"body", Align::left},
                          {"pushes"},
                          {"unbounded"},
                          {"weakest [N]"},
                          {"median [N]"},
                          {"at [m]", Align::left},
                          {"mode", Align::left},
                          {"moves", Align::left}});
  for (model::BodyIndex b(0); b < result.body_names.size(); ++b) {
    std::vector<double> values;
    std::size_t weakest = 0, unbounded = 0;
    for (std::size_t i = 0; i < result.answers.size(); ++i) {
      const PushAnswer& answer = result.answers[i];
      if (result.pushes[i].body != b || answer.status != AnswerStatus::ok) continue;
      if (values.empty() || answer.robustness < result.answers[weakest].robustness) weakest = i;
      values.push_back(answer.robustness);
      unbounded += answer.unbounded;
    }
    if (values.empty()) continue;
    std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2), values.end());
    const PushAnswer& answer = result.answers[weakest];
    table.row({result.body_names[b], std::to_string(values.size()), std::to_string(unbounded),
               newton_text(answer.robustness), newton_text(values[values.size() / 2]),
               vector_text(result.pushes[weakest].p_W), to_string(answer.mode),
               listed(result, answer.moving)});
  }
  return table.text();
}

void write_falling(model::JsonWriter& json, const RobustnessResult& result) {
  json.field("moving", names_of(result.body_names, result.moving)).key("falling").array();
  for (std::size_t i = 0; i < result.falling.size(); ++i) {
    const SystemBody& body = result.system.bodies[i];
    const Eigen::Vector3d w = result.falling[i].head<3>();
    const Eigen::Vector3d v = result.falling[i].tail<3>() + w.cross(body.com_W - result.system.origin_W);
    json.object()
        .field("body", name_of(result.body_names, body.body))
        .field("w_W_radps", w)
        .field("v_com_W_mps", v)
        .end();
  }
  json.end();
}

}  // namespace

std::vector<std::size_t> failure_modes(const RobustnessResult& result, std::size_t most) {
  std::map<std::pair<Mode, std::vector<model::BodyIndex>>, std::size_t> weakest;
  for (std::size_t i = 0; i < result.answers.size(); ++i) {
    const PushAnswer& answer = result.answers[i];
    if (answer.status != AnswerStatus::ok || answer.unbounded) continue;
    const auto [entry, is_new] = weakest.try_emplace({answer.mode, answer.moving}, i);
    if (!is_new && answer.robustness < result.answers[entry->second].robustness) entry->second = i;
  }
  std::vector<std::size_t> modes;
  for (const auto& [mode, i] : weakest) modes.push_back(i);
  std::sort(modes.begin(), modes.end(), [&](std::size_t a, std::size_t b) {
    const double left = result.answers[a].robustness, right = result.answers[b].robustness;
    return left != right ? left < right : a < b;
  });
  if (modes.size() > most) modes.resize(most);
  return modes;
}

std::string RobustnessResult::brief_report() const {
  std::string text;
  switch (status) {
    case RobustnessStatus::ok:
      text = "robustness of " + std::to_string(answers.size()) + (answers.size() == 1 ? " push" : " pushes") +
             ", method " + to_string(method) +
             (needs_prestress ? "; the scene holds by prestress alone\n" : "\n");
      text += answers.size() > kMostLines ? body_lines(*this) : push_lines(*this);
      break;
    case RobustnessStatus::unstable:
      text = "unstable\n";
      break;
    case RobustnessStatus::undetermined:
      text = "undetermined\n";
      break;
    case RobustnessStatus::not_computed:
      text = "not computed\n";
      break;
  }
  if (const std::string joints = joints_text(system); !joints.empty()) text += "  joints " + joints + "\n";
  text += model::problem_lines(problems, "  problem: ");
  return text;
}

std::string RobustnessResult::to_json() const {
  model::JsonWriter json;
  json.object().field("status", to_string(status)).field("method", to_string(method)).key("results").array();
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const PushAnswer& answer = answers[i];
    json.object()
        .field("body", name_of(body_names, pushes[i].body))
        .field("p_W_m", pushes[i].p_W)
        .field("d_W", pushes[i].d_W)
        .field("robustness_N", answer.robustness)  // not finite: null
        .field("unbounded", answer.unbounded)
        .field("lower_N", answer.lower)
        .field("upper_N", answer.upper)
        .field("mode", to_string(answer.mode))
        .field("moving", names_of(body_names, answer.moving))
        .field("needs_prestress", answer.needs_prestress);
    if (!std::isnan(answer.without_prestress)) {
      if (std::isfinite(answer.without_prestress))
        json.field("without_prestress_N", answer.without_prestress);
      json.field("load_caused_less", answer.load_caused_less);
      if (!std::isnan(answer.load_caused_low)) {
        json.field("without_prestress_range_N",
                   std::vector<double>{answer.load_caused_low, answer.load_caused_high})
            .field("depends_on_stiffness", answer.depends_on_stiffness);
      }
    }
    if (!std::isnan(answer.guaranteed)) json.field("guaranteed_N", answer.guaranteed);
    json.field_unless_empty("note", answer.note).end();
  }
  json.end().field("cone_programs", cone_programs).field("needs_prestress", needs_prestress);
  if (!system.joints.empty()) json.key("joints").document(joints_json(system));
  if (status == RobustnessStatus::unstable) write_falling(json, *this);
  json.field("problems", problems).end();
  return json.text();
}

}  // namespace prehend::stability
