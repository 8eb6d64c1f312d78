// The plane drawing behind P-data: which strands leave a crossing in which order, and the faces between them.
//
// The signs fix the order of the four strands around every crossing, so faces follow by walking along them; no search is
// needed (source L, 5.1.3, looks for short loops). A code is that of a drawing in the plane exactly when Euler's formula
// holds: crossings and ends - segments + faces = 2.
//
// A dart is a segment with a direction: dart 2 (s - 1) runs along segment s with the rope, the next one against it.
// Cost: linear in the crossings.
#pragma once

#include <vector>

#include <prehend/knot/p_data.h>

namespace prehend::knot {

class Diagram {
 public:
  // The table must be sound (find_table_problem).
  explicit Diagram(const PData& data);

  const PData& data() const { return data_; }
  static int dart(int segment, bool forward) { return 2 * (segment - 1) + (forward ? 0 : 1); }
  static int segment_of(int dart) { return dart / 2 + 1; }
  static bool is_forward(int dart) { return dart % 2 == 0; }
  static int reversed(int dart) { return dart ^ 1; }
  int darts() const { return 2 * data_.segments(); }

  // The passage at the far end of a dart; 0 at a free end.
  int passage_ahead(int dart) const;
  // The dart that leaves the crossing ahead next, clockwise from where this one came: along the face on the left.
  int next_in_face(int dart) const { return next_[static_cast<std::size_t>(dart)]; }
  // The four darts that leave the crossing of a passage, counter-clockwise, the over strand's forward one first.
  std::vector<int> leaving(int passage) const;

  int face_count() const { return static_cast<int>(faces_.size()); }
  int face_of(int dart) const { return face_of_[static_cast<std::size_t>(dart)]; }  // on the left
  // Darts around a face, which lies to the left of each; a face that holds a free end passes its segment both ways.
  const std::vector<int>& face(int index) const { return faces_[static_cast<std::size_t>(index)]; }

  // 0: a drawing in the plane (or on the sphere).
  int genus() const;

 private:
  PData data_;
  std::vector<int> next_;
  std::vector<int> face_of_;
  std::vector<std::vector<int>> faces_;
};

}  // namespace prehend::knot
