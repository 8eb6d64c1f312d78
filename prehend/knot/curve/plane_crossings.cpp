#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <prehend/knot/curve/plane_crossings.h>
#include <prehend/math/house/plane_vectors.h>

namespace prehend::knot {
namespace {

using Eigen::Vector2d;

using math::cross;

double distance(const Vector2d& p, const PlaneSegment& s) {
  const Vector2d along = s.to - s.from;
  const double t = std::clamp((p - s.from).dot(along) / along.squaredNorm(), 0.0, 1.0);
  return (s.from + t * along - p).norm();
}

// A strand near a meeting: a vertex of the chain with what comes before and after, or the inside of a segment.
struct Strand {
  bool at_vertex{false};
  std::size_t index{0};  // vertex i lies between segments i - 1 and i; or the segment
  friend auto operator<=>(const Strand&, const Strand&) = default;
};

class CrossingSearch {
 public:
  CrossingSearch(const PlaneChain& chain, std::size_t max_crossings)
      : chain_(chain), segments_(chain.segments), max_crossings_(max_crossings) {}

  PlaneCrossings run() {
    for_each_close_pair(chain_, [this](std::size_t a, std::size_t b) {
      look_at(a, b);
      if (found_.crossings.size() > max_crossings_) {
        found_.problem = "the rope crosses itself more than " + std::to_string(max_crossings_) +
                         " times in this view; that is not a rope's recording";
      }
      return found_.problem.empty();
    });
    if (found_.problem.empty() && !meetings_.empty()) resolve_meetings();
    return std::move(found_);
  }

 private:
  void look_at(std::size_t a, std::size_t b) {
    const PlaneSegment &p = segments_[a], &q = segments_[b];
    const Vector2d u = p.to - p.from, v = q.to - q.from;
    if (b == a + 1) {
      if (u.dot(v) < 0 && (distance(q.to, p) <= chain_.tolerance || distance(p.from, q) <= chain_.tolerance))
        found_.problem =
            "the rope turns straight back on itself at point " + std::to_string(q.from_point + 1);
      return;
    }
    const double tolerance = chain_.tolerance, to_q = 1.0 / v.norm(), to_p = 1.0 / u.norm();
    const double p_from = cross(v, p.from - q.from) * to_q, p_to = cross(v, p.to - q.from) * to_q;
    const auto one_side = [tolerance](double x, double y) {
      return (x > tolerance && y > tolerance) || (x < -tolerance && y < -tolerance);
    };
    if (one_side(p_from, p_to)) return;
    const double q_from = cross(u, q.from - p.from) * to_p, q_to = cross(u, q.to - p.from) * to_p;
    if (one_side(q_from, q_to)) return;
    const double least = std::min({std::abs(p_from), std::abs(p_to), std::abs(q_from), std::abs(q_to)});
    if (least > tolerance) {
      const double t_a = p_from / (p_from - p_to), t_b = q_from / (q_from - q_to);
      const double height_a = p.from_height + t_a * (p.to_height - p.from_height);
      const double height_b = q.from_height + t_b * (q.to_height - q.from_height);
      // A flat crossing lies anywhere along its length within the tolerance; the heights vary with it.
      const double sine = std::abs(cross(u, v)) * to_p * to_q;
      const double slack_a = tolerance / sine * std::abs(p.to_height - p.from_height) * to_p;
      const double slack_b = tolerance / sine * std::abs(q.to_height - q.from_height) * to_q;
      found_.crossings.push_back({a, b, t_a, t_b, height_a - slack_a, height_a + slack_a, height_b - slack_b,
                                  height_b + slack_b, cross(u, v) > 0 ? 1 : -1});
      return;
    }
    note_meeting(a, b);
  }

  // An end of one segment may lie on the other.
  void note_meeting(std::size_t a, std::size_t b) {
    const PlaneSegment &p = segments_[a], &q = segments_[b];
    const double tolerance = chain_.tolerance;
    const std::array<bool, 2> p_near{distance(p.from, q) <= tolerance, distance(p.to, q) <= tolerance};
    const std::array<bool, 2> q_near{distance(q.from, p) <= tolerance, distance(q.to, p) <= tolerance};
    if (!p_near[0] && !p_near[1] && !q_near[0] && !q_near[1]) return;  // near the line, past the end
    if ((p_near[0] && p_near[1]) || (q_near[0] && q_near[1])) {
      found_.problem = "two strands lie along each other, at " + place_name(p) + " and " + place_name(q);
      return;
    }
    Strand first{false, a}, second{false, b};
    if (p_near[0] || p_near[1]) first = {true, p_near[0] ? a : a + 1};
    if (q_near[0] || q_near[1]) second = {true, q_near[0] ? b : b + 1};
    // A point within some tolerances of the other segment's end meets that end.
    if (first.at_vertex && !second.at_vertex) second = snapped(vertex(first.index), b);
    if (second.at_vertex && !first.at_vertex) first = snapped(vertex(second.index), a);
    if (first.at_vertex && second.at_vertex &&
        (vertex(first.index) - vertex(second.index)).norm() > 16 * tolerance) {
      found_.problem = "two strands lie along each other, at " + place_name(p) + " and " + place_name(q);
      return;
    }
    meetings_.insert({first, second});
  }

  Strand snapped(const Vector2d& point, std::size_t segment) const {
    for (const std::size_t end : {segment, segment + 1}) {
      if ((vertex(end) - point).norm() <= 16 * chain_.tolerance) return {true, end};
    }
    return {false, segment};
  }

