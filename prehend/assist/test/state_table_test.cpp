#include <gtest/gtest.h>

#include <prehend/assist/control/state_table.h>

namespace prehend::assist {
namespace {

std::string refusal(const std::array<StateRow, kStateCount>& rows) {
  try {
    StateTable::validate(rows);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

TEST(StateTable, EveryStateHasATimeLimitAndAWayToStop) {
  const std::array<StateRow, kStateCount> good = StateTable::standard_rows(Tuning());
  EXPECT_EQ(refusal(good), "");
  for (std::size_t k = 0; k < good.size(); ++k) {
    auto rows = good;
    rows[k].timeout_s = 0.0;
    EXPECT_NE(refusal(rows).find("has no time limit"), std::string::npos);
    if (rows[k].state == StateName::SafeStop) continue;
    rows = good;
    rows[k].may_stop = false;
    EXPECT_NE(refusal(rows).find("has no way to SafeStop"), std::string::npos);
  }
  auto rows = good;
  std::swap(rows[1], rows[2]);
  EXPECT_NE(refusal(rows).find("wrong row"), std::string::npos);
  rows = good;
  rows[5].done = StateName::RemoveContacts;
  EXPECT_NE(refusal(rows).find("MoveAway is never reached"), std::string::npos);
}

}  // namespace
}  // namespace prehend::assist
