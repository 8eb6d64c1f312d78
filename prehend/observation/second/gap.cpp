#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include <prehend/observation/second/gap.h>

namespace prehend::observation {
namespace {

using Eigen::Index;
using Eigen::Matrix2d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;
using math::Vector6d;

constexpr double kInfinite = std::numeric_limits<double>::infinity();
// [of the curvatures, at least of one over the contacts' size] A bend below this is none: rounding of sums of curvatures in doubles.
constexpr double kNoBend = 1e-9;

// value + 2 slope.r + r'bend r over {r : equal r = right, at_least r >= from}.
struct Quadratic {
  double value{0.0};
  Vector2d slope{Vector2d::Zero()};
  Matrix2d bend{Matrix2d::Zero()};
  double unit{1.0};  // size of the curvatures, and of the slope: what their zeros are measured by

  double at(const Vector2d& r) const { return value + 2.0 * slope.dot(r) + r.dot(bend * r); }
};

struct Region {
  MatrixXd equal;
  VectorXd right;
  MatrixXd at_least;
  VectorXd from;
};

struct Least {
  double value{kInfinite};
  Vector2d r{Vector2d::Zero()};

  void take(double other, const Vector2d& at) {
    if (other < value) {
      value = other;
      r = at;
    }
  }
};

// On the line r0 + z rho; entries of `skip` in at_least are zero along it.
void minimise_on_line(const Quadratic& q, const Vector2d& r0, const Vector2d& z, const Region& region,
                      Least& least) {
  double low = -kInfinite, high = kInfinite;
  for (Index i = 0; i < region.at_least.rows(); ++i) {
    const double rate = region.at_least.row(i).dot(z), rest = region.at_least.row(i).dot(r0) - region.from[i];
    const double zero = 1e-12 * region.at_least.row(i).norm();
    if (std::abs(rate) <= zero) {
      if (rest < -kConeTolerance * region.at_least.row(i).norm()) return;
    } else if (rate > 0.0) {
      low = std::max(low, -rest / rate);
    } else {
      high = std::min(high, -rest / rate);
    }
  }
  if (low > high + kConeTolerance) return;
  high = std::max(low, high);
  const double bend = z.dot(q.bend * z), slope = z.dot(q.slope + q.bend * r0);
  const auto take = [&](double rho) { least.take(q.at(r0 + rho * z), r0 + rho * z); };
  if (bend > kNoBend * q.unit) {
    take(std::clamp(-slope / bend, low, high));
    return;
  }
  const bool is_flat = bend >= -kNoBend * q.unit, is_level = std::abs(slope) <= kConeTolerance * q.unit;
  const auto falls = [&](double direction) { return !is_flat || (!is_level && direction * slope < 0.0); };
  if ((low == -kInfinite && falls(-1.0)) || (high == kInfinite && falls(1.0))) {
    least.take(-kInfinite, r0);
    return;
  }
  if (low > -kInfinite) take(low);
  if (high < kInfinite) take(high);
  if (is_flat && is_level) take(std::clamp(0.0, low, high));
}

bool is_in(const Region& region, const Vector2d& r) {
  for (Index i = 0; i < region.at_least.rows(); ++i)
    if (region.at_least.row(i).dot(r) - region.from[i] < -kConeTolerance * region.at_least.row(i).norm())
      return false;
  return true;
}

bool is_direction(const Region& region, const Vector2d& d) {
  for (Index i = 0; i < region.at_least.rows(); ++i)
    if (region.at_least.row(i).dot(d) < -kConeTolerance * region.at_least.row(i).norm()) return false;
  return true;
}

// In the whole plane: borders first, then the inside.
void minimise_in_plane(const Quadratic& q, const Region& region, Least& least) {
  for (Index i = 0; i < region.at_least.rows(); ++i) {
    const Vector2d a = region.at_least.row(i).transpose();
    minimise_on_line(q, a * (region.from[i] / a.squaredNorm()), Vector2d(-a.y(), a.x()).normalized(), region,
                     least);
  }
  const PlaneAxes eigen = plane_axes(q.bend);
  Vector2d r = Vector2d::Zero();
  for (int k = 0; k < 2; ++k) {
    const Vector2d axis = eigen.axes.col(k);
    const double bend = eigen.values[k], slope = axis.dot(q.slope);
    if (bend > kNoBend * q.unit) {
      r -= axis * (slope / bend);
    } else if (bend < -kNoBend * q.unit) {
      if (is_direction(region, axis) || is_direction(region, -axis)) least.take(-kInfinite, r);
      return;  // a saddle: the least value is on the border
    } else if (std::abs(slope) > kConeTolerance * q.unit) {
      const Vector2d down = slope > 0.0 ? Vector2d(-axis) : axis;
      if (is_direction(region, down)) least.take(-kInfinite, r);
      return;
    }
  }
  if (is_in(region, r)) least.take(q.at(r), r);
}

// Where r may be when the point of contact has moved by u in the plane.
Region region_of(const ContactPiece& piece, const Vector2d& u) {
  const TouchingFeature &a = piece.moving, &b = piece.fixed;
  Region region;
  region.equal.resize(a.equal.rows() + b.equal.rows(), 2);
  region.equal << a.equal, b.equal;
  region.right.resize(region.equal.rows());
  region.right << VectorXd::Zero(a.equal.rows()), -(b.equal * u);
  region.at_least.resize(a.at_least.rows() + b.at_least.rows(), 2);
  region.at_least << a.at_least, b.at_least;
  region.from.resize(region.at_least.rows());
  region.from << VectorXd::Zero(a.at_least.rows()), -(b.at_least * u);
  return region;
}

// {r : equal r = right} for unit rows: its point r0 (a linear map of `right`), and its direction where it is a line.
struct LineOrPoint {
  int rank{0};
  Eigen::Matrix<double, 2, Eigen::Dynamic> from_right;
  Vector2d along{Vector2d::Zero()};
};

LineOrPoint solved(const MatrixXd& equal) {
  LineOrPoint set;
  set.from_right = MatrixXd::Zero(2, equal.rows());
  if (equal.rows() == 0) return set;
  const Vector2d a = equal.row(0).transpose();
  Index other = 0;
  double sine = 0.0;
  for (Index i = 1; i < equal.rows(); ++i) {
    const double cross = a.x() * equal(i, 1) - a.y() * equal(i, 0);
    if (std::abs(cross) > std::abs(sine)) {
      sine = cross;
      other = i;
    }
  }
  if (std::abs(sine) <= kConeTolerance) {
    set.rank = 1;
    set.from_right.col(0) = a;
    set.along = Vector2d(-a.y(), a.x());
    return set;
  }
  const Vector2d b = equal.row(other).transpose();
  set.rank = 2;
  set.from_right.col(0) = Vector2d(b.y(), -b.x()) / sine;
  set.from_right.col(other) = Vector2d(-a.y(), a.x()) / sine;
  return set;
}

Least minimise(const Quadratic& q, const Region& region) {
  Least least;
  if (region.equal.rows() == 0) {
    minimise_in_plane(q, region, least);
    return least;
  }
  const LineOrPoint set = solved(region.equal);
  const Vector2d r0 = set.from_right * region.right;
  if ((region.equal * r0 - region.right).norm() > kConeTolerance) return least;
  if (set.rank == 1) {
    minimise_on_line(q, r0, set.along, region, least);
  } else if (is_in(region, r0)) {
    least.take(q.at(r0), r0);
  }
  return least;
}

double curvature_unit(const ContactPiece& piece) {
  return std::max({1.0, piece.moving.bend.norm(), piece.fixed.bend.norm()});
}

}  // namespace

Vector6d ContactPiece::row() const {
  Vector6d row;
  row << p.cross(n), n;
  return row;
}

Gap gap_of(const ContactPiece& piece, const Vector6d& screw) {
  const Eigen::Vector3d s1 = screw.head<3>();
  const Vector2d u = piece.plane.transpose() * (s1.cross(piece.p) + screw.tail<3>()),
                 c = piece.plane.transpose() * piece.n.cross(s1);
  const Matrix2d &A = piece.moving.bend, &B = piece.fixed.bend;
  const Quadratic q{c.dot(u) + u.dot(B * u), c + B * u, A + B, curvature_unit(piece)};
  const Least least = minimise(q, region_of(piece, u));
  Gap gap;
  gap.h = least.value;
  const Vector2d r = least.r, place = u + r;
  gap.size =
      c.norm() * (u.norm() + 2.0 * r.norm()) + A.norm() * r.squaredNorm() + B.norm() * place.squaredNorm();
  return gap;
}

std::optional<double> overlap_before_motion(const ContactPiece& piece) {
  const Quadratic q{0.0, Vector2d::Zero(), piece.moving.bend + piece.fixed.bend, curvature_unit(piece)};
  const Least least = minimise(q, region_of(piece, Vector2d::Zero()));
  if (least.value != -kInfinite) return std::nullopt;
  return plane_axes(q.bend).values[0];
}

PlaneAxes plane_axes(const Matrix2d& symmetric) {
  const double mean = 0.5 * symmetric.trace(), half = 0.5 * (symmetric(0, 0) - symmetric(1, 1)),
               off = 0.5 * (symmetric(0, 1) + symmetric(1, 0)), radius = std::hypot(half, off);
  const double angle = 0.5 * std::atan2(off, half);  // of the larger
  PlaneAxes eigen;
  eigen.values = {mean - radius, mean + radius};
  eigen.axes << -std::sin(angle), std::cos(angle), std::cos(angle), std::sin(angle);
  return eigen;
}

std::optional<GapForm> gap_form(const ContactPiece& piece) {
  if (piece.moving.at_least.rows() > 0 || piece.fixed.at_least.rows() > 0) return std::nullopt;
  // u and c as linear maps of the screw.
  const auto cross = [](const Eigen::Vector3d& a) {
    Eigen::Matrix3d m;
    m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
    return m;
  };
  Eigen::Matrix<double, 2, 6> u, c;
  u << -piece.plane.transpose() * cross(piece.p), piece.plane.transpose();
  c.setZero();
  c.leftCols<3>() = piece.plane.transpose() * cross(piece.n);
  const Matrix2d &A = piece.moving.bend, &B = piece.fixed.bend;
  // r = shift u + free rho.
  const Region region = region_of(piece, Vector2d::Zero());
  Matrix2d shift = Matrix2d::Zero();
  MatrixXd free = Matrix2d::Identity();
  if (region.equal.rows() > 0) {
    const LineOrPoint set = solved(region.equal);
    MatrixXd right = MatrixXd::Zero(region.equal.rows(), 2);
    right.bottomRows(piece.fixed.equal.rows()) = -piece.fixed.equal;
    shift = set.from_right * right;
    // Both features in one line: places exist only where u has no part across it.
    if ((region.equal * shift - right).norm() > kConeTolerance) return std::nullopt;
    free.resize(2, set.rank == 1 ? 1 : 0);
    if (set.rank == 1) free.col(0) = set.along;
  }
  const Eigen::Matrix<double, 2, 6> r = shift * u, place = u + r;
  GapForm form;
  MatrixXd whole =
      c.transpose() * u + 2.0 * c.transpose() * r + r.transpose() * A * r + place.transpose() * B * place;
  if (free.cols() > 0) {
    // Along the axes of the bend, or the only direction there is.
    const PlaneAxes eigen = plane_axes(A + B);
    if (free.cols() == 2) free = eigen.axes;
    for (Index k = 0; k < free.cols(); ++k) {
      const Vector2d axis = free.col(k);
      const double bend = axis.dot((A + B) * axis);
      const Eigen::RowVectorXd along = axis.transpose() * (c + A * r + B * place);
      if (bend > kNoBend * curvature_unit(piece)) {
        whole -= along.transpose() * along / bend;
      } else {
        form.bounded.conservativeResize(form.bounded.rows() + 1, Eigen::NoChange);
        form.bounded.bottomRows(1) = along / curvature_unit(piece);
      }
    }
  }
  form.Q = 0.5 * (whole + whole.transpose());
  return form;
}

}  // namespace prehend::observation
