#include <algorithm>
#include <cmath>
#include <optional>

#include <Eigen/Eigenvalues>

#include <prehend/articulation/evidence/fresh_noise.h>
#include <prehend/articulation/evidence/uneven_noise.h>
#include <prehend/articulation/fit/pose_covariances.h>

namespace prehend::articulation {
namespace {

constexpr std::size_t kLeastDeviations = 40;  // a covariance of as many is known to a third
constexpr double kUnevenAxes = 4.0;           // variance of the worst direction over the best
// Of successive deviations along the worst direction: -0.8 for white noise, near 1 for motion.
constexpr double kChangesSign = -0.5;
// [m, rad] What poses are not known better than: exact files show the motion's fourth differences and no noise.
constexpr double kLeastShift = 1e-6, kLeastTurn = 1e-6;

struct DirectedNoise {
  Eigen::Matrix3d covariance{Eigen::Matrix3d::Zero()};
  bool in_world{false};
  bool is_uneven{false};
};

// Without those that lie far out: flips and their neighbours.
Eigen::Matrix3d usual_covariance(const std::vector<Eigen::Vector3d>& deviations) {
  constexpr double kFarOut = 16.0;  // times the median square
  std::vector<double> squares;
  for (const Eigen::Vector3d& d : deviations) squares.push_back(d.squaredNorm());
  std::vector<double> sorted = squares;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2),
                   sorted.end());
  const double most = kFarOut * sorted[sorted.size() / 2];
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
  double n = 0;
  for (std::size_t i = 0; i < deviations.size(); ++i)
    if (squares[i] <= most) sum += deviations[i] * deviations[i].transpose(), n += 1;
  return sum / (std::max(n, 1.0) * kFreshVariance);
}

DirectedNoise directed(const std::vector<Eigen::Vector3d>& in_part,
                       const std::vector<Eigen::Vector3d>& in_world, double least) {
  const Eigen::Matrix3d floor = least * least * Eigen::Matrix3d::Identity();
  const Eigen::Matrix3d part = usual_covariance(in_part) + floor, world = usual_covariance(in_world) + floor;
  DirectedNoise result;
  result.in_world = world.determinant() < part.determinant();
  result.covariance = result.in_world ? world : part;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(result.covariance);
  const Eigen::Vector3d worst = eigen.eigenvectors().col(2);
  double products = 0, squares = 0;
  const auto& all = result.in_world ? in_world : in_part;
  for (std::size_t i = 1; i < all.size(); ++i) {
    products += worst.dot(all[i]) * worst.dot(all[i - 1]);
    squares += std::pow(worst.dot(all[i]), 2);
  }
  result.is_uneven =
      eigen.eigenvalues()[2] > kUnevenAxes * eigen.eigenvalues()[0] && products < kChangesSign * squares;
  return result;
}

// Of one part: its rows, and how its poses err.
struct PartNoise {
  std::vector<const model::PoseRow*> rows;
  DirectedNoise turn, shift;

  math::Matrix6d covariance(double t) const {
    auto next = std::ranges::lower_bound(rows, t, {}, [](const model::PoseRow* row) { return row->t; });
    if (next == rows.end() || (next != rows.begin() && t - (*(next - 1))->t < (*next)->t - t)) --next;
    const Eigen::Matrix3d R_PW = (*next)->q_WP->normalized().toRotationMatrix().transpose();
    math::Matrix6d C = math::Matrix6d::Zero();
    C.topLeftCorner<3, 3>() =
        turn.in_world ? Eigen::Matrix3d(R_PW * turn.covariance * R_PW.transpose()) : turn.covariance;
    C.bottomRightCorner<3, 3>() =
        shift.in_world ? Eigen::Matrix3d(R_PW * shift.covariance * R_PW.transpose()) : shift.covariance;
    return C;
  }
};

std::optional<PartNoise> part_noise(const model::PoseLog& log, int part) {
  PartNoise result{log.track(part), {}, {}};
  std::vector<double> times;
  std::vector<math::Pose> poses;
  for (const model::PoseRow* row : result.rows) {
    times.push_back(row->t);
    poses.emplace_back(row->q_WP->normalized(), row->p_WP);
  }
  const FreshDeviations deviations = fresh_deviations(times, poses);
  if (deviations.turns_P.size() < kLeastDeviations) return std::nullopt;
  result.turn = directed(deviations.turns_P, deviations.turns_W, kLeastTurn);
  result.shift = directed(deviations.shifts_P, deviations.shifts_W, kLeastShift);
  return result;
}

}  // namespace

std::vector<math::Matrix6d> uneven_covariances(const model::PoseLog& log, const Observations& seen) {
  if (!seen.has_orientation || !log.covariances.empty()) return {};
  const std::optional<PartNoise> moving = part_noise(log, *log.find_part(seen.moving));
  const std::optional<PartNoise> fixed =
      seen.fixed.empty() ? std::nullopt : part_noise(log, *log.find_part(seen.fixed));
  if (!moving || (!seen.fixed.empty() && !fixed)) return {};
  const auto uneven = [](const std::optional<PartNoise>& part) {
    return part && (part->turn.is_uneven || part->shift.is_uneven);
  };
  if (!uneven(moving) && !uneven(fixed)) return {};
  std::vector<math::Matrix6d> result;
  for (const Observation& one : seen.poses) {
    const double t = seen.times[one.time];
    const math::Matrix6d own = moving->covariance(t);
    result.push_back(fixed ? relative_covariance(fixed->covariance(t), own, one.X_FM) : own);
  }
  return result;
}

}  // namespace prehend::articulation
