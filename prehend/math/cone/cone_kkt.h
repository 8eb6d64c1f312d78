// The linear system of one interior-point step,
//
//   [ 0  A'  G'  ] [x]   [r_x]
//   [ A  0   0   ] [y] = [r_y],      W'W the scaling of cone_scaling.h,
//   [ G  0  -W'W ] [z]   [r_z]
//
// solved through a smaller quasi-definite one. The pattern decides once how each cone is treated:
//   owned       its rows are square and regular in columns of x that no other cone touches (a contact force in its
//               friction cone): x and z are eliminated, leaving -B W'W B' on the equalities, B = A_K G_K^-1.
//   eliminated  its rows touch few columns: z is eliminated, leaving G_K' (W'W)^-1 G_K on x.
//   kept        z stays; a large second-order cone is a diagonal plus two rank-one terms (as in ECOS).
// For contact forces this leaves six unknowns per body, whatever the number of contact points. Iterative
// refinement against the full system removes the effect of regularisation.
#pragma once

#include <vector>

#include <prehend/math/cone/cone_scaling.h>
#include <prehend/math/cone/quasidefinite_ldl.h>
#include <prehend/math/cone/sparse_columns.h>

namespace prehend::math {

class ConeKkt {
 public:
  // Keeps references to the matrices and the layout; call set_values() whenever their numbers change.
  ConeKkt(const ConeLayout& layout, const SparseColumns& A, const SparseColumns& G, int max_refinements);

  // Reads the numbers of A and G. Takes memory only when an owned block has become singular (see ConeSolver).
  void set_values();
  // Static regularisation of every unknown, at least; 0 leaves it to the analysis.
  void set_least_shift(double shift) { least_shift_ = shift; }
  void factorise(const ConeScaling& scaling);
  // Vectors are [x; y; z] in one array.
  void solve(const double* right_side, double* solution) { solve_reduced(right_side, solution); }
  // Improves a solution until its residual is small, or improves no more; returns the residual, relative to
  // the right side. Changes nothing, at the cost of one product, when the solution is accurate already.
  double refine(const double* right_side, double* solution);

 private:
  enum class Kind { orthant, second_order, psd };
  struct Cone {
    Kind kind{Kind::orthant};
    int index{0};  // within its kind
    int offset{0}, dimension{0};
  };
  struct Owned {
    Cone cone;
    int columns{0};  // start in owned_columns_, `dimension` of them
    int inverse{0};  // start of G_K^-1 in blocks_, dimension x dimension, column-major
    int B{0};        // start of B in blocks_, rows of the group x dimension, column-major
  };
  struct Group {                // owned cones that act on the same equalities
    int rows{0}, row_count{0};  // start in group_rows_
    int first{0}, count{0};     // in owned_
    int locations{0};           // start in locations_, lower triangle by columns
  };
  struct Eliminated {
    Cone cone;
    int columns{0}, column_count{0};  // start in eliminated_columns_
    int G{0};                         // start in blocks_, dimension x column_count
    int locations{0};
  };
  struct Kept {
    Cone cone;
    int locations{0};  // orthant: one; dense: lower triangle; expanded: see cone_kkt_assembly.cpp
    bool expanded{false};
    int extra{-1};  // first of the two further unknowns
  };
  struct Copied {  // an entry of A or G that appears in the reduced matrix as it is
    int location{0}, source{0};
    bool from_A{true};
  };
  struct Gathered {  // an entry of G or A copied into a dense block
    int target{0}, source{0};
  };

  // cone_kkt_analysis.cpp
  struct Analysis;
  void analyse();
  void forget_analysis();
  std::vector<Cone> list_cones() const;
  void list_columns(Analysis& analysis) const;
  void choose_owned(Analysis& analysis);
  bool try_own(const Cone& cone, const std::vector<int>& columns, const std::vector<int>& cones_of_column);
  void sort_into_groups();
  void eliminate(const Cone& cone, const std::vector<int>& columns, Analysis& analysis);
  void keep(const Cone& cone, Analysis& analysis);
  std::vector<int> unknowns_of(const Group& group) const;
  std::vector<int> unknowns_of(const Eliminated& eliminated) const;
  std::vector<int> unknowns_of(const Kept& kept) const;
  int locate(const std::vector<int>& clique);
  void locate_cones();
  void locate_copies(int x_count);
  void set_shifts(const Analysis& analysis, double without_diagonal);
  void take_memory();

  bool invert_owned_blocks();
  void assemble_owned(const ConeScaling& scaling, double* values);
  void assemble_eliminated(const ConeScaling& scaling, double* values);
  void assemble_kept(const ConeScaling& scaling, double* values);
  double update_residual(const double* right_side, const double* solution);
  void solve_reduced(const double* right_side, double* solution);
  void reduce_right_side(const double* right_side);
  void reduce_owned(const double* right_side, double* z);
  void recover_owned_multipliers(const double* y, double* z);
  void recover_eliminated(const double* rz, const double* x, double* z);
  void recover_owned_unknowns(const double* rz, const double* z, double* x);

  const ConeLayout& layout_;
  const SparseColumns& A_;
  const SparseColumns& G_;
  const int max_refinements_;
  const ConeScaling* scaling_{nullptr};
  double least_shift_{0.0};
  int n_{0}, p_{0}, m_{0};

  std::vector<char> may_own_;           // per cone, in the order of list_cones()
  std::vector<int> reduced_of_column_;  // unknown of a column of x, -1 when owned
  std::vector<int> reduced_of_row_;     // unknown of a row of G, -1 unless kept
  std::vector<Owned> owned_;
  std::vector<Group> groups_;
  std::vector<Eliminated> eliminated_;
  std::vector<Kept> kept_;
  std::vector<int> owned_columns_, group_rows_, eliminated_columns_, locations_;
  std::vector<Copied> copied_;
  std::vector<Gathered> gathered_G_, gathered_A_;
  std::vector<double> blocks_, base_values_;
  std::vector<int> diagonal_location_;
  std::vector<double> diagonal_shift_;  // signed, static regularisation
  QuasidefiniteLdl ldl_;
  std::vector<double> reduced_, group_vector_, product_, group_sum_;
  std::vector<double> cone_work_, cone_work2_, residual_, correction_, trial_;
};

}  // namespace prehend::math
