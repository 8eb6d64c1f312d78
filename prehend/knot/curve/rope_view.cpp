#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Geometry>

#include <prehend/knot/curve/plane_crossings.h>
#include <prehend/knot/curve/rope_view.h>
#include <prehend/math/number_text.h>
#include <prehend/math/so3.h>

namespace prehend::knot {
namespace {

using Eigen::Vector3d;

// How far a smooth rope through the points may lie from the segment [m]; 0 where the points make a corner.
double bulge(const Rope& rope, const PlaneSegment& segment) {
  constexpr double kCorner = 0.5;  // [rad] as ProjectionOptions::bulge_fraction says
  double most = 0.0;
  for (const std::size_t i : {segment.from_point, segment.to_point}) {
    if (rope.turn[i] > kCorner) return 0.0;
    // A turn is spread over the shorter step: a long straight piece beside a bend does not bulge along all its length.
    most = std::max(most, rope.turn[i] * rope.reach[i] / 8);
  }
  return most;
}

struct Passage {
  std::size_t segment{0};
  double t{0};
  std::size_t crossing{0};
  bool is_a{false};
};

class View {
 public:
  View(const Rope& rope, const Vector3d& view_W, const ProjectionOptions& options)
      : rope_(rope),
        options_(options),
        chain_(make_plane_chain(rope.points_W, view_rotation(view_W), options.plane_tolerance * rope.size)) {
    result_.view_W = view_W;
    result_.length = rope.s.back();
  }

  ProjectionResult project() {
    PlaneCrossings found = find_plane_crossings(chain_, static_cast<std::size_t>(options_.max_crossings));
    crossings_ = std::move(found.crossings);
    if (crossings_.size() > static_cast<std::size_t>(options_.max_crossings))
      return fail(ProjectionStatus::no_rope, found.problem);
    if (!found.problem.empty()) return fail(ProjectionStatus::degenerate_view, found.problem);
    if (!heights_are_clear() || !sort_passages()) return result_;
    note_jumps();
    write_code();
    if (const std::string problem = find_problem(result_.p_data); !problem.empty())
      return fail(ProjectionStatus::degenerate_view, "the crossings do not fit together: " + problem);
    result_.status = ProjectionStatus::ok;
    return result_;
  }

 private:
  ProjectionResult& fail(ProjectionStatus status, const std::string& reason) {
    result_.status = status;
    result_.reason = reason;
    result_.p_data = {};
    result_.crossings.clear();
    return result_;
  }

  bool heights_are_clear() {
    int doubtful = 0;
    for (const PlaneCrossing& c : crossings_) {
      const PlaneSegment &p = chain_.segments[c.a], &q = chain_.segments[c.b];
      const double gap = std::max(c.low_a - c.high_b, c.low_b - c.high_a);
      const auto strands = [&] { return "the strands at " + place_name(p) + " and " + place_name(q); };
      if (gap <= options_.height_tolerance * rope_.size) {
        fail(ProjectionStatus::touching,
             strands() + " touch: at their crossing the heights differ by " + math::number_text(gap) + " m");
        return false;
      }
      const double bulges = bulge(rope_, p) + bulge(rope_, q);
      if (gap < options_.bulge_fraction * bulges) {
        fail(ProjectionStatus::too_coarse, "which strand is over is not clear at " + place_name(p) + " and " +
                                               place_name(q) + ": their heights differ by " +
                                               math::number_text(gap) +
                                               " m, but between its points the rope may lie " +
                                               math::number_text(bulges) + " m off; sample it more densely");
        return false;
      }
      if (gap < bulges) ++doubtful;
    }
    if (doubtful > 0) {
      result_.notes.push_back("at " + std::to_string(doubtful) +
                              (doubtful == 1 ? " crossing" : " crossings") +
                              " the heights differ by less than the rope may bulge between its points; "
                              "denser points would make it sure");
    }
    return true;
  }

  void note_jumps() {
    int jumps = 0;
    for (std::size_t i = 1; i < chain_.segments.size(); ++i) {
      const double jump = chain_.segments[i].from_height - chain_.segments[i - 1].to_height;
      jumps += std::abs(jump) > options_.height_tolerance * rope_.size;
    }
    if (jumps == 0) return;
    result_.notes.push_back(std::to_string(jumps) + (jumps == 1 ? " piece runs" : " pieces run") +
                            " along the looking direction; a view beside it may show a small loop there");
  }

