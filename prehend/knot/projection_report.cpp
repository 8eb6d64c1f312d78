#include <cstdio>

#include <prehend/knot/codes.h>
#include <prehend/knot/p_data_json.h>
#include <prehend/knot/projection.h>
#include <prehend/math/number_text.h>
#include <prehend/model/json_writer.h>

namespace prehend::knot {
namespace {

std::string crossings_text(const ProjectionResult& result) {
  const int count = result.p_data.crossings();
  std::string text = std::to_string(count) + (count == 1 ? " crossing" : " crossings");
  if (count > 0) text += ", " + to_text(result.p_data);
  return text;
}

void write_codes(model::JsonWriter& json, const ClosedDiagram& loop) {
  json.key("closed_over").object();
  json.field("gauss", to_text(gauss_code(loop))).field("dt", dt_code(loop)).key("pd").array();
  for (const auto& crossing : pd_code(loop)) json.value(std::vector<int>(crossing.begin(), crossing.end()));
  json.end().end();
}

}  // namespace

std::string ProjectionResult::brief_report() const {
  std::string text = status == ProjectionStatus::ok ? crossings_text(*this) + "\n"
                                                    : std::string(to_string(status)) + ": " + reason + "\n";
  for (const std::string& note : notes) text += "note: " + note + "\n";
  return text;
}

std::string RecordingResult::brief_report() const {
  char view[100];
  std::snprintf(view, sizeof view, "looking along %.6g %.6g %.6g\n", view_W.x(), view_W.y(), view_W.z());
  std::string text = view;
  for (std::size_t i = 0; i < frames.size(); ++i)
    text += "frame " + std::to_string(numbers[i]) +
            (times.empty() ? "" : ", " + math::number_text(times[i], 6) + " s") + ": " +
            frames[i].brief_report();
  for (const std::string& note : notes) text += "note: " + note + "\n";
  return text;
}

std::string RecordingResult::to_json() const {
  model::JsonWriter json;
  json.object()
      .field("status", to_string(status))
      .field("view", view_W)
      .field("tilt_rad", tilt)
      .field("noise_m", noise)
      .key("frames")
      .array();
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const ProjectionResult& frame = frames[i];
    json.object().field("frame", numbers[i]);
    if (!times.empty()) json.field("t_s", times[i]);
    json.field("status", to_string(frame.status));
    json.key("p_data");
    if (frame.status == ProjectionStatus::ok) {
      write_json(json, frame.p_data);
      json.field("crossings", frame.p_data.crossings());
    } else {
      json.null().key("crossings").null().field("reason", frame.reason);
    }
    json.field("length_m", frame.length).key("crossing_points").array();
    for (const RopeCrossing& c : frame.crossings) {
      json.object().field("over", c.over_passage).field("under", c.under_passage).field("sign", c.sign);
      json.field("p_over_W_m", c.p_over_W).field("p_under_W_m", c.p_under_W);
      json.field("s_over_m", c.s_over).field("s_under_m", c.s_under).end();
    }
    json.end().field("notes", frame.notes);
    if (closed_codes && frame.status == ProjectionStatus::ok) write_codes(json, closed_over(frame.p_data));
    json.end();
  }
  return json.end().field("notes", notes).end().text();
}

}  // namespace prehend::knot
