#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>

#include <Eigen/Dense>

#include <prehend/math/house/compiled_solves.h>
#include <prehend/math/interrupt.h>
#include <prehend/math/linear_program.h>
#include <prehend/math/nonnegative_least_squares.h>
#include <prehend/observation/cones/polyhedral_cone.h>

namespace prehend::observation {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Pivoted Gram-Schmidt: indices of rows that span the others to within the tolerance, and an orthonormal basis (columns) of their span.
struct RowSpan {
  std::vector<Index> chosen;
  MatrixXd basis;
};

RowSpan span_of(const Rows& rows, double tolerance = kConeTolerance) {
  RowSpan span;
  MatrixXd rest = rows;
  span.basis.resize(rows.cols(), 0);
  while (static_cast<Index>(span.chosen.size()) < rows.cols()) {
    Index farthest = -1;
    double distance = tolerance;
    for (Index i = 0; i < rest.rows(); ++i) {
      if (const double norm = rest.row(i).norm(); norm > distance) {
        distance = norm;
        farthest = i;
      }
    }
    if (farthest < 0) break;
    VectorXd direction = rest.row(farthest).transpose();
    // Twice is enough (Kahan): what the first pass leaves along the basis is rounding.
    direction -= span.basis * (span.basis.transpose() * direction).eval();
    direction.normalize();
    rest -= (rest * direction) * direction.transpose();
    span.chosen.push_back(farthest);
    span.basis.conservativeResize(Eigen::NoChange, span.basis.cols() + 1);
    span.basis.rightCols(1) = direction;
  }
  return span;
}

// A ray of the cone of the rows added so far, and which of them are zero on it.
struct Ray {
  VectorXd x;
  std::vector<std::uint64_t> zeros;
};

class DoubleDescription {
 public:
  DoubleDescription(const Rows& rows, double tolerance)
      : rows_(rows), tolerance_(tolerance), words_((static_cast<std::size_t>(rows.rows()) + 63) / 64) {}

  std::vector<Ray> run() {
    const RowSpan start = span_of(rows_, tolerance_);
    if (static_cast<Index>(start.chosen.size()) != rows_.cols())
      throw std::runtime_error("double description: the cone is not pointed");
    MatrixXd first(rows_.cols(), rows_.cols());
    for (std::size_t k = 0; k < start.chosen.size(); ++k)
      first.row(static_cast<Index>(k)) = rows_.row(start.chosen[k]);
    const MatrixXd columns = first.inverse();
    std::vector<char> added(static_cast<std::size_t>(rows_.rows()), 0);
    for (const Index row : start.chosen) {
      added[static_cast<std::size_t>(row)] = 1;
      order_.push_back(row);
    }
    std::vector<Ray> rays;
    for (Index k = 0; k < columns.cols(); ++k) rays.push_back(made(columns.col(k)));
    for (Index row = 0; row < rows_.rows(); ++row) {
      if (added[static_cast<std::size_t>(row)]) continue;
      order_.push_back(row);
      rays = cut(rays, row);
    }
    return rays;
  }

 private:
  Ray made(VectorXd x) const {
    Ray ray{x.normalized(), std::vector<std::uint64_t>(words_, 0)};
    for (const Index row : order_) {
      if (std::abs(rows_.row(row).dot(ray.x)) <= tolerance_)
        ray.zeros[static_cast<std::size_t>(row) / 64] |= std::uint64_t{1} << (row % 64);
    }
    return ray;
  }

  // Neighbours share an edge of the cone: rows that vanish on both leave two dimensions, so no third ray has them all.
  static bool are_neighbours(const Ray& a, const Ray& b, const std::vector<Ray>& rays) {
    return std::none_of(rays.begin(), rays.end(), [&](const Ray& other) {
      if (&other == &a || &other == &b) return false;
      for (std::size_t w = 0; w < a.zeros.size(); ++w) {
        const std::uint64_t both = a.zeros[w] & b.zeros[w];
        if ((both & other.zeros[w]) != both) return false;
      }
      return true;
    });
  }

