// Codes of random drawings, made from a straight rope by moves that are always possible: a loop anywhere, a finger of one
// strand across another one of the same face, an end across a strand of its face. Written from the picture of each move,
// apart from the room's own moves.
#pragma once

#include <prehend/knot/diagram.h>
#include <prehend/math/random.h>

namespace prehend::knot {

class RandomDrawing {
 public:
  explicit RandomDrawing(std::uint64_t seed) : random_(seed) {}

  PData data() const {
    PData data;
    for (std::size_t i = 0; i < rope_.size(); ++i) {
      for (std::size_t j = 0; j < rope_.size(); ++j) {
        if (i != j && rope_[i].crossing == rope_[j].crossing) data.sigma.push_back(static_cast<int>(j) + 1);
      }
      data.attr.push_back(attribute_of(rope_[i].over, rope_[i].sign));
    }
    return data;
  }

  // Whichever of the moves fits what the dice say; loops are rarer, as they are in ropes.
  void grow(int crossings) {
    while (crossings_ < crossings) {
      const int dice = pick(10);
      if (dice < 2)
        add_loop();
      else if (dice < 6 && crossings_ + 2 <= crossings)
        add_finger();
      else
        pass_end_across();
    }
  }

  void add_loop() {
    const int segment = 1 + pick(static_cast<int>(rope_.size()) + 1);
    const bool over = pick(2) == 0;
    const int sign = pick(2) == 0 ? 1 : -1;
    const int c = crossings_++;
    insert(segment, {{c, over, sign}, {c, !over, sign}});
  }

  void add_finger() {
    const Diagram diagram(data());
    const int d1 = pick(diagram.darts());
    const std::vector<int>& face = diagram.face(diagram.face_of(d1));
    const int d2 = face[static_cast<std::size_t>(pick(static_cast<int>(face.size())))];
    const int s1 = Diagram::segment_of(d1), s2 = Diagram::segment_of(d2);
    if (s1 == s2) return;
    const bool over = pick(2) == 0;
    // The face lies to the left of both: d1 runs west above it, d2 east below. The finger goes down at x, up at y.
    const int along =
        (Diagram::is_forward(d1) ? 1 : -1) * (Diagram::is_forward(d2) ? 1 : -1) * (over ? 1 : -1);
    const int x = crossings_++, y = crossings_++;
    std::vector<Passage> first{{x, over, along}, {y, over, -along}},
        second{{y, !over, -along}, {x, !over, along}};
    if (!Diagram::is_forward(d1)) std::swap(first[0], first[1]);
    if (!Diagram::is_forward(d2)) std::swap(second[0], second[1]);
    if (s1 > s2) {
      insert(s1, first);
      insert(s2, second);
    } else {
      insert(s2, second);
      insert(s1, first);
    }
  }

  void pass_end_across() {
    const Diagram diagram(data());
    const bool last = pick(2) == 0;
    const int end = last ? Diagram::dart(diagram.data().segments(), true) : Diagram::dart(1, false);
    const std::vector<int>& face = diagram.face(diagram.face_of(end));
    const int d = face[static_cast<std::size_t>(pick(static_cast<int>(face.size())))];
    if (Diagram::segment_of(d) == Diagram::segment_of(end)) return;
    const bool over = pick(2) == 0;
    // d runs east, the end goes south across it; the rope runs towards the last end, away from the first.
    const int sign = (last ? 1 : -1) * (Diagram::is_forward(d) ? 1 : -1) * (over ? 1 : -1);
    const int c = crossings_++;
    insert(Diagram::segment_of(d), {{c, !over, sign}});
    rope_.insert(last ? rope_.end() : rope_.begin(), {c, over, sign});
  }

  int pick(int count) { return static_cast<int>(random_.below(static_cast<std::uint32_t>(count))); }

 private:
  struct Passage {
    int crossing;
    bool over;
    int sign;
  };
  void insert(int segment, const std::vector<Passage>& passages) {
    rope_.insert(rope_.begin() + (segment - 1), passages.begin(), passages.end());
  }

  math::RandomStream random_;
  int crossings_{0};
  std::vector<Passage> rope_;
};

}  // namespace prehend::knot
