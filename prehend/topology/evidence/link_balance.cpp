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

// [knot distances] A test function ends at two of them, but for the rounding of times.
constexpr double kInside = 2.0 - 1e-6;

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

// Shares of block b and its neighbours in the average by the hat over both steps [s].
struct HatShares {
  double before{1.0 / 12.0}, own{10.0 / 12.0}, after{1.0 / 12.0};
};

HatShares hat_shares(double before, double after) {
  const double sum = before + after, half = 0.5 * sum;
  const double moment = (after * after - before * before) / 6.0,
               square = (before * before * before + after * after * after) / 12.0;
  HatShares out;
  // Through a parabola, but where that takes differences rather than averages (a ratio of the steps beyond 3.3): there by lines.
  out.before = (square - after * moment) / (before * sum * half);
  out.after = (square + before * moment) / (after * sum * half);
  if (!(std::min(out.before, out.after) >= -0.25)) {
    out.before = before / (6.0 * half);
    out.after = after / (6.0 * half);
  }
  out.own = 1.0 - out.before - out.after;
  return out;
}

// Weights and noise of the window about block c; blocks start .. end - 1 follow each other.
TestWindow window_about(const MotionBlocks& blocks, int c, double h) {
  const auto t = [&](int b) { return blocks.t[static_cast<std::size_t>(b)]; };
  TestWindow window;
  window.centre = c;
  int last = c;
  window.first = c;
  while (t(c) - t(window.first - 1) < kInside * h) --window.first;
  while (t(last + 1) - t(c) < kInside * h) ++last;
  window.reach = std::min(c - window.first, last - c);
  double sum = 0.0;
  for (int b = window.first; b <= last; ++b) {
    window.weight.push_back(cubic_spline((t(b) - t(c)) / h) * 0.5 * (t(b + 1) - t(b - 1)));
    sum += window.weight.back();
  }
  for (double& value : window.weight) value /= sum;
  const auto weight = [&](int b) {
    return b < window.first || b > last ? 0.0 : window.weight[static_cast<std::size_t>(b - window.first)];
  };
  const auto over_time = [&](int b) {
    const double share = weight(b);
    return share == 0.0 ? 0.0 : share / (0.5 * (t(b + 1) - t(b - 1)));
  };
  for (int b = window.first - 1; b <= last + 1; ++b) {
    double second = 0.0, smooth = 0.0;
    if (b > window.first - 1) {
      second += (over_time(b - 1) - over_time(b)) / (t(b) - t(b - 1));
      smooth += b - 1 >= window.first ? weight(b - 1) * hat_shares(t(b - 1) - t(b - 2), t(b) - t(b - 1)).after
                                      : 0.0;
    }
    if (b < last + 1) {
      second += (over_time(b + 1) - over_time(b)) / (t(b + 1) - t(b));
      smooth += b + 1 <= last ? weight(b + 1) * hat_shares(t(b + 1) - t(b), t(b + 2) - t(b + 1)).before : 0.0;
    }
    if (b >= window.first && b <= last)
      smooth += weight(b) * hat_shares(t(b) - t(b - 1), t(b + 1) - t(b)).own;
    const double noise = blocks.noise_share(static_cast<std::size_t>(b));
    window.g2 += noise * second * second;
    window.g1 += noise * second * smooth;
    window.g0 += noise * smooth * smooth;
  }
  return window;
}

