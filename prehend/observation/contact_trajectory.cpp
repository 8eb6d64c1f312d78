#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include <Eigen/Geometry>

#include <prehend/math/enum_text.h>
#include <prehend/math/se3.h>
#include <prehend/math/so3.h>
#include <prehend/observation/contact_trajectory.h>
#include <prehend/observation/relations/least_motion.h>

namespace prehend::observation {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using RowList = std::vector<ContactRow>;

// [m] The relation that is kept holds to this.
constexpr double kKept = 1e-9;

double open_rows(const RowList& rows, const math::Pose& X) {
  double open = 0.0;
  for (const ContactRow& row : rows) open = std::max(open, std::abs(evaluate(row, X.R(), X.p(), X.p()).gap));
  return open;
}

// [m] Equations that follow from others are left out: they are open by the meshes' rounding.
double open_independent(const RowList& rows, const math::Pose& X, double size) {
  std::vector<RowVector6d> slopes;
  std::vector<double> gaps;
  for (const ContactRow& row : rows) {
    RowValue value = evaluate(row, X.R(), X.p(), X.p());
    value.slope.head<3>() /= size;
    slopes.push_back(value.slope);
    gaps.push_back(value.gap);
  }
  const ShortestStep step = shortest_step(slopes, gaps);
  double worst = 0.0;
  for (int k = 0; k < step.rank; ++k)
    worst = std::max(worst, std::abs(gaps[static_cast<std::size_t>(step.used[static_cast<std::size_t>(k)])]));
  return worst;
}

// The nearest place with this orientation at which the rows hold; the equations are linear then.
math::Pose shifted_onto(const RowList& rows, const math::Pose& X) {
  std::vector<RowVector6d> slopes;
  std::vector<double> wanted;
  for (const ContactRow& row : rows) {
    RowValue value = evaluate(row, X.R(), X.p(), X.p());
    value.slope.head<3>().setZero();
    slopes.push_back(value.slope);
    wanted.push_back(-value.gap);
  }
  return math::Pose(X.q(), X.p() + shortest_step(slopes, wanted).x.tail<3>());
}

struct TurnStep {
  Vector3d vector;  // axis times angle
};

// One turn from a to b; two where only an edge and a plane are kept.
std::vector<TurnStep> turns_between(const BodyPair& pair, const PrincipalContacts& kept, const math::Pose& a,
                                    const math::Pose& b) {
  const Quaterniond whole = b.q() * a.q().conjugate();
  if (kept.size() != 1) return {{math::log_so3(whole)}};
  const PrincipalContact& contact = kept[0];
  const bool is_edge_face =
      contact.moving.kind == FeatureKind::edge && contact.fixed.kind == FeatureKind::face;
  const bool is_face_edge =
      contact.moving.kind == FeatureKind::face && contact.fixed.kind == FeatureKind::edge;
  if (!is_edge_face && !is_face_edge) return {{math::log_so3(whole)}};
  const BodyFeatures &m = pair.features().moving, &f = pair.features().fixed;
  const auto direction = [](const BodyFeatures& body, int e) -> Vector3d {
    const EdgeFeature& edge = body.edges[static_cast<std::size_t>(e)];
    return (body.corners[static_cast<std::size_t>(edge.end)] -
            body.corners[static_cast<std::size_t>(edge.start)])
        .normalized();
  };
  const auto angle_about = [](const Vector3d& axis, const Vector3d& from, const Vector3d& to) {
    return std::atan2(axis.dot(from.cross(to)), from.dot(to));
  };
  if (is_edge_face) {  // R(n, alpha) R(l, beta)
    const Vector3d n = f.faces[static_cast<std::size_t>(contact.fixed.index)].normal;
    const Vector3d l_M = direction(m, contact.moving.index);
    const double alpha = angle_about(n, a.q() * l_M, b.q() * l_M);
    const Vector3d about_edge = math::log_so3(math::exp_so3(-alpha * n) * whole);
    return {{about_edge}, {alpha * n}};
  }
  // R(l, alpha) R(n, beta): the edge stands still, the plane's normal turns about it.
  const Vector3d l = direction(f, contact.fixed.index);
  const Vector3d n_M = m.faces[static_cast<std::size_t>(contact.moving.index)].normal;
  const double alpha = angle_about(l, a.q() * n_M, b.q() * n_M);
  const Vector3d about_normal = math::log_so3(math::exp_so3(-alpha * l) * whole);
  return {{about_normal}, {alpha * l}};
}

enum class Order { turn_first, shift_first, together };

class PathMaker {
 public:
  PathMaker(const BodyPair& pair, const PrincipalContacts& kept, const math::Pose& start,
            const math::Pose& end)
      : pair_(pair),
        kept_(kept),
        rows_(rows_of(pair.features(), kept)),
        start_(start),
        end_(end),
        turns_(turns_between(pair, kept, start, end)) {}

