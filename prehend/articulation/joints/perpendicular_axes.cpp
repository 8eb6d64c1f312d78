#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <prehend/articulation/joints/closed_forms.h>
#include <prehend/articulation/joints/perpendicular_axes.h>

namespace prehend::articulation {
namespace {

using Matrix9d = Eigen::Matrix<double, 9, 9>;
using Symmetric = math::Vector6d;  // xx, yy, zz, xy, xz, yz of a symmetric 3x3 matrix

constexpr std::array<std::array<int, 2>, 6> kEntries{{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};

Symmetric squares_of(const Eigen::Vector3d& a) {
  Symmetric m;
  m << a.x() * a.x(), a.y() * a.y(), a.z() * a.z(), a.x() * a.y(), a.x() * a.z(), a.y() * a.z();
  return m;
}

Eigen::Vector3d product(const Symmetric& A, const Eigen::Vector3d& a) {
  return {A[0] * a.x() + A[3] * a.y() + A[4] * a.z(), A[3] * a.x() + A[1] * a.y() + A[5] * a.z(),
          A[4] * a.x() + A[5] * a.y() + A[2] * a.z()};
}

// Of least eigenvalue, for a matrix without negative ones and of trace one, to what rounding and a few steps leave: from below, Newton's method on the
// characteristic polynomial climbs to its least root; the adjugate's columns are then multiples of the vector.
Eigen::Vector3d least_axis(const Symmetric& A) {
  constexpr int kSteps = 40;  // six or so, more where two eigenvalues are nearly the same
  const double xx = A[1] * A[2] - A[5] * A[5], yy = A[0] * A[2] - A[4] * A[4], zz = A[0] * A[1] - A[3] * A[3];
  const double sum = A[0] + A[1] + A[2], minors = xx + yy + zz;
  const double determinant =
      A[0] * xx - A[3] * (A[3] * A[2] - A[5] * A[4]) + A[4] * (A[3] * A[5] - A[1] * A[4]);
  double l = 0;
  for (int i = 0; i < kSteps; ++i) {
    const double value = ((l - sum) * l + minors) * l - determinant, slope = (3 * l - 2 * sum) * l + minors;
    if (!(value < 0) || !(slope > 0)) break;
    const double step = -value / slope;
    l += step;
    if (step < 1e-14 * sum) break;
  }
  const double x = A[0] - l, y = A[1] - l, z = A[2] - l;
  Eigen::Matrix3d columns;
  columns << y * z - A[5] * A[5], A[5] * A[4] - A[3] * z, A[3] * A[5] - A[4] * y,  //
      A[5] * A[4] - A[3] * z, x * z - A[4] * A[4], A[3] * A[4] - x * A[5],         //
      A[3] * A[5] - A[4] * y, A[3] * A[4] - x * A[5], x * y - A[3] * A[3];
  Eigen::Index most = 0;
  columns.diagonal().maxCoeff(&most);
  const double norm = columns.col(most).norm();
  return norm > 0 ? Eigen::Vector3d(columns.col(most) / norm) : Eigen::Vector3d::UnitZ();
}

Eigen::Matrix3d full(const Symmetric& A) {
  Eigen::Matrix3d result;
  result << A[0], A[3], A[4], A[3], A[1], A[5], A[4], A[5], A[2];
  return result;
}

// Two unit vectors across a unit vector (Duff et al. 2017).
Eigen::Matrix<double, 3, 2> tangents(const Eigen::Vector3d& a) {
  const double sign = std::copysign(1.0, a.z()), c = -1.0 / (sign + a.z()), d = a.x() * a.y() * c;
  Eigen::Matrix<double, 3, 2> U;
  U << 1.0 + sign * a.x() * a.x() * c, d, sign * d, sign + a.y() * a.y() * c, -sign * a.x(), -a.y();
  return U;
}

// f, its derivatives, and what it is made of.
class MeanSquare {
 public:
  explicit MeanSquare(const Frames& frames) {
    double weight = 0;
    for (std::size_t i = 0; i < frames.X.size(); ++i) {
      const double* const r = frames.X[i].R.data();
      const double w = frames.weights[i];
      weight += w;
      for (int column = 0; column < 9; ++column) {
        const double scaled = w * r[column];
        for (int row = 0; row < 9; ++row) K_(row, column) += scaled * r[row];
      }
    }
    K_ /= weight;
    for (int e = 0; e < 6; ++e)
      for (int m = 0; m < 6; ++m) {
        const auto [i, k] = kEntries[e];
        const auto [j, l] = kEntries[m];
        in_F_(e, m) = K_(i + 3 * j, k + 3 * l) + (j != l ? K_(i + 3 * l, k + 3 * j) : 0.0);
        in_M_(m, e) = K_(i + 3 * j, k + 3 * l) + (i != k ? K_(k + 3 * j, i + 3 * l) : 0.0);
      }
  }
  // Mean of (R a)(R a)^T, and of (R^T a)(R^T a)^T.
  Symmetric in_F(const Eigen::Vector3d& a_M) const { return in_F_ * squares_of(a_M); }
  Symmetric in_M(const Eigen::Vector3d& a_F) const { return in_M_ * squares_of(a_F); }
  double at(const AxisPair& pair) const { return pair.a_F.dot(product(in_F(pair.a_M), pair.a_F)); }
  // Derivative of f by a_F (rows) and a_M (columns).
  Eigen::Matrix3d mixed(const AxisPair& pair) const {
    Eigen::Matrix3d outer = pair.a_F * pair.a_M.transpose(), M = Eigen::Matrix3d::Zero();
    const Eigen::Map<const Eigen::Matrix<double, 9, 1>> w(outer.data());
    const Eigen::Matrix<double, 9, 1> straight = K_ * w;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        double crossed = 0;
        for (int l = 0; l < 3; ++l)
          for (int k = 0; k < 3; ++k) crossed += K_(k + 3 * j, i + 3 * l) * outer(k, l);
        M(i, j) = 2 * (straight[i + 3 * j] + crossed);
      }
    return M;
  }

 private:
  Matrix9d K_{Matrix9d::Zero()};  // second moments of the entries R(i, j), number i + 3 j
  math::Matrix6d in_F_, in_M_;
};

// Newton's method for four tangent coordinates.
class Descent {
 public:
  Descent(const MeanSquare& f, AxisPair start) : f_(f), at_(std::move(start)) { at_.cost = f.at(at_); }

