#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/SparseCore>

#include <prehend/math/house/compiled_solves.h>
#include <prehend/math/linear_program.h>
#include <prehend/math/nonnegative_least_squares.h>
#include <prehend/observation/cones/tolerant_rows.h>

namespace prehend::observation {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Weights of one equation, its own being one half or more. Nearly all equations need less than the first; a wedge of a tenth of a degree needs 300.
constexpr double kStrong = 10.0, kWeak = 1e4;

// Rows with y >= 0 for which rows'y is no more than the tolerance for each unit of weight: one linear program of [s, u], y = s + u, where s up to 1
// is rewarded and u makes up for what is missing. `largest` bounds u.
std::vector<int> balanced(const Rows& rows, double tolerance, double largest) {
  const Index count = rows.rows(), size = rows.cols();
  math::LinearProgram program;
  program.c = VectorXd::Zero(2 * count);
  program.c.head(count).setConstant(-1.0);
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < count; ++i) {
    for (Index k = 0; k < size; ++k) {
      for (const Index column : {i, count + i}) {
        entries.emplace_back(k, column, rows(i, k) - tolerance);
        entries.emplace_back(size + k, column, rows(i, k) + tolerance);
      }
    }
  }
  program.A.resize(2 * size, 2 * count);
  program.A.setFromTriplets(entries.begin(), entries.end());
  const double none = std::numeric_limits<double>::infinity();
  program.row_lower.resize(2 * size);
  program.row_upper.resize(2 * size);
  program.row_lower << VectorXd::Constant(size, -none), VectorXd::Zero(size);
  program.row_upper << VectorXd::Zero(size), VectorXd::Constant(size, none);
  program.lower = VectorXd::Zero(2 * count);
  program.upper.resize(2 * count);
  program.upper << VectorXd::Ones(count), VectorXd::Constant(count, largest);
  const math::LinearProgramResult result = math::solve_linear_program(program);
  std::vector<int> found;
  if (result.status == math::SolverStatus::optimal) {
    for (Index i = 0; i < count; ++i)
      if (result.x[i] > 0.5) found.push_back(static_cast<int>(i));
    return found;
  }
  // Undecided: all of them are asked one by one.
  for (Index i = 0; i < count; ++i) found.push_back(static_cast<int>(i));
  return found;
}

// Whether -a_i is a sum of the other rows with weights y >= 0 to the tolerance of each: ridge regression, in which a row that is off by the tolerance
// costs as much for each unit of its weight.
bool is_balanced(const Rows& rows, Index i, double tolerance) {
  const Index count = rows.rows(), size = rows.cols();
  MatrixXd others = MatrixXd::Zero(size + count - 1, count - 1);
  others.topRows(size) << rows.topRows(i).transpose(), rows.bottomRows(count - 1 - i).transpose();
  others.bottomRows(count - 1).diagonal().setConstant(tolerance);
  VectorXd target = VectorXd::Zero(others.rows());
  target.head(size) = -rows.row(i).transpose();
  const VectorXd y = math::solve_nonnegative_least_squares(others, target).x;
  const double open = (others.topRows(size) * y - target.head(size)).norm();
  // Three standard deviations of noise that the tolerance is six of.
  return open <= 0.6 * tolerance * std::sqrt(1.0 + y.squaredNorm());
}

Rows some_of(const Rows& rows, const std::vector<int>& which) {
  Rows some(static_cast<Index>(which.size()), rows.cols());
  for (std::size_t i = 0; i < which.size(); ++i) some.row(static_cast<Index>(i)) = rows.row(which[i]);
  return some;
}

// Equations found so far, and the rows that are left over in the space where they hold.
class Equations {
 public:
  Equations(const Rows& rows, double tolerance)
      : rows_(rows), tolerance_(tolerance), basis_(MatrixXd::Identity(rows.cols(), rows.cols())) {
    for (Index i = 0; i < rows.rows(); ++i) left_.push_back(static_cast<int>(i));
    drop_zero_rows();
  }

