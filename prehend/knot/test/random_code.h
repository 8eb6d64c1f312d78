// Random sound P-data: a straight rope whose last end crosses over or under a random strand of its face, again and again.
// Every code of an open drawing can arise so (follow the rope from its first end).
#pragma once

#include <vector>

#include <prehend/knot/diagram.h>
#include <prehend/math/random.h>

namespace prehend::knot {

// The last end crosses the dart from its left to its right.
inline PData with_last_end_across(const PData& data, int dart, bool over) {
  const int segment = Diagram::segment_of(dart), n = data.passages();
  // Passages from the crossed segment on move up by one; the new ones are `segment` and n + 2.
  const auto moved = [segment](int passage) { return passage < segment ? passage : passage + 1; };
  PData longer{std::vector<int>(static_cast<std::size_t>(n) + 2),
               std::vector<int>(static_cast<std::size_t>(n) + 2)};
  const auto set = [&longer](int passage, int other, int attr) {
    longer.sigma[static_cast<std::size_t>(passage) - 1] = other;
    longer.attr[static_cast<std::size_t>(passage) - 1] = attr;
  };
  for (int i = 1; i <= n; ++i) set(moved(i), moved(data.other(i)), data.attribute(i));
  const int sign = Diagram::is_forward(dart) == over ? 1 : -1;
  set(segment, n + 2, attribute_of(!over, sign));
  set(n + 2, segment, attribute_of(over, sign));
  return longer;
}

inline PData random_code(int crossings, math::RandomStream& random) {
  PData data;
  while (data.crossings() < crossings) {
    const Diagram diagram(data);
    const std::vector<int>& face = diagram.face(diagram.face_of(Diagram::dart(data.segments(), true)));
    const int dart = face[random.below(static_cast<std::uint32_t>(face.size()))];
    data = with_last_end_across(data, dart, random.below(2) == 0);
  }
  return data;
}

}  // namespace prehend::knot
