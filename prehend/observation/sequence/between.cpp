#include <algorithm>
#include <cmath>

#include <prehend/math/so3.h>
#include <prehend/math/se3.h>
#include <prehend/observation/relations/least_motion.h>
#include <prehend/observation/sequence/between.h>

namespace prehend::observation {
namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;

double tolerance_of(const BodyPair& pair) { return 1e-6 * pair.size(); }

// What touches near a pose, solved for exactly; accepted where it lies inside both.
std::optional<Relation> snap(const BodyPair& pair, const math::Pose& near, double reach, const Relation& before,
                             const Relation& after, const CorrectionOptions& options) {
  const double tolerance = tolerance_of(pair);
  const PrincipalContacts wanted = pair.contacts_at(near, reach);
  if (wanted.empty()) return std::nullopt;
  const Correction solved = solve_least(rows_of(pair.features(), wanted), near, options, tolerance);
  if (solved.status != CorrectionStatus::ok || pair.overlaps(solved.X_FM, pair.overlap_tolerance())) return std::nullopt;
  if ((solved.X_FM * options.reference_M - near * options.reference_M).norm() > 10.0 * reach) return std::nullopt;
  const Relation found = make_relation(pair, pair.contacts_at(solved.X_FM, pair.touch_tolerance()), solved.X_FM);
  if (found.contacts == before.contacts || found.contacts == after.contacts) return std::nullopt;
  if (!lies_inside(pair, before, found, pair.touch_tolerance()) ||
      !lies_inside(pair, after, found, pair.touch_tolerance()))
    return std::nullopt;
  return found;
}

struct Linearised {
  std::vector<RowVector6d> slopes;
  std::vector<double> gaps;
};

Linearised linearise(const std::vector<ContactRow>& rows, const math::Pose& X, const CorrectionOptions& options) {
  Linearised all;
  const Eigen::Matrix3d R = X.R();
  const Eigen::Vector3d centre = X * options.reference_M;
  for (const ContactRow& row : rows) {
    RowValue value = evaluate(row, R, X.p(), centre);
    value.slope.head<3>() *= options.noise.angle;
    value.slope.tail<3>() *= options.noise.position;
    all.slopes.push_back(value.slope);
    all.gaps.push_back(value.gap);
  }
  return all;
}

math::Pose moved(const math::Pose& X, const Vector6& x, const CorrectionOptions& options) {
  const Eigen::Quaterniond q = (math::exp_so3(options.noise.angle * x.head<3>()) * X.q()).normalized();
  const Eigen::Vector3d reference = X * options.reference_M + options.noise.position * x.tail<3>();
  return math::Pose(q, reference - q * options.reference_M);
}

// Keeps `keep` exactly while the equations of `near` close: damped steps along the surface of `keep`.
math::Pose follow(const BodyPair& pair, const Relation& keep, const Relation& near, math::Pose X,
                  const CorrectionOptions& options) {
  const double step_limit = 0.02 * pair.size() / options.noise.position;
  for (int i = 0; i < 400; ++i) {
    const Linearised held = linearise(keep.rows, X, options), open = linearise(near.rows, X, options);
    std::vector<RowVector6d> slopes = held.slopes;
    std::vector<double> wanted(held.gaps.size(), 0.0);
    // Orthonormal basis of what `keep` holds; the open equations act on the rest.
    std::vector<RowVector6d> basis;
    for (RowVector6d row : slopes) {
      const double length = row.norm();
      for (const RowVector6d& q : basis) row -= row.dot(q) * q;
      if (row.norm() > 1e-6 * length) basis.push_back(row.normalized());
    }
    Eigen::Matrix<double, 6, 6> normal = 1e-9 * Eigen::Matrix<double, 6, 6>::Identity();
    Vector6 right = Vector6::Zero();
    double worst = 0.0;
    for (std::size_t k = 0; k < open.slopes.size(); ++k) {
      RowVector6d row = open.slopes[k];
      for (const RowVector6d& q : basis) row -= row.dot(q) * q;
      row /= options.noise.position;
      normal += row.transpose() * row;
      right -= row.transpose() * (open.gaps[k] / options.noise.position);
      worst = std::max(worst, std::abs(open.gaps[k]));
    }
    if (worst <= 1e-9 * pair.size()) break;
    Vector6 x = normal.ldlt().solve(right);
    const double length = x.norm();
    if (!(length > 1e-9)) break;
    if (length > step_limit) x *= step_limit / length;
    math::Pose next = moved(X, x, options);
    const Correction back = solve_least(keep.rows, next, options, tolerance_of(pair));
    if (back.status != CorrectionStatus::ok) break;
    X = back.X_FM;
  }
  return X;
}

}  // namespace

std::optional<Relation> relation_between(const BodyPair& pair, const Relation& before, const Relation& after,
                                         const CorrectionOptions& options) {
  const double tolerance = tolerance_of(pair);
  std::vector<ContactRow> both = before.rows;
  both.insert(both.end(), after.rows.begin(), after.rows.end());
  const math::Pose middle = math::interpolate_decoupled(before.X_FM, after.X_FM, 0.5);
  for (const math::Pose& start : {before.X_FM, after.X_FM, middle}) {
    const Correction solved = solve_least(both, start, options, tolerance);
    if (solved.status != CorrectionStatus::ok) continue;
    if (const auto found = snap(pair, solved.X_FM, pair.touch_tolerance(), before, after, options)) return found;
  }
  for (const bool forward : {true, false}) {
    const Relation &keep = forward ? before : after, &near = forward ? after : before;
    const math::Pose limit = follow(pair, keep, near, keep.X_FM, options);
    for (const double reach : {1e-4, 1e-3, 5e-3})
      if (const auto found = snap(pair, limit, reach * pair.size(), before, after, options)) return found;
  }
  return std::nullopt;
}

Relation common_relation(const BodyPair& pair, const Relation& before, const Relation& after,
                         const CorrectionOptions& options) {
  const double tolerance = tolerance_of(pair);
  PrincipalContacts common;
  for (const PrincipalContact& contact : before.contacts)
    if (pair.touches(contact, after.X_FM, pair.touch_tolerance())) common.push_back(contact);
  for (const PrincipalContact& contact : after.contacts)
    if (pair.touches(contact, before.X_FM, pair.touch_tolerance())) common.push_back(contact);
  std::sort(common.begin(), common.end());
  common.erase(std::unique(common.begin(), common.end()), common.end());
  const math::Pose middle = math::interpolate_decoupled(before.X_FM, after.X_FM, 0.5);
  if (common.empty()) {
    Relation free;
    free.X_FM = middle;
    return free;
  }
  const Correction solved = solve_least(rows_of(pair.features(), common), middle, options, tolerance);
  return make_relation(pair, common, solved.status == CorrectionStatus::ok ? solved.X_FM : middle);
}

}  // namespace prehend::observation
