#include <algorithm>
#include <numeric>
#include <stdexcept>

#include <prehend/knot/layout/orthogonal_drawing.h>

namespace prehend::knot {
namespace {

// Half-edges with the face on their left; directions 0 east, 1 north, 2 west, 3 south.
class GridMap {
 public:
  GridMap(const Diagram& diagram, int outer_face);

  PlaneRope rope() const;

 private:
  struct HalfEdge {
    int origin, direction, next, previous;  // the twin's number differs in the last bit
  };
  HalfEdge& at(int h) { return edges_[static_cast<std::size_t>(h)]; }
  const HalfEdge& at(int h) const { return edges_[static_cast<std::size_t>(h)]; }
  static int twin(int h) { return h ^ 1; }
  int add_vertex() { return vertices_++; }
  int add_edge(int from, int to, int direction);
  void link(int first, int second);
  // Left turns from a half-edge to its next: 1, 0, -1, and -2 round a free end.
  int turn_after(int h) const;
  void put_into_frame(int on_outer_face);
  void cut_into_rectangles(int on_face);
  void cut(int h, int front);
  // Lines of the grid: x for axis 0, y for axis 1.
  std::vector<double> coordinates(int axis) const;

  int vertices_{0};
  int rope_edges_{0};  // half-edges below this number, and their parts, belong to the rope
  std::vector<HalfEdge> edges_;
  std::vector<std::vector<int>> segments_;
};

int GridMap::add_edge(int from, int to, int direction) {
  const int h = static_cast<int>(edges_.size());
  edges_.push_back({from, direction, -1, -1});
  edges_.push_back({to, (direction + 2) % 4, -1, -1});
  return h;
}

void GridMap::link(int first, int second) {
  at(first).next = second;
  at(second).previous = first;
}

int GridMap::turn_after(int h) const {
  const int turn = (at(at(h).next).direction - at(h).direction + 4) % 4;
  return turn <= 1 ? turn : turn - 4;
}

GridMap::GridMap(const Diagram& diagram, int outer_face) {
  const std::vector<int> bends = fewest_bends(diagram, outer_face);
  const PData& data = diagram.data();
  std::vector<int> vertex_of(static_cast<std::size_t>(data.passages()) + 2);
  vertex_of.front() = add_vertex();
  for (int i = 1; i <= data.passages(); ++i) {
    vertex_of[static_cast<std::size_t>(i)] =
        data.other(i) < i ? vertex_of[static_cast<std::size_t>(data.other(i))] : add_vertex();
  }
  vertex_of.back() = add_vertex();

  // The first and the last half-edge along every dart.
  std::vector<int> first(static_cast<std::size_t>(diagram.darts())), last(first);
  int direction = 0;
  for (int s = 1; s <= data.segments(); ++s) {
    const int count = bends[static_cast<std::size_t>(s) - 1];
    std::vector<int>& path = segments_.emplace_back();
    path.push_back(vertex_of[static_cast<std::size_t>(s) - 1]);
    int before = -1;
    for (int k = 0; k <= std::abs(count); ++k) {
      const bool ends = k == std::abs(count);
      path.push_back(ends ? vertex_of[static_cast<std::size_t>(s)] : add_vertex());
      const int h = add_edge(path[path.size() - 2], path.back(), direction);
      if (before >= 0) {
        link(before, h);
        link(twin(h), twin(before));
      } else {
        first[static_cast<std::size_t>(Diagram::dart(s, true))] = h;
        last[static_cast<std::size_t>(Diagram::dart(s, false))] = twin(h);
      }
      before = h;
      if (!ends) direction = (direction + (count > 0 ? 1 : 3)) % 4;
    }
    last[static_cast<std::size_t>(Diagram::dart(s, true))] = before;
    first[static_cast<std::size_t>(Diagram::dart(s, false))] = twin(before);
  }
  for (int d = 0; d < diagram.darts(); ++d)
    link(last[static_cast<std::size_t>(d)], first[static_cast<std::size_t>(diagram.next_in_face(d))]);

  rope_edges_ = static_cast<int>(edges_.size());
  put_into_frame(first[static_cast<std::size_t>(diagram.face(outer_face).front())]);
  for (int f = 0; f < diagram.face_count(); ++f)
    cut_into_rectangles(first[static_cast<std::size_t>(diagram.face(f).front())]);
}

// A rectangle round everything, joined to a place from where nothing stands in the way.
void GridMap::put_into_frame(int on_outer_face) {
  // The turns round the outer face sum to -4: from the last half-edge at which the running sum is largest, the face never
  // turns back in front.
  int h = on_outer_face, sum = 0, largest = 0, chosen = h;
  do {
    sum += turn_after(h);
    h = at(h).next;
    if (sum >= largest && h != on_outer_face) {
      largest = sum;
      chosen = h;
    }
  } while (h != on_outer_face);
  if (sum != -4) throw std::logic_error("the outer face of a grid drawing must turn once to the right");
  int corner[4], side[4];
  for (int& c : corner) c = add_vertex();
  for (int k = 0; k < 4; ++k) side[k] = add_edge(corner[k], corner[(k + 1) % 4], k);
  for (int k = 0; k < 4; ++k) {
    link(side[k], side[(k + 1) % 4]);
    link(twin(side[(k + 1) % 4]), twin(side[k]));
  }
  cut(chosen, side[(at(chosen).direction + 1) % 4]);
}

// Continues h straight on until it meets `front`, which runs to the left across it.
void GridMap::cut(int h, int front) {
  const int middle = add_vertex(), after = at(h).next;
  const int across = twin(front);
  // front: origin -> middle stays, middle -> end is new.
  const int rest = add_edge(middle, at(across).origin, at(front).direction);
  const int front_next = at(front).next, across_previous = at(across).previous;
  link(rest, front_next == across ? twin(rest) : front_next);
  if (front_next != across) link(across_previous, twin(rest));
  link(twin(rest), across);
  at(across).origin = middle;
  const int straight = add_edge(at(after).origin, middle, at(h).direction);
  link(h, straight);
  link(straight, rest);
  link(front, twin(straight));
  link(twin(straight), after);
}

void GridMap::cut_into_rectangles(int on_face) {
  std::vector<int> faces{on_face};
  while (!faces.empty()) {
    const int start = faces.back();
    faces.pop_back();
    int h = start;
    while (turn_after(h) >= 0 && at(h).next != start) h = at(h).next;
    if (turn_after(h) >= 0) continue;
    int front = h, sum = 0;
    do {
      sum += turn_after(front);
      front = at(front).next;
    } while (sum != 1);
    cut(h, front);
    // The new edge leads along one part, its twin along the other.
    const int straight = at(h).next;
    faces.push_back(straight);
    faces.push_back(twin(straight));
  }
}

std::vector<double> GridMap::coordinates(int axis) const {
  // Vertices joined across the axis lie on one line.
  std::vector<int> line(static_cast<std::size_t>(vertices_));
  std::iota(line.begin(), line.end(), 0);
  const auto root = [&line](int v) {
    while (line[static_cast<std::size_t>(v)] != v) {
      int& up = line[static_cast<std::size_t>(v)];
      up = line[static_cast<std::size_t>(up)];
      v = up;
    }
    return v;
  };
  for (int h = 0; h < static_cast<int>(edges_.size()); ++h) {
    if (at(h).direction % 2 != axis)
      line[static_cast<std::size_t>(root(at(h).origin))] = root(at(twin(h)).origin);
  }
  std::vector<std::vector<int>> after(line.size());
  std::vector<int> waits(line.size(), 0);
  for (int h = 0; h < static_cast<int>(edges_.size()); ++h) {
    if (at(h).direction != axis) continue;
    const int from = root(at(h).origin), to = root(at(twin(h)).origin);
    after[static_cast<std::size_t>(from)].push_back(to);
    ++waits[static_cast<std::size_t>(to)];
  }
  std::vector<int> order;
  for (int v = 0; v < vertices_; ++v) {
    if (root(v) == v && waits[static_cast<std::size_t>(v)] == 0) order.push_back(v);
  }
  std::vector<int> early(line.size(), 0);
  for (std::size_t k = 0; k < order.size(); ++k) {
    for (const int to : after[static_cast<std::size_t>(order[k])]) {
      int& place = early[static_cast<std::size_t>(to)];
      place = std::max(place, early[static_cast<std::size_t>(order[k])] + 1);
      if (--waits[static_cast<std::size_t>(to)] == 0) order.push_back(to);
    }
  }
  // Each line in turn goes as far as it can to the side on which more of the rope's edges pull, which shortens the rope;
  // without a pull it goes halfway.
  struct Pull {
    double from_left{0}, from_right{0};
    std::vector<int> left, right;
  };
  std::vector<Pull> pulls(line.size());
  for (int h = 0; h < static_cast<int>(edges_.size()); ++h) {
    if (at(h).direction != axis) continue;
    const auto from = static_cast<std::size_t>(root(at(h).origin)),
               to = static_cast<std::size_t>(root(at(twin(h)).origin));
    pulls[from].right.push_back(static_cast<int>(to));
    pulls[to].left.push_back(static_cast<int>(from));
    if (h >= rope_edges_) continue;
    pulls[from].from_right += 1;
    pulls[to].from_left += 1;
  }
  std::vector<double> place(early.begin(), early.end());
  for (int sweep = 0; sweep < 8; ++sweep) {
    for (const int l : order) {
      const Pull& pull = pulls[static_cast<std::size_t>(l)];
      if (pull.left.empty() || pull.right.empty()) continue;
      double low = -1e9, high = 1e9;
      for (const int other : pull.left) low = std::max(low, place[static_cast<std::size_t>(other)] + 1);
      for (const int other : pull.right) high = std::min(high, place[static_cast<std::size_t>(other)] - 1);
      place[static_cast<std::size_t>(l)] = pull.from_left > pull.from_right   ? low
                                           : pull.from_left < pull.from_right ? high
                                                                              : 0.5 * (low + high);
    }
    std::reverse(order.begin(), order.end());
  }
  std::vector<double> coordinate;
  for (int v = 0; v < vertices_; ++v) coordinate.push_back(place[static_cast<std::size_t>(root(v))]);
  return coordinate;
}

PlaneRope GridMap::rope() const {
  const std::vector<double> x = coordinates(0), y = coordinates(1);
  PlaneRope rope;
  rope.segments = segments_;
  int drawn = 0;
  for (const std::vector<int>& path : segments_)
    drawn = std::max(drawn, *std::max_element(path.begin(), path.end()) + 1);
  for (std::size_t v = 0; v < static_cast<std::size_t>(drawn); ++v) rope.points.emplace_back(x[v], y[v]);
  return rope;
}

}  // namespace

PlaneRope draw_on_grid(const Diagram& diagram, int outer_face) { return GridMap(diagram, outer_face).rope(); }

PlaneRope with_cut_corners(const PlaneRope& grid) {
  PlaneRope cut;
  const auto add = [&cut](const Eigen::Vector2d& p) {
    cut.points.push_back(p);
    return static_cast<int>(cut.points.size()) - 1;
  };
  std::vector<int> number(grid.points.size(), -1);
  for (const std::vector<int>& segment : grid.segments) {
    std::vector<int>& points = cut.segments.emplace_back();
    for (std::size_t k = 0; k < segment.size(); ++k) {
      const auto i = static_cast<std::size_t>(segment[k]);
      const Eigen::Vector2d p = grid.points[i];
      if (k == 0 || k + 1 == segment.size()) {
        if (number[i] < 0) number[i] = add(p);
        points.push_back(number[i]);
        continue;
      }
      const Eigen::Vector2d back = (grid.points[static_cast<std::size_t>(segment[k - 1])] - p).normalized();
      const Eigen::Vector2d on = (grid.points[static_cast<std::size_t>(segment[k + 1])] - p).normalized();
      for (const double d : {0.45, 0.4}) points.push_back(add(p + d * back));
      for (const double d : {0.4, 0.45}) points.push_back(add(p + d * on));
    }
  }
  return cut;
}

}  // namespace prehend::knot
