#include <cmath>
#include <stdexcept>
#include <string>

#include <prehend/assist/control/state_table.h>

namespace prehend::assist {

std::array<StateRow, kStateCount> StateTable::standard_rows(const Tuning& tuning) {
  using S = StateName;
  std::array<StateRow, kStateCount> rows{{
      {.state = S::InitialPosture, .done = S::NavigateToHuman},
      {.state = S::NavigateToHuman, .done = S::IntentCommunication},
      // Nobody looked: leave without touching.
      {.state = S::IntentCommunication, .done = S::PreContact, .late = S::RemoveContacts},
      {.state = S::PreContact, .done = S::MakeContact},
      {.state = S::MakeContact, .after_done = Successor::next_contact, .done = S::IntentCommunication},
      {.state = S::RemoveContacts, .done = S::MoveAway},
      {.state = S::MoveAway, .after_done = Successor::completed, .done = S::MoveAway},
      {.state = S::SafeStop, .after_done = Successor::none, .may_stop = false, .needs_person = false},
  }};
  for (StateRow& row : rows) {
    row.timeout_s = tuning.states[static_cast<std::size_t>(row.state)].timeout_s;
    row.retries = tuning.states[static_cast<std::size_t>(row.state)].retries;
  }
  return rows;
}

void StateTable::validate(const std::array<StateRow, kStateCount>& rows) {
  std::array<bool, kStateCount> reached{};
  reached[0] = true;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const StateRow& row = rows[k];
    const std::string name = to_string(row.state);
    if (static_cast<std::size_t>(row.state) != k) throw std::invalid_argument("state " + name + " stands in the wrong row");
    if (!(row.timeout_s > 0.0) || !std::isfinite(row.timeout_s))
      throw std::invalid_argument("state " + name + " has no time limit");
    if (row.state != StateName::SafeStop && !row.may_stop)
      throw std::invalid_argument("state " + name + " has no way to SafeStop");
    if (row.retries < 0) throw std::invalid_argument("state " + name + " has a negative number of retries");
    if (row.after_done == Successor::state || row.after_done == Successor::next_contact) reached[static_cast<std::size_t>(row.done)] = true;
    if (row.after_done == Successor::next_contact) reached[static_cast<std::size_t>(StateName::RemoveContacts)] = true;
    reached[static_cast<std::size_t>(row.late)] = true;
    if (row.may_stop) reached[static_cast<std::size_t>(StateName::SafeStop)] = true;
  }
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (!reached[k]) throw std::invalid_argument(std::string("state ") + to_string(rows[k].state) + " is never reached");
}

StateTable::StateTable(const Tuning& tuning) : rows_(standard_rows(tuning)) { validate(rows_); }

}  // namespace prehend::assist