  Vector2d vertex(std::size_t index) const {
    return index < segments_.size() ? segments_[index].from : segments_.back().to;
  }

  std::vector<std::size_t> segments_of(const Strand& strand) const {
    if (!strand.at_vertex) return {strand.index};
    return {strand.index - 1, strand.index};
  }

  std::string name(const Strand& strand) const {
    if (!strand.at_vertex) return place_name(segments_[strand.index]);
    const std::size_t point =
        strand.index < segments_.size() ? segments_[strand.index].from_point : segments_.back().to_point;
    return "point " + std::to_string(point + 1);
  }

  void resolve_meetings() {
    std::set<std::pair<std::size_t, std::size_t>> claimed;
    std::vector<PlaneCrossing> crossings;
    for (const auto& [first, second] : meetings_) {
      if (first == Strand{true, 0} && second == Strand{true, segments_.size()}) {
        found_.problem = "the rope's two ends lie on each other; a rope has a gap there";
        return;
      }
      for (const Strand& strand : {first, second}) {
        if (strand.at_vertex && (strand.index == 0 || strand.index == segments_.size())) {
          found_.problem = std::string("the rope's ") + (strand.index == 0 ? "first" : "last") +
                           " end lies on a strand, at " + name(strand == first ? second : first);
          return;
        }
      }
      const std::vector<std::size_t> near_first = segments_of(first), near_second = segments_of(second);
      for (const std::size_t a : near_first) {
        for (const std::size_t b : near_second) {
          if (!claimed.insert({a, b}).second) {
            found_.problem = "strands meet more than once around " + name(first) + " and " + name(second);
            return;
          }
        }
      }
      if (near_first.back() + 1 >= near_second.front()) {
        found_.problem = "the rope turns straight back on itself at " + name(second);
        return;
      }
      const int turn = turn_through(near_first, near_second);
      if (turn == 0) {
        found_.problem = "strands touch without clearly crossing at " + name(first) + " and " + name(second);
        return;
      }
      crossings.push_back(crossing_at(first, second, turn));
    }
    std::erase_if(found_.crossings, [&](const PlaneCrossing& c) { return claimed.contains({c.a, c.b}); });
    found_.crossings.insert(found_.crossings.end(), crossings.begin(), crossings.end());
  }

  // +1 or -1 when the second strand passes from one side of the first to the other (to the left: +1), else 0.
  int turn_through(const std::vector<std::size_t>& near_first,
                   const std::vector<std::size_t>& near_second) const {
    const Vector2d back = segments_[near_first.front()].from, ahead = segments_[near_first.back()].to;
    const Vector2d in = segments_[near_second.front()].from, out = segments_[near_second.back()].to;
    // All four must be clear of the other strand, or their sides mean nothing.
    for (const std::size_t s : near_second) {
      if (std::min(distance(back, segments_[s]), distance(ahead, segments_[s])) <= chain_.tolerance) return 0;
    }
    for (const std::size_t s : near_first) {
      if (std::min(distance(in, segments_[s]), distance(out, segments_[s])) <= chain_.tolerance) return 0;
    }
    // Where all pieces of the one strand cross all pieces of the other in the same sense, the strands cross exactly once,
    // wherever within the tolerance the points lie; corners that meet may cross once or three times.
    int turn = 0;
    for (const std::size_t a : near_first) {
      for (const std::size_t b : near_second) {
        const double sense = cross(segments_[a].to - segments_[a].from, segments_[b].to - segments_[b].from);
        const int sign = sense > 0 ? 1 : -1;
        if (sense == 0 || sign == -turn) return 0;
        turn = sign;
      }
    }
    return turn;
  }

  PlaneCrossing crossing_at(const Strand& first, const Strand& second, int turn) const {
    const Vector2d centre = first.at_vertex ? vertex(first.index) : vertex(second.index);
    PlaneCrossing crossing;
    crossing.turn = turn;
    const auto place = [&](const Strand& strand, std::size_t& segment, double& t, double& low, double& high) {
      segment = strand.index;
      const PlaneSegment& s = segments_[segment];
      if (strand.at_vertex) {
        t = 0.0;
        low = std::min(s.from_height, segments_[segment - 1].to_height);
        high = std::max(s.from_height, segments_[segment - 1].to_height);
      } else {
        const Vector2d along = s.to - s.from;
        t = std::clamp((centre - s.from).dot(along) / along.squaredNorm(), 0.0, 1.0);
        low = high = s.from_height + t * (s.to_height - s.from_height);
      }
    };
    place(first, crossing.a, crossing.t_a, crossing.low_a, crossing.high_a);
    place(second, crossing.b, crossing.t_b, crossing.low_b, crossing.high_b);
    return crossing;
  }

  const PlaneChain& chain_;
  const std::vector<PlaneSegment>& segments_;
  std::size_t max_crossings_;
  PlaneCrossings found_;
  std::set<std::pair<Strand, Strand>> meetings_;
};

}  // namespace

std::string place_name(const PlaneSegment& segment) {
  return "points " + std::to_string(segment.from_point + 1) + " to " + std::to_string(segment.to_point + 1);
}

PlaneCrossings find_plane_crossings(const PlaneChain& chain, std::size_t max_crossings) {
  return CrossingSearch(chain, max_crossings).run();
}

}  // namespace prehend::knot
