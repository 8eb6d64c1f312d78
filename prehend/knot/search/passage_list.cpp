#include <prehend/knot/search/passage_list.h>

namespace prehend::knot {

PassageList::PassageList(const PData& data, bool closed)
    : data_(data),
      next_(static_cast<std::size_t>(data.passages()) + 1, 0),
      previous_(next_.size(), 0),
      gone_(next_.size(), false) {
  const int n = data.passages();
  for (int i = 1; i <= n; ++i) {
    next_[index(i)] = i < n ? i + 1 : closed ? 1 : 0;
    previous_[index(i)] = i > 1 ? i - 1 : closed ? n : 0;
  }
}

int PassageList::unlink(int passage) {
  const int before = previous(passage), after = next(passage);
  if (before > 0) next_[index(before)] = after;
  if (after > 0) previous_[index(after)] = before;
  gone_[index(passage)] = true;
  return before;
}

std::pair<int, int> PassageList::remove(int passage) {
  const int one = unlink(passage), other = unlink(data_.other(passage));
  return {one, other};
}

PData PassageList::code() const {
  std::vector<int> number(gone_.size(), 0);
  int count = 0;
  for (int i = 1; i <= data_.passages(); ++i)
    if (holds(i)) number[index(i)] = ++count;
  PData rest;
  for (int i = 1; i <= data_.passages(); ++i) {
    if (!holds(i)) continue;
    rest.sigma.push_back(number[index(data_.other(i))]);
    rest.attr.push_back(data_.attribute(i));
  }
  return rest;
}

}  // namespace prehend::knot
