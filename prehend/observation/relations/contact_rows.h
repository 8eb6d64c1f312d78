// Principal contacts as equations on the pose, in metres, with their derivatives.
//
// Three kinds of rows: a point of the moving body on a plane of the fixed one, a point of the fixed body on a plane of the moving one,
// and two lines that meet. An edge on a face is two points on a plane, a face on a face three, an edge along an edge four (its ends on
// two planes through the other).
#pragma once

#include <array>
#include <vector>

#include <Eigen/Core>

#include <prehend/math/pose.h>
#include <prehend/observation/principal_contacts.h>
#include <prehend/observation/relations/placed_pair.h>

namespace prehend::observation {

struct ContactRow {
  enum class Kind { point_on_fixed, point_on_moving, crossing };
  Kind kind{Kind::point_on_fixed};
  Eigen::Vector3d point;         // the point, in its own body's frame; of the moving line for a crossing
  Eigen::Vector3d normal;        // of the plane, in its body's frame; of the moving line its direction
  double offset{0.0};            // [m] of the plane
  Eigen::Vector3d other_point{Eigen::Vector3d::Zero()}, other_direction{Eigen::Vector3d::Zero()};  // the fixed line
};

using RowVector6d = Eigen::Matrix<double, 1, 6>;

struct RowValue {
  double gap{0.0};  // [m]
  // By a small turn [rad] about, and shift [m] of, a point fixed to the moving body, in the fixed body's axes.
  RowVector6d slope{RowVector6d::Zero()};
};

void append_rows(const PairFeatures& pair, const PrincipalContact& contact, std::vector<ContactRow>& rows);
std::vector<ContactRow> rows_of(const PairFeatures& pair, const PrincipalContacts& contacts);
// `centre`: in the fixed body's frame, what turns are about.
RowValue evaluate(const ContactRow& row, const Eigen::Matrix3d& R_FM, const Eigen::Vector3d& p_FM,
                  const Eigen::Vector3d& centre);

// Relations have a handful of contacts; rows beyond these are not looked at, and show in what stays open.
inline constexpr std::size_t kMostRows = 48;

// [of a row's length] What is left of a row beside others below this is rounding: meshes in single precision have faces that are parallel to 1e-6 only,
// and a fourth equation from two such walls would move a body by centimetres to meet it.
inline constexpr double kDependent = 1e-5;

// The shortest x with slopes x = values, rows that depend on others left out; the number of rows that do not.
struct ShortestStep {
  Eigen::Matrix<double, 6, 1> x{Eigen::Matrix<double, 6, 1>::Zero()};
  int rank{0};
  std::array<int, 6> used{};  // the first `rank`
};
ShortestStep shortest_step(const std::vector<RowVector6d>& slopes, const std::vector<double>& values,
                           double tolerance = kDependent);

}  // namespace prehend::observation
