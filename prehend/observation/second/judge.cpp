#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <Eigen/Core>

#include <prehend/observation/second/judge.h>
#include <prehend/observation/second/least_motion.h>

namespace prehend::observation {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using math::Vector6d;

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
// [of the terms] A distance below this part of the terms it is the sum of is zero: files with six digits.
constexpr double kZeroDistance = kConeTolerance;

// A plane that first order leaves closed.
struct ClosedPlane {
  int plane{0};
  Vector6d row;
  double h{0.0};
  double slack{0.0};  // how far below zero still counts as zero
};

// A point that first order leaves closed: one of these must not be negative.
struct ClosedPoint {
  int contact{0}, point{0};
  std::vector<ClosedPlane> planes;
};

struct ClosedContacts {
  std::vector<ClosedPoint> points;
  bool all_planes_closed{true};         // to first order
  bool all_planes_bounded{true};        // no plane with h infinite
  const JudgedPoint* crossed{nullptr};  // to first order: illegal
  const JudgedPoint* falls{nullptr};    // h is -infinity on all planes: illegal
};

ClosedContacts closed_contacts(const PreparedContacts& contacts, const Vector6d& screw,
                               std::vector<double>& coefficients) {
  ClosedContacts closed;
  coefficients.assign(static_cast<std::size_t>(contacts.contact_count), kUnbounded);
  for (const JudgedPoint& point : contacts.points) {
    ClosedPoint here{point.contact, point.point, {}};
    double best = -kUnbounded, largest = -kUnbounded;
    bool all_fall = true;
    for (std::size_t k = 0; k < point.pieces.size(); ++k) {
      const ContactPiece& piece = point.pieces[k];
      const Vector6d row = piece.row();
      const double rate = row.dot(screw);
      largest = std::max(largest, rate);
      const Gap gap = gap_of(piece, screw);
      best = std::max(best, gap.h);
      if (std::abs(rate) > kConeTolerance) {
        closed.all_planes_closed = false;
        continue;
      }
      if (std::abs(gap.h) == kUnbounded) closed.all_planes_bounded = false;
      all_fall = all_fall && gap.h == -kUnbounded;
      if (gap.h > -kUnbounded)
        here.planes.push_back({static_cast<int>(k), row, gap.h, kZeroDistance * std::max(gap.size, 1e-3)});
    }
    double& coefficient = coefficients[static_cast<std::size_t>(point.contact)];
    coefficient = std::min(coefficient, best);
    if (largest > kConeTolerance) continue;
    if (largest < -kConeTolerance) {
      if (closed.crossed == nullptr) closed.crossed = &point;
    } else if (all_fall) {
      if (closed.falls == nullptr) closed.falls = &point;
    } else if (std::none_of(here.planes.begin(), here.planes.end(),
                            [](const ClosedPlane& plane) { return plane.h == kUnbounded; })) {
      closed.points.push_back(std::move(here));
    }
  }
  return closed;
}

// [s3, s4] that keeps every plane at zero: rows in order of what they add to the span, as far as the rank tolerance of first order
// goes; the others must follow.
std::optional<VectorXd> keeping_motion(const ClosedContacts& closed) {
  std::vector<const ClosedPlane*> planes;
  for (const ClosedPoint& point : closed.points)
    for (const ClosedPlane& plane : point.planes) planes.push_back(&plane);
  VectorXd x = VectorXd::Zero(6);
  const auto count = static_cast<Index>(planes.size());
  Eigen::Matrix<double, Eigen::Dynamic, 6> rest(count, 6);
  VectorXd miss(count);
  double slack = 0.0;
  for (Index i = 0; i < count; ++i) {
    rest.row(i) = planes[static_cast<std::size_t>(i)]->row.transpose();
    miss[i] = -planes[static_cast<std::size_t>(i)]->h;
    slack = std::max(slack, planes[static_cast<std::size_t>(i)]->slack);
  }
  for (int rank = 0; rank < 6 && count > 0; ++rank) {
    Index next = 0;
    const double length = rest.rowwise().norm().maxCoeff(&next);
    if (length <= kConeTolerance) break;
    // Orthogonal to all directions taken before: what they fixed stays.
    const Vector6d direction = rest.row(next).transpose() / length;
    const double amount = miss[next] / length;
    x += amount * direction;
    const VectorXd along = rest * direction;
    miss -= amount * along;
    rest -= along * direction.transpose();
  }
  if (count > 0 && miss.cwiseAbs().maxCoeff() > slack) return std::nullopt;
  return x;
}

// One plane per point, tried in order until some [s3, s4] leaves none negative.
class CombinationSearch {
 public:
  CombinationSearch(const ClosedContacts& closed, int most) : points_(closed.points), most_(most) {
    choice_.assign(points_.size(), 0);
  }

