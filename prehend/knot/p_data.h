// P-data: the code of a rope's drawing (source L, 5.1.2).
//
// Follow the rope from its selected end and number the passages through crossings 1, 2, ... n; every crossing gets two
// numbers. sigma(i) is the other number of the crossing that passage i goes through; attr(i) says whether passage i is
// over or under, and the crossing's sign:  1 over/-, 2 under/-, 3 over/+, 4 under/+.
//
// The sign is that of (l_over x l_under) . e_z, with e_z towards the viewer: plus when the upper strand passes from the
// left to the right of the lower strand. (Most of knot theory takes (over, under) the same way for its writhe; programs
// that look from below, or cross under with over, mirror the knot: this field's classic mistake.)
//
// Segment s lies between passages s - 1 and s; there are n + 1, the first and the last end freely.
#pragma once

#include <string>
#include <vector>

namespace prehend::knot {

struct PData {
  std::vector<int> sigma;  // 1-based numbers; sigma[0] belongs to passage 1
  std::vector<int> attr;   // 1, 2, 3 or 4

  int passages() const { return static_cast<int>(sigma.size()); }
  int crossings() const { return passages() / 2; }
  int segments() const { return passages() + 1; }

  // By the source's 1-based numbers.
  int other(int passage) const { return sigma[static_cast<std::size_t>(passage) - 1]; }
  int attribute(int passage) const { return attr[static_cast<std::size_t>(passage) - 1]; }
  bool is_over(int passage) const { return attribute(passage) % 2 == 1; }
  int sign(int passage) const { return attribute(passage) >= 3 ? 1 : -1; }

  friend bool operator==(const PData&, const PData&) = default;
};

// The attribute of a passage.
constexpr int attribute_of(bool over, int sign) { return (over ? 1 : 2) + (sign > 0 ? 2 : 0); }

// What keeps it from being the code of a drawing, in one sentence; empty when nothing does. Checks the table (sizes,
// sigma an involution without fixed points, attributes of both passages of a crossing opposite and of one sign) and that
// it can be drawn in the plane.
std::string find_problem(const PData& data);
// The table alone; what all functions of this room require of their input.
std::string find_table_problem(const PData& data);

// Read from the other end (Proposition 14; its N(P) is n(P)).
PData swapped_ends(const PData& data);
// Seen in a mirror that lies behind the rope: over becomes under, signs change.
PData mirrored(const PData& data);
// The same rope looked at from the other side of the table: over becomes under, signs stay.
PData seen_from_below(const PData& data);
// The smaller of a code and its swapped one, by sigma, then attributes: equal for equivalent codes.
PData canonical(const PData& data);

// "sigma 4 5 6 1 2 3, attr 3 4 3 4 3 4"
std::string to_text(const PData& data);

}  // namespace prehend::knot
