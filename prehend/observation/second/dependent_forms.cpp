#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

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

bool same_support(const VectorXd& a, const VectorXd& b) {
  for (Index i = 0; i < a.size(); ++i)
    if ((a[i] != 0.0) != (b[i] != 0.0)) return false;
  return true;
}

// The vector of the span of `basis` (n x d) that is zero at `zeros` (d - 1 of them), if it is one line; largest entry 1.
bool dependency_with_zeros(const MatrixXd& basis, const std::vector<Index>& zeros, VectorXd& y) {
  const Index d = basis.cols();
  VectorXd z = VectorXd::Ones(1);
  if (d > 1) {
    MatrixXd chosen(d - 1, d);
    for (Index k = 0; k < d - 1; ++k) chosen.row(k) = basis.row(zeros[static_cast<std::size_t>(k)]);
    const MatrixXd kernel = null_space(chosen);
    if (kernel.cols() != 1) return false;
    z = kernel.col(0);
  }
  y = basis * z;
  Index largest = 0;
  y.cwiseAbs().maxCoeff(&largest);
  y /= y[largest];
  y = (y.array().abs() > kNoWeight).select(y, 0.0);
  if (y.sum() < 0.0) y = -y;
  return true;
}

MatrixXd restricted(const MatrixXd& form, const MatrixXd& basis) {
  return basis.transpose() * form * basis;
}

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
      if (!one_sided_forms(closed, forms, sizes)) set_.linear = false;
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
      const VectorXd first = (extra.row(i) * basis).transpose(), second = (extra.row(i + 1) * basis).transpose();
      const auto parallel = [](const VectorXd& a, const VectorXd& b) {
        return std::abs(std::abs(a.dot(b)) - a.norm() * b.norm()) <= kConeTolerance * a.norm() * b.norm();
      };
      if ((parallel(plus, first) && parallel(minus, second)) || (parallel(plus, second) && parallel(minus, first)))
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
    math::RandomStream random(1);
    // A part of the sphere of one in a thousand is missed by 10 000 points in one case of twenty thousand.
    for (int trial = 0; trial < 10000; ++trial) {
      VectorXd a = VectorXd::Zero(basis.cols());
      for (Index k = 0; k < cone.lineality.cols(); ++k) a += random.normal() * cone.lineality.col(k);
      for (Index k = 0; k < cone.rays.cols(); ++k) a += std::abs(random.normal()) * cone.rays.col(k);
      const VectorXd s = basis * a.normalized();
      bool is_legal = true;
      for (std::size_t i = 0; i < forms.size() && is_legal; ++i)
        is_legal = s.dot(forms[i] * s) >= -kConeTolerance * sizes[i];
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
  const MatrixXd basis = null_space(Rows(rows.transpose()));  // of the y with rows'y = 0
  const Index d = basis.cols();
  if (d == 0) return true;
  if (combinations(n, d - 1) > 20.0 * most) return false;
  std::vector<Index> zeros(static_cast<std::size_t>(d - 1));
  for (Index k = 0; k < d - 1; ++k) zeros[static_cast<std::size_t>(k)] = k;
  for (;;) {
    VectorXd y;
    if (dependency_with_zeros(basis, zeros, y) &&
        std::none_of(dependencies.begin(), dependencies.end(),
                     [&](const VectorXd& other) { return same_support(y, other); })) {
      if (static_cast<int>(dependencies.size()) == most) return false;
      dependencies.push_back(y);
    }
    Index k = d - 2;
    while (k >= 0 && zeros[static_cast<std::size_t>(k)] == n - (d - 1) + k) --k;
    if (k < 0) return true;
    ++zeros[static_cast<std::size_t>(k)];
    for (Index j = k + 1; j < d - 1; ++j)
      zeros[static_cast<std::size_t>(j)] = zeros[static_cast<std::size_t>(j - 1)] + 1;
  }
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
