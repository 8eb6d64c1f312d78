// Checks an answer of the cone solver from the program's own numbers, sharing no code with the solver:
// multiplications by A and G, norms, and eigenvalues of the PSD blocks.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include <Eigen/Eigenvalues>

#include <prehend/math/cone_program.h>

namespace prehend::math {

// All residuals are relative: to the data and to the terms of the equation (optimal), or to the gap that the
// proof claims (infeasible, unbounded).
struct ConeCertificate {
  bool valid{false};
  double primal_residual{0.0};  // A x = b (or 0) and G x + s = h (or 0)
  double dual_residual{0.0};    // A'y + G'z + c = 0 (or without c)
  double cone_violation{0.0};   // how far s or z lie outside K, relative to their size
  double gap{0.0};              // optimal: |c'x + b'y + h'z|, relative
  std::string problem;          // one sentence; empty when valid

  std::string brief_report() const;
};

namespace cone_certificate_detail {

inline double size_of(const Eigen::VectorXd& v) { return v.size() == 0 ? 0.0 : v.cwiseAbs().maxCoeff(); }

// How far v lies outside the cones; each cone's violation is relative to that cone's own largest entry.
inline double violation(const ConeDimensions& cones, const Eigen::VectorXd& v) {
  double worst = 0.0;
  const double size = std::max(size_of(v), 1e-300);
  int row = 0;
  for (; row < cones.nonnegative; ++row) worst = std::max(worst, -v[row] / size);
  for (int dimension : cones.second_order) {
    const double excess = v.segment(row + 1, dimension - 1).norm() - v[row];
    worst = std::max(worst, excess / std::max(size_of(v.segment(row, dimension)), 1e-300));
    row += dimension;
  }
  for (int block = 0; block < cones.psd4; ++block, row += kPsd4Rows) {
    const Eigen::Matrix4d matrix = psd4_matrix(v.segment<kPsd4Rows>(row));
    const Eigen::Vector4d values = Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d>(matrix).eigenvalues();
    worst = std::max(worst, -values[0] / std::max(values.cwiseAbs().maxCoeff(), 1e-300));
  }
  return worst;
}

// Largest |sum| relative to the largest term among the rows, after dividing each row by its largest
// coefficient.
inline double homogeneous_residual(const Eigen::VectorXd& sum, const Eigen::VectorXd& terms,
                                   const Eigen::VectorXd& unit) {
  double residual = 0.0, reference = 0.0;
  for (Eigen::Index i = 0; i < sum.size(); ++i) {
    if (unit[i] == 0.0) continue;  // nothing but zeros
    residual = std::max(residual, std::abs(sum[i]) / unit[i]);
    reference = std::max(reference, terms[i] / unit[i]);
  }
  return residual == 0.0 ? 0.0 : residual / reference;
}

inline Eigen::VectorXd largest_of_columns(const Eigen::SparseMatrix<double>& M) {
  Eigen::VectorXd largest = Eigen::VectorXd::Zero(M.cols());
  for (Eigen::Index j = 0; j < M.outerSize(); ++j) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(M, j); it; ++it) {
      largest[j] = std::max(largest[j], std::abs(it.value()));
    }
  }
  return largest;
}

inline void check_optimal(const ConeProgram& q, const ConeResult& r, ConeCertificate& out) {
  const Eigen::VectorXd A_x = q.A * r.x, G_x = q.G * r.x;
  const Eigen::VectorXd A_y = q.A.transpose() * r.y, G_z = q.G.transpose() * r.z;
  const double bounds = std::max(size_of(q.b), size_of(q.h)), costs = size_of(q.c);
  const double primal = std::max(size_of(A_x - q.b), size_of(G_x + r.s - q.h));
  out.primal_residual = primal / std::max({bounds > 0 ? bounds : 1.0, size_of(A_x), size_of(r.s)});
  out.dual_residual =
      size_of(A_y + G_z + q.c) / std::max({costs > 0 ? costs : 1.0, size_of(A_y), size_of(G_z)});
  out.cone_violation = std::max(violation(q.cones, r.s), violation(q.cones, r.z));
  // The gap is small against the terms of both objectives.
  const double primal_terms = q.c.cwiseAbs().dot(r.x.cwiseAbs());
  const double dual_terms = q.b.cwiseAbs().dot(r.y.cwiseAbs()) + q.h.cwiseAbs().dot(r.z.cwiseAbs());
  const double difference = std::abs(q.c.dot(r.x) + q.b.dot(r.y) + q.h.dot(r.z));
  out.gap = difference == 0.0 ? 0.0 : difference / std::max(primal_terms, dual_terms);
  if (std::max(primal_terms, dual_terms) < 1e-6 * (costs > 0 ? costs : 1.0) * (bounds > 0 ? bounds : 1.0)) {
    out.gap =
        difference / ((costs > 0 ? costs : 1.0) * (bounds > 0 ? bounds : 1.0));  // both objectives vanish
  }
}

