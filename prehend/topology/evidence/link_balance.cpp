#include <algorithm>
#include <cmath>

#include <prehend/math/so3.h>
#include <prehend/math/spatial.h>
#include <prehend/topology/evidence/link_balance.h>

namespace prehend::topology {
namespace {

using math::Matrix6d;
using math::Vector6d;

double cubic_spline(double x) {
  x = std::abs(x);
  if (x >= 2.0) return 0.0;
  const double y = 2.0 - x, z = 1.0 - x;
  return x < 1.0 ? (y * y * y - 4.0 * z * z * z) / 6.0 : y * y * y / 6.0;
}

// Momentum about the origin between two blocks: c x (m dc) is exact, so its differences are c x (m second difference of c).
Vector6d momentum_between(const math::SpatialInertia& inertia, const math::Pose& X0, const math::Pose& X1,
                          const Eigen::Vector3d& origin, double dt) {
  const Eigen::Vector3d c0 = X0 * inertia.com - origin, c1 = X1 * inertia.com - origin;
  const Eigen::Vector3d turn = math::log_so3(X0.q().conjugate() * X1.q());
  const Eigen::Quaterniond middle = X0.q() * math::exp_so3(0.5 * turn);
  const Eigen::Vector3d p = inertia.mass / dt * (c1 - c0);
  Vector6d h;
  h.head<3>() = 0.5 * (c0 + c1).cross(p) + middle * (inertia.I_com * turn / dt);
  h.tail<3>() = p;
  return h;
}

int knot_blocks(const MotionBlocks& blocks, const RecordingNoise& noise, const BalanceOptions& options) {
  const double block = blocks.rows_per_block * blocks.row_interval;
  double h = options.knot_distance;
  if (!(h > 0.0)) {
    // sigma sqrt(8/3 dt / h^5): second derivative of white noise in the average of a cubic spline.
    const double ratio = noise.pose.position / options.acceleration_noise;
    h = std::clamp(std::pow(8.0 / 3.0 * blocks.row_interval * ratio * ratio, 0.2), options.shortest,
                   options.longest);
  }
  return std::max(2, static_cast<int>(std::lround(h / block)));
}

// Windows within runs of neighbouring blocks; the ends of a run have no second difference.
std::vector<TestWindow> place_windows(const MotionBlocks& blocks, int knot) {
  std::vector<TestWindow> windows;
  const int reach = 2 * knot - 1, count = static_cast<int>(blocks.size());
  int start = 0;
  for (int b = 1; b <= count; ++b)
    if (b == count || !blocks.follows[static_cast<std::size_t>(b)]) {
      for (int c = start + 1 + reach; c + reach + 1 < b; c += 2 * knot) windows.push_back({c, reach});
      start = b;
    }
  return windows;
}

struct Sensitivity {
  Matrix6d rate{Matrix6d::Zero()}, known{Matrix6d::Zero()};  // to the error of the link's pose, angular first
};

Sensitivity sensitivity_of(const math::SpatialInertia& inertia, const math::Pose& X_WL,
                           const Eigen::Vector3d& origin, const Eigen::Vector3d& gravity,
                           const Vector6d* F_L) {
  Sensitivity out;
  const Eigen::Matrix3d R = X_WL.R();
  const Eigen::Vector3d p = X_WL.p() - origin;
  out.rate = math::wrench_adjoint(math::Pose(X_WL.q(), p)) * inertia.spatial_matrix();
  const Eigen::Matrix3d weight = inertia.mass * math::skew(gravity) * R;
  out.known.topLeftCorner<3, 3>() = weight * math::skew(inertia.com);
  out.known.topRightCorner<3, 3>() = -weight;
  if (F_L != nullptr) {
    const Eigen::Vector3d m = F_L->head<3>(), f = F_L->tail<3>();
    const Eigen::Matrix3d Rf = R * math::skew(f);
    out.known.topLeftCorner<3, 3>() -= R * math::skew(m) + math::skew(p) * Rf;
    out.known.topRightCorner<3, 3>() -= Rf;  // (R e) x (R f) = -R [f] e
    out.known.bottomLeftCorner<3, 3>() -= Rf;
  }
  return out;
}

}  // namespace

std::vector<char> subtree(const ArticulatedObject& object, int joint) {
  std::vector<char> inside(object.links.size(), 0);
  inside[static_cast<std::size_t>(joint + 1)] = 1;
  for (std::size_t i = static_cast<std::size_t>(joint + 2); i < object.links.size(); ++i)
    inside[i] = inside[static_cast<std::size_t>(object.links[i].parent)];
  return inside;
}

LinkBalance prepare_balance(std::size_t links, const MotionBlocks& blocks, const RecordingNoise& noise,
                            const BalanceOptions& options) {
  LinkBalance balance;
  const int knot = knot_blocks(blocks, noise, options);
  const double block = blocks.rows_per_block * blocks.row_interval;
  balance.knot_distance = knot * block;
  balance.windows = place_windows(blocks, knot);
  const int reach = 2 * knot - 1;
  double sum = 0.0;
  for (int d = 0; d <= reach; ++d) {
    balance.phi.push_back(cubic_spline(static_cast<double>(d) / knot));
    sum += (d == 0 ? 1.0 : 2.0) * balance.phi.back();
  }
  for (double& value : balance.phi) value /= sum;
  const auto phi = [&](int d) {
    return std::abs(d) > reach ? 0.0 : balance.phi[static_cast<std::size_t>(std::abs(d))];
  };
  for (int d = -reach - 1; d <= reach + 1; ++d) {
    const double second = (phi(d - 1) - 2.0 * phi(d) + phi(d + 1)) / (block * block);
    const double smooth = (phi(d - 1) + 10.0 * phi(d) + phi(d + 1)) / 12.0;
    balance.g2 += second * second;
    balance.g1 += second * smooth;
    balance.g0 += smooth * smooth;
  }

  balance.F_b.assign(links, std::vector<Vector6d>(blocks.size(), Vector6d::Zero()));
  balance.F.resize(links);
  balance.known.resize(links);
  balance.covariance.resize(links);
  return balance;
}

void balance_link(LinkBalance& balance, std::size_t i, const math::SpatialInertia& inertia, int held,
                  const Eigen::Vector3d& gravity_W, const MotionBlocks& blocks, const RecordingNoise& noise,
                  const BalanceOptions& options) {
  const std::size_t count = blocks.size();
  std::vector<Vector6d> h(count), W(count), smooth(count);
  Vector6d variance;
  variance << Eigen::Vector3d::Constant(noise.pose.angle * noise.pose.angle),
      Eigen::Vector3d::Constant(noise.pose.position * noise.pose.position);
  variance /= blocks.rows_per_block;
  const std::vector<math::Pose>& X = blocks.X_WL[i];
  const bool is_held = held >= 0;
  const std::size_t hand = static_cast<std::size_t>(std::max(held, 0));
  const Eigen::Vector3d weight = inertia.mass * gravity_W;
  for (std::size_t b = 0; b < count; ++b) {
    W[b].head<3>() = (X[b] * inertia.com - blocks.origin).cross(weight);
    W[b].tail<3>() = weight;
    if (is_held) W[b] += blocks.F_W[hand][b];
    if (b > 0 && blocks.follows[b])
      h[b] = momentum_between(inertia, X[b - 1], X[b], blocks.origin, blocks.t[b] - blocks.t[b - 1]);
  }
  for (std::size_t b = 1; b + 1 < count; ++b) {
    if (!blocks.follows[b] || !blocks.follows[b + 1]) continue;
    smooth[b] = (W[b - 1] + 10.0 * W[b] + W[b + 1]) / 12.0;
    balance.F_b[i][b] = (h[b + 1] - h[b]) / (0.5 * (blocks.t[b + 1] - blocks.t[b - 1])) - smooth[b];
  }
  for (const TestWindow& window : balance.windows) {
    const Vector6d F =
        balance.average([&](int b) { return balance.F_b[i][static_cast<std::size_t>(b)]; }, window);
    const Vector6d known =
        balance.average([&](int b) { return smooth[static_cast<std::size_t>(b)]; }, window);
    const std::size_t c = static_cast<std::size_t>(window.centre);
    const Sensitivity s =
        sensitivity_of(inertia, X[c], blocks.origin, gravity_W, is_held ? &blocks.F_L[hand][c] : nullptr);
    const Matrix6d mixed = s.rate * variance.asDiagonal() * s.known.transpose();
    Matrix6d C = balance.g2 * (s.rate * variance.asDiagonal() * s.rate.transpose()) +
                 balance.g0 * (s.known * variance.asDiagonal() * s.known.transpose()) -
                 balance.g1 * (mixed + mixed.transpose());
    if (is_held) {
      Vector6d wrench;
      wrench << Eigen::Vector3d::Constant(noise.torque * noise.torque),
          Eigen::Vector3d::Constant(noise.force * noise.force);
      const Matrix6d A = math::wrench_adjoint(math::Pose(X[c].q(), X[c].p() - blocks.origin));
      C += balance.g0 / blocks.rows_per_block * (A * wrench.asDiagonal() * A.transpose());
    }
    const Vector6d rate = F + known;
    const double e2 = options.model_error * options.model_error;
    C.topLeftCorner<3, 3>().diagonal().array() +=
        e2 * (known.head<3>().squaredNorm() + rate.head<3>().squaredNorm());
    C.bottomRightCorner<3, 3>().diagonal().array() +=
        e2 * (known.tail<3>().squaredNorm() + rate.tail<3>().squaredNorm());
    C.diagonal().array() += 1e-18;  // nothing moves and nothing acts
    balance.F[i].push_back(F);
    balance.known[i].push_back(known);
    balance.covariance[i].push_back(C);
  }
}

LinkBalance balance_links(const ArticulatedObject& object, const Recording& recording,
                          const MotionBlocks& blocks, const RecordingNoise& noise,
                          const BalanceOptions& options) {
  LinkBalance balance = prepare_balance(object.links.size(), blocks, noise, options);
  for (std::size_t i = 0; i < object.links.size(); ++i) {
    int held = -1;
    for (std::size_t h = 0; h < recording.held.size(); ++h)
      if (recording.held[h].link == static_cast<int>(i)) held = static_cast<int>(h);
    balance_link(balance, i, object.links[i].inertia, held, recording.gravity_W, blocks, noise, options);
  }
  return balance;
}

}  // namespace prehend::topology
