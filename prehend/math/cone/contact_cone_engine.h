// The fast route of ConeSolver for a few bodies in contact: every cone is a friction cone of three rows with
// three columns of its own, each row of G has one entry, h = 0, equalities are few. The slacks s replace the
// forces (x = -G^-1 s):
//
//   minimise c's + d'u   subject to   B s + U u = b,   s in K;      dual   z = B'y + c in K,   U'y + d = 0,
//
// u the columns without a cone (the push). The method is that of cone_engine.h; each step solves a dense
// system of order equalities + free columns
//
//   [  M  -U ] [dy]
//   [ -U'  0 ] [du],     M = sum of B_K W_K^2 B_K' = sum of eta^2 (2 q q' - B_K J B_K'),  q = B_K w.
//
// Where accuracy does not suffice, solve() returns false and the general route takes over.
#pragma once

#include <optional>
#include <vector>

#include <Eigen/Core>

#include <prehend/math/cone_program.h>

namespace prehend::math {

// Takes memory in try_make() only. Cones are processed two at a time, one in each half of a vector register; residuals are
// computed anew from the data in every step, and a direction that misses the equilibrium equations is corrected.
class ContactConeEngine {
 public:
  // Nothing when the program's pattern is not of this kind, or too large for dense matrices.
  static std::optional<ContactConeEngine> try_make(const ConeProgram& program, int equilibration_passes);

  // Reads the numbers of A and G.
  void set_matrices(const ConeProgram& program, int equilibration_passes);
  // False when there is no answer to the options' tolerances; `result` then says nothing. Its vectors must
  // have their sizes. c, b, h are read from `program`; A and G are those of the last set_matrices().
  bool solve(const ConeProgram& program, const ConeOptions& options, ConeResult& result);

 private:
  static constexpr int kMostEqualities = 30, kMostFree = 3, kMostPairs = 32;
  using Lanes = Eigen::Array2d;  // one number of each of two cones
  struct Triple {
    Lanes v[3];
  };
  struct ConePair {
    int first{0}, rows{0};  // place in touched_ of the equalities that the two cones touch
    int B{0};               // start in B_: three entries for each row
    int constant{0};        // start in BJB_: lower triangle by columns
    int group{0};  // 2: with the next pair, which touches the same equalities; 0: with the one before
    Triple G;      // the entries of G, in given units
    Lanes scale;   // of s (and of the columns of B), a power of two
    Triple s, z, cost, residual;  // residual: B'y + c tau - z
    Triple w, lambda, W_cost, W2_residual;
    Lanes eta, eta_squared, inverse_one_plus_w0, inverse_determinant, inverse_root, step_factor;
    Triple dz_constant, scaled_constant;           // the part of the direction that belongs to d_tau
    Triple ds, dz, scaled_dz, scaled_ds, divided;  // direction; lambda \ complementarity
    Triple change;                                 // correction of dz
  };
  struct Sizes {  // of residuals, relative
    double primal{0.0}, dual{0.0}, gap{0.0}, infeasible{0.0}, unbounded{0.0};
  };

  ContactConeEngine() = default;
  const int* row_of(const ConePair& pair) const { return touched_.data() + pair.first; }
  // contact_cone_engine.cpp: numbers in.
  void equilibrate(int passes);
  void read_vectors(const ConeProgram& program);
  // contact_cone_result.cpp: numbers out.
  Sizes sizes() const;
  bool accept(const ConeProgram& program, const ConeOptions& options, ConeResult& result);
  bool store_solution(const ConeProgram& program, double tolerance, ConeResult& result) const;
  bool store_infeasibility(const ConeProgram& program, double tolerance, ConeResult& result) const;
  bool store_unboundedness(const ConeProgram& program, double tolerance, ConeResult& result) const;
  void store_cones(double s_factor, double z_factor, ConeResult& result) const;

  // contact_cone_step.cpp and contact_cone_system.cpp: the iteration.
  void start();
  bool update_scaling();
  void update_residuals();
  bool advance(const ConeOptions& options);
  void factorise();
  void eliminate(double* growth);
  void solve_constant_and_predictor();
  void solve_corrector(double sigma);
  void combine(double inner, double fraction, double d_kappa);
  template <class Value>
  void solve_dense(Value* x) const;
  bool refine(double fraction, double tolerance);
  double exit_rate(double least) const;

  int cones_{0}, equalities_{0}, free_{0}, order_{0}, stride_{0};
  std::vector<int> column_of_row_, free_columns_, touched_;
  std::vector<ConePair> pairs_;  // an odd last cone has a partner that carries no force
  bool regular_{false};          // no entry of G is zero

  std::vector<Lanes> B_, BJB_, sum_, solved_;
  std::vector<Lanes> K_;              // lower triangle by columns, each padded to an even number of rows
  std::vector<double> scale_, norm_;  // of equalities, then of free columns; powers of two
  double cost_scale_{1.0}, bound_scale_{1.0};
  double costs_{0.0}, bounds_{0.0};  // largest entries of c and b as given

  std::vector<double> U_;         // equalities x free columns
  std::vector<double> vector_;    // [b; d], scaled
  std::vector<double> point_;     // [y; u]
  std::vector<double> residual_;  // [B s + U u - b tau; U'y + d tau]
  std::vector<double> inverse_pivots_, direction_, constant_, error_;
  double tau_{1.0}, kappa_{1.0}, mu_{1.0}, residual_tau_{0.0};
  double cost_{0.0}, bound_{0.0}, cost_terms_{0.0}, bound_terms_{0.0};
  double scaled_norm_{0.0}, d_tau_{0.0}, d_kappa_{0.0};
};

}  // namespace prehend::math
