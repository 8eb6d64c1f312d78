#include <cmath>
#include <cstdio>
#include <map>

#include <prehend/assist/trial.h>
#include <prehend/math/number_text.h>
#include <prehend/model/json_writer.h>

namespace prehend::assist {
namespace {

void optional_number(model::JsonWriter& json, const char* name, const std::optional<double>& value) {
  json.key(name);
  if (value) {
    json.value(*value);
  } else {
    json.null();
  }
}

void append_number(std::string& text, double value) {
  if (!std::isfinite(value)) return;  // undefined: an empty cell
  char cell[40];
  std::snprintf(cell, sizeof cell, "%.9g", value);
  text += cell;
}

void write_states(model::JsonWriter& json, const TrialResult& result) {
  json.key("states").array();
  for (const StateVisit& visit : result.states) {
    json.object().field("name", to_string(visit.name)).key("contact");
    if (visit.contact.empty()) {
      json.null();
    } else {
      json.value(visit.contact);
    }
    json.field("t0_s", visit.t0_s).field("t1_s", visit.t1_s).field("end", to_string(visit.end)).end();
  }
  json.end();
}

void write_contacts(model::JsonWriter& json, const TrialResult& result) {
  json.key("contacts").array();
  for (const ContactResult& contact : result.contacts) {
    json.object().field("name", contact.name).field("hand", contact.hand).field("region", contact.region);
    optional_number(json, "touched_s", contact.touched_s);
    optional_number(json, "detected_s", contact.detected_s);
    optional_number(json, "released_s", contact.released_s);
    optional_number(json, "peak_N", contact.peak_N);
    optional_number(json, "hold_N", contact.hold_N);
    json.field("limit_N", contact.limit_N).end();
  }
  json.end();
  json.key("stop");
  if (!result.stop) {
    json.null();
    return;
  }
  json.object().field("cause", to_string(result.stop->cause)).field("at_s", result.stop->at_s);
  optional_number(json, "rest_s", result.stop->rest_s);
  optional_number(json, "clear_s", result.stop->clear_s);
  json.end();
}

void write_words(model::JsonWriter& json, const TrialResult& result) {
  json.key("faults").array();
  for (const InjectedFault& fault : result.faults)
    json.object()
        .field("kind", to_string(fault.kind))
        .field("state", to_string(fault.state))
        .field("t_s", fault.t_s)
        .end();
  json.end().key("said").array();
  for (const Utterance& word : result.said)
    json.object().field("t_s", word.t_s).field("text", word.text).end();
  json.end().key("shown").array();
  for (const Utterance& word : result.shown)
    json.object().field("t_s", word.t_s).field("picture", word.text).end();
  json.end();
}

std::string seconds(double t) {
  char text[32];
  std::snprintf(text, sizeof text, "%7.2f s  ", t);
  return text;
}

std::string newtons(const std::optional<double>& value) {
  return value ? math::number_text(*value, 3) + " N" : "none";
}

}  // namespace

std::string TrialResult::to_json() const {
  model::JsonWriter json;
  json.object()
      .field("status", to_string(outcome))
      .field("outcome", to_string(outcome))
      .field("reason", reason)
      .field("duration_s", duration_s);
  json.key("violations").array();
  for (const std::string& violation : violations) json.value(violation);
  json.end();
  write_states(json, *this);
  write_contacts(json, *this);
  write_words(json, *this);
  json.key("peaks")
      .object()
      .field("base_speed_mps", base_speed_mps)
      .field("base_turn_radps", base_turn_radps);
  json.field("contact_N", contact_N)
      .field("other_contact_N", other_contact_N)
      .field("self_distance_m", self_distance_m)
      .end();
  json.key("ticks")
      .object()
      .field("count", ticks.count)
      .field("p50_us", ticks.p50_us)
      .field("p99_us", ticks.p99_us);
  json.field("max_us", ticks.max_us).field("overruns", ticks.overruns).key("allocations");
  if (ticks.allocations) {
    json.value(*ticks.allocations);
  } else {
    json.null();
  }
  json.field("variables", ticks.variables).field("rows", ticks.rows).end().key("notes").array();
  for (const std::string& note : notes) json.value(note);
  json.end().end();
  return json.text();
}

std::string TrialResult::brief_report() const {
  std::multimap<double, std::string> lines;  // those of one time stay in order
  for (const StateVisit& visit : states) {
    lines.emplace(visit.t0_s, std::string(to_string(visit.name)) +
                                  (visit.contact.empty() ? "" : " (" + visit.contact + ")"));
    if (visit.end != StateEnd::done)
      lines.emplace(visit.t1_s,
                    std::string("  ") + to_string(visit.name) + " ended: " + to_string(visit.end));
  }
  for (const Utterance& word : said) lines.emplace(word.t_s, "  says \"" + word.text + "\"");
  for (const Utterance& word : shown) lines.emplace(word.t_s, "  shows " + word.text + " on the tablet");
  for (const InjectedFault& fault : faults)
    lines.emplace(fault.t_s, std::string("  fault: ") + to_string(fault.kind));
  for (const ContactResult& contact : contacts) {
    if (contact.touched_s)
      lines.emplace(*contact.touched_s,
                    "  touches " + contact.region + " with the " + contact.hand + " hand");
    if (contact.detected_s) {
      std::string text = "  notices contact '" + contact.name + "'";
      if (contact.touched_s && *contact.touched_s <= *contact.detected_s)
        text += ", " + math::number_text(*contact.detected_s - *contact.touched_s, 2) + " s after the touch";
      lines.emplace(*contact.detected_s, text);
    }
    if (contact.released_s)
      lines.emplace(*contact.released_s, "  contact '" + contact.name + "' is released; peak " +
                                             newtons(contact.peak_N) + ", held below " +
                                             newtons(contact.hold_N));
  }
  if (stop) {
    lines.emplace(stop->at_s, std::string("  stops: ") + to_string(stop->cause));
    if (stop->rest_s) lines.emplace(*stop->rest_s, "  everything stands");
    if (stop->clear_s) lines.emplace(*stop->clear_s, "  nothing presses on the person");
  }
  std::string text;
  for (const auto& [t, line] : lines) text += seconds(t) + line + "\n";
  text += seconds(duration_s) + "end: " + to_string(outcome) + " (" + reason + ")\n";
  text += "peaks: base " + math::number_text(base_speed_mps, 3) + " m/s, contact " +
          math::number_text(contact_N, 3) + " N, elsewhere on the person " +
          math::number_text(other_contact_N, 3) + " N\n";
  text += "ticks: " + std::to_string(ticks.count) + ", median " + math::number_text(ticks.p50_us, 3) +
          " us, 99 % below " + math::number_text(ticks.p99_us, 3) + " us of processor time\n";
  for (const std::string& note : notes) text += "note: " + note + "\n";
  return text;
}

std::string Trace::to_csv() const {
  std::string text;
  text.reserve(rows.size() * columns.size() * 10 + 4096);
  for (std::size_t k = 0; k < columns.size(); ++k) text += (k ? "," : "") + columns[k];
  text += "\n";
  for (const TraceRow& row : rows) {
    append_number(text, row.t);
    text += std::string(",") + to_string(row.state) + "," +
            (row.contact >= 0 ? contacts[static_cast<std::size_t>(row.contact)] : "") + "," +
            to_string(row.qp) + ",";
    append_number(text, row.tick_us);
    for (const double value : row.values) text += ",", append_number(text, value);
    text += "\n";
  }
  return text;
}

int Trace::column(const std::string& name) const {
  for (std::size_t k = 5; k < columns.size(); ++k)
    if (columns[k] == name) return static_cast<int>(k) - 5;
  return -1;
}

}  // namespace prehend::assist
