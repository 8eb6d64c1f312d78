#include <Eigen/Geometry>

#include <prehend/math/house/compiled_solves.h>
#include <prehend/math/so3.h>
#include <prehend/observation/relations/least_motion.h>
#include <prehend/observation/sequence/track_offset.h>

namespace prehend::observation {
namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

}  // namespace

Matrix6 restricted_part(const std::vector<ContactRow>& rows, const math::Pose& X,
                        const CorrectionOptions& options) {
  const Eigen::Matrix3d R = X.R();
  const Eigen::Vector3d centre = X * options.reference_M;
  std::vector<Vector6> basis;
  for (const ContactRow& row : rows) {
    Vector6 slope = per_noise_unit(evaluate(row, R, X.p(), centre).slope, options).transpose();
    const double size = slope.norm();
    for (const Vector6& b : basis) slope -= b.dot(slope) * b;
    if (basis.size() < 6 && slope.norm() > 1e-3 * size) basis.push_back(slope.normalized());
  }
  Matrix6 part = Matrix6::Zero();
  for (const Vector6& b : basis) part += b * b.transpose();
  return part;
}

OffsetEstimate offset_of(const RelationTable& table, const StatePath& path,
                         const std::vector<math::Pose>& track, CorrectionOptions options,
                         const std::vector<NoiseDirections>& directions, double spread) {
  Matrix6 normal = Matrix6::Zero();
  Vector6 right = Vector6::Zero();
  for (std::size_t i = 0; i < track.size(); ++i) {
    const std::size_t k = static_cast<std::size_t>(path.relations[i]);
    const FrameFit& fit = table.fits[i][k];
    if (table.relations[k].restricted == 0 || !fit.is_possible || table.is_astray[i] || table.is_lost[i])
      continue;
    if (i < directions.size()) options.directions = directions[i];
    // The offset, in the moving body's axes and in units of even noise, as a motion that the relation sees.
    const Eigen::Matrix3d R = track[i].R();
    Matrix6 axes = Matrix6::Zero();
    for (int axis = 0; axis < 3; ++axis) {
      axes.col(axis) = in_noise_units(options.noise.angle * R.col(axis), Eigen::Vector3d::Zero(), options);
      axes.col(axis + 3) =
          in_noise_units(Eigen::Vector3d::Zero(), options.noise.position * R.col(axis), options);
    }
    const Matrix6 seen = restricted_part(table.relations[k].rows, fit.X_FM, options) * axes;
    normal += seen.transpose() * seen;
    right += seen.transpose() * motion_between(track[i], fit.X_FM, options);
  }
  normal += Matrix6::Identity() / (spread * spread);
  const Vector6 x = math::symmetric_solve(normal, right);
  return {{options.noise.angle * x.head<3>(), options.noise.position * x.tail<3>(), options.reference_M},
          x.dot(right)};
}

math::Pose without_offset(const math::Pose& X_FM, const TrackOffset& offset) {
  const Eigen::Quaterniond q = (X_FM.q() * math::exp_so3(offset.turn_M)).normalized();
  const Eigen::Vector3d reference = X_FM * offset.reference_M + X_FM.q() * offset.shift_M;
  return math::Pose(q, reference - q * offset.reference_M);
}

}  // namespace prehend::observation
