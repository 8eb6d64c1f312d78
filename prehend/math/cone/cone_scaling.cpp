#include <algorithm>
#include <cmath>
#include <type_traits>

#include <prehend/math/cone/cone_scaling.h>

namespace prehend::math {
namespace {

template <class Dimension>
inline double determinant(const double* v, Dimension dimension) {
  double squared = 0.0;
  for (int i = 1; i < dimension; ++i) squared += v[i] * v[i];
  const double norm = std::sqrt(squared);
  return (v[0] - norm) * (v[0] + norm);
}
}  // namespace

ConeLayout::ConeLayout(const ConeDimensions& dimensions) : nonnegative(dimensions.nonnegative) {
  rows = nonnegative;
  for (int dimension : dimensions.second_order) {
    second_order.push_back({rows, dimension});
    rows += dimension;
  }
  for (int i = 0; i < dimensions.psd4; ++i) {
    psd4.push_back(rows);
    rows += kPsd4Rows;
  }
  degree = nonnegative + static_cast<int>(second_order.size()) + 4 * static_cast<int>(psd4.size());
}

void ConeLayout::set_identity(double* v) const {
  std::fill(v, v + nonnegative, 1.0);
  std::fill(v + nonnegative, v + rows, 0.0);
  for (const SecondOrderCone& cone : second_order) v[cone.offset] = 1.0;
  for (int offset : psd4) {
    for (int diagonal : {0, 2, 5, 9}) v[offset + diagonal] = 1.0;
  }
}

ConeScaling::ConeScaling(const ConeLayout& layout)
    : layout_(layout),
      orthant_w_(layout.nonnegative, 1.0),
      w_(layout.rows, 0.0),
      lambda_(layout.rows, 0.0),
      second_order_(layout.second_order.size()),
      psd_R_(layout.psd4.size(), Eigen::Matrix4d::Identity()),
      psd_squared_(layout.psd4.size()),
      psd_inverse_squared_(layout.psd4.size()) {}

template <class Dimension>
bool ConeScaling::update_second_order(const SecondOrderCone& cone, Dimension dimension,
                                      SecondOrderScaling& scaling, const double* s_all, const double* z_all) {
  const double *const s = s_all + cone.offset, *const z = z_all + cone.offset;
  double *const w = w_.data() + cone.offset, *const lambda = lambda_.data() + cone.offset;
  const double s_det = determinant(s, dimension), z_det = determinant(z, dimension);
  if (!(s_det > 0.0 && z_det > 0.0 && s[0] > 0.0 && z[0] > 0.0)) return false;
  const double s_root = std::sqrt(s_det), z_root = std::sqrt(z_det);
  double inner = 0.0;
  for (int i = 0; i < dimension; ++i) inner += s[i] * z[i];
  const double product = s_root * z_root;
  const double inverse_product = 1.0 / product;
  const double half = 0.5 * inverse_product / std::sqrt(0.5 * (1.0 + inner * inverse_product));
  const double s_factor = half * z_root, z_factor = half * s_root;
  double tail = 0.0;
  for (int i = 1; i < dimension; ++i) {
    w[i] = s[i] * s_factor - z[i] * z_factor;
    tail += w[i] * w[i];
  }
  w[0] = std::sqrt(1.0 + tail);  // w'Jw = 1 exactly; rounding would break it for points near the boundary
  scaling.eta_squared = s_root * s_root * inverse_product;
  scaling.eta = std::sqrt(scaling.eta_squared);
  double along = 0.0;
  for (int i = 1; i < dimension; ++i) along += w[i] * z[i];
  scaling.inverse_one_plus_w0 = 1.0 / (1.0 + w[0]);
  const double shared = z[0] + along * scaling.inverse_one_plus_w0;
  lambda[0] = scaling.eta * (w[0] * z[0] + along);
  for (int i = 1; i < dimension; ++i) lambda[i] = scaling.eta * (z[i] + shared * w[i]);
  // lambda'J lambda = sqrt(s'Js z'Jz), known without the cancellation of its own terms.
  scaling.inverse_determinant = inverse_product;
  scaling.inverse_root = std::sqrt(inverse_product);
  scaling.step_factor = scaling.inverse_root / (lambda[0] * scaling.inverse_root + 1.0);
  return lambda[0] > 0.0 && std::isfinite(lambda[0]) && std::isfinite(inverse_product);
}

bool ConeScaling::update(const double* s, const double* z) {
  for (int i = 0; i < layout_.nonnegative; ++i) {
    if (!(s[i] > 0.0 && z[i] > 0.0)) return false;
    orthant_w_[i] = std::sqrt(s[i] / z[i]);
    lambda_[i] = std::sqrt(s[i] * z[i]);
  }
  for (std::size_t i = 0; i < layout_.second_order.size(); ++i) {
    const SecondOrderCone& cone = layout_.second_order[i];
    bool inside = false;
    with_dimension(cone.dimension, [&](auto dimension) {
      inside = update_second_order(cone, dimension, second_order_[i], s, z);
    });
    if (!inside) return false;
  }
  for (std::size_t i = 0; i < layout_.psd4.size(); ++i) {
    if (!update_psd(static_cast<int>(i), s, z)) return false;
  }
  return true;
}

void ConeScaling::apply(const double* v, double* out) const {
  for (int i = 0; i < layout_.nonnegative; ++i) out[i] = orthant_w_[i] * v[i];
  for (std::size_t c = 0; c < layout_.second_order.size(); ++c) {
    const SecondOrderCone& cone = layout_.second_order[c];
    with_dimension(cone.dimension, [&](auto dimension) {
      const double *const w = w_.data() + cone.offset, *const u = v + cone.offset;
      double* const o = out + cone.offset;
      const double eta = second_order_[c].eta;
      double along = 0.0;
      for (int i = 1; i < dimension; ++i) along += w[i] * u[i];
      const double head = u[0], shared = head + along * second_order_[c].inverse_one_plus_w0;
      for (int i = 1; i < dimension; ++i) o[i] = eta * (u[i] + shared * w[i]);
      o[0] = eta * (w[0] * head + along);
    });
  }
  for (std::size_t b = 0; b < layout_.psd4.size(); ++b) {
    const int offset = layout_.psd4[b];
    const Eigen::Matrix4d U = psd4_matrix(Eigen::Map<const Eigen::Matrix<double, kPsd4Rows, 1>>(v + offset));
    Eigen::Map<Eigen::Matrix<double, kPsd4Rows, 1>>(out + offset) =
        psd4_vector(psd_R_[b].transpose() * U * psd_R_[b]);
  }
}

void ConeScaling::apply_transposed(const double* v, double* out) const {
  apply(v, out);  // W is symmetric on the orthant and second-order cones
  for (std::size_t b = 0; b < layout_.psd4.size(); ++b) {
    const int offset = layout_.psd4[b];
    const Eigen::Matrix4d U = psd4_matrix(Eigen::Map<const Eigen::Matrix<double, kPsd4Rows, 1>>(v + offset));
    Eigen::Map<Eigen::Matrix<double, kPsd4Rows, 1>>(out + offset) =
        psd4_vector(psd_R_[b] * U * psd_R_[b].transpose());
  }
}

void ConeScaling::apply_squared(const double* v, double* out) const {
  for (int i = 0; i < layout_.nonnegative; ++i) out[i] = orthant_w_[i] * orthant_w_[i] * v[i];
  for (std::size_t c = 0; c < layout_.second_order.size(); ++c) {
    const SecondOrderCone& cone = layout_.second_order[c];
    with_dimension(cone.dimension, [&](auto dimension) {
      const double *const w = w_.data() + cone.offset, *const u = v + cone.offset;
      double* const o = out + cone.offset;
      const double factor = second_order_[c].eta_squared;
      double along = 0.0;
      for (int i = 0; i < dimension; ++i) along += w[i] * u[i];
      along *= 2.0;
      o[0] = factor * (along * w[0] - u[0]);
      for (int i = 1; i < dimension; ++i) o[i] = factor * (along * w[i] + u[i]);
    });
  }
  for (std::size_t b = 0; b < layout_.psd4.size(); ++b) {
    const int offset = layout_.psd4[b];
    Eigen::Map<Eigen::Matrix<double, kPsd4Rows, 1>>(out + offset).noalias() =
        psd_squared_[b] * Eigen::Map<const Eigen::Matrix<double, kPsd4Rows, 1>>(v + offset);
  }
}

void ConeScaling::apply_inverse_squared(const double* v, double* out) const {
  for (int i = 0; i < layout_.nonnegative; ++i) out[i] = v[i] / (orthant_w_[i] * orthant_w_[i]);
  for (std::size_t c = 0; c < layout_.second_order.size(); ++c) {
    const SecondOrderCone& cone = layout_.second_order[c];
    with_dimension(cone.dimension, [&](auto dimension) {
      const double *const w = w_.data() + cone.offset, *const u = v + cone.offset;
      double* const o = out + cone.offset;
      const double factor = 1.0 / second_order_[c].eta_squared;
      double along = w[0] * u[0];
      for (int i = 1; i < dimension; ++i) along -= w[i] * u[i];
      along *= 2.0;
      o[0] = factor * (along * w[0] - u[0]);
      for (int i = 1; i < dimension; ++i) o[i] = factor * (u[i] - along * w[i]);
    });
  }
  for (std::size_t b = 0; b < layout_.psd4.size(); ++b) {
    const int offset = layout_.psd4[b];
    Eigen::Map<Eigen::Matrix<double, kPsd4Rows, 1>>(out + offset).noalias() =
        psd_inverse_squared_[b] * Eigen::Map<const Eigen::Matrix<double, kPsd4Rows, 1>>(v + offset);
  }
}

void ConeScaling::divide_by_lambda(const double* v, double* out) const {
  for (int i = 0; i < layout_.nonnegative; ++i) out[i] = v[i] / lambda_[i];
  for (std::size_t c = 0; c < layout_.second_order.size(); ++c) {
    const SecondOrderCone& cone = layout_.second_order[c];
    with_dimension(cone.dimension, [&](auto dimension) {
      const double *const l = lambda_.data() + cone.offset, *const u = v + cone.offset;
      double* const o = out + cone.offset;
      double along = 0.0;
      for (int i = 1; i < dimension; ++i) along += l[i] * u[i];
      const double head = (l[0] * u[0] - along) * second_order_[c].inverse_determinant, inverse = 1.0 / l[0];
      for (int i = 1; i < dimension; ++i) o[i] = (u[i] - head * l[i]) * inverse;
      o[0] = head;
    });
  }
  for (int offset : layout_.psd4) {
    int k = offset;
    constexpr int kDiagonal[4] = {0, 2, 5, 9};
    for (int j = 0; j < 4; ++j) {
      for (int i = 0; i <= j; ++i, ++k) {
        out[k] = 2.0 * v[k] / (lambda_[offset + kDiagonal[i]] + lambda_[offset + kDiagonal[j]]);
      }
    }
  }
}

double ConeScaling::max_step(const double* d, double limit) const {
  // 1/t is the largest amount by which the direction, measured by lambda, leaves the cone.
  double worst = 1.0 / limit;
  for (int i = 0; i < layout_.nonnegative; ++i) worst = std::max(worst, -d[i] / lambda_[i]);
  for (std::size_t c = 0; c < layout_.second_order.size(); ++c) {
    const SecondOrderCone& cone = layout_.second_order[c];
    with_dimension(cone.dimension, [&](auto dimension) {
      const double *const l = lambda_.data() + cone.offset, *const u = d + cone.offset;
      const double inverse = second_order_[c].inverse_root;
      double along = l[0] * u[0];
      for (int i = 1; i < dimension; ++i) along -= l[i] * u[i];
      along *= inverse;
      const double shared = (along + u[0]) * second_order_[c].step_factor;
      double tail = 0.0;
      for (int i = 1; i < dimension; ++i) {
        const double r = u[i] - shared * l[i];
        tail += r * r;
      }
      worst = std::max(worst, (std::sqrt(tail) - along) * inverse);
    });
  }
  for (int offset : layout_.psd4) worst = std::max(worst, psd_exit(offset, d));
  return 1.0 / worst;
}

void ConeScaling::product(const double* u, const double* v, double* out) const {
  for (int i = 0; i < layout_.nonnegative; ++i) out[i] = u[i] * v[i];
  for (const SecondOrderCone& cone : layout_.second_order) {
    with_dimension(cone.dimension, [&](auto dimension) {
      const double *const a = u + cone.offset, *const b = v + cone.offset;
      double* const o = out + cone.offset;
      double inner = a[0] * b[0];
      for (int i = 1; i < dimension; ++i) {
        inner += a[i] * b[i];
        o[i] = a[0] * b[i] + b[0] * a[i];
      }
      o[0] = inner;
    });
  }
  for (int offset : layout_.psd4) {
    using Block = Eigen::Map<const Eigen::Matrix<double, kPsd4Rows, 1>>;
    const Eigen::Matrix4d a = psd4_matrix(Block(u + offset)), b = psd4_matrix(Block(v + offset));
    const Eigen::Matrix4d ab = a * b;
    Eigen::Map<Eigen::Matrix<double, kPsd4Rows, 1>>(out + offset) = psd4_vector(0.5 * (ab + ab.transpose()));
  }
}

}  // namespace prehend::math
