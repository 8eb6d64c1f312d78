#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <vector>

#include <Eigen/Eigenvalues>

#include <prehend/knot/invariants/signature.h>
#include <prehend/knot/layout/closed_faces.h>

namespace prehend::knot {
namespace {

using Form = Eigen::MatrixXd;  // whole entries
using Wide = __int128;

constexpr Wide kRoom = Wide{1} << 120;  // leaves room for the sums of find_pivot

int sign_of(Wide value) { return value > 0 ? 1 : (value < 0 ? -1 : 0); }

// Makes the pivot k of the symmetric matrix non-zero by exchanging or adding rows and columns; false when all of the
// rest is zero.
bool find_pivot(std::vector<std::vector<Wide>>& m, std::size_t k) {
  const std::size_t n = m.size();
  for (std::size_t i = k; i < n; ++i) {
    if (m[i][i] == 0) continue;
    std::swap(m[i], m[k]);
    for (auto& row : m) std::swap(row[i], row[k]);
    return true;
  }
  for (std::size_t i = k; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      if (m[i][j] == 0) continue;
      for (std::size_t c = k; c < n; ++c) m[i][c] += m[j][c];
      for (std::size_t r = k; r < n; ++r) m[r][i] += m[r][j];
      return find_pivot(m, k);
    }
  }
  return false;
}

// Fraction-free elimination; nothing when a product leaves 128 bits.
std::optional<int> exact_signature(const Form& form) {
  const std::size_t n = static_cast<std::size_t>(form.rows());
  std::vector<std::vector<Wide>> m(n, std::vector<Wide>(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      m[i][j] = static_cast<Wide>(form(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)));
  }
  int result = 0;
  Wide previous = 1;
  for (std::size_t k = 0; k < n; ++k) {
    if (!find_pivot(m, k)) return result;
    const Wide pivot = m[k][k];
    // The entries are minors: the pivot of the form itself is their quotient.
    result += sign_of(pivot) * sign_of(previous);
    for (std::size_t i = k + 1; i < n; ++i) {
      for (std::size_t j = k + 1; j < n; ++j) {
        Wide a, b, difference;
        if (__builtin_mul_overflow(pivot, m[i][j], &a) || __builtin_mul_overflow(m[i][k], m[k][j], &b) ||
            __builtin_sub_overflow(a, b, &difference))
          return std::nullopt;
        m[i][j] = difference / previous;
        if (m[i][j] > kRoom || m[i][j] < -kRoom) return std::nullopt;
      }
    }
    for (std::size_t i = k + 1; i < n; ++i) m[i][k] = m[k][i] = 0;
    previous = pivot;
  }
  return result;
}

int rounded_signature(const Form& form) {
  const Eigen::VectorXd values =
      Eigen::SelfAdjointEigenSolver<Form>(form, Eigen::EigenvaluesOnly).eigenvalues();
  // Rounding moves an eigenvalue by a few n eps |A|; the determinant is odd, so none is zero.
  const double doubt = 1e-12 * static_cast<double>(form.rows()) * form.norm();
  int result = 0;
  for (const double value : values) {
    if (std::abs(value) < doubt) throw std::overflow_error("the signature cannot be decided in 128 bits");
    result += value > 0 ? 1 : -1;
  }
  return result;
}

}  // namespace

int signature(const ClosedDiagram& diagram) {
  const std::vector<CrossingEdges> crossings = crossings_of(diagram);
  if (crossings.empty()) return 0;
  const ClosedFaces faces = closed_faces(crossings);
  std::vector<int> colour(static_cast<std::size_t>(faces.count), -1);
  colour[static_cast<std::size_t>(faces.corner_face[0][0])] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& corner : faces.corner_face) {
      for (std::size_t k = 0; k < 4; ++k) {
        const int here = colour[static_cast<std::size_t>(corner[k])];
        int& next = colour[static_cast<std::size_t>(corner[(k + 1) % 4])];
        if (here < 0 || next >= 0) continue;
        next = 1 - here;
        changed = true;
      }
    }
  }
  const int ones = static_cast<int>(std::count(colour.begin(), colour.end(), 1));
  const int white = ones <= faces.count - ones ? 1 : 0;
  std::vector<int> row(static_cast<std::size_t>(faces.count), -1);
  int whites = 0;
  for (std::size_t f = 0; f < colour.size(); ++f) {
    if (colour[f] == white) row[f] = whites++;
  }
  Form form = Form::Zero(whites, whites);
  int correction = 0;
  for (std::size_t x = 0; x < crossings.size(); ++x) {
    const auto& corner = faces.corner_face[x];
    const bool white_at_0 = colour[static_cast<std::size_t>(corner[0])] == white;
    // The upper strand, turned counter-clockwise, sweeps corners 1 and 3.
    const int eta = white_at_0 ? 1 : -1;
    // Smoothed along the orientation, a plus crossing opens corners 1 and 3 towards each other, a minus one 0 and 2.
    if (eta == crossings[x].sign) correction += eta;
    const int i = row[static_cast<std::size_t>(corner[white_at_0 ? 0 : 1])];
    const int j = row[static_cast<std::size_t>(corner[white_at_0 ? 2 : 3])];
    if (i == j) continue;
    form(i, i) += eta;
    form(j, j) += eta;
    form(i, j) -= eta;
    form(j, i) -= eta;
  }
  const Form reduced = form.topLeftCorner(whites - 1, whites - 1);
  if (whites == 1) return -correction;
  const std::optional<int> exact = exact_signature(reduced);
  return (exact ? *exact : rounded_signature(reduced)) - correction;
}

}  // namespace prehend::knot
