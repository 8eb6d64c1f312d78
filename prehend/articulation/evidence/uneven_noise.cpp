#include <algorithm>
#include <cmath>
#include <optional>

#include <Eigen/Eigenvalues>

#include <prehend/articulation/evidence/uneven_noise.h>
#include <prehend/articulation/fit/pose_covariances.h>
#include <prehend/math/so3.h>

namespace prehend::articulation {
namespace {

constexpr std::size_t kLeastDeviations = 40;  // a covariance of as many is known to a third
constexpr double kUnevenAxes = 4.0;           // variance of the worst direction over the best
// Of successive deviations along the worst direction: -0.8 for white noise, near 1 for motion.
constexpr double kChangesSign = -0.5;
constexpr double kOwnVariance = 1.0 + 34.0 / 36.0;
// [m, rad] What poses are not known better than: exact files show the motion's fourth differences and no noise.
constexpr double kLeastShift = 1e-6, kLeastTurn = 1e-6;

// OwnDeviations of one kind, in the part's axes and in the world's.
struct OwnDeviations {
  std::vector<Eigen::Vector3d> in_part, in_world;
};

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
  return sum / (std::max(n, 1.0) * kOwnVariance);
}

DirectedNoise directed(const OwnDeviations& deviations, double least) {
  const Eigen::Matrix3d floor = least * least * Eigen::Matrix3d::Identity();
  const Eigen::Matrix3d part = usual_covariance(deviations.in_part) + floor,
                        world = usual_covariance(deviations.in_world) + floor;
  DirectedNoise result;
  result.in_world = world.determinant() < part.determinant();
  result.covariance = result.in_world ? world : part;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(result.covariance);
  const Eigen::Vector3d worst = eigen.eigenvectors().col(2);
  double products = 0, squares = 0;
  const auto& all = result.in_world ? deviations.in_world : deviations.in_part;
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
  constexpr double kEvenGaps = 1.2;  // the longest of four over the shortest
  PartNoise result{log.track(part), {}, {}};
  const auto& rows = result.rows;
  if (rows.size() < kLeastDeviations + 4) return std::nullopt;
  OwnDeviations turns, shifts;
  for (std::size_t k = 2; k + 2 < rows.size(); ++k) {
    double shortest = rows[k - 1]->t - rows[k - 2]->t, longest = shortest;
    for (std::size_t j = k; j <= k + 2; ++j) {
      shortest = std::min(shortest, rows[j]->t - rows[j - 1]->t);
      longest = std::max(longest, rows[j]->t - rows[j - 1]->t);
    }
    if (!(shortest > 0) || longest > kEvenGaps * shortest) continue;
    const Eigen::Quaterniond q = rows[k]->q_WP->normalized();
    const auto turn = [&](std::size_t j) {
      return math::log_so3((q.conjugate() * rows[j]->q_WP->normalized()).normalized());
    };
    const Eigen::Vector3d a = (4 * (turn(k - 1) + turn(k + 1)) - (turn(k - 2) + turn(k + 2))) / 6;
    const Eigen::Vector3d e =
        (4 * (rows[k - 1]->p_WP + rows[k + 1]->p_WP) - (rows[k - 2]->p_WP + rows[k + 2]->p_WP)) / 6 -
        rows[k]->p_WP;
    turns.in_part.push_back(a);
    turns.in_world.push_back(q * a);
    shifts.in_world.push_back(e);
    shifts.in_part.push_back(q.conjugate() * e);
  }
  if (turns.in_part.size() < kLeastDeviations) return std::nullopt;
  result.turn = directed(turns, kLeastTurn);
  result.shift = directed(shifts, kLeastShift);
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
