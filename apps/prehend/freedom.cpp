// freedom: how may a body move that touches another?
#include <memory>

#include "output_folder.h"
#include "verb.h"
#include <prehend/model/input_error.h>
#include <prehend/observation/pages.h>
#include <prehend/observation/second_order.h>

namespace prehend::cli {
namespace {

struct FreedomState {
  std::string file, screws;
  int order{1};
};

// Contacts whose sides do not fit are named with their line in the file.
Answer second_order(const FreedomState& state, const Shared& shared,
                    const observation::ContactRelation& relation, const std::vector<math::Vector6d>& screws) {
  const Stopwatch stopwatch;
  try {
    const observation::SecondOrderFreedom result = observation::second_order_freedom(relation, screws);
    Answer answer{ExitCode::answer, to_string(result.first.status), stopwatch.milliseconds(),
                  result.to_json(), result.brief_report()};
    if (!shared.out.empty())
      write_page(observation::second_order_page(relation, result, screws), shared.out, state.file);
    if (result.first.status == observation::FreedomStatus::ok) return answer;
    answer.code = ExitCode::no_answer;
    answer.error = result.first.note;
    return answer;
  } catch (const observation::ContactError& error) {
    throw model::InputError(state.file, relation.contacts[error.contact()].line, error.what());
  } catch (const observation::UndecidedError& error) {
    throw NoAnswerError("undetermined", error.what());
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
}

Answer answer(const FreedomState& state, const Shared& shared) {
  if (state.order != 1 && state.order != 2)
    throw UsageError("--order is " + std::to_string(state.order) +
                     "; it must be 1 (contacts as planes) or 2 (with their curvature)");
  const observation::ContactRelation relation = observation::read_contact_relation(state.file);
  const std::vector<math::Vector6d> screws =
      state.screws.empty() ? std::vector<math::Vector6d>{} : observation::read_screws(state.screws);
  if (state.order == 2) return second_order(state, shared, relation, screws);
  const Stopwatch stopwatch;
  observation::MotionFreedom result;
  try {
    result = observation::motion_freedom(relation, screws);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  const double time_ms = stopwatch.milliseconds();
  if (!shared.out.empty()) write_page(observation::freedom_page(relation, result), shared.out, state.file);
  return answer_of(result, time_ms, result.note);
}

}  // namespace

Verb freedom_verb() {
  const auto state = std::make_shared<FreedomState>();
  return {"freedom", "How may a body move that touches another?",
          "prehend freedom data/contacts/peg_in_corner.json",
          [state](Arguments& arguments) {
            arguments.positional("CONTACTS", state->file,
                                 "JSON: points of contact with their separating planes, normals out of the "
                                 "fixed body");
            arguments.option("--order", state->order, "1: contacts as planes; 2: with their curvature");
            arguments.option("--screws", state->screws,
                             "CSV with wx,wy,wz,vx,vy,vz: which of these motions are legal?");
          },
          [state](const Shared& shared) { return answer(*state, shared); }};
}

}  // namespace prehend::cli
