#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>

#include <Eigen/Eigenvalues>

#include <prehend/math/interrupt.h>
#include <prehend/math/random.h>
#include <prehend/observation/second/dependent_forms.h>

namespace prehend::observation {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// [of the largest weight] Weights below are none.
constexpr double kNoWeight = 1e-7;

void append(Rows& rows, const Rows& more) {
  rows.conservativeResize(rows.rows() + more.rows(), Eigen::NoChange);
  rows.bottomRows(more.rows()) = more;
}

double combinations(Index n, Index k) {
  double count = 1.0;
  for (Index i = 0; i < k; ++i) count *= static_cast<double>(n - i) / static_cast<double>(i + 1);
  return count;
}

// The kernel of a k x (k + 1) matrix of rank k, by elimination with full pivots; false where the rank is less. k is at most 6.
class KernelVector {
 public:
  static constexpr int kMost = 6;

  bool solve(int k) {
    int order[kMost + 1];
    for (int c = 0; c <= k; ++c) order[c] = c;
    for (int step = 0; step < k; ++step) {
      int row = step, column = step;
      for (int r = step; r < k; ++r)
        for (int c = step; c <= k; ++c)
          if (std::abs(m[r][order[c]]) > std::abs(m[row][order[column]])) {
            row = r;
            column = c;
          }
      std::swap(m[step], m[row]);
      std::swap(order[step], order[column]);
      const double pivot = m[step][order[step]];
      if (std::abs(pivot) <= kConeTolerance) return false;
      for (int r = 0; r < k; ++r) {
        if (r == step) continue;
        const double factor = m[r][order[step]] / pivot;
        for (int c = step; c <= k; ++c) m[r][order[c]] -= factor * m[step][order[c]];
      }
    }
    x[static_cast<std::size_t>(order[k])] = 1.0;
    for (int r = 0; r < k; ++r) x[static_cast<std::size_t>(order[r])] = -m[r][order[k]] / m[r][order[r]];
    return true;
  }

  std::array<std::array<double, kMost + 1>, kMost> m{};
  std::array<double, kMost + 1> x{};
};

// Largest entry 1, rounding set to zero, more positive than negative.
void tidy(VectorXd& y) {
  Index largest = 0;
  y.cwiseAbs().maxCoeff(&largest);
  y /= y[largest];
  for (double& weight : y)
    if (std::abs(weight) <= kNoWeight) weight = 0.0;
  if (y.sum() < 0.0) y = -y;
}

// Calls visit for every choice of k of n.
template <class Visit>
bool for_each_choice(Index n, Index k, const Visit& visit) {
  std::vector<Index> chosen(static_cast<std::size_t>(k));
  for (Index i = 0; i < k; ++i) chosen[static_cast<std::size_t>(i)] = i;
  for (;;) {
    math::check_interrupt();
    if (!visit(chosen)) return false;
    Index at = k - 1;
    while (at >= 0 && chosen[static_cast<std::size_t>(at)] == n - k + at) --at;
    if (at < 0) return true;
    ++chosen[static_cast<std::size_t>(at)];
    for (Index i = at + 1; i < k; ++i)
      chosen[static_cast<std::size_t>(i)] = chosen[static_cast<std::size_t>(i - 1)] + 1;
  }
}

MatrixXd restricted(const MatrixXd& form, const MatrixXd& basis) { return basis.transpose() * form * basis; }

// A form of signature (1, 1): the two linear factors of it.
void factors_of(const Signature& signature, VectorXd& plus, VectorXd& minus) {
  const Index last = signature.values.size() - 1;  // eigenvalues rise
  const VectorXd a = std::sqrt(signature.values[last]) * signature.vectors.col(last),
                 b = std::sqrt(-signature.values[0]) * signature.vectors.col(0);
  plus = a + b;
  minus = a - b;
}

MatrixXd zero_space(const Signature& signature) {
  MatrixXd basis(signature.vectors.rows(), signature.zero);
  std::copy_n(signature.vectors.data() + signature.negative * signature.vectors.rows(),
              signature.zero * signature.vectors.rows(), basis.data());
  return basis;
}

void decompose(const std::vector<MatrixXd>& forms, const std::vector<double>& sizes, MatrixXd basis,
               bool& is_linear, std::vector<MatrixXd>& components) {
  bool shrinks = true;
  std::size_t hyperbolic = forms.size();
  bool is_left = false;
  while (shrinks) {
    shrinks = false;
    is_left = false;
    hyperbolic = forms.size();
    for (std::size_t i = 0; i < forms.size() && !shrinks; ++i) {
      const Signature signature = signature_of(restricted(forms[i], basis), sizes[i]);
      if (signature.positive + signature.negative == 0) continue;
      if (signature.positive == 0 || signature.negative == 0) {  // (3.79)
        basis = basis * zero_space(signature);
        shrinks = true;
      } else if (signature.positive == 1 && signature.negative == 1) {
        hyperbolic = i;
      } else {
        is_left = true;
      }
    }
  }
  if (hyperbolic < forms.size()) {  // (3.80)
    const Signature signature = signature_of(restricted(forms[hyperbolic], basis), sizes[hyperbolic]);
    VectorXd plus, minus;
    factors_of(signature, plus, minus);
    for (const VectorXd& factor : {plus, minus})
      decompose(forms, sizes, basis * null_space(factor.normalized().transpose()), is_linear, components);
    return;
  }
  if (is_left) is_linear = false;
  components.push_back(basis);
}

bool lies_in(const MatrixXd& a, const MatrixXd& b) {
  if (a.cols() == 0) return true;
  return (a - b * (b.transpose() * a)).norm() <= kConeTolerance * std::sqrt(static_cast<double>(a.cols()));
}

// Legal screws, branch by branch: a subspace, further inequalities, and the contacts' rows.
class LegalSearch {
 public:
  LegalSearch(const FormContacts& contacts, int most_forms) : contacts_(contacts), most_(most_forms) {}

