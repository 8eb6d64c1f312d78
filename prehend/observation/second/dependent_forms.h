// Contact rows that depend on each other, and the quadratic forms they leave of the screws.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/observation/cones/polyhedral_cone.h>
#include <prehend/observation/second/contact_pieces.h>

namespace prehend::observation {

// Points with one plane and features without ends: their rows, and h as forms of the scaled screw.
struct FormContacts {
  Rows rows{0, 6};
  std::vector<GapForm> forms;
  std::vector<const JudgedPoint*> points;
  Rows others{0, 6};       // planes of all other points
  bool is_complete{true};  // no other points

  explicit FormContacts(const PreparedContacts& contacts);
};

// Minimal dependent sets of rows (3.76): weights y with rows'y = 0, the largest entry 1. At most `most`; false where there are more.
bool minimal_dependencies(const Rows& rows, int most, std::vector<Eigen::VectorXd>& dependencies);

// Eigenvalues above, below and within the tolerance times `size`.
struct Signature {
  int positive{0}, negative{0}, zero{0};
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
Signature signature_of(const Eigen::MatrixXd& form, double size);

// The set of maintaining screws: subspaces of `basis` (columns), whose union it is where the result is true.
bool decompose_maintaining(const std::vector<Eigen::MatrixXd>& forms, const std::vector<double>& sizes,
                           std::vector<Eigen::MatrixXd>& components);

// The set of legal screws: whether it is a union of cones, and its dimension (-1: not found).
struct LegalSet {
  bool linear{true};
  int dimension{-1};
  bool complete{
      true};  // false: too many dependencies, some were not looked at, and the dimension may be too large
};
LegalSet legal_set(const FormContacts& contacts, int most_forms);

}  // namespace prehend::observation