  std::vector<Ray> cut(const std::vector<Ray>& rays, Index row) const {
    std::vector<double> side(rays.size());
    for (std::size_t i = 0; i < rays.size(); ++i) side[i] = rows_.row(row).dot(rays[i].x);
    std::vector<Ray> kept;
    for (std::size_t i = 0; i < rays.size(); ++i) {
      if (side[i] < -tolerance_) continue;
      kept.push_back(rays[i]);
      if (side[i] <= tolerance_)
        kept.back().zeros[static_cast<std::size_t>(row) / 64] |= std::uint64_t{1} << (row % 64);
    }
    for (std::size_t i = 0; i < rays.size(); ++i) {
      if (!(side[i] > tolerance_)) continue;
      math::check_interrupt();
      for (std::size_t j = 0; j < rays.size(); ++j) {
        if (!(side[j] < -tolerance_) || !are_neighbours(rays[i], rays[j], rays)) continue;
        Ray between = made(side[i] * rays[j].x - side[j] * rays[i].x);
        const bool is_known = std::any_of(kept.begin(), kept.end(), [&](const Ray& ray) {
          return (ray.x - between.x).norm() <= tolerance_;
        });
        if (!is_known) kept.push_back(std::move(between));
      }
    }
    return kept;
  }

  const Rows& rows_;
  const double tolerance_;
  const std::size_t words_;
  std::vector<Index> order_;  // rows added so far
};

// Rows whose opposite is there as well, walls on both sides: equations.
std::vector<char> opposite_rows(const Rows& rows) {
  std::vector<char> is_opposite(static_cast<std::size_t>(rows.rows()), 0);
  for (Index i = 0; i < rows.rows(); ++i)
    for (Index j = 0; j < i; ++j)
      if ((rows.row(i) + rows.row(j)).norm() <= kConeTolerance)
        is_opposite[static_cast<std::size_t>(i)] = is_opposite[static_cast<std::size_t>(j)] = 1;
  return is_opposite;
}

// Rays in the space that the equations leave. Cut as two inequalities each, they would be met to the tolerance of a whole ray only, and a ray with a small turn
// in it could turn about an axis that they forbid.
ConeRays rays_within(const Rows& rows, const std::vector<char>& is_equation) {
  const auto count = static_cast<Index>(std::count(is_equation.begin(), is_equation.end(), 1));
  Rows equations(count, rows.cols()), others(rows.rows() - count, rows.cols());
  Index e = 0, o = 0;
  for (Index i = 0; i < rows.rows(); ++i) {
    if (is_equation[static_cast<std::size_t>(i)])
      equations.row(e++) = rows.row(i);
    else
      others.row(o++) = rows.row(i);
  }
  const MatrixXd basis = null_space(equations);
  Rows seen(0, basis.cols());
  for (Index i = 0; i < others.rows(); ++i) {
    const Eigen::RowVectorXd row = others.row(i) * basis;
    // Implied by the equations.
    if (row.norm() <= kConeTolerance) continue;
    seen.conservativeResize(seen.rows() + 1, Eigen::NoChange);
    seen.bottomRows(1) = row.normalized();
  }
  ConeRays cone;
  cone.lineality.resize(rows.cols(), 0);
  cone.rays.resize(rows.cols(), 0);
  if (basis.cols() == 0) return cone;
  const ConeRays inner = rays_of(seen);
  cone.lineality = basis * inner.lineality;
  cone.rays = basis * inner.rays;
  return cone;
}

// Weights above this tell nothing: two walls that are parallel but for rounding of 1e-6 cancel all but that, and any third row that points there would be
// called an equation with a weight of a million.
constexpr double kLargestWeight = 1e4;

// The same question row by row: -a_i lies within twice the tolerance of the cone of the other rows (weight one half, as above). For rows
// that cancel each other to about the tolerance: weights of 1e6 and more then leave the linear program undecided.
std::vector<int> implied_one_by_one(const Rows& rows) {
  std::vector<int> implied;
  MatrixXd others(rows.cols(), rows.rows() - 1);
  for (Index i = 0; i < rows.rows(); ++i) {
    others << rows.topRows(i).transpose(), rows.bottomRows(rows.rows() - 1 - i).transpose();
    const VectorXd target = -rows.row(i).transpose();
    if (others.cols() == 0) continue;
    const auto nearest = math::solve_nonnegative_least_squares(others, target);
    if (nearest.residual_norm <= 2.0 * kConeTolerance && nearest.x.maxCoeff() <= kLargestWeight)
      implied.push_back(static_cast<int>(i));
  }
  return implied;
}

}  // namespace

