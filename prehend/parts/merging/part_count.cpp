#include <prehend/parts/merging/part_count.h>

namespace prehend::parts {

int suggested_parts(const PartTree& tree) {
  // Of 0.4, 0.7, 1.0, 1.4 and 1.9 the level with the best adjusted Rand index on 26 generated tools (0.65; 0.63 at 1.0).
  constexpr double kApart = 0.4;
  constexpr int kMost = 12;
  int parts = 1;
  for (const PartMerge& merge : tree.merges) parts += merge.cost > kApart;
  return parts < kMost ? parts : kMost;
}

void join_pieces(RegionMerging& merging, double offset) {
  if (merging.alive().size() < 2) return;
  for (const int a : merging.alive())
    for (const int b : merging.alive())
      if (a < b) merging.add_border(a, b, {1.0, 1.0});
  merging.merge_neighbours(offset);
}

}  // namespace prehend::parts
