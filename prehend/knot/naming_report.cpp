#include <prehend/knot/named_knots.h>
#include <prehend/knot/naming.h>
#include <prehend/model/json_writer.h>

namespace prehend::knot {
namespace {

std::string moves_away_text(int moves) {
  if (moves == 0) return "";
  return ", " + std::to_string(moves) + " Reidemeister move" + (moves == 1 ? "" : "s") + " away";
}

void write_fields(model::JsonWriter& json, const KnotName& knot, const std::string& status_text) {
  const auto& [status, name, names, prime_components, proved, reason, closure, writhe, closed_crossings,
               reduced_crossings, reduction_stopped, has_invariants, values] = knot;
  json.field("status", status_text.empty() ? to_string(status) : status_text).key("name");
  name.empty() ? json.null() : json.value(name);
  json.field("names", names).field("prime_components", prime_components);
  json.field("proved", proved).field("reason", reason);
  json.field("closure", to_string(closure));
  json.key("alexander");
  has_invariants ? json.value(values.alexander.coefficients) : json.null();
  const bool with_jones = has_invariants && values.jones_known;
  json.key("jones");
  with_jones ? json.value(values.jones.to_text()) : json.null();
  json.key("jones_terms");
  if (with_jones)
    json.object().field("low", values.jones.low).field("coefficients", values.jones.coefficients).end();
  else
    json.null();
  json.key("signature");
  has_invariants ? json.value(values.signature) : json.null();
  json.key("determinant");
  has_invariants ? json.value(values.determinant) : json.null();
  json.field("writhe", writhe);
  json.field("closed_crossings", closed_crossings).field("reduced_crossings", reduced_crossings);
  json.field("reduction_stopped", reduction_stopped);
}

}  // namespace

std::string KnotName::to_json() const {
  model::JsonWriter json;
  json.object();
  write_fields(json, *this, "");
  return json.end().text();
}

std::string RopeName::to_json() const {
  model::JsonWriter json;
  json.object();
  write_fields(json, over, this->status());
  if (!doubts.empty()) json.field("doubts", doubts);
  json.field("rope_knots", rope_knots)
      .field("rope_knot_moves", rope_knot_moves)
      .field("closures_differ", differ());
  if (differ()) {
    json.key("under").object();
    write_fields(json, under, "");
    json.end();
  }
  return json.end().text();
}

std::string RopeName::brief_report() const {
  std::string text;
  for (const std::string& name : rope_knots)
    text += "tied as: " + named_knot(name).title + moves_away_text(rope_knot_moves) + "\n";
  for (const std::string& doubt : doubts) text += "doubtful: " + doubt + "\n";
  text += over.brief_report();
  if (differ())
    text += "\nThe other closure differs:\n" + under.brief_report();
  else
    text += "closed under everything: the same\n";
  return text;
}

std::string KnotName::brief_report() const {
  std::string text;
  switch (status) {
    case NamingStatus::not_computed:
      return "not named yet\n";
    case NamingStatus::ok:
      text = name == "0_1" ? "no knot (0_1)" : "knot " + name;
      break;
    case NamingStatus::ambiguous:
      for (const std::string& one : names) text += (text.empty() ? "one of " : ", ") + one;
      break;
    case NamingStatus::outside:
      text = "a knot without a name here";
      break;
    case NamingStatus::too_large:
      text = "too large to name";
      break;
  }
  text += std::string(", closed ") + to_string(closure) + " everything\n";
  text += (proved ? "proved: " : "not proved: ") + reason + "\n";
  text += "crossings: " + std::to_string(closed_crossings) + " closed, " + std::to_string(reduced_crossings) +
          " reduced" + (reduction_stopped ? " when the reduction was stopped" : "") +
          "; writhe of the rope's drawing " + std::to_string(writhe) + "\n";
  if (!has_invariants) return text;
  text += "Alexander   " + values.alexander.to_text() + "\n";
  text += "Jones       " +
          (values.jones_known ? values.jones.to_text() : std::string("not computed: too wide")) + "\n";
  text += "signature   " + std::to_string(values.signature) + "\n";
  text += "determinant " + std::to_string(values.determinant) + "\n";
  return text;
}

}  // namespace prehend::knot
