// The numbers of ConeKkt's reduced matrix, once per interior-point step.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include <prehend/math/cone/cone_kkt.h>

namespace prehend::math {
namespace {
// Share of a diagonal entry added to it: far below what refinement removes, enough for redundant equalities.
constexpr double kRelativeShift = 1e-13;
// A pivot below this part of its diagonal is rounding, and is replaced (quasidefinite_ldl.h).
constexpr double kPivotFloor = 1e-14;

// columns of out = M v, for the symmetric matrix a 2 w w' - a J (second-order scaling; a J-reflected w gives
// the inverse).
struct SecondOrderSquare {
  double factor;
  const double* w;
  double sign;  // +1: W'W; -1: its inverse, whose w is (w0, -w1)
};

void multiply_block(const SecondOrderSquare& square, const double* v, int d, int stride, double* out) {
  double along = square.w[0] * v[0];
  for (int i = 1; i < d; ++i) along += square.sign * square.w[i] * v[i * stride];
  along *= 2.0;
  out[0] = square.factor * (along * square.w[0] - v[0]);
  for (int i = 1; i < d; ++i) {
    out[i * stride] = square.factor * (along * square.sign * square.w[i] + v[i * stride]);
  }
}

// Lower triangle of sum += T B' with three columns each. A fixed number of rows (one or two bodies) is
// unrolled, and whole columns are faster than ragged ones then.
template <class Rows>
inline void add_outer_product(const double* T, const double* B, Rows r, double* sum) {
  constexpr bool kFixed = !std::is_same_v<Rows, int>;
  const double *const T0 = T, *const T1 = T + r, *const T2 = T + 2 * r;
  for (int j = 0; j < r; ++j) {
    const double b0 = B[j], b1 = B[r + j], b2 = B[2 * r + j];
    double* const column = sum + j * r;
    for (int i = kFixed ? (j & ~1) : j; i < r; ++i) column[i] += T0[i] * b0 + T1[i] * b1 + T2[i] * b2;
  }
}

// T = B W'W by rows of three, the same for a contact force.
template <class Rows>
inline void multiply_square3(double factor, const double* w, const double* B, Rows r, double* T) {
  const double *const B0 = B, *const B1 = B + r, *const B2 = B + 2 * r;
  for (int i = 0; i < r; ++i) {
    const double along = 2.0 * (w[0] * B0[i] + w[1] * B1[i] + w[2] * B2[i]);
    T[i] = factor * (along * w[0] - B0[i]);
    T[r + i] = factor * (along * w[1] + B1[i]);
    T[2 * r + i] = factor * (along * w[2] + B2[i]);
  }
}
}  // namespace

void ConeKkt::factorise(const ConeScaling& scaling) {
  scaling_ = &scaling;
  std::vector<double>& values = ldl_.values();
  std::copy(base_values_.begin(), base_values_.end(), values.begin());
  assemble_owned(scaling, values.data());
  assemble_eliminated(scaling, values.data());
  assemble_kept(scaling, values.data());
  for (std::size_t i = 0; i < diagonal_location_.size(); ++i) {
    double& diagonal = values[diagonal_location_[i]];
    const double shift =
        std::max(std::abs(diagonal_shift_[i]), least_shift_) + kRelativeShift * std::abs(diagonal);
    diagonal += std::copysign(shift, diagonal_shift_[i]);
  }
  ldl_.factorise(kPivotFloor);
}

// - sum of B W'W B' over the cones of each group.
void ConeKkt::assemble_owned(const ConeScaling& scaling, double* values) {
  for (const Group& group : groups_) {
    const int r = group.row_count;
    double *const sum = group_sum_.data(), *const T = product_.data();
    std::fill_n(sum, static_cast<std::size_t>(r) * r, 0.0);
    for (int c = group.first; c < group.first + group.count; ++c) {
      const Owned& owned = owned_[c];
      const int d = owned.cone.dimension;
      const double* const B = blocks_.data() + owned.B;
      if (owned.cone.kind == Kind::orthant) {
        const double square = scaling.orthant_squared(owned.cone.index);
        for (int j = 0; j < r; ++j) {
          const double factor = square * B[j];
          for (int i = j; i < r; ++i) sum[j * r + i] += B[i] * factor;
        }
        continue;
      }
      if (owned.cone.kind == Kind::second_order) {
        const SecondOrderCone& cone = layout_.second_order[owned.cone.index];
        const double* const w = scaling.w(cone);
        const double factor = scaling.second_order(owned.cone.index).eta_squared;
        if (d == 3) {
          multiply_square3(factor, w, B, r, T);
        } else {
          for (int i = 0; i < r; ++i) multiply_block({factor, w, 1.0}, B + i, d, r, T + i);
        }
      } else {
        const auto& square = scaling.psd_squared(owned.cone.index);
        for (int k = 0; k < d; ++k) {
          for (int i = 0; i < r; ++i) {
            double total = 0.0;
            for (int l = 0; l < d; ++l) total += B[l * r + i] * square(l, k);
            T[k * r + i] = total;
          }
        }
      }
      if (d == 3) {
        if (r == 6) {
          add_outer_product(T, B, std::integral_constant<int, 6>{}, sum);
        } else if (r == 12) {
          add_outer_product(T, B, std::integral_constant<int, 12>{}, sum);
        } else {
          add_outer_product(T, B, r, sum);
        }
      } else {
        for (int k = 0; k < d; ++k) {
          for (int j = 0; j < r; ++j) {
            const double b = B[k * r + j];
            for (int i = j; i < r; ++i) sum[j * r + i] += T[k * r + i] * b;
          }
        }
      }
    }
    const int* location = locations_.data() + group.locations;
    for (int j = 0; j < r; ++j) {
      for (int i = j; i < r; ++i) values[*location++] -= sum[j * r + i];
    }
  }
}

// + G_K' (W'W)^-1 G_K.
void ConeKkt::assemble_eliminated(const ConeScaling& scaling, double* values) {
  for (const Eliminated& e : eliminated_) {
    const int d = e.cone.dimension, count = e.column_count;
    const double* const G = blocks_.data() + e.G;
    const int* location = locations_.data() + e.locations;
    if (e.cone.kind == Kind::orthant) {
      const double inverse = 1.0 / scaling.orthant_squared(e.cone.index);
      for (int j = 0; j < count; ++j) {
        for (int i = j; i < count; ++i) values[*location++] += G[i] * G[j] * inverse;
      }
      continue;
    }
    double* const T = product_.data();
    if (e.cone.kind == Kind::second_order) {
      const double* const w = scaling.w(layout_.second_order[e.cone.index]);
      const double factor = 1.0 / scaling.second_order(e.cone.index).eta_squared;
      for (int k = 0; k < count; ++k) multiply_block({factor, w, -1.0}, G + k * d, d, 1, T + k * d);
    } else {
      const auto& inverse = scaling.psd_inverse_squared(e.cone.index);
      for (int k = 0; k < count; ++k) {
        for (int i = 0; i < d; ++i) {
          double total = 0.0;
          for (int l = 0; l < d; ++l) total += inverse(i, l) * G[k * d + l];
          T[k * d + i] = total;
        }
      }
    }
    for (int j = 0; j < count; ++j) {
      for (int i = j; i < count; ++i) {
        double total = 0.0;
        for (int l = 0; l < d; ++l) total += G[i * d + l] * T[j * d + l];
        values[*location++] += total;
      }
    }
  }
}

// - W'W, dense, or for large second-order cones as eta^2 (D + u u' - v v') with D = diag(d, 1, .., 1), u =
// (u0, u1 e), v = (0, v1 e), e the direction of w1. Matching W'W / eta^2 = 2 w w' - J (a = w0, r = |w1|, a^2
// = 1 + r^2):
//   d + u0^2 = a^2 + r^2,   u0 u1 = 2 a r,   u1^2 - v1^2 = 2 r^2;   v1 < 1, which keeps the matrix
//   quasi-definite,
// holds exactly for d < 1/(a^2 + r^2); half of that is taken.
void ConeKkt::assemble_kept(const ConeScaling& scaling, double* values) {
  for (const Kept& kept : kept_) {
    const int d = kept.cone.dimension;
    const int* location = locations_.data() + kept.locations;
    if (kept.cone.kind == Kind::orthant) {
      values[*location] -= scaling.orthant_squared(kept.cone.index);
    } else if (kept.cone.kind == Kind::psd) {
      const auto& square = scaling.psd_squared(kept.cone.index);
      for (int j = 0; j < d; ++j) {
        for (int i = j; i < d; ++i) values[*location++] -= square(i, j);
      }
    } else {
      const double* const w = scaling.w(layout_.second_order[kept.cone.index]);
      const double factor = scaling.second_order(kept.cone.index).eta_squared;
      if (!kept.expanded) {
        for (int j = 0; j < d; ++j) {
          for (int i = j; i < d; ++i) {
            const double reflection = i != j ? 0.0 : (i == 0 ? 1.0 : -1.0);
            values[*location++] -= factor * (2.0 * w[i] * w[j] - reflection);
          }
        }
        continue;
      }
      const double eta = scaling.second_order(kept.cone.index).eta;
      double r2 = 0.0;
      for (int i = 1; i < d; ++i) r2 += w[i] * w[i];
      const double total = 1.0 + 2.0 * r2, head = 0.5 / total;
      const double u0 = std::sqrt(total - head);
      const double u1_over_r = 2.0 * w[0] / u0, v1_over_r = std::sqrt(2.0 * (1.0 + head) / (total - head));
      for (int i = 0; i < d; ++i) {
        values[*location++] -= factor * (i == 0 ? head : 1.0);
        values[*location++] += eta * (i == 0 ? 0.0 : v1_over_r * w[i]);
        values[*location++] += eta * (i == 0 ? u0 : u1_over_r * w[i]);
      }
      values[*location++] -= 1.0;
      values[*location++] += 1.0;
    }
  }
}

}  // namespace prehend::math
