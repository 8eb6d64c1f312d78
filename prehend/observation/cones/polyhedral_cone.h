// Cones {x : A x >= 0} in a few dimensions: what is implied to be zero, how many dimensions are left, and by which rays they are spanned.
//
// Rows must have about unit size, so that one tolerance serves all: a row counts as dependent on others when it lies within it of their
// span, and as an implied equation when rows with weights that are not negative, its own at least one half, add up to no more than it. With rows of contact planes (points scaled to a ball of
// radius one, unit normals) the tolerance is an angle, or a share of the contacts' size; files with six digits stay below 1e-6.
#pragma once

#include <vector>

#include <Eigen/Core>

namespace prehend::observation {

inline constexpr double kConeTolerance = 1e-6;

using Rows = Eigen::MatrixXd;  // one inequality per row

// Number of rows that do not lie within the tolerance of the span of others.
int rank_of(const Rows& rows);
// Orthonormal columns spanning {x : rows x = 0}.
Eigen::MatrixXd null_space(const Rows& rows);

// Rows that are zero on the whole cone, by one linear program.
std::vector<int> implied_equations(const Rows& rows);

struct ConeRays {
  Eigen::MatrixXd lineality;  // orthonormal columns: both x and -x are inside
  Eigen::MatrixXd rays;       // unit columns orthogonal to the lineality, none a sum of the others
};
// By double description (Motzkin et al. 1953), in the space orthogonal to the lineality. Rows are few (tens); rays can be many more.
ConeRays rays_of(const Rows& rows);

// Unit columns: the rays of a cone that holds no line.
Eigen::MatrixXd pointed_rays(const Rows& rows, double tolerance = kConeTolerance);

// Whether x satisfies the rows, to the tolerance times its size.
bool is_inside(const Rows& rows, const Eigen::VectorXd& x, double tolerance = kConeTolerance);
// Whether the cone with these rays lies in {rows x >= 0}.
bool is_contained(const ConeRays& cone, const Rows& rows, double tolerance = kConeTolerance);

}  // namespace prehend::observation