  // All that need no larger weights; false where there are none.
  bool take(double largest) {
    if (left_.empty() || basis_.cols() == 0) return false;
    const Rows rest = some_of(rows_, left_) * basis_;
    std::vector<int> more = balanced(rest, tolerance_, largest);
    // Walls that cancel lend their tolerance, times their weights, to rows that all but lie in their span: then the span is thin in a direction.
    if (largest > kStrong || is_thin(some_of(rest, more)))
      std::erase_if(more, [&](int i) { return rest.rows() < 2 || !is_balanced(rest, i, tolerance_); });
    if (more.empty()) return false;
    for (std::size_t k = more.size(); k-- > 0;) {
      found_.push_back(left_[static_cast<std::size_t>(more[k])]);
      left_.erase(left_.begin() + more[k]);
    }
    basis_ = null_space_within(some_of(rows_, found_), zero_of(rows_.rows(), tolerance_));
    drop_zero_rows();
    return true;
  }

  std::vector<int> sorted() && {
    std::sort(found_.begin(), found_.end());
    return std::move(found_);
  }

 private:
  // Rows of unit size, each lent the tolerance of tens of rows with ten times its weight.
  bool is_thin(const Rows& rows) const {
    constexpr double kThin = 5e3;
    return rank_within(rows, kThin * tolerance_) < rank_within(rows, zero_of(rows_.rows(), tolerance_));
  }

  // Those that the equations leave nothing of follow from them.
  void drop_zero_rows() {
    std::erase_if(left_, [&](int i) {
      const bool is_zero = (rows_.row(i) * basis_).norm() <= zero_of(rows_.rows(), tolerance_);
      if (is_zero) found_.push_back(i);
      return is_zero;
    });
  }

  const Rows& rows_;
  double tolerance_;
  MatrixXd basis_;
  std::vector<int> found_, left_;
};

// Right singular vectors whose values are not above `zero`, in columns. Squares of 1e-6 against 1 leave four digits.
MatrixXd vanishing(const Rows& rows, double zero) {
  if (rows.rows() == 0) return MatrixXd::Identity(rows.cols(), rows.cols());
  const math::Spectrum spectrum = math::spectrum(MatrixXd(rows.transpose() * rows));
  Index count = 0;
  while (count < spectrum.values.size() && spectrum.values[count] <= zero * zero) ++count;
  return spectrum.vectors.leftCols(count);
}

}  // namespace

double zero_of(Index count, double tolerance) {
  return tolerance * std::sqrt(static_cast<double>(std::max<Index>(count, 1)));
}

int rank_within(const Rows& rows, double zero) {
  return static_cast<int>(rows.cols() - vanishing(rows, zero).cols());
}

MatrixXd null_space_within(const Rows& rows, double zero) {
  const MatrixXd none = vanishing(rows, zero);
  // By elimination: its columns lie along axes where they can.
  return none.cols() == rows.cols() ? MatrixXd(MatrixXd::Identity(rows.cols(), rows.cols()))
                                    : null_space(rows - (rows * none) * none.transpose());
}

std::vector<int> equations_within(const Rows& rows, double tolerance) {
  if (rows.rows() == 0) return {};
  // Where one screw opens every contact there are none: with s that speed at least, rows'y is s for each unit of weight, more than the tolerance allows.
  const VectorXd opening = rows.colwise().sum().transpose();
  if ((rows * opening).minCoeff() > std::sqrt(static_cast<double>(rows.cols())) * tolerance * opening.norm())
    return {};
  Equations equations(rows, tolerance);
  while (equations.take(kStrong)) continue;
  while (equations.take(kWeak)) continue;
  return std::move(equations).sorted();
}

ConeRays rays_with(const Rows& rows, const std::vector<int>& equations, double tolerance) {
  const double zero = zero_of(rows.rows(), tolerance);
  const MatrixXd basis = null_space_within(some_of(rows, equations), zero);
  ConeRays cone;
  cone.lineality.resize(rows.cols(), 0);
  cone.rays.resize(rows.cols(), 0);
  if (basis.cols() == 0) return cone;
  std::vector<int> others;
  for (Index i = 0; i < rows.rows(); ++i)
    if (!std::binary_search(equations.begin(), equations.end(), static_cast<int>(i)))
      others.push_back(static_cast<int>(i));
  const Rows seen = some_of(rows, others) * basis;
  const MatrixXd lines = null_space_within(seen, zero);
  cone.lineality = basis * lines;
  if (lines.cols() == basis.cols()) return cone;
  const MatrixXd across =
      lines.cols() == 0 ? MatrixXd::Identity(basis.cols(), basis.cols()) : null_space(lines.transpose());
  cone.rays = basis * across * pointed_rays(seen * across, tolerance);
  return cone;
}

}  // namespace prehend::observation