  int turn_count() const {
    return static_cast<int>(std::count_if(turns_.begin(), turns_.end(),
                                          [](const TurnStep& turn) { return turn.vector.norm() > 1e-9; }));
  }
  double turn_angle() const {
    double sum = 0.0;
    for (const TurnStep& turn : turns_) sum += turn.vector.norm();
    return sum;
  }

  // Empty where the bodies overlap or the relation is lost on the way, also between the poses that were asked for.
  std::vector<math::Pose> make(Order order, int count) const {
    const math::Pose turned = end_of_turn();
    const math::Pose before = order == Order::shift_first ? start_of_turn() : start_;
    const double shift =
        order == Order::shift_first ? (before.p() - start_.p()).norm() : (end_.p() - turned.p()).norm();
    const double turn = turn_angle() * 0.5 * pair_.size();
    const double share = shift + turn > 0.0 ? turn / (shift + turn) : 0.0;
    // A path of a body's size or two is looked at every one or two hundredths of it.
    constexpr int kLooks = 100;
    const int between = (kLooks + count - 2) / (count - 1), last = between * (count - 1);
    std::vector<math::Pose> path;
    for (int i = 0; i <= last; ++i) {
      const double s = static_cast<double>(i) / last;
      math::Pose X = i == 0 ? start_ : i == last ? end_ : at(order, s, share, before, turned);
      if (open_rows(rows_, X) > kKept) {
        // Two turns at once bend away from the relation: the least motion back.
        CorrectionOptions options;
        options.noise = {pair_.size(), 1.0};
        const Correction back = solve_least(rows_, X, options, 1e-6 * pair_.size());
        if (i != 0 && i != last) {
          if (back.status != CorrectionStatus::ok) return {};
          X = back.X_FM;
        }
      }
      if (pair_.overlaps(X, pair_.overlap_tolerance())) return {};
      if (i % between == 0) path.push_back(X);
    }
    return path;
  }

  double open(const std::vector<math::Pose>& path) const {
    double worst = 0.0;
    for (const math::Pose& X : path) worst = std::max(worst, open_independent(rows_, X, pair_.size()));
    return worst;
  }

 private:
  Quaterniond orientation(double s) const {
    Quaterniond q = start_.q();
    const double whole = turn_angle();
    double done = 0.0;
    for (const TurnStep& turn : turns_) {
      const double length = turn.vector.norm();
      if (!(length > 0.0)) continue;
      const double part = std::clamp((s * whole - done) / length, 0.0, 1.0);
      q = math::exp_so3(part * turn.vector) * q;
      done += length;
    }
    return q.normalized();
  }

  // Along the turn from the start: small steps, each to the nearest place that keeps the relation.
  math::Pose along_turn(const math::Pose& from, double s) const {
    math::Pose X = from;
    const int steps = 1 + static_cast<int>(std::ceil(40.0 * s));
    for (int i = 1; i <= steps; ++i) X = shifted_onto(rows_, math::Pose(orientation(s * i / steps), X.p()));
    return X;
  }
  math::Pose end_of_turn() const { return along_turn(start_, 1.0); }
  // Where the turn has to begin to end at the end.
  math::Pose start_of_turn() const {
    math::Pose X = end_;
    constexpr int kSteps = 40;
    for (int i = kSteps - 1; i >= 0; --i)
      X = shifted_onto(rows_, math::Pose(orientation(static_cast<double>(i) / kSteps), X.p()));
    return X;
  }

  math::Pose at(Order order, double s, double share, const math::Pose& before,
                const math::Pose& turned) const {
    if (order == Order::together)
      return shifted_onto(rows_, math::Pose(orientation(s), (1.0 - s) * start_.p() + s * end_.p()));
    if (order == Order::turn_first) {
      if (s < share) return along_turn(start_, s / share);
      const double t = (s - share) / (1.0 - share);
      return shifted_onto(rows_, math::Pose(end_.q(), (1.0 - t) * turned.p() + t * end_.p()));
    }
    if (s <= 1.0 - share) {
      const double t = s / (1.0 - share);
      return shifted_onto(rows_, math::Pose(start_.q(), (1.0 - t) * start_.p() + t * before.p()));
    }
    return along_turn(before, (s - (1.0 - share)) / share);
  }