// Windows within runs of neighbouring blocks; the ends of a run have no second difference.
std::vector<TestWindow> place_windows(const MotionBlocks& blocks, double h) {
  std::vector<TestWindow> windows;
  const int count = static_cast<int>(blocks.size());
  const auto t = [&](int b) { return blocks.t[static_cast<std::size_t>(b)]; };
  int start = 0;
  for (int b = 1; b <= count; ++b) {
    if (b < count && blocks.follows[static_cast<std::size_t>(b)]) continue;
    double from = t(start);
    for (int c = start + 1; c + 1 < b && t(b - 1) - t(c) >= kInside * h; ++c) {
      if (t(c) - from < kInside * h) continue;
      windows.push_back(window_about(blocks, c, h));
      from = t(c);
    }
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

// How far a block's total lies from the line between its neighbours' [N m]^2 [N]^2, per axis; zero at the ends of runs.
std::vector<Eigen::Vector2d> roughness(const LinkBalance& balance, const MotionBlocks& blocks) {
  const std::size_t count = blocks.size();
  std::vector<Vector6d> total(count, Vector6d::Zero());
  for (const std::vector<Vector6d>& F : balance.F_b)
    for (std::size_t b = 0; b < count; ++b) total[b] += F[b];
  std::vector<Eigen::Vector2d> out(count, Eigen::Vector2d::Zero());
  for (std::size_t b = 2; b + 2 < count; ++b) {
    if (!blocks.follows[b - 1] || !blocks.follows[b] || !blocks.follows[b + 1] || !blocks.follows[b + 2])
      continue;
    const double share = (blocks.t[b] - blocks.t[b - 1]) / (blocks.t[b + 1] - blocks.t[b - 1]);
    const Vector6d off = total[b] - (1.0 - share) * total[b - 1] - share * total[b + 1];
    out[b] = Eigen::Vector2d(off.head<3>().squaredNorm(), off.tail<3>().squaredNorm()) / 3.0;
  }
  return out;
}

// A stop that is hit pushes for some milliseconds: rows that are as far apart miss it or count it twice. The total is then rough where
// everything else leaves it smooth.
void find_unsampled(LinkBalance& balance, const MotionBlocks& blocks) {
  // Six times the median: noise exceeds it in one block of 1e9.
  constexpr double kRough = 36.0;
  const std::vector<Eigen::Vector2d> rough = roughness(balance, blocks);
  Eigen::Vector2d usual;
  for (int part = 0; part < 2; ++part) {
    std::vector<double> values;
    for (const Eigen::Vector2d& value : rough)
      if (value[part] > 0.0) values.push_back(value[part]);
    if (values.empty()) return;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    usual[part] = kRough * *middle;
  }
  for (const TestWindow& window : balance.windows) {
    Eigen::Vector2d sum = Eigen::Vector2d::Zero();
    for (std::size_t d = 0; d < window.weight.size(); ++d) {
      const Eigen::Vector2d& mine = rough[static_cast<std::size_t>(window.first) + d];
      for (int part = 0; part < 2; ++part)
        if (mine[part] > usual[part]) sum[part] += window.weight[d] * window.weight[d] * mine[part];
    }
    balance.unsampled.push_back(sum);
  }
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
  balance.windows = place_windows(blocks, balance.knot_distance);
  balance.blocks_per_side = 2 * knot;
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
  std::vector<Eigen::Vector2d> gross(count);  // squared moments and forces that act, each by itself
  for (std::size_t b = 0; b < count; ++b) {
    W[b].head<3>() = (X[b] * inertia.com - blocks.origin).cross(weight);
    W[b].tail<3>() = weight;
    gross[b] = {W[b].head<3>().squaredNorm(), W[b].tail<3>().squaredNorm()};
    if (is_held) {
      const Vector6d& F = blocks.F_W[hand][b];
      W[b] += F;
      gross[b] += Eigen::Vector2d(F.head<3>().squaredNorm(), F.tail<3>().squaredNorm());
    }
    if (b > 0 && blocks.follows[b])
      h[b] = momentum_between(inertia, X[b - 1], X[b], blocks.origin, blocks.t[b] - blocks.t[b - 1]);
  }
  for (std::size_t b = 1; b + 1 < count; ++b) {
    if (!blocks.follows[b] || !blocks.follows[b + 1]) continue;
    const double before = blocks.t[b] - blocks.t[b - 1], after = blocks.t[b + 1] - blocks.t[b];
    const HatShares share = hat_shares(before, after);
    smooth[b] = share.before * W[b - 1] + share.own * W[b] + share.after * W[b + 1];
    Vector6d rate = (h[b + 1] - h[b]) / (0.5 * (before + after));
    // The lever is that of block b, the hat's middle lies elsewhere where steps are uneven.
    const Eigen::Vector3d velocity = 0.5 / std::max(inertia.mass, 1e-12) * (h[b] + h[b + 1]).tail<3>();
    rate.head<3>() += (after - before) / 3.0 * velocity.cross(Eigen::Vector3d(rate.tail<3>()));
    balance.F_b[i][b] = rate - smooth[b];
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
    Matrix6d C = window.g2 * (s.rate * variance.asDiagonal() * s.rate.transpose()) +
                 window.g0 * (s.known * variance.asDiagonal() * s.known.transpose()) -
                 window.g1 * (mixed + mixed.transpose());
    if (is_held) {
      Vector6d wrench;
      wrench << Eigen::Vector3d::Constant(noise.torque * noise.torque),
          Eigen::Vector3d::Constant(noise.force * noise.force);
      const Matrix6d A = math::wrench_adjoint(math::Pose(X[c].q(), X[c].p() - blocks.origin));
      C += window.g0 / blocks.rows_per_block * (A * wrench.asDiagonal() * A.transpose());
    }
    const Vector6d rate = F + known;
    const double e2 = options.model_error * options.model_error;
    C.topLeftCorner<3, 3>().diagonal().array() +=
        e2 * (known.head<3>().squaredNorm() + rate.head<3>().squaredNorm());
    C.bottomRightCorner<3, 3>().diagonal().array() +=
        e2 * (known.tail<3>().squaredNorm() + rate.tail<3>().squaredNorm());
    const double r2 = options.resolution * options.resolution;
    C.topLeftCorner<3, 3>().diagonal().array() += r2 * gross[c].x();
    C.bottomRightCorner<3, 3>().diagonal().array() += r2 * gross[c].y();
    C.diagonal().array() += 1e-18;  // nothing moves and nothing acts
    balance.F[i].push_back(F);
    balance.known[i].push_back(known);
    balance.covariance[i].push_back(C);
  }
}

math::Matrix6d LinkBalance::total_covariance(std::size_t k) const {
  Matrix6d C = Matrix6d::Zero();
  for (const std::vector<Matrix6d>& mine : covariance) C += mine[k];
  if (!unsampled.empty()) {
    C.topLeftCorner<3, 3>().diagonal().array() += unsampled[k].x();
    C.bottomRightCorner<3, 3>().diagonal().array() += unsampled[k].y();
  }
  return C;
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
  if (recording.is_complete()) find_unsampled(balance, blocks);
  return balance;
}

}  // namespace prehend::topology