  // With room between the bodies where that can be had, so that what follows third order does not close it.
  bool run() {
    if (points_.empty()) {
      x = VectorXd::Zero(6);
      return true;
    }
    double largest = 0.1;
    for (const ClosedPoint& point : points_)
      for (const ClosedPlane& plane : point.planes) largest = std::max(largest, std::abs(plane.h));
    return search(0.1 * largest) || search(0.0);
  }

  VectorXd x;
  std::vector<DependencyTerm> dependency;
  int tried() const { return tried_; }

 private:
  bool search(double room) {
    tried_ = 0;
    do {
      if (++tried_ > most_)
        throw UndecidedError("a screw needs more than " + std::to_string(most_) +
                             " combinations of planes of singular contacts to be judged");
      MatrixXd rows(static_cast<Index>(points_.size()), 6);
      VectorXd g(static_cast<Index>(points_.size()));
      for (std::size_t i = 0; i < points_.size(); ++i) {
        const ClosedPlane& plane = points_[i].planes[choice_[i]];
        rows.row(static_cast<Index>(i)) = plane.row.transpose();
        g[static_cast<Index>(i)] = room - plane.h - plane.slack;
      }
      LeastMotion least = least_motion(rows, g);
      if (least.failed)
        throw UndecidedError("a screw cannot be judged: the numbers of its contacts are too far apart");
      if (least.found) {
        x = std::move(least.x);
        return true;
      }
      if (room == 0.0 && dependency.empty()) take_dependency(least.weights);
    } while (next());
    return false;
  }

  bool next() {
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (++choice_[i] < points_[i].planes.size()) return true;
      choice_[i] = 0;
    }
    return false;
  }

  void take_dependency(const VectorXd& weights) {
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const double weight = weights[static_cast<Index>(i)];
      // Weights of the solver that are rounding.
      if (weight > 1e-12)
        dependency.push_back(
            {points_[i].contact, points_[i].point, points_[i].planes[choice_[i]].plane, weight});
    }
  }

  const std::vector<ClosedPoint>& points_;
  int most_;
  std::vector<std::size_t> choice_;
  int tried_{0};
};

Vector6d second_order_screw(const PreparedContacts& contacts, const VectorXd& x, double factor) {
  const Eigen::Vector3d s3 = factor * x.head<3>() / contacts.planes.length;
  Vector6d screw;
  screw << s3, factor * x.tail<3>() - s3.cross(contacts.planes.centre_W);
  return screw;
}

std::string point_text(const JudgedPoint& point) {
  return "contact " + std::to_string(point.contact) + " (point " + std::to_string(point.point) + ")";
}

}  // namespace

JudgedScrew judge_screw(const PreparedContacts& contacts, const Vector6d& screw_W,
                        const SecondOrderOptions& options) {
  JudgedScrew judged;
  const Vector6d scaled = contacts.planes.scaled(screw_W);
  const double size = scaled.norm(), length = contacts.planes.length;
  const ClosedContacts closed = closed_contacts(contacts, scaled / size, judged.coefficients);
  // Distances are in units of `length`, the angle in units of length / size.
  const double factor = size * size / length;
  for (double& h : judged.coefficients)
    if (std::isfinite(h)) h *= factor;
  if (closed.crossed != nullptr) {
    judged.reason = point_text(*closed.crossed) + " closes at once: its bodies overlap to first order";
    judged.dependency = {{closed.crossed->contact, closed.crossed->point, 0, 1.0}};
    return judged;
  }
  if (closed.falls != nullptr) {
    judged.reason = point_text(*closed.falls) +
                    " closes faster than any second-order motion opens it: surfaces that are flat to each "
                    "other are tilted";
    return judged;
  }
  if (closed.all_planes_closed && closed.all_planes_bounded) {
    if (const std::optional<VectorXd> x = keeping_motion(closed)) {
      judged.verdict = ScrewVerdict::maintaining;
      judged.s3_s4_W = second_order_screw(contacts, *x, factor);
      return judged;
    }
  }
  CombinationSearch search(closed, options.most_combinations);
  if (search.run()) {
    judged.verdict = ScrewVerdict::detaching;
    judged.s3_s4_W = second_order_screw(contacts, search.x, factor);
    return judged;
  }
  judged.dependency = std::move(search.dependency);
  judged.reason =
      "contacts that hold each other come closer by curvature: no acceleration keeps them all apart";
  if (search.tried() > 1)
    judged.reason += " (for none of " + std::to_string(search.tried()) + " combinations of planes)";
  return judged;
}

}  // namespace prehend::observation
