// The state machine as data: for every state its time limit, where it goes when it is done, and how it gets to SafeStop.
//
// The authors' states end only by themselves: one that does not finish never ends. Here every row has a time limit and a way to SafeStop, and
// validate() refuses a table without them.
#pragma once

#include <array>

#include <prehend/assist/scenario.h>

namespace prehend::assist {

// What follows a state. `next_contact`: IntentCommunication of the next contact, RemoveContacts after the last.
enum class Successor { state, next_contact, completed, none };

struct StateRow {
  StateName state{StateName::InitialPosture};
  double timeout_s{0.0};
  int retries{0};  // after the time limit, before it counts
  Successor after_done{Successor::state};
  StateName done{StateName::SafeStop};
  StateName late{StateName::SafeStop};  // after the time limit and all retries
  bool may_stop{true};                  // a fault leads to SafeStop
  bool needs_person{true};              // the base stands while the person is not seen, and the trial stops after a while
};

class StateTable {
 public:
  explicit StateTable(const Tuning& tuning);
  const StateRow& row(StateName state) const { return rows_[static_cast<std::size_t>(state)]; }
  // Throws std::invalid_argument naming the state: no time limit, no way to SafeStop, a state that is never reached, a row in the wrong place.
  static void validate(const std::array<StateRow, kStateCount>& rows);
  static std::array<StateRow, kStateCount> standard_rows(const Tuning& tuning);

 private:
  std::array<StateRow, kStateCount> rows_;
};

}  // namespace prehend::assist