int rank_of(const Rows& rows) { return static_cast<int>(span_of(rows).chosen.size()); }

MatrixXd null_space(const Rows& rows) {
  const MatrixXd basis = span_of(rows).basis;
  if (basis.cols() == 0) return MatrixXd::Identity(rows.cols(), rows.cols());
  const Eigen::HouseholderQR<MatrixXd> qr(basis);
  const MatrixXd q = math::orthogonal_factor(qr);
  return q.rightCols(rows.cols() - basis.cols());
}

std::vector<int> implied_equations(const Rows& rows) {
  // Tucker's complementarity: a row is zero on the cone exactly when some y >= 0 with A'y = 0 has it. One y has all of them.
  const Index count = rows.rows(), size = rows.cols();
  if (count == 0) return {};
  math::LinearProgram
      program;  // of [s, u] with y = s + u: s up to 1 is rewarded, u makes up for what is missing
  program.c = VectorXd::Zero(2 * count);
  program.c.head(count).setConstant(-1.0);
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < count; ++i) {
    for (Index k = 0; k < size; ++k) {
      if (rows(i, k) == 0.0) continue;
      entries.emplace_back(k, i, rows(i, k));
      entries.emplace_back(k, count + i, rows(i, k));
    }
  }
  program.A.resize(size, 2 * count);
  program.A.setFromTriplets(entries.begin(), entries.end());
  program.row_lower = VectorXd::Constant(size, -kConeTolerance);
  program.row_upper = VectorXd::Constant(size, kConeTolerance);
  program.lower = VectorXd::Zero(2 * count);
  program.upper.resize(2 * count);
  program.upper << VectorXd::Ones(count), VectorXd::Constant(count, kLargestWeight);
  const math::LinearProgramResult result = math::solve_linear_program(program);
  if (result.status != math::SolverStatus::optimal) return implied_one_by_one(rows);
  std::vector<int> implied;
  for (Index i = 0; i < count; ++i)
    if (result.x[i] > 0.5) implied.push_back(static_cast<int>(i));
  return implied;
}

ConeRays rays_of(const Rows& rows) {
  const std::vector<char> is_equation = opposite_rows(rows);
  if (std::find(is_equation.begin(), is_equation.end(), 1) != is_equation.end())
    return rays_within(rows, is_equation);
  ConeRays cone;
  cone.lineality = null_space(rows);
  const MatrixXd basis = null_space(cone.lineality.transpose());  // of what the rows see
  const Index size = basis.cols();
  cone.rays.resize(rows.cols(), 0);
  if (size == 0) return cone;
  cone.rays = (basis * pointed_rays(rows * basis)).colwise().normalized();
  return cone;
}

MatrixXd pointed_rays(const Rows& rows, double tolerance) {
  const std::vector<Ray> rays = DoubleDescription(rows, tolerance).run();
  MatrixXd columns(rows.cols(), static_cast<Index>(rays.size()));
  for (std::size_t i = 0; i < rays.size(); ++i) columns.col(static_cast<Index>(i)) = rays[i].x;
  return columns;
}

bool is_inside(const Rows& rows, const VectorXd& x, double tolerance) {
  return rows.rows() == 0 || (rows * x).minCoeff() >= -tolerance * x.norm();
}

bool is_contained(const ConeRays& cone, const Rows& rows, double tolerance) {
  if (rows.rows() == 0) return true;
  for (Index k = 0; k < cone.lineality.cols(); ++k)
    if ((rows * cone.lineality.col(k)).cwiseAbs().maxCoeff() > tolerance) return false;
  for (Index k = 0; k < cone.rays.cols(); ++k)
    if (!is_inside(rows, cone.rays.col(k), tolerance)) return false;
  return true;
}

}  // namespace prehend::observation
