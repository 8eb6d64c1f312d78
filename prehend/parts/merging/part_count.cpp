#include <prehend/parts/merging/part_count.h>

namespace prehend::parts {

int suggested_parts(const PartTree& tree, double apart) {
  constexpr int kMost = 12;  // more parts than the things that hands use have; --parts asks for any number
  int parts = 1;
  for (auto merge = tree.merges.rbegin(); merge != tree.merges.rend() && parts < kMost; ++merge, ++parts)
    if (merge->own <= apart) break;
  return parts;
}

void join_pieces(RegionMerging& merging, double offset) {
  if (merging.alive().size() < 2) return;
  for (const int a : merging.alive())
    for (const int b : merging.alive())
      if (a < b) merging.add_border(a, b, {1.0, 1.0});
  merging.merge_neighbours(offset);
}

}  // namespace prehend::parts
