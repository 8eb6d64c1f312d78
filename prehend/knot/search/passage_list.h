// Passages of a rope or a loop in a list from which crossings are taken away at constant cost.
#pragma once

#include <utility>
#include <vector>

#include <prehend/knot/p_data.h>

namespace prehend::knot {

class PassageList {
 public:
  // The code's table must be sound (find_table_problem). Of a closed loop the first passage follows the last.
  PassageList(const PData& data, bool closed);

  bool holds(int passage) const { return !gone_[index(passage)]; }
  int next(int passage) const { return next_[index(passage)]; }          // 0 after the last of a rope
  int previous(int passage) const { return previous_[index(passage)]; }  // 0 before the first of a rope
  const PData& data() const { return data_; }

  // Both passages of the crossing. The passage before each, 0 where there is none, may now have something to undo.
  std::pair<int, int> remove(int passage);
  PData code() const;

 private:
  static std::size_t index(int passage) { return static_cast<std::size_t>(passage); }
  int unlink(int passage);  // the passage before it

  const PData& data_;
  std::vector<int> next_, previous_;
  std::vector<bool> gone_;
};

// Undoes every Reidemeister I move, and every Reidemeister II move for which `is_undone(list, i, j)` holds: i and j pass two
// neighbouring crossings of two strands, both over or both under. What that uncovers is undone, too.
// Cost: linear in the crossings.
template <typename Condition>
PData without_loose_crossings(const PData& data, bool closed, const Condition& is_undone) {
  PassageList list(data, closed);
  std::vector<int> open;
  for (int i = data.passages(); i >= 1; --i) open.push_back(i);
  const auto reopen = [&](int passage) {
    // Two steps back: a pair is undone for what stands beside it.
    for (int k = 0; k < 3 && passage > 0 && list.holds(passage); ++k, passage = list.previous(passage))
      open.push_back(passage);
  };
  const auto take = [&](int passage) {
    const auto [one, other] = list.remove(passage);
    reopen(one);
    reopen(other);
  };
  while (!open.empty()) {
    const int i = open.back();
    open.pop_back();
    if (!list.holds(i)) continue;
    const int j = list.next(i);
    if (j == 0 || j == i) continue;
    const int across = data.other(i), across_next = data.other(j);
    if (across == j) {
      take(i);
    } else if (data.is_over(i) == data.is_over(j) &&
               (list.next(across) == across_next || list.next(across_next) == across) &&
               is_undone(list, i, j)) {
      take(i);
      take(j);
    }
  }
  return list.code();
}

}  // namespace prehend::knot