  LegalSet run() {
    branch(MatrixXd::Identity(6, 6), Rows(0, 6), 0);
    return set_;
  }

 private:
  struct Closed {
    MatrixXd span;            // of the branch's cone
    std::vector<Index> rows;  // zero on all of it
  };

  Closed closed_of(const MatrixXd& basis, const Rows& extra) const {
    Rows all = contacts_.rows;
    append(all, extra);
    const Rows seen = all * basis;
    Rows kept(0, basis.cols());
    for (Index i = 0; i < seen.rows(); ++i)
      if (seen.row(i).norm() > kConeTolerance) append(kept, seen.row(i).normalized());
    Closed closed;
    closed.span = basis;
    if (kept.rows() > 0 && basis.cols() > 0) {
      Rows implied(0, basis.cols());
      for (const int i : implied_equations(kept)) append(implied, kept.row(i));
      closed.span = basis * null_space(implied);
    }
    for (Index i = 0; i < contacts_.rows.rows(); ++i)
      if (closed.span.cols() == 0 || (contacts_.rows.row(i) * closed.span).norm() <= kConeTolerance)
        closed.rows.push_back(i);
    return closed;
  }

  // Forms of dependencies with weights that are not negative, of rows that the branch leaves closed.
  bool one_sided_forms(const Closed& closed, std::vector<MatrixXd>& forms, std::vector<double>& sizes) const {
    Rows rows(static_cast<Index>(closed.rows.size()), 6);
    for (std::size_t i = 0; i < closed.rows.size(); ++i)
      rows.row(static_cast<Index>(i)) = contacts_.rows.row(closed.rows[i]);
    std::vector<VectorXd> dependencies;
    const bool is_all = minimal_dependencies(rows, most_, dependencies);
    for (const VectorXd& y : dependencies) {
      if (y.minCoeff() < 0.0) continue;
      MatrixXd form = MatrixXd::Zero(6, 6);
      double size = 0.0;
      for (std::size_t i = 0; i < closed.rows.size(); ++i) {
        const MatrixXd& Q = contacts_.forms[static_cast<std::size_t>(closed.rows[i])].Q;
        form += y[static_cast<Index>(i)] * Q;
        size += y[static_cast<Index>(i)] * Q.norm();
      }
      forms.push_back(form);
      sizes.push_back(size);
    }
    return is_all;
  }

