// Which segments bend how often: a flow of quarter turns between faces, by successive shortest paths.
#include <algorithm>
#include <deque>
#include <limits>
#include <stdexcept>

#include <prehend/knot/layout/orthogonal_drawing.h>

namespace prehend::knot {
namespace {

// Quarter turns to the left that the bends round each face still have to bring.
std::vector<int> missing_turns(const Diagram& diagram, int outer_face) {
  std::vector<int> missing;
  for (int f = 0; f < diagram.face_count(); ++f) {
    int corners = 0;
    for (const int d : diagram.face(f)) corners += diagram.passage_ahead(d) == 0 ? -2 : 1;
    missing.push_back((f == outer_face ? -4 : 4) - corners);
  }
  return missing;
}

// Among drawings with fewest bends, those are better that share them out: else a row of two-cornered faces, whose strands could
// bend alternately, curls up.
int cost_of_bend(int nth) { return 1000 + nth; }

// Bends on darts; a left bend on a dart brings a turn to its face and takes one from the face across.
class TurnFlow {
 public:
  explicit TurnFlow(const Diagram& diagram)
      : diagram_(diagram), bends_(static_cast<std::size_t>(diagram.darts()), 0) {}

  int bends(int dart) const { return bends_[static_cast<std::size_t>(dart)]; }

  // Moves turns from a face that has too many to the nearest one that misses some, by the residual's shortest path.
  void send_one_batch(std::vector<int>& missing) {
    const std::size_t faces = missing.size();
    constexpr int kFar = std::numeric_limits<int>::max() / 2;
    std::vector<int> cost(faces, kFar), by_dart(faces, -1);
    std::vector<bool> waiting(faces, false);
    std::deque<int> queue;
    for (std::size_t f = 0; f < faces; ++f) {
      if (missing[f] >= 0) continue;
      cost[f] = 0;
      waiting[f] = true;
      queue.push_back(static_cast<int>(f));
    }
    while (!queue.empty()) {
      const int from = queue.front();
      queue.pop_front();
      waiting[static_cast<std::size_t>(from)] = false;
      for (const int across : diagram_.face(from)) {
        // A turn leaves `from` by a left bend on the twin: either a new one, or one bend on `across` less.
        const int d = Diagram::reversed(across);
        const auto to = static_cast<std::size_t>(diagram_.face_of(d));
        const int step = bends(across) > 0 ? -cost_of_bend(bends(across)) : cost_of_bend(bends(d) + 1);
        if (cost[static_cast<std::size_t>(from)] + step >= cost[to]) continue;
        cost[to] = cost[static_cast<std::size_t>(from)] + step;
        by_dart[to] = d;
        if (!waiting[to]) queue.push_back(static_cast<int>(to));
        waiting[to] = true;
      }
    }
    int best = -1;
    for (std::size_t f = 0; f < faces; ++f) {
      if (missing[f] > 0 && cost[f] < kFar && (best < 0 || cost[f] < cost[static_cast<std::size_t>(best)]))
        best = static_cast<int>(f);
    }
    if (best < 0) throw std::logic_error("the quarter turns round the faces of a plane code must balance");
    --missing[static_cast<std::size_t>(best)];
    int face = best;
    for (; by_dart[static_cast<std::size_t>(face)] >= 0;) {
      const int d = by_dart[static_cast<std::size_t>(face)];
      int& back = bends_[static_cast<std::size_t>(Diagram::reversed(d))];
      if (back > 0)
        --back;
      else
        ++bends_[static_cast<std::size_t>(d)];
      face = diagram_.face_of(Diagram::reversed(d));
    }
    ++missing[static_cast<std::size_t>(face)];
  }

 private:
  const Diagram& diagram_;
  std::vector<int> bends_;
};

}  // namespace

std::vector<int> fewest_bends(const Diagram& diagram, int outer_face) {
  std::vector<int> missing = missing_turns(diagram, outer_face);
  TurnFlow flow(diagram);
  while (std::any_of(missing.begin(), missing.end(), [](int m) { return m > 0; }))
    flow.send_one_batch(missing);
  std::vector<int> bends;
  for (int s = 1; s <= diagram.data().segments(); ++s)
    bends.push_back(flow.bends(Diagram::dart(s, true)) - flow.bends(Diagram::dart(s, false)));
  return bends;
}

}  // namespace prehend::knot
