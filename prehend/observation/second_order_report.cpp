#include <cmath>
#include <cstdio>

#include <prehend/model/json_writer.h>
#include <prehend/observation/second_order.h>

namespace prehend::observation {
namespace {

std::vector<double> listed(const math::Vector6d& screw) {
  return {screw.data(), screw.data() + screw.size()};
}

void write_terms(model::JsonWriter& json, const char* name, const std::vector<DependencyTerm>& terms) {
  json.key(name).array();
  for (const DependencyTerm& term : terms)
    json.object()
        .field("contact", term.contact)
        .field("point", term.point)
        .field("plane", term.plane)
        .field("weight", term.weight)
        .end();
  json.end();
}

void write_judged(model::JsonWriter& json, const JudgedScrew& screw) {
  bool is_unbounded = false;
  json.object().field("verdict", to_string(screw.verdict)).key("second_order_coefficients").array();
  for (const double h : screw.coefficients) {
    is_unbounded = is_unbounded || !std::isfinite(h);
    json.value(h);
  }
  json.end();
  if (is_unbounded) json.field("unbounded", true);
  json.key("s3_s4_W");
  if (screw.s3_s4_W)
    json.value(listed(*screw.s3_s4_W));
  else
    json.null();
  if (!screw.dependency.empty()) write_terms(json, "dependency", screw.dependency);
  json.field_unless_empty("reason", screw.reason).end();
}

std::string signature_text(const DependentForm& form) {
  return "(" + std::to_string(form.positive) + ", " + std::to_string(form.negative) + ", " +
         std::to_string(form.zero) + ")";
}

}  // namespace

std::string SecondOrderFreedom::to_json() const {
  model::JsonWriter json;
  // First order without its verdicts: those of second order take their place.
  json.object().members(first.document_without_screws());
  json.key("screws").array();
  for (const JudgedScrew& screw : screws) write_judged(json, screw);
  json.end().key("second").object().key("forms").array();
  for (const DependentForm& form : forms) {
    json.object()
        .field("positive", form.positive)
        .field("negative", form.negative)
        .field("zero", form.zero)
        .field("one_sided", form.one_sided);
    write_terms(json, "terms", form.terms);
    json.end();
  }
  json.end().key("maintaining").object().field("linear", maintaining.linear).key("components").array();
  for (const ScrewSubspace& component : maintaining.components) {
    json.object().key("basis_W").array();
    for (const math::Vector6d& screw : component.basis_W) json.value(listed(screw));
    json.end().end();
  }
  json.end().end().key("legal").object().field("linear", legal.linear).field("dimension", legal.dimension);
  json.end().field("notes", notes).end().end();
  return json.text();
}

std::string SecondOrderFreedom::brief_report() const {
  MotionFreedom bare = first;
  bare.screws.clear();
  std::string text = bare.brief_report() + "second order:\n";
  constexpr std::size_t kMostForms = 12;
  for (std::size_t i = 0; i < forms.size() && i < kMostForms; ++i) {
    text += "  contacts";
    for (const DependencyTerm& term : forms[i].terms) text += " " + std::to_string(term.contact);
    text += std::string(forms[i].one_sided ? " hold each other" : " depend on each other") +
            ": form with (positive, negative, zero) = " + signature_text(forms[i]) + "\n";
  }
  if (forms.size() > kMostForms)
    text += "  and " + std::to_string(forms.size() - kMostForms) + " more (--json lists all)\n";
  if (forms.empty())
    text += basis_W.empty() ? "  no screw keeps every contact to first order: there are no forms\n"
                            : "  no contacts with one plane depend on each other: there are no forms\n";
  if (maintaining.linear) {
    text += "  screws that keep every contact:";
    for (std::size_t i = 0; i < maintaining.components.size(); ++i)
      text += (i > 0 ? " or " : " ") + std::to_string(maintaining.components[i].basis_W.size());
    text += " dimensions\n";
  } else {
    text +=
        "  the screws that keep every contact are no union of subspaces (ask about single ones with "
        "--screws)\n";
  }
  text += "  legal screws: a set of " + std::to_string(legal.dimension) + " dimensions, " +
          (legal.linear ? "a union of cones\n" : "no union of cones\n");
  for (std::size_t i = 0; i < screws.size(); ++i) {
    text += "screw " + std::to_string(i) + ": " + to_string(screws[i].verdict);
    if (!screws[i].reason.empty()) text += "; " + screws[i].reason;
    text += "\n";
  }
  for (const std::string& note : notes) text += "note: " + note + "\n";
  return text;
}

}  // namespace prehend::observation