  const BodyPair& pair_;
  PrincipalContacts kept_;
  RowList rows_;
  math::Pose start_, end_;
  std::vector<TurnStep> turns_;
};

// The least turn, then the least shift, onto the relation; none where that leaves its faces or overlaps.
std::optional<math::Pose> least_end(const BodyPair& pair, const RelationPose& wanted,
                                    const math::Pose& start) {
  CorrectionOptions options;
  options.method = CorrectionMethod::linear;
  const Correction end = correct_pose(pair, wanted.contacts, start, options);
  if (end.status != CorrectionStatus::ok) return std::nullopt;
  return end.X_FM;
}

}  // namespace

const char* to_string(TrajectoryStatus status) { return enum_text(status); }

ContactTrajectory plan_trajectory(const BodyPair& pair, const RelationPose& from, const RelationPose& to,
                                  int count) {
  if (count < 2) throw std::invalid_argument("a trajectory needs at least 2 poses, both ends included");
  const auto restricted = [&](const RelationPose& relation) {
    CorrectionOptions options;
    options.noise = {pair.size(), 1.0};
    return relation.contacts.empty() ? 0
                                     : solve_least(rows_of(pair.features(), relation.contacts), relation.X_FM,
                                                   options, 1e-6 * pair.size())
                                           .restricted;
  };
  const bool is_backwards = restricted(from) > restricted(to);
  RelationPose kept = is_backwards ? to : from;
  const RelationPose& wanted = is_backwards ? from : to;
  const RowList kept_rows = rows_of(pair.features(), kept.contacts),
                wanted_rows = rows_of(pair.features(), wanted.contacts);
  ContactTrajectory result;
  std::string start_note;
  if (open_independent(kept_rows, kept.X_FM, pair.size()) > kKept) {
    CorrectionOptions options;
    options.noise = {pair.size(), 1.0};
    const Correction onto = solve_least(kept_rows, kept.X_FM, options, 1e-6 * pair.size());
    if (onto.status != CorrectionStatus::ok) {
      result.note = "no path: no pose near the given one meets the relation that is to be kept";
      return result;
    }
    kept.X_FM = onto.X_FM;
    start_note =
        "the given pose of the relation that is kept does not meet it: the nearest one that does was taken";
  }
  std::vector<math::Pose> ends;
  if (const auto end = least_end(pair, wanted, kept.X_FM)) ends.push_back(*end);
  ends.push_back(wanted.X_FM);
  const double tolerance = pair.touch_tolerance();
  for (std::size_t e = 0; e < ends.size(); ++e) {
    const bool keeps = std::all_of(
        kept.contacts.begin(), kept.contacts.end(),
        [&](const PrincipalContact& contact) { return pair.touches(contact, ends[e], tolerance); });
    if (!keeps || open_independent(wanted_rows, ends[e], pair.size()) > kKept) continue;
    const PathMaker maker(pair, kept.contacts, kept.X_FM, ends[e]);
    result.status = TrajectoryStatus::overlapping;
    for (const Order order : {Order::turn_first, Order::shift_first, Order::together}) {
      std::vector<math::Pose> path = maker.make(order, count);
      if (path.empty()) continue;
      result.status = TrajectoryStatus::ok;
      result.kept_m = maker.open(path);
      result.turn_rad = maker.turn_angle();
      result.turns = maker.turn_count();
      result.shift_m = (path.back().p() - path.front().p()).norm();
      result.note = start_note;
      const auto add_note = [&](const char* text) {
        result.note += (result.note.empty() ? "" : "; ") + std::string(text);
      };
      if (ends.size() == 1 || e > 0)
        add_note("ends at the observed pose: the least motion leaves a face or overlaps");
      if (order == Order::shift_first)
        add_note("the shift comes before the turn: the other way the bodies overlap");
      if (order == Order::together)
        add_note("turn and shift go together: one after the other the bodies overlap");
      if (is_backwards) std::reverse(path.begin(), path.end());
      result.X_FM = std::move(path);
      return result;
    }
  }
  result.note = result.status == TrajectoryStatus::no_end
                    ? "no path: no pose near meets both relations"
                    : "no path of a turn and a shift keeps the relation without overlap";
  return result;
}

}  // namespace prehend::observation