  AxisPair run() {
    constexpr int kSteps = 40;
    for (int i = 0; i < kSteps && step(); ++i) {
    }
    return at_;
  }

 private:
  using Vector4d = Eigen::Vector4d;
  using Matrix4d = Eigen::Matrix4d;

  // False where there is nothing more to gain.
  bool step() {
    // Of f, or of what rounding leaves: the axes are then within a hundred-thousandth of their scatter of the minimum.
    constexpr double kSettled = 1e-10, kRounding = 1e-17;
    constexpr double kMostDamping = 1e3;  // f's second derivatives are below 10
    const Eigen::Matrix<double, 3, 2> U = tangents(at_.a_F), V = tangents(at_.a_M);
    const Symmetric A = f_.in_F(at_.a_M), B = f_.in_M(at_.a_F);
    const Eigen::Vector3d Au = product(A, at_.a_F), Bv = product(B, at_.a_M);
    Vector4d g;
    g << 2 * (U.transpose() * Au), 2 * (V.transpose() * Bv);
    Matrix4d H;
    H.topRightCorner<2, 2>() = U.transpose() * f_.mixed(at_) * V;
    H.bottomLeftCorner<2, 2>() = H.topRightCorner<2, 2>().transpose();
    H.topLeftCorner<2, 2>() = on_sphere(A, U);
    H.bottomRightCorner<2, 2>() = on_sphere(B, V);
    while (damping_ < kMostDamping) {
      const std::optional<Vector4d> x = solved(H, g);
      if (x) {
        const double gain = 0.5 * g.dot(*x);
        if (gain < kSettled * at_.cost + kRounding) return false;
        const AxisPair next = moved(U, V, *x);
        if (next.cost < at_.cost) {
          at_ = next;
          damping_ = damping_ > 1e-6 ? 0.1 * damping_ : 0.0;
          return true;
        }
      }
      damping_ = std::max(10 * damping_, 1e-4);
    }
    return false;
  }

  // Second derivatives of half of a quadratic form's double on the sphere, along U.
  Eigen::Matrix2d on_sphere(const Symmetric& A, const Eigen::Matrix<double, 3, 2>& U) const {
    Eigen::Matrix<double, 3, 2> AU;
    AU << product(A, U.col(0)), product(A, U.col(1));
    Eigen::Matrix2d result = 2 * (U.transpose() * AU);
    result.diagonal().array() -= 2 * at_.cost;
    return result;
  }

