#include <memory>

#include "verb.h"
#include <prehend/knot/naming.h>
#include <prehend/knot/p_data_json.h>

namespace prehend::cli {
namespace {

Answer answer(const std::string& file, const Shared& shared) {
  if (!shared.out.empty()) throw UsageError("knot name writes no report; leave --out away");
  const knot::PData rope = knot::read_p_data(file);
  const Stopwatch stopwatch;
  const knot::RopeName result = knot::name_rope(rope);
  const double time_ms = stopwatch.milliseconds();
  const knot::NamingStatus status = result.over.status;
  const bool found = status == knot::NamingStatus::named || status == knot::NamingStatus::ambiguous;
  return {found ? kAnswer : kNoAnswer, knot::naming_status_name(status), time_ms, result.to_json(),
          result.brief_report(),       found ? "" : result.over.reason};
}

}  // namespace

Verb knot_name_verb() {
  const auto file = std::make_shared<std::string>();
  return {"name", "Which knot a rope is once its ends are joined over everything, by Rolfsen's names",
          "prehend knot name data/knots/overhand.json",
          [file](Arguments& arguments) {
            arguments.positional("P", *file, "P-data (JSON: sigma, attr), or what knot read --json prints");
          },
          [file](const Shared& shared) { return answer(*file, shared); }};
}

}  // namespace prehend::cli
