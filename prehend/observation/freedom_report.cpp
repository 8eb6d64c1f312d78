#include <algorithm>
#include <cmath>
#include <cstdio>

#include <prehend/model/json_writer.h>
#include <prehend/model/text_table.h>
#include <prehend/observation/motion_freedom.h>

namespace prehend::observation {
namespace {

void write_counts(model::JsonWriter& json, const Freedoms& count) {
  json.field("maintaining", count.maintaining)
      .field("detaching", count.detaching)
      .field("constraining", count.constraining)
      .field("restricted", count.restricted);
}

void write_screws(model::JsonWriter& json, const char* name, const std::vector<math::Vector6d>& screws) {
  json.key(name).array();
  for (const math::Vector6d& screw : screws)
    json.value(std::vector<double>(screw.data(), screw.data() + screw.size()));
  json.end();
}

}  // namespace

std::string screw_text(const math::Vector6d& screw_W) {
  const Eigen::Vector3d w = screw_W.head<3>(), v = screw_W.tail<3>();
  const auto text = [](const Eigen::Vector3d& a) {
    char buffer[96];
    std::snprintf(buffer, sizeof buffer, "(%.4g, %.4g, %.4g)", a.x() + 0.0, a.y() + 0.0, a.z() + 0.0);
    return std::string(buffer);
  };
  if (w.isZero(0.0)) return "shift along " + text(v);
  const double pitch = w.dot(v) / w.squaredNorm();
  Eigen::Vector3d point = w.cross(v) / w.squaredNorm();
  // Rounding of coordinates of this size.
  constexpr double kNone = 1e-9;
  point = (point.array().abs() > kNone * (1.0 + point.norm())).select(point, 0.0);
  std::string line = "turn about " + text(w) + " through " + text(point);
  if (std::abs(pitch) > kNone * (1.0 + v.norm())) {
    char buffer[48];
    std::snprintf(buffer, sizeof buffer, ", shifting %.4g m per rad", pitch);
    line += buffer;
  }
  return line;
}

std::string MotionFreedom::eight_numbers() const {
  const auto digits = [](const Freedoms& count) {
    return std::to_string(count.maintaining) + std::to_string(count.detaching) +
           std::to_string(count.constraining);
  };
  return digits(translation) + " " + digits(rotation) + " " + std::to_string(translation.restricted) +
         std::to_string(rotation.restricted);
}

std::string MotionFreedom::to_json() const {
  model::JsonWriter json;
  json.object().members(document_without_screws()).key("screws").array();
  for (const ScrewVerdict verdict : screws) json.object().field("verdict", to_string(verdict)).end();
  json.end().end();
  return json.text();
}

std::string MotionFreedom::document_without_screws() const {
  model::JsonWriter json;
  json.object().field("status", to_string(status)).field("singular", singular);
  json.key("dof").object().key("translation").object();
  write_counts(json, translation);
  json.end().key("rotation").object();
  write_counts(json, rotation);
  json.field("detaching_type1", rotation.detaching_type1).field("detaching_type2", rotation.detaching_type2);
  json.end().key("all").object();
  write_counts(json, all);
  json.end().end().key("maintaining").object();
  write_screws(json, "basis_W", maintaining_W);
  json.end().key("legal").object().key("cones").array();
  for (const LegalCone& cone : legal) {
    json.object();
    write_screws(json, "lineality_W", cone.lineality_W);
    write_screws(json, "rays_W", cone.rays_W);
    json.end();
  }
  json.end().end().field_unless_empty("note", note).end();
  return json.text();
}

std::string MotionFreedom::brief_report() const {
  std::string text =
      singular ? "singular contact relation: counts without the singular contacts, but for restricted\n"
               : "contact relation\n";
  model::TextTable table(
      {{"freedoms", model::Align::left}, {"maintaining"}, {"detaching"}, {"constraining"}, {"restricted"}});
  const auto add = [&](const char* name, const Freedoms& count) {
    table.row({name, std::to_string(count.maintaining), std::to_string(count.detaching),
               std::to_string(count.constraining), std::to_string(count.restricted)});
  };
  add("translation", translation);
  add("rotation", rotation);
  add("all motion", all);
  text += table.text();
  if (rotation.detaching > 0)
    text += "detaching axes: " + std::to_string(rotation.detaching_type1) + " both ways (type 1), " +
            std::to_string(rotation.detaching_type2) + " one way only (type 2)\n";
  if (!maintaining_W.empty()) text += "keeps every contact:\n";
  for (const math::Vector6d& screw : maintaining_W) text += "  " + screw_text(screw) + "\n";
  for (std::size_t i = 0; i < legal.size(); ++i) {
    text += legal.size() == 1 ? "legal: " : "legal, cone " + std::to_string(i + 1) + ": ";
    text += std::to_string(legal[i].lineality_W.size()) + " motions both ways, " +
            std::to_string(legal[i].rays_W.size()) + " one way" + (legal[i].rays_W.empty() ? "\n" : ":\n");
    constexpr std::size_t kMostRays = 12;
    for (std::size_t k = 0; k < std::min(kMostRays, legal[i].rays_W.size()); ++k)
      text += "  " + screw_text(legal[i].rays_W[k]) + "\n";
    if (legal[i].rays_W.size() > kMostRays)
      text += "  and " + std::to_string(legal[i].rays_W.size() - kMostRays) + " more (--json lists all)\n";
  }
  for (std::size_t i = 0; i < screws.size(); ++i)
    text += "screw " + std::to_string(i) + ": " + to_string(screws[i]) + "\n";
  if (!note.empty()) text += note + "\n";
  return text;
}

}  // namespace prehend::observation