  bool sort_passages() {
    for (std::size_t i = 0; i < crossings_.size(); ++i) {
      passages_.push_back({crossings_[i].a, crossings_[i].t_a, i, true});
      passages_.push_back({crossings_[i].b, crossings_[i].t_b, i, false});
    }
    std::sort(passages_.begin(), passages_.end(), [](const Passage& x, const Passage& y) {
      return x.segment != y.segment ? x.segment < y.segment : x.t < y.t;
    });
    for (std::size_t i = 1; i < passages_.size(); ++i) {
      const Passage &x = passages_[i - 1], &y = passages_[i];
      if (position(y) - position(x) > 4 * chain_.tolerance) continue;
      const PlaneCrossing &c = crossings_[x.crossing], &d = crossings_[y.crossing];
      fail(ProjectionStatus::degenerate_view, "two crossings fall together at " +
                                                  place_name(chain_.segments[y.segment]) + ", with " +
                                                  place_name(chain_.segments[x.is_a ? c.b : c.a]) + " and " +
                                                  place_name(chain_.segments[y.is_a ? d.b : d.a]));
      return false;
    }
    return true;
  }

  double position(const Passage& passage) const {
    const PlaneSegment& s = chain_.segments[passage.segment];
    return chain_.start[passage.segment] + passage.t * (s.to - s.from).norm();
  }

  void write_code() {
    std::vector<std::array<int, 2>> number(crossings_.size());  // of the passages along a and b
    for (std::size_t i = 0; i < passages_.size(); ++i)
      number[passages_[i].crossing][passages_[i].is_a ? 0 : 1] = static_cast<int>(i) + 1;
    for (const Passage& passage : passages_) {
      const PlaneCrossing& c = crossings_[passage.crossing];
      const bool a_over = c.low_a > c.high_b;
      const int sign = a_over ? c.turn : -c.turn;  // of over x under
      const auto [number_a, number_b] = number[passage.crossing];
      result_.p_data.sigma.push_back(passage.is_a ? number_b : number_a);
      result_.p_data.attr.push_back(attribute_of(passage.is_a == a_over, sign));
      if (!passage.is_a) continue;  // the earlier of the two
      RopeCrossing crossing;
      crossing.over_passage = a_over ? number_a : number_b;
      crossing.under_passage = a_over ? number_b : number_a;
      crossing.sign = sign;
      const PlaneSegment& p = chain_.segments[c.a];
      crossing.p_V = p.from + c.t_a * (p.to - p.from);
      on_rope(a_over ? c.a : c.b, a_over ? c.t_a : c.t_b, crossing.p_over_W, crossing.s_over);
      on_rope(a_over ? c.b : c.a, a_over ? c.t_b : c.t_a, crossing.p_under_W, crossing.s_under);
      result_.crossings.push_back(crossing);
    }
  }

  void on_rope(std::size_t segment, double t, Vector3d& p_W, double& s) const {
    const std::size_t from = chain_.segments[segment].from_point, to = chain_.segments[segment].to_point;
    p_W = rope_.points_W[from] + t * (rope_.points_W[to] - rope_.points_W[from]);
    s = rope_.s[from] + t * (rope_.s[to] - rope_.s[from]);
  }

  const Rope& rope_;
  const ProjectionOptions& options_;
  PlaneChain chain_;
  std::vector<PlaneCrossing> crossings_;
  std::vector<Passage> passages_;
  ProjectionResult result_;
};

}  // namespace

Rope make_rope(std::span<const Vector3d> points_W, double tolerance) {
  Rope rope;
  rope.points_W = points_W;
  Vector3d low = points_W[0], high = points_W[0];
  for (const Vector3d& p : points_W) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  rope.size = (high - low).norm();
  const std::size_t n = points_W.size();
  rope.s.assign(n, 0.0);
  rope.turn.assign(n, 0.0);
  rope.reach.assign(n, 0.0);
  Vector3d before = Vector3d::Zero();  // the last step
  std::size_t run = 0, repeated = 0;   // where the points that repeat each other begin
  for (std::size_t i = 1; i < n; ++i) {
    const Vector3d step = points_W[i] - points_W[run];
    if (step.norm() <= tolerance * rope.size) {
      rope.s[i] = rope.s[run];
      ++repeated;
      continue;
    }
    rope.s[i] = rope.s[run] + step.norm();
    if (run > 0) {
      const double turn = std::atan2(before.cross(step).norm(), before.dot(step));
      for (std::size_t k = run; k < i; ++k) {
        rope.turn[k] = turn;
        rope.reach[k] = std::min(before.norm(), step.norm());
      }
    }
    before = step;
    run = i;
  }
  if (repeated > 0) {
    rope.notes.push_back(std::to_string(repeated) +
                         (repeated == 1 ? " point repeats the one before it and is left out"
                                        : " points repeat the ones before them and are left out"));
  }
  return rope;
}

Eigen::Matrix3d view_rotation(const Vector3d& view_W) {
  return math::rotation_between(-view_W, Vector3d::UnitZ()).toRotationMatrix();
}

ProjectionResult project_along(const Rope& rope, const Vector3d& view_W, const ProjectionOptions& options) {
  if (rope.size > 0) return View(rope, view_W, options).project();
  ProjectionResult result;
  result.status = ProjectionStatus::no_rope;
  result.reason = "all points of the rope are the same";
  result.view_W = view_W;
  return result;
}

}  // namespace prehend::knot
