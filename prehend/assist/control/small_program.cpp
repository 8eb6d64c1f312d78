#include <algorithm>
#include <cmath>
#include <limits>

#include <prehend/assist/control/small_program.h>
#include <prehend/math/enum_text.h>

namespace prehend::assist {
namespace {

// Rows have norms around 1 (metres, radians, newton metres): a violation of 1e-9 is rounding.
constexpr double kRowTolerance = 1e-9;
// Below this a new row is a combination of the active ones.
constexpr double kDependent = 1e-11;
// A row of this norm and less has no variable in it: two parts of a robot whose distance no joint changes, as rounding shows it.
constexpr double kNoRow = 1e-10;
// Far more than any program of a controller needs (measured: at most 40); a cycle ends here.
constexpr int kMostSteps = 400;

double dot(const double* a, const double* b, int n) {
  // Four sums at once: a single one waits for each addition.
  double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
  int i = 0;
  for (; i + 3 < n; i += 4) {
    s0 += a[i] * b[i];
    s1 += a[i + 1] * b[i + 1];
    s2 += a[i + 2] * b[i + 2];
    s3 += a[i + 3] * b[i + 3];
  }
  for (; i < n; ++i) s0 += a[i] * b[i];
  return (s0 + s1) + (s2 + s3);
}

}  // namespace

const char* to_string(ProgramStatus status) { return enum_text(status); }

void SmallProgram::clear(int variables) {
  n_ = variables, m_ = 0, q_ = 0, steps_ = 0;
  for (int i = 0; i < n_; ++i) {
    std::fill_n(&hessian_[index(i, 0)], n_, 0.0);
    gradient_[static_cast<std::size_t>(i)] = 0.0;
  }
}

double* SmallProgram::add_row(double bound) {
  if (m_ == kMaxRows) return nullptr;
  double* row = &rows_[static_cast<std::size_t>(m_) * kStride];
  std::fill_n(row, n_, 0.0);
  bounds_[static_cast<std::size_t>(m_)] = bound;
  ++m_;
  return row;
}

// H = L L'; J = L^-T, upper triangular.
bool SmallProgram::factorise() {
  for (int i = 0; i < n_; ++i) {
    for (int j = 0; j <= i; ++j) {
      double sum = hessian_[index(i, j)] - dot(&L_[index(i, 0)], &L_[index(j, 0)], j);
      if (i == j) {
        if (!(sum > 1e-14)) return false;
        L_[index(i, i)] = std::sqrt(sum);
      } else {
        L_[index(i, j)] = sum / L_[index(j, j)];
      }
    }
  }
  // Row i of J holds column i of L^-1, so that J' is L^-1.
  for (int c = 0; c < n_; ++c) {
    double* inverse = &J_[index(c, 0)];
    std::fill_n(inverse, n_, 0.0);
    inverse[c] = 1.0 / L_[index(c, c)];
    for (int i = c + 1; i < n_; ++i)
      inverse[i] = -dot(&L_[index(i, c)], inverse + c, i - c) / L_[index(i, i)];
  }
  return true;
}

void SmallProgram::unconstrained_minimum() {
  // x = -J J' g.
  for (int i = 0; i < n_; ++i) d_[static_cast<std::size_t>(i)] = 0.0;
  for (int k = 0; k < n_; ++k)
    for (int i = 0; i < n_; ++i)
      d_[static_cast<std::size_t>(i)] += J_[index(k, i)] * gradient_[static_cast<std::size_t>(k)];
  for (int i = 0; i < n_; ++i) x_[static_cast<std::size_t>(i)] = -dot(&J_[index(i, 0)], d_.data(), n_);
}

int SmallProgram::most_violated() const {
  int worst = -1;
  double least = 0.0;
  for (int k = 0; k < m_; ++k) {
    const double norm = norms_[static_cast<std::size_t>(k)];
    if (is_active_[static_cast<std::size_t>(k)] || norm <= kNoRow) continue;
    const double slack = (dot(row(k), x_.data(), n_) - bounds_[static_cast<std::size_t>(k)]) / norm;
    if (slack < least - kRowTolerance * (1.0 + std::abs(bounds_[static_cast<std::size_t>(k)]) / norm))
      least = slack, worst = k;
  }
  return worst;
}

// d = J' n, z = the step in x, r = the change of the active multipliers.
void SmallProgram::directions(const double* normal) {
  for (int i = 0; i < n_; ++i) d_[static_cast<std::size_t>(i)] = 0.0;
  for (int k = 0; k < n_; ++k) {
    const double value = normal[k];
    if (value == 0.0) continue;
    const double* row_of_j = &J_[index(k, 0)];
    for (int i = 0; i < n_; ++i) d_[static_cast<std::size_t>(i)] += value * row_of_j[i];
  }
  for (int i = 0; i < n_; ++i)
    z_[static_cast<std::size_t>(i)] = dot(&J_[index(i, q_)], &d_[static_cast<std::size_t>(q_)], n_ - q_);
  for (int i = q_ - 1; i >= 0; --i) {
    double sum = d_[static_cast<std::size_t>(i)];
    for (int j = i + 1; j < q_; ++j) sum -= R_[index(i, j)] * r_[static_cast<std::size_t>(j)];
    r_[static_cast<std::size_t>(i)] = sum / R_[index(i, i)];
  }
}

// Turns J so that J' n has its last entries zero below q; the new column of R is its head. False: dependent.
bool SmallProgram::add_active(int row) {
  for (int j = n_ - 1; j > q_; --j) {
    double& a = d_[static_cast<std::size_t>(j - 1)];
    double& b = d_[static_cast<std::size_t>(j)];
    if (b == 0.0) continue;
    const double length = std::hypot(a, b), c = a / length, s = b / length;
    a = length, b = 0.0;
    for (int k = 0; k < n_; ++k) {
      double &left = J_[index(k, j - 1)], &right = J_[index(k, j)];
      const double old = left;
      left = c * old + s * right;
      right = c * right - s * old;
    }
  }
  if (std::abs(d_[static_cast<std::size_t>(q_)]) < kDependent) return false;
  for (int i = 0; i <= q_; ++i) R_[index(i, q_)] = d_[static_cast<std::size_t>(i)];
  active_[static_cast<std::size_t>(q_)] = row;
  is_active_[static_cast<std::size_t>(row)] = true;
  ++q_;
  return true;
}

void SmallProgram::drop_active(int position) {
  is_active_[static_cast<std::size_t>(active_[static_cast<std::size_t>(position)])] = false;
  for (int i = position; i + 1 < q_; ++i) {
    active_[static_cast<std::size_t>(i)] = active_[static_cast<std::size_t>(i + 1)];
    u_[static_cast<std::size_t>(i)] = u_[static_cast<std::size_t>(i + 1)];
    for (int k = 0; k < q_; ++k) R_[index(k, i)] = R_[index(k, i + 1)];
  }
  u_[static_cast<std::size_t>(q_ - 1)] = u_[static_cast<std::size_t>(q_)];
  --q_;
  for (int j = position; j < q_; ++j) {
    double &a = R_[index(j, j)], &b = R_[index(j + 1, j)];
    if (b == 0.0) continue;
    const double length = std::hypot(a, b), c = a / length, s = b / length;
    a = length, b = 0.0;
    for (int k = j + 1; k < q_; ++k) {
      double &upper = R_[index(j, k)], &lower = R_[index(j + 1, k)];
      const double old = upper;
      upper = c * old + s * lower;
      lower = c * lower - s * old;
    }
    for (int k = 0; k < n_; ++k) {
      double &left = J_[index(k, j)], &right = J_[index(k, j + 1)];
      const double old = left;
      left = c * old + s * right;
      right = c * right - s * old;
    }
  }
}

// One Newton step on the conditions of the active rows, with the factors at hand: takes out what rounding has gathered on the way. With N the active normals, J'N = [R; 0] and JJ' = H^-1:
// dx = -J1 R^-T c - J2 J2' g,  du = R^-1 (J1' g - R^-T c), for the gradient g and the active rows' excess c.
void SmallProgram::refine() {
  std::array<double, kMaxFreedoms> turned{}, back{};
  for (int k = 0; k < n_; ++k) {
    double gradient = gradient_[static_cast<std::size_t>(k)] + dot(&hessian_[index(k, 0)], x_.data(), n_);
    for (int a = 0; a < q_; ++a)
      gradient -= u_[static_cast<std::size_t>(a)] * row(active_[static_cast<std::size_t>(a)])[k];
    for (int i = 0; i < n_; ++i) turned[static_cast<std::size_t>(i)] += J_[index(k, i)] * gradient;
  }
  for (int i = 0; i < q_; ++i) {
    const int own = active_[static_cast<std::size_t>(i)];
    double sum = dot(row(own), x_.data(), n_) - bounds_[static_cast<std::size_t>(own)];
    for (int j = 0; j < i; ++j) sum -= R_[index(j, i)] * back[static_cast<std::size_t>(j)];
    back[static_cast<std::size_t>(i)] = sum / R_[index(i, i)];
  }
  for (int k = 0; k < n_; ++k)
    x_[static_cast<std::size_t>(k)] -= dot(&J_[index(k, 0)], back.data(), q_) +
                                       dot(&J_[index(k, q_)], &turned[static_cast<std::size_t>(q_)], n_ - q_);
  for (int i = q_ - 1; i >= 0; --i) {
    double sum = turned[static_cast<std::size_t>(i)] - back[static_cast<std::size_t>(i)];
    for (int j = i + 1; j < q_; ++j) sum -= R_[index(i, j)] * d_[static_cast<std::size_t>(j)];
    d_[static_cast<std::size_t>(i)] = sum / R_[index(i, i)];
    u_[static_cast<std::size_t>(i)] += d_[static_cast<std::size_t>(i)];
  }
}

bool SmallProgram::is_optimal() const {
  double scale = 1.0;
  for (int i = 0; i < n_; ++i) {
    double gradient = gradient_[static_cast<std::size_t>(i)] + dot(&hessian_[index(i, 0)], x_.data(), n_);
    scale = std::max(scale, std::abs(gradient));
    for (int k = 0; k < q_; ++k) {
      const double part = u_[static_cast<std::size_t>(k)] * row(active_[static_cast<std::size_t>(k)])[i];
      gradient -= part;
      scale = std::max(scale, std::abs(part));
    }
    if (!(std::abs(gradient) <= 1e-6 * scale)) return false;
  }
  for (int k = 0; k < m_; ++k) {
    const double bound = bounds_[static_cast<std::size_t>(k)];
    const double norm = norms_[static_cast<std::size_t>(k)];
    if (norm > kNoRow && !(dot(row(k), x_.data(), n_) >= bound - 1e-7 * (norm + std::abs(bound))))
      return false;
  }
  return true;
}

ProgramStatus SmallProgram::solve() {
  q_ = 0, steps_ = 0;
  for (int k = 0; k < m_; ++k) {
    is_active_[static_cast<std::size_t>(k)] = false;
    norms_[static_cast<std::size_t>(k)] = std::sqrt(dot(row(k), row(k), n_));
    if (norms_[static_cast<std::size_t>(k)] <= kNoRow && bounds_[static_cast<std::size_t>(k)] > kRowTolerance)
      return ProgramStatus::infeasible;
  }
  if (!factorise()) return ProgramStatus::unsolved;
  unconstrained_minimum();
  constexpr double infinite = std::numeric_limits<double>::infinity();
  while (steps_ < kMostSteps) {
    const int p = most_violated();
    if (p < 0) {
      if (is_optimal()) return ProgramStatus::solved;
      refine();
      return is_optimal() ? ProgramStatus::solved : ProgramStatus::unsolved;
    }
    u_[static_cast<std::size_t>(q_)] = 0.0;
    for (;;) {
      if (++steps_ >= kMostSteps) return ProgramStatus::unsolved;
      directions(row(p));
      double most_dual = infinite;
      int leaving = -1;
      for (int k = 0; k < q_; ++k) {
        const double rate = r_[static_cast<std::size_t>(k)];
        if (rate > 1e-14 && u_[static_cast<std::size_t>(k)] / rate < most_dual)
          most_dual = u_[static_cast<std::size_t>(k)] / rate, leaving = k;
      }
      const double slope = dot(z_.data(), row(p), n_);
      const double slack = dot(row(p), x_.data(), n_) - bounds_[static_cast<std::size_t>(p)];
      const bool moves =
          slope > kDependent * norms_[static_cast<std::size_t>(p)] * norms_[static_cast<std::size_t>(p)];
      const double full = moves ? -slack / slope : infinite;
      const double step = std::min(most_dual, full);
      if (step == infinite) return ProgramStatus::infeasible;
      for (int k = 0; k < q_; ++k) u_[static_cast<std::size_t>(k)] -= step * r_[static_cast<std::size_t>(k)];
      u_[static_cast<std::size_t>(q_)] += step;
      if (moves)
        for (int i = 0; i < n_; ++i)
          x_[static_cast<std::size_t>(i)] += step * z_[static_cast<std::size_t>(i)];
      if (full <= most_dual) {
        if (q_ == n_ || !add_active(p)) return ProgramStatus::unsolved;
        break;
      }
      drop_active(leaving);
    }
  }
  return ProgramStatus::unsolved;
}

}  // namespace prehend::assist
