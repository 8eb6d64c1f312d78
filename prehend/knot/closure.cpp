#include <algorithm>
#include <deque>
#include <stdexcept>

#include <prehend/knot/closure.h>
#include <prehend/knot/diagram.h>

namespace prehend::knot {
namespace {

int first_end_face(const Diagram& diagram) { return diagram.face_of(Diagram::dart(1, true)); }
int last_end_face(const Diagram& diagram) {
  return diagram.face_of(Diagram::dart(diagram.data().segments(), true));
}

void check_way(const Diagram& diagram, std::span<const int> way) {
  int face = last_end_face(diagram);
  std::vector<bool> crossed(static_cast<std::size_t>(diagram.data().segments()) + 1, false);
  for (const int dart : way) {
    if (dart < 0 || dart >= diagram.darts()) {
      throw std::invalid_argument("the closing arc crosses dart " + std::to_string(dart) + "; there are " +
                                  std::to_string(diagram.darts()));
    }
    const int segment = Diagram::segment_of(dart);
    if (crossed[static_cast<std::size_t>(segment)])
      throw std::invalid_argument("the closing arc crosses segment " + std::to_string(segment) + " twice");
    crossed[static_cast<std::size_t>(segment)] = true;
    if (diagram.face_of(dart) != face) {
      throw std::invalid_argument("the closing arc is not in the face left of dart " + std::to_string(dart) +
                                  " when it should cross it");
    }
    face = diagram.face_of(Diagram::reversed(dart));
  }
  if (face != first_end_face(diagram))
    throw std::invalid_argument("the closing arc does not reach the rope's first end");
}

}  // namespace

std::vector<int> closing_way(const PData& data) {
  const Diagram diagram(data);
  const int start = last_end_face(diagram), goal = first_end_face(diagram);
  // The dart through which each face was first entered.
  std::vector<int> entered(static_cast<std::size_t>(diagram.face_count()), -1);
  std::deque<int> open{start};
  while (!open.empty() && (goal != start && entered[static_cast<std::size_t>(goal)] < 0)) {
    const int face = open.front();
    open.pop_front();
    for (const int dart : diagram.face(face)) {
      const int beyond = diagram.face_of(Diagram::reversed(dart));
      if (beyond == start || entered[static_cast<std::size_t>(beyond)] >= 0) continue;
      entered[static_cast<std::size_t>(beyond)] = dart;
      open.push_back(beyond);
    }
  }
  std::vector<int> way;
  for (int face = goal; face != start; face = diagram.face_of(way.back()))
    way.push_back(entered[static_cast<std::size_t>(face)]);
  std::reverse(way.begin(), way.end());
  return way;
}

ClosedDiagram closed_along(const PData& data, std::span<const int> way, bool over) {
  check_way(Diagram(data), way);
  const int n = data.passages(), k = static_cast<int>(way.size());
  // place[s]: which of the arc's crossings lies on segment s, from 1; 0: none.
  std::vector<int> place(static_cast<std::size_t>(n) + 2, 0);
  for (int i = 0; i < k; ++i)
    place[static_cast<std::size_t>(Diagram::segment_of(way[static_cast<std::size_t>(i)]))] = i + 1;

  ClosedDiagram closed;
  closed.loop.sigma.resize(static_cast<std::size_t>(n + 2 * k));
  closed.loop.attr.resize(static_cast<std::size_t>(n + 2 * k));
  const auto set = [&closed](int passage, int other, int attr) {
    closed.loop.sigma[static_cast<std::size_t>(passage) - 1] = other;
    closed.loop.attr[static_cast<std::size_t>(passage) - 1] = attr;
  };
  std::vector<int> number(static_cast<std::size_t>(n) + 1, 0);  // of the old passages
  int next = 1;
  for (int s = 1; s <= n + 1; ++s) {
    if (const int crossing = place[static_cast<std::size_t>(s)]; crossing > 0) {
      const int arc = n + k + crossing;
      // From left to right of the rope's own direction: plus for an arc over the rope, minus for one under it.
      const bool to_the_right = Diagram::is_forward(way[static_cast<std::size_t>(crossing) - 1]);
      const int sign = to_the_right == over ? 1 : -1;
      set(next, arc, attribute_of(!over, sign));
      set(arc, next, attribute_of(over, sign));
      ++next;
    }
    if (s <= n) number[static_cast<std::size_t>(s)] = next++;
  }
  for (int i = 1; i <= n; ++i) {
    set(number[static_cast<std::size_t>(i)], number[static_cast<std::size_t>(data.other(i))],
        data.attribute(i));
  }
  return closed;
}

ClosedDiagram closed_over(const PData& data) { return closed_along(data, closing_way(data), true); }
ClosedDiagram closed_under(const PData& data) { return closed_along(data, closing_way(data), false); }

std::string find_problem(const ClosedDiagram& diagram) {
  if (std::string problem = find_problem(diagram.loop); !problem.empty()) return problem;
  const Diagram cut(diagram.loop);
  if (first_end_face(cut) != last_end_face(cut)) {
    return "no closed drawing in the plane has this code: cut open, its two ends lie in different faces";
  }
  return "";
}

PData opened(const ClosedDiagram& diagram, int segment) {
  const int n = diagram.passages();
  if (segment < 1 || segment > std::max(n, 1)) {
    throw std::invalid_argument("cannot cut segment " + std::to_string(segment) +
                                "; the loop has segments 1 to " + std::to_string(std::max(n, 1)));
  }
  PData rope;
  for (int i = 0; i < n; ++i) {
    const int passage = (segment - 1 + i) % n + 1;
    rope.sigma.push_back((diagram.loop.other(passage) - segment + n) % n + 1);
    rope.attr.push_back(diagram.loop.attribute(passage));
  }
  return rope;
}

ClosedDiagram rotated(const ClosedDiagram& diagram, int segment) { return {opened(diagram, segment)}; }
ClosedDiagram reversed(const ClosedDiagram& diagram) { return {swapped_ends(diagram.loop)}; }
ClosedDiagram mirrored(const ClosedDiagram& diagram) { return {mirrored(diagram.loop)}; }

}  // namespace prehend::knot