  void branch(MatrixXd basis, const Rows& extra, int depth) {
    for (;;) {
      const Closed closed = closed_of(basis, extra);
      basis = closed.span;
      Rows bounded(0, 6);
      for (const Index i : closed.rows) append(bounded, contacts_.forms[static_cast<std::size_t>(i)].bounded);
      const Rows seen = bounded * basis;
      if (basis.cols() > 0 && seen.rows() > 0 && rank_of(seen) > 0) {
        basis = basis * null_space(seen);
        continue;
      }
      std::vector<MatrixXd> forms;
      std::vector<double> sizes;
      if (!one_sided_forms(closed, forms, sizes)) set_.linear = set_.complete = false;
      std::size_t hyperbolic = forms.size();
      bool shrinks = false, is_left = false;
      for (std::size_t i = 0; i < forms.size() && !shrinks; ++i) {
        const Signature signature = signature_of(restricted(forms[i], basis), sizes[i]);
        if (signature.negative == 0) continue;
        if (signature.positive == 0) {  // (3.88)
          basis = basis * zero_space(signature);
          shrinks = true;
        } else if (signature.positive == 1 && signature.negative == 1 &&
                   !is_held(forms[i], sizes[i], basis, extra)) {
          hyperbolic = i;
        } else if (signature.positive > 1 || signature.negative > 1) {
          is_left = true;
        }
      }
      if (shrinks) continue;
      if (hyperbolic < forms.size() && depth < 12) {
        split(restricted(forms[hyperbolic], basis), sizes[hyperbolic], basis, extra, depth);
        return;
      }
      finish(forms, sizes, basis, extra, is_left || hyperbolic < forms.size());
      return;
    }
  }

  // (3.89) of a form that was split before: it is not negative where both its factors have one sign, which `extra` holds.
  bool is_held(const MatrixXd& form, double size, const MatrixXd& basis, const Rows& extra) const {
    const Signature signature = signature_of(restricted(form, basis), size);
    VectorXd plus, minus;
    factors_of(signature, plus, minus);
    for (Index i = 0; i + 1 < extra.rows(); i += 2) {
      const VectorXd first = (extra.row(i) * basis).transpose(),
                     second = (extra.row(i + 1) * basis).transpose();
      const auto parallel = [](const VectorXd& a, const VectorXd& b) {
        return std::abs(std::abs(a.dot(b)) - a.norm() * b.norm()) <= kConeTolerance * a.norm() * b.norm();
      };
      if ((parallel(plus, first) && parallel(minus, second)) ||
          (parallel(plus, second) && parallel(minus, first)))
        return true;
    }
    return false;
  }

  void split(const MatrixXd& form, double size, const MatrixXd& basis, const Rows& extra, int depth) {
    VectorXd plus, minus;
    factors_of(signature_of(form, size), plus, minus);
    for (const double sign : {1.0, -1.0}) {
      Rows more = extra;
      append(more, sign * (basis * plus.normalized()).transpose());
      append(more, sign * (basis * minus.normalized()).transpose());
      branch(basis, more, depth + 1);
    }
  }

  // What is left: all of the cone, or the part of it where the forms are not negative, looked for by chance.
  void finish(const std::vector<MatrixXd>& forms, const std::vector<double>& sizes, const MatrixXd& basis,
              const Rows& extra, bool is_left) {
    if (is_left) set_.linear = false;
    const int dimension = static_cast<int>(basis.cols());
    if (dimension <= set_.dimension) return;
    if (!is_left) {
      set_.dimension = dimension;
      return;
    }
    Rows all = contacts_.rows;
    append(all, extra);
    Rows seen(0, basis.cols());
    for (Index i = 0; i < all.rows(); ++i)
      if ((all.row(i) * basis).norm() > kConeTolerance) append(seen, (all.row(i) * basis).normalized());
    const ConeRays cone = rays_of(seen);
    std::vector<MatrixXd> small;
    for (const MatrixXd& form : forms) small.push_back(restricted(form, basis));
    math::RandomStream random(1);
    // A part of the sphere of one in five hundred is missed by 3000 points in one case of four hundred.
    for (int trial = 0; trial < 3000; ++trial) {
      math::check_interrupt();
      VectorXd a = VectorXd::Zero(basis.cols());
      for (Index k = 0; k < cone.lineality.cols(); ++k) a += random.normal() * cone.lineality.col(k);
      for (Index k = 0; k < cone.rays.cols(); ++k) a += std::abs(random.normal()) * cone.rays.col(k);
      a.normalize();
      bool is_legal = true;
      for (std::size_t i = 0; i < forms.size() && is_legal; ++i)
        is_legal = a.dot(small[i] * a) >= -kConeTolerance * sizes[i];
      if (!is_legal) continue;
      set_.dimension = dimension;
      return;
    }
  }

