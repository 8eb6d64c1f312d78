// Ranks and equations of rows that are known to a few millionths only: contacts in single precision, or written with six digits.
//
// Ranks count singular values: noise in n rows of size e moves none of them by more than e sqrt(n), whatever the rows are (Weyl), where
// elimination would multiply it by the inverse of its pivots. Equations are found strongest first and taken out before weaker ones are looked for:
// two walls that are parallel but for noise would otherwise hold up any third row with weights of a million.
#pragma once

#include <vector>

#include <prehend/observation/cones/polyhedral_cone.h>

namespace prehend::observation {

// [largest singular value that counts as none] of `count` rows, each off by the tolerance.
double zero_of(Eigen::Index count, double tolerance);

// Singular values above `zero`.
int rank_within(const Rows& rows, double zero);
// Orthonormal columns: the singular vectors of the others.
Eigen::MatrixXd null_space_within(const Rows& rows, double zero);

// Rows that are zero on the whole cone {x : rows x >= 0}.
std::vector<int> equations_within(const Rows& rows, double tolerance);

// Rays of a cone whose equations are known.
ConeRays rays_with(const Rows& rows, const std::vector<int>& equations, double tolerance);

}  // namespace prehend::observation