inline void check_infeasible(const ConeProgram& q, const ConeResult& r, ConeCertificate& out) {
  const Eigen::SparseMatrix<double> A_abs = q.A.cwiseAbs(), G_abs = q.G.cwiseAbs();
  const Eigen::VectorXd sum = q.A.transpose() * r.y + q.G.transpose() * r.z;
  const Eigen::VectorXd terms = A_abs.transpose() * r.y.cwiseAbs() + G_abs.transpose() * r.z.cwiseAbs();
  out.dual_residual =
      homogeneous_residual(sum, terms, largest_of_columns(q.A).cwiseMax(largest_of_columns(q.G)));
  out.cone_violation = violation(q.cones, r.z);
  if (!(q.b.dot(r.y) + q.h.dot(r.z) < 0.0)) out.problem = "b'y + h'z is not negative";
}

inline void check_unbounded(const ConeProgram& q, const ConeResult& r, ConeCertificate& out) {
  const Eigen::SparseMatrix<double> A_t = q.A.transpose(), G_t = q.G.transpose();
  const Eigen::SparseMatrix<double> A_abs = q.A.cwiseAbs(), G_abs = q.G.cwiseAbs();
  const Eigen::VectorXd A_unit = largest_of_columns(A_t), G_unit = largest_of_columns(G_t);
  const Eigen::VectorXd size = r.x.cwiseAbs();
  out.primal_residual =
      std::max(homogeneous_residual(q.A * r.x, A_abs * size, A_unit),
               homogeneous_residual(q.G * r.x + r.s, G_abs * size + r.s.cwiseAbs(), G_unit));
  out.cone_violation = violation(q.cones, r.s);
  if (!(q.c.dot(r.x) < 0.0)) out.problem = "c'x is not negative";
}

}  // namespace cone_certificate_detail

inline std::string ConeCertificate::brief_report() const {
  char text[200];
  std::snprintf(text, sizeof text, "%s: residuals %.1e primal, %.1e dual, cone violation %.1e, gap %.1e%s",
                valid ? "valid" : "not valid", primal_residual, dual_residual, cone_violation, gap,
                problem.empty() ? "" : "; ");
  return text + problem;
}

// `tolerance` bounds every entry. A status that claims nothing (iteration limit, numerical error) is never
// valid.
inline ConeCertificate check_certificate(const ConeProgram& program, const ConeResult& result,
                                         double tolerance = 1e-6) {
  using namespace cone_certificate_detail;
  ConeCertificate out;
  switch (result.status) {
    case SolverStatus::optimal:
      check_optimal(program, result, out);
      break;
    case SolverStatus::primal_infeasible:
      check_infeasible(program, result, out);
      break;
    case SolverStatus::dual_infeasible:
      check_unbounded(program, result, out);
      break;
    default:
      out.problem = "the status '" + std::string(to_string(result.status)) + "' claims nothing";
      return out;
  }
  const auto require = [&](const char* what, double value) {
    if (out.problem.empty() && !(value <= tolerance)) {
      char text[120];
      std::snprintf(text, sizeof text, "the %s is %.2e, above %.2e", what, value, tolerance);
      out.problem = text;
    }
  };
  require("primal residual", out.primal_residual);
  require("dual residual", out.dual_residual);
  require("cone violation", out.cone_violation);
  require("gap", out.gap);
  out.valid = out.problem.empty();
  return out;
}

}  // namespace prehend::math