  const FormContacts& contacts_;
  int most_;
  LegalSet set_;
};

}  // namespace

FormContacts::FormContacts(const PreparedContacts& contacts) {
  for (const JudgedPoint& point : contacts.points) {
    if (point.pieces.size() == 1) {
      if (std::optional<GapForm> form = gap_form(point.pieces[0])) {
        append(rows, point.pieces[0].row().transpose());
        forms.push_back(std::move(*form));
        points.push_back(&point);
        continue;
      }
    }
    is_complete = false;
    for (const ContactPiece& piece : point.pieces) append(others, piece.row().transpose());
  }
}

bool minimal_dependencies(const Rows& rows, int most, std::vector<VectorXd>& dependencies) {
  const Index n = rows.rows();
  if (n == 0) return true;
  const MatrixXd all = null_space(Rows(rows.transpose()));  // of the y with rows'y = 0
  const Index d = all.cols(), rank = n - d;
  if (d == 0) return true;
  // A minimal y is zero at d - 1 places that fix it; or it lives on rank + 1 rows. The smaller systems are taken.
  const bool by_zeros = d - 1 <= rank;
  const Index chosen_count = by_zeros ? d - 1 : rank + 1;
  if (n > 63 || combinations(n, chosen_count) > 20.0 * most) return false;
  const MatrixXd span = null_space(Rows(all.transpose()));  // n x rank: the rows in coordinates of their span
  std::set<std::uint64_t> supports;
  return for_each_choice(n, chosen_count, [&](const std::vector<Index>& chosen) {
    KernelVector kernel;
    VectorXd y = VectorXd::Zero(n);
    const int k = static_cast<int>(by_zeros ? d - 1 : rank);
    for (int r = 0; r < k; ++r)
      for (int c = 0; c <= k; ++c)
        kernel.m[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)] =
            by_zeros ? all(chosen[static_cast<std::size_t>(r)], c)
                     : span(chosen[static_cast<std::size_t>(c)], r);
    if (!kernel.solve(k)) return true;
    for (int c = 0; c <= k; ++c) {
      const double weight = kernel.x[static_cast<std::size_t>(c)];
      if (by_zeros)
        y += weight * all.col(c);
      else
        y[chosen[static_cast<std::size_t>(c)]] = weight;
    }
    tidy(y);
    std::uint64_t support = 0;
    for (Index i = 0; i < n; ++i)
      if (y[i] != 0.0) support |= std::uint64_t{1} << i;
    if (!supports.insert(support).second) return true;
    if (static_cast<int>(dependencies.size()) == most) return false;
    dependencies.push_back(std::move(y));
    return true;
  });
}

Signature signature_of(const MatrixXd& form, double size) {
  Signature signature;
  if (form.cols() == 0) return signature;
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(form);
  signature.values = eigen.eigenvalues();
  signature.vectors = eigen.eigenvectors();
  for (Index k = 0; k < signature.values.size(); ++k) {
    if (signature.values[k] > kConeTolerance * size)
      ++signature.positive;
    else if (signature.values[k] < -kConeTolerance * size)
      ++signature.negative;
    else
      ++signature.zero;
  }
  return signature;
}

bool decompose_maintaining(const std::vector<MatrixXd>& forms, const std::vector<double>& sizes,
                           std::vector<MatrixXd>& components) {
  bool is_linear = true;
  std::vector<MatrixXd> found;
  const MatrixXd whole = components.front();
  decompose(forms, sizes, whole, is_linear, found);
  components.clear();
  for (std::size_t i = 0; i < found.size(); ++i) {
    bool is_inside = false;
    for (std::size_t j = 0; j < found.size() && !is_inside; ++j)
      is_inside = i != j && lies_in(found[i], found[j]) && (j < i || !lies_in(found[j], found[i]));
    if (!is_inside) components.push_back(found[i]);
  }
  return is_linear;
}

LegalSet legal_set(const FormContacts& contacts, int most_forms) {
  return LegalSearch(contacts, most_forms).run();
}

}  // namespace prehend::observation
