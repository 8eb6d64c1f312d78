#include <prehend/knot/diagram.h>

namespace prehend::knot {

Diagram::Diagram(const PData& data) : data_(data) {
  next_.assign(static_cast<std::size_t>(darts()), -1);
  for (int d = 0; d < darts(); ++d) {
    const int passage = passage_ahead(d);
    if (passage == 0) {
      next_[static_cast<std::size_t>(d)] = reversed(d);
      continue;
    }
    const std::vector<int> around = leaving(passage);
    for (std::size_t i = 0; i < 4; ++i) {
      if (around[i] == reversed(d)) next_[static_cast<std::size_t>(d)] = around[(i + 3) % 4];
    }
  }
  face_of_.assign(static_cast<std::size_t>(darts()), -1);
  for (int start = 0; start < darts(); ++start) {
    if (face_of(start) >= 0) continue;
    std::vector<int>& face = faces_.emplace_back();
    for (int d = start; face_of(d) < 0; d = next_in_face(d)) {
      face_of_[static_cast<std::size_t>(d)] = face_count() - 1;
      face.push_back(d);
    }
  }
}

int Diagram::passage_ahead(int dart) const {
  const int segment = segment_of(dart);
  const int passage = is_forward(dart) ? segment : segment - 1;
  return passage <= data_.passages() ? passage : 0;
}

std::vector<int> Diagram::leaving(int passage) const {
  const int over = data_.is_over(passage) ? passage : data_.other(passage);
  const int under = data_.other(over);
  const int over_out = dart(over + 1, true), over_back = dart(over, false);
  const int under_out = dart(under + 1, true), under_back = dart(under, false);
  // Sign plus: the under strand leaves to the left of the over strand.
  if (data_.sign(over) > 0) return {over_out, under_out, over_back, under_back};
  return {over_out, under_back, over_back, under_out};
}

int Diagram::genus() const {
  const int vertices = data_.crossings() + 2, edges = data_.segments();
  return (2 - (vertices - edges + face_count())) / 2;
}

}  // namespace prehend::knot
