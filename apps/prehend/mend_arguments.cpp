#include <algorithm>
#include <cstdio>

#include "verb.h"
#include <prehend/math/number_text.h>
#include <prehend/model/json_writer.h>
#include <prehend/model/text_table.h>

namespace prehend::cli {

void MendArguments::declare(Arguments& arguments) {
  arguments.words("--noise", "M RAD", noise,
                  "Noise of the poses, per axis: metres and radians; without: found from the scene");
  arguments.option("--most", most, "Centres of mass move no farther than this [m]");
}

stability::MendOptions MendArguments::options(const std::string& contact_tolerance) const {
  stability::MendOptions options;
  options.most = most;
  if (!noise.empty())
    options.noise = stability::PoseNoise{number_of("--noise", noise[0]), number_of("--noise", noise[1])};
  if (!contact_tolerance.empty())
    options.contact.set_tolerance(number_of("--contact-tolerance", contact_tolerance));
  return options;
}

namespace {

// Where bodies still overlap, as curved surfaces drawn with facets do wherever they are: what to do instead.
std::string advice(const stability::MendResult& result) {
  if (result.deepest_after <= 0.0) return "";
  return "; without --mend, --contact-tolerance " + math::number_text(1.05 * result.deepest_before, 3) +
         " allows the overlaps that the file has (COMPAS files of forces and contacts also have --interfaces "
         "stored)";
}

}  // namespace

void MendFlag::declare(Arguments& arguments) {
  arguments.flag("--mend", asked,
                 "First close contacts that are nearly there and open overlaps (prehend mend)");
  mend.declare(arguments);
}

model::Scene MendFlag::mended(model::Scene scene, const std::string& contact_tolerance) {
  if (!asked) {
    if (!mend.noise.empty()) throw UsageError("--noise says how to mend; add --mend");
    return scene;
  }
  stability::MendResult result = stability::mend(scene, mend.options(contact_tolerance));
  if (result.status != stability::MendStatus::ok)
    throw NoAnswerError("failed", "the scene cannot be mended: " + joined(result.problems) + advice(result));
  document_ = result.to_json();
  double farthest = 0.0;
  for (const stability::MendedBody& body : result.bodies) farthest = std::max(farthest, body.moved);
  char text[160];
  std::snprintf(text, sizeof text, "mended: %s, no body moved by more than %.3g mm\n",
                result.counts_text().c_str(), 1e3 * farthest);
  text_ = text;
  return std::move(result.scene);
}

Answer MendFlag::with_repairs(Answer answer) const {
  if (document_.empty()) return answer;
  model::JsonWriter json;
  json.object().members(answer.document).key("mended").document(document_).end();
  answer.document = json.text();
  answer.text = text_ + answer.text;
  return answer;
}

}  // namespace prehend::cli
