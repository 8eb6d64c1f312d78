#include <cmath>
#include <cstdio>

#include <prehend/math/enum_text.h>
#include <prehend/model/body_names.h>
#include <prehend/model/json_writer.h>
#include <prehend/model/text_table.h>
#include <prehend/placement/placement_result.h>

namespace prehend::placement {
namespace {

// A number, or null with "unbounded": true beside it.
void write_force(model::JsonWriter& json, const char* name, double value, bool& is_unbounded) {
  json.field(name, value);  // infinite: null
  is_unbounded = is_unbounded || std::isinf(value);
}

void write_placement(model::JsonWriter& json, const Placement& p, const std::vector<std::string>& names) {
  bool is_unbounded = false;
  json.field("X_WO", p.X_WO);
  write_force(json, "min_sr_N", p.min_sr, is_unbounded);
  json.key("weakest");
  if (p.weakest.body.is_valid()) {
    json.object()
        .field("body", model::name_of(names, p.weakest.body))
        .field("p_W_m", p.weakest.p_W)
        .field("d_W", p.weakest.d_W)
        .field("mode", to_string(p.weakest.mode))
        .end();
  } else {
    json.null();
  }
  json.field("margin_g", p.margin_g);
  write_force(json, "robustness_N", p.robustness, is_unbounded);
  if (is_unbounded) json.field("unbounded", true);
  if (!std::isnan(p.guaranteed_margin_g)) {
    json.key("guaranteed").object().field("margin_g", p.guaranteed_margin_g);
    json.field("min_sr_N", p.guaranteed_min_sr).end();
  }
  json.field("volume_m3", p.volume).key("contacts").array();
  for (const PlacedContact& c : p.contacts) {
    json.object()
        .field("body", model::name_of(names, c.body))
        .field("n_W", c.n_W)
        .field("points_W_m", c.points_W)
        .field("area_m2", c.area)
        .end();
  }
  json.end().field("grasps", p.grasps);
}

std::string contact_names(const Placement& p, const std::vector<std::string>& names) {
  std::string text;
  for (const PlacedContact& c : p.contacts) {
    const std::string name = model::name_of(names, c.body);
    if (text.find(name) == std::string::npos) text += (text.empty() ? "" : " ") + name;
  }
  return text;
}

std::string force_text(double newton) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", newton);
  return std::isinf(newton) ? "unbounded" : text;
}

}  // namespace

const char* to_string(PlacementStatus status) { return enum_text(status); }

std::string PlacementResult::to_json() const {
  model::JsonWriter json;
  json.object()
      .field("status", to_string(status))
      .field("planner", to_string(planner))
      .field("object", object_name);
  if (!placements.empty()) write_placement(json, placements.front(), body_names);
  if (count > 1) {
    json.key("placements").array();
    for (const Placement& placement : placements) {
      json.object();
      write_placement(json, placement, body_names);
      json.end();
    }
    json.end();
  }
  json.field("attempts", attempts).key("rejected").object();
  for (const auto& [reason, poses] : rejected) json.field(reason, poses);
  json.end();
  json.field_unless_empty("proof", proof).key("loose").array();
  for (const model::BodyIndex body : loose) json.value(model::name_of(body_names, body));
  json.end();
  return json.field("problems", problems).end().text();
}

std::string PlacementResult::brief_report() const {
  std::string text;
  if (!placements.empty()) {
    model::TextTable table({{"position [m]", model::Align::left},
                            {"orientation wxyz", model::Align::left},
                            {"min SR [N]"},
                            {"margin [g]"},
                            {"at com [N]"},
                            {"touches", model::Align::left}});
    for (const Placement& p : placements) {
      char position[96], orientation[96], margin[32];
      const Eigen::Quaterniond& q = p.X_WO.q();
      std::snprintf(position, sizeof position, "%.5f %.5f %.5f", p.X_WO.p().x(), p.X_WO.p().y(),
                    p.X_WO.p().z());
      std::snprintf(orientation, sizeof orientation, "%.4f %.4f %.4f %.4f", q.w(), q.x(), q.y(), q.z());
      std::snprintf(margin, sizeof margin, "%.3f", p.margin_g);
      table.row({position, orientation, force_text(p.min_sr), margin, force_text(p.robustness),
                 contact_names(p, body_names)});
    }
    text += "'" + object_name + "' can go here\n" + table.text();
    if (!std::isnan(placements.front().guaranteed_margin_g)) {
      char line[128];
      std::snprintf(line, sizeof line, "inside the intervals: at least %.3f g and %s N\n",
                    placements.front().guaranteed_margin_g,
                    force_text(placements.front().guaranteed_min_sr).c_str());
      text += line;
    }
    const WeakestPush& weakest = placements.front().weakest;
    if (weakest.body.is_valid()) {
      char line[256];
      std::snprintf(line, sizeof line, "weakest push: '%s' at %.4f %.4f %.4f along %.3f %.3f %.3f (%s)\n",
                    model::name_of(body_names, weakest.body).c_str(), weakest.p_W.x(), weakest.p_W.y(),
                    weakest.p_W.z(), weakest.d_W.x(), weakest.d_W.y(), weakest.d_W.z(),
                    to_string(weakest.mode));
      text += line;
    }
  } else {
    text += "no placement of '" + object_name + "': " + to_string(status) + "\n";
  }
  text += std::to_string(attempts) + " poses verified";
  for (const auto& [reason, poses] : rejected) text += ", " + std::to_string(poses) + " " + reason;
  text += "\n";
  return text + model::problem_lines(problems, "  ");
}

}  // namespace prehend::placement
