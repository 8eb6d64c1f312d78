// What may I take first? The order in which bodies can be lifted off without anything else moving (source N, 4.6.3).
//
// A body is free to go when the upward pull at its centre of mass that first moves anything equals its weight: less, and
// lifting it disturbs the rest on the way; more, and something lies or leans on it. That is the source's rule; the
// remaining bodies are checked too: they must be stable by the exact verdict. Bodies that are interlocked sideways are not
// recognised: only the first instant of lifting is looked at. On ground that accelerates, weight and upward are those of the
// apparent gravity.
//
// Greedy, without turning back: among several free bodies the highest goes first (along gravity, by centre of mass; to a
// ten-thousandth of the scene), then the first by name. Cost: one limit per body and step.
#pragma once

#include <string>
#include <vector>

#include <prehend/stability/limit_analysis.h>

namespace prehend::stability {

struct DisassembleOptions {
  // A score this close to 1 counts as 1: ten times the accuracy of limits.
  double tolerance{1e-3};
  ContactSystemOptions system;
  LimitOptions limit;
  // Also how hard each body can be pulled up against load-caused forces alone (prestress.h). Free to go stays what statics says.
  bool load_caused{false};

  void validate() const;
};

struct DisassembleCandidate {
  model::BodyIndex body;
  double score{PushAnswer::kUnknown};  // upward limit over weight; infinite when it cannot be lifted at all
  bool is_free{false};                 // score 1, and the rest stays
  double without_prestress{
      PushAnswer::kUnknown};     // [N] pull that load-caused forces hold; not a number when not asked for
  bool load_caused_less{false};  // less than 95 % of what statics allows
};

struct DisassembleStep {
  model::BodyIndex removed;                      // invalid in the last step of an incomplete order
  std::vector<DisassembleCandidate> candidates;  // all bodies that were left
};

enum class DisassembleStatus {
  not_computed,
  ok,            // all of them
  incomplete,    // no body that is left may go; the steps say with which scores
  unstable,      // it falls by itself
  undetermined,  // `note` says why
};
const char* to_string(DisassembleStatus status);

struct DisassembleResult {
  DisassembleStatus status{DisassembleStatus::not_computed};
  std::vector<model::BodyIndex> order;
  std::vector<DisassembleStep> steps;
  std::string note;
  std::vector<std::string> body_names;   // of the scene, by model::BodyIndex
  std::string joints_text, joints_json;  // how joints were taken (contact_system.h)

  // {"status","order":[],"steps":[{"removed":,"candidates":[{body,score,unbounded,free}]}]}; with load_caused also
  // without_prestress_N and load_caused_less, with joints also "joints". What hangs on a free body by joints is
  // lifted with it; what a joint holds to fixed bodies stays.
  std::string to_json() const;
  std::string brief_report() const;
};

DisassembleResult disassemble(const model::Scene& scene, const DisassembleOptions& options = {});

}  // namespace prehend::stability
