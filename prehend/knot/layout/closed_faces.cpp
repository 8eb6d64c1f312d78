#include <numeric>

#include <prehend/knot/layout/closed_faces.h>

namespace prehend::knot {

std::vector<CrossingEdges> crossings_of(const ClosedDiagram& diagram) {
  const int edges = diagram.passages();
  const auto after = [edges](int passage) { return passage % edges + 1; };
  std::vector<CrossingEdges> crossings;
  for (int under = 1; under <= edges; ++under) {
    if (diagram.loop.is_over(under)) continue;
    const int over = diagram.loop.other(under), sign = diagram.loop.sign(under);
    crossings.push_back(
        {{under, sign > 0 ? after(over) : over, after(under), sign > 0 ? over : after(over)}, sign});
  }
  return crossings;
}

ClosedFaces closed_faces(const std::vector<CrossingEdges>& crossings) {
  ClosedFaces faces;
  const std::size_t n = crossings.size();
  std::vector<std::size_t> parent(4 * n);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](std::size_t corner) {
    while (parent[corner] != corner) corner = parent[corner] = parent[parent[corner]];
    return corner;
  };
  // Both corners beside an edge at one of its ends lie on the same sides as those at the other end, seen turned round.
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> ends(2 * n + 1);
  for (std::size_t x = 0; x < n; ++x) {
    for (std::size_t k = 0; k < 4; ++k)
      ends[static_cast<std::size_t>(crossings[x].edge[k])].push_back({x, k});
  }
  for (std::size_t edge = 1; edge <= 2 * n; ++edge) {
    const auto [x, i] = ends[edge].at(0);
    const auto [y, j] = ends[edge].at(1);
    parent[root(4 * x + i)] = root(4 * y + (j + 3) % 4);
    parent[root(4 * x + (i + 3) % 4)] = root(4 * y + j);
  }
  std::vector<int> number(4 * n, -1);
  for (std::size_t x = 0; x < n; ++x) {
    auto& corners = faces.corner_face.emplace_back();
    for (std::size_t k = 0; k < 4; ++k) {
      int& face = number[root(4 * x + k)];
      if (face < 0) face = faces.count++;
      corners[k] = face;
    }
  }
  return faces;
}

int writhe(const PData& data) {
  int sum = 0;
  for (int i = 1; i <= data.passages(); ++i) sum += data.is_over(i) ? data.sign(i) : 0;
  return sum;
}

std::vector<UnderPassage> under_passages(const ClosedDiagram& diagram) {
  const int n = diagram.passages(), arcs = diagram.crossings();
  std::vector<int> arc_at(static_cast<std::size_t>(n) + 1);  // on which arc a passage arrives
  int arc = 0;
  for (int i = 1; i <= n; ++i) {
    arc_at[static_cast<std::size_t>(i)] = arc;
    if (!diagram.loop.is_over(i)) arc = (arc + 1) % arcs;
  }
  std::vector<UnderPassage> passages;
  for (int i = 1; i <= n; ++i) {
    if (diagram.loop.is_over(i)) continue;
    const int in = arc_at[static_cast<std::size_t>(i)];
    passages.push_back(
        {in, (in + 1) % arcs, arc_at[static_cast<std::size_t>(diagram.loop.other(i))], diagram.loop.sign(i)});
  }
  return passages;
}

}  // namespace prehend::knot