  // Of (H + damping) x = g, by Cholesky's factors; none where that matrix is not clearly positive definite.
  std::optional<Vector4d> solved(const Matrix4d& H, const Vector4d& g) const {
    constexpr double kLeastPivot = 1e-12;
    Matrix4d L = Matrix4d::Zero();
    Vector4d x;
    for (int column = 0; column < 4; ++column) {
      for (int row = column; row < 4; ++row) {
        double entry = H(row, column) + (row == column ? damping_ : 0.0);
        for (int k = 0; k < column; ++k) entry -= L(row, k) * L(column, k);
        if (row > column) {
          L(row, column) = entry / L(column, column);
          continue;
        }
        if (!(entry > kLeastPivot)) return std::nullopt;
        L(row, column) = std::sqrt(entry);
      }
    }
    for (int row = 0; row < 4; ++row) {
      x[row] = g[row];
      for (int k = 0; k < row; ++k) x[row] -= L(row, k) * x[k];
      x[row] /= L(row, row);
    }
    for (int row = 3; row >= 0; --row) {
      for (int k = row + 1; k < 4; ++k) x[row] -= L(k, row) * x[k];
      x[row] /= L(row, row);
    }
    return x;
  }

  // Both axes turned against x, by half a radian at most.
  AxisPair moved(const Eigen::Matrix<double, 3, 2>& U, const Eigen::Matrix<double, 3, 2>& V,
                 const Vector4d& x) const {
    constexpr double kLongest = 0.5;  // [rad]
    const double longest = std::sqrt(std::max(x.head<2>().squaredNorm(), x.tail<2>().squaredNorm()));
    const double part = longest > kLongest ? kLongest / longest : 1.0;
    AxisPair next{(at_.a_F - part * (U * x.head<2>())).normalized(),
                  (at_.a_M - part * (V * x.tail<2>())).normalized()};
    next.cost = f_.at(next);
    return next;
  }

  const MeanSquare& f_;
  AxisPair at_;
  double damping_{0};
};

}  // namespace

std::vector<AxisPair> perpendicular_axes(const Frames& frames) {
  constexpr int kStarts = 24;        // about 30 degrees apart on the hemisphere
  constexpr int kRounds = 200;       // in turn
  constexpr double kSettled = 1e-6;  // of f
  constexpr double kSame = 0.998;    // cosine: 3.6 degrees
  constexpr double kArrived = 1e-4;  // one less the cosine: 0.8 degrees from where another search ended
  constexpr double kFarLess = 0.5;   // times f
  const MeanSquare f(frames);
  std::vector<AxisPair> pairs;
  const auto is_known = [&](const AxisPair& pair, double cosine) {
    return std::ranges::any_of(pairs, [&](const AxisPair& other) {
      return std::abs(other.a_F.dot(pair.a_F)) > cosine && std::abs(other.a_M.dot(pair.a_M)) > cosine;
    });
  };
  for (int start = 0; start < kStarts; ++start) {
    const double z = (start + 0.5) / kStarts, angle = 2.399963229728653 * start;  // golden angle
    const double radius = std::sqrt(1 - z * z);
    AxisPair pair{{}, {radius * std::cos(angle), radius * std::sin(angle), z}};
    double last = std::numeric_limits<double>::infinity();
    for (int round = 0; round < kRounds && !(round > 0 && is_known(pair, 1 - kArrived)); ++round) {
      pair.a_F = least_axis(f.in_F(pair.a_M));
      const Symmetric in_M = f.in_M(pair.a_F);
      pair.a_M = least_axis(in_M);
      pair.cost = pair.a_M.dot(product(in_M, pair.a_M));
      if (last - pair.cost < kSettled * last) break;
      last = pair.cost;
    }
    if (is_known(pair, kSame)) continue;
    // Of exact poses the rounds end far from the minimum, where Newton's method does not; of noisy ones what is left is far below the noise.
    const AxisPair least = Descent(f, pair).run();
    if (least.cost < kFarLess * pair.cost) pair = least;
    if (!is_known(pair, kSame)) pairs.push_back(pair);
  }
  // A last round, for signs that do not depend on where the search began.
  for (AxisPair& pair : pairs) {
    pair.a_F = principal_axes(full(f.in_F(pair.a_M))).vectors.col(0);
    pair.a_M = principal_axes(full(f.in_M(pair.a_F))).vectors.col(0);
    pair.cost = f.at(pair);
  }
  std::ranges::stable_sort(pairs, {}, &AxisPair::cost);
  return pairs;
}

}  // namespace prehend::articulation
