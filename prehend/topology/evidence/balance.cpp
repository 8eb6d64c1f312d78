#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include <prehend/math/enum_text.h>
#include <prehend/math/interrupt.h>
#include <prehend/math/so3.h>
#include <prehend/topology/evidence/balance.h>

namespace prehend::topology {
namespace {

using math::Matrix6d;
using math::Vector6d;

// Total residual per window, whitened by the covariance of the recording as it is (one yardstick for all readings).
struct Total {
  std::vector<Vector6d> F;
  std::vector<Eigen::LLT<Matrix6d>> whitening;
};

Total total_of(const LinkBalance& balance) {
  Total total;
  for (std::size_t k = 0; k < balance.size(); ++k) {
    Vector6d F = Vector6d::Zero();
    for (std::size_t i = 0; i < balance.F.size(); ++i) F += balance.F[i][k];
    total.F.push_back(F);
    total.whitening.emplace_back(balance.total_covariance(k));
  }
  return total;
}

double mean_square(const Total& yardstick, const std::vector<Vector6d>& F) {
  double sum = 0.0;
  for (std::size_t k = 0; k < F.size(); ++k) sum += F[k].dot(Vector6d(yardstick.whitening[k].solve(F[k])));
  return F.empty() ? 0.0 : sum / (6.0 * static_cast<double>(F.size()));
}

// min over x of |F + B x|^2 + prior |x|^2, B per window; returns the mean square of F + B x.
template <int N>
double fitted(const Total& yardstick, const std::vector<Eigen::Matrix<double, 6, N>>& B,
              Eigen::Matrix<double, N, 1>& x, double prior = 0.0) {
  Eigen::Matrix<double, N, N> A = Eigen::Matrix<double, N, N>::Zero();
  Eigen::Matrix<double, N, 1> g = Eigen::Matrix<double, N, 1>::Zero();
  for (std::size_t k = 0; k < B.size(); ++k) {
    const Eigen::Matrix<double, 6, N> W = yardstick.whitening[k].solve(B[k]);
    A += B[k].transpose() * W;
    g -= W.transpose() * yardstick.F[k];
  }
  A.diagonal().array() += prior + 1e-12 * A.trace() + 1e-300;
  x = A.ldlt().solve(g);
  std::vector<Vector6d> F = yardstick.F;
  for (std::size_t k = 0; k < B.size(); ++k) F[k] += B[k] * x;
  return mean_square(yardstick, F);
}

// With another mass of link i, and with a further force on it.
void add_link_variants(const ArticulatedObject& object, const Recording& recording,
                       const MotionBlocks& blocks, const LinkBalance& balance, const RecordingNoise& noise,
                       const Total& yardstick, std::size_t i, std::vector<BalanceVariant>& variants) {
  // Rate less gravity grows with the mass: F + hands' share is linear in it.
  ArticulatedObject lighter = object;
  lighter.links[i].inertia.mass *= 0.5;
  lighter.links[i].inertia.I_com *= 0.5;
  math::check_interrupt();
  const LinkBalance half = balance_links(lighter, recording, blocks, noise);
  std::vector<Eigen::Matrix<double, 6, 1>> column(balance.size());
  std::vector<Eigen::Matrix<double, 6, 3>> force(balance.size());
  for (std::size_t k = 0; k < balance.size(); ++k) {
    column[k] = 2.0 * (balance.F[i][k] - half.F[i][k]);
    const Eigen::Vector3d c =
        blocks.X_WL[i][static_cast<std::size_t>(balance.windows[k].centre)] * object.links[i].inertia.com -
        blocks.origin;
    force[k] << -math::skew(c), -Eigen::Matrix3d::Identity();
  }
  Eigen::Matrix<double, 1, 1> more;
  BalanceVariant scaled{
      Reading::mass_scaled, static_cast<int>(i), fitted<1>(yardstick, column, more), 1.0, {0, 0, 0}, {}};
  // A body of negative mass would stand for a wrench of the opposite sign.
  const double scale = std::clamp(1.0 + more[0], 0.1, 10.0);
  if (scale != 1.0 + more[0]) {
    std::vector<Vector6d> F = yardstick.F;
    for (std::size_t k = 0; k < F.size(); ++k) F[k] += (scale - 1.0) * column[k];
    scaled.balance = mean_square(yardstick, F);
  }
  scaled.scale = scale;
  variants.push_back(scaled);
  Eigen::Vector3d f;
  BalanceVariant further{
      Reading::further_force, static_cast<int>(i), fitted<3>(yardstick, force, f), 1.0, {0, 0, 0}, {}};
  further.force_W = f;
  variants.push_back(further);
}

// With constant wrenches of the sensors' own on up to two hands (one: the second six columns are zero and get nothing).
void add_offset_variant(const ArticulatedObject& object, const Recording& recording, const RecordingNoise& noise,
                        const Total& yardstick, std::vector<BalanceVariant>& variants) {
  constexpr int kNumbers = 12;
  // Usual sizes: where two links do not turn against each other only the sum of their offsets is known, and the smallest ones are named.
  constexpr double kUsualForce = 5.0, kUsualTorque = 0.3;  // [N] [N m]
  Vector6d usual;
  usual << Eigen::Vector3d::Constant(kUsualTorque), Eigen::Vector3d::Constant(kUsualForce);
  const std::size_t hands = recording.held.size();
  if (hands == 0 || 6 * hands > kNumbers) return;
  std::vector<Eigen::Matrix<double, 6, kNumbers>> columns(yardstick.F.size(), Eigen::Matrix<double, 6, kNumbers>::Zero());
  for (std::size_t h = 0; h < hands; ++h)
    for (int axis = 0; axis < 6; ++axis) {
      math::check_interrupt();
      Recording less = recording;
      const Vector6d unit = usual[axis] * Vector6d::Unit(axis);  // [N m; N]
      for (math::Wrench& F : less.held[h].F_L) F = math::Wrench{F.moment - unit.head<3>(), F.force - unit.tail<3>()};
      const std::vector<Vector6d> F = total_of(balance_links(object, less, average_blocks(object, less), noise)).F;
      for (std::size_t k = 0; k < F.size(); ++k)
        columns[k].col(6 * static_cast<int>(h) + axis) = F[k] - yardstick.F[k];
    }
  Eigen::Matrix<double, kNumbers, 1> x;
  BalanceVariant variant{Reading::sensor_offset, -1, fitted<kNumbers>(yardstick, columns, x, 1.0), 1.0, {0, 0, 0}, {}};
  for (std::size_t h = 0; h < hands; ++h)
    variant.offsets.push_back({kUsualTorque * x.segment<3>(6 * static_cast<int>(h)),
                               kUsualForce * x.segment<3>(6 * static_cast<int>(h) + 3)});
  variants.push_back(variant);
}

// Directions of the world's axes farther than 17 degrees from the line of gravity as given.
std::vector<Eigen::Vector3d> other_gravities(const Eigen::Vector3d& g) {
  std::vector<Eigen::Vector3d> directions;
  for (int i = 0; i < 3; ++i)
    for (const double sign : {1.0, -1.0}) {
      const Eigen::Vector3d axis = sign * g.norm() * Eigen::Vector3d::Unit(i);
      if (axis.cross(g).norm() > 0.3 * g.squaredNorm()) directions.push_back(axis);
    }
  return directions;
}

}  // namespace

double total_balance(const LinkBalance& balance) {
  const Total total = total_of(balance);
  return mean_square(total, total.F);
}

const char* to_string(Reading reading) { return enum_text(reading); }

std::vector<BalanceVariant> balance_variants(const ArticulatedObject& object, const Recording& recording,
                                             const RecordingNoise* given) {
  const RecordingNoise noise = given != nullptr ? *given : measure_noise(recording);
  const MotionBlocks blocks = average_blocks(object, recording);
  const LinkBalance balance = balance_links(object, recording, blocks, noise);
  const Total yardstick = total_of(balance);
  std::vector<BalanceVariant> variants{
      {Reading::as_recorded, -1, mean_square(yardstick, yardstick.F), 1.0, {0, 0, 0}, {}}};
  const auto read_as = [&](Reading reading, int link, const Recording& other) {
    math::check_interrupt();
    const MotionBlocks other_blocks = average_blocks(object, other);
    std::vector<Vector6d> F = total_of(balance_links(object, other, other_blocks, noise)).F;
    variants.push_back({reading, link, mean_square(yardstick, F), 1.0, {0, 0, 0}, {}});
  };
  const auto turned = [](HeldLink& held) {
    for (math::Wrench& F : held.F_L) F = -F;
  };
  Recording all = recording, all_in_world = recording;
  for (std::size_t h = 0; h < recording.held.size(); ++h) {
    const int link = recording.held[h].link;
    Recording other = recording;
    turned(other.held[h]);
    turned(all.held[h]);
    read_as(Reading::opposite_sign, link, other);
    other = recording;
    for (std::size_t k = 0; k < other.rows(); ++k)
      other.held[h].F_L[k] =
          other.held[h].F_L[k].expressed(other.X_WL[static_cast<std::size_t>(link)][k].R().transpose());
    all_in_world.held[h] = other.held[h];
    read_as(Reading::world_axes, link, other);
  }
  if (recording.held.size() > 1) read_as(Reading::all_opposite_sign, -1, all);
  if (recording.held.size() > 1) read_as(Reading::all_world_axes, -1, all_in_world);
  Recording other = recording;
  if (recording.gravity_W.norm() > 0.0) {
    other.gravity_W.setZero();
    read_as(Reading::no_gravity, -1, other);
    other.gravity_W = -recording.gravity_W;
    read_as(Reading::opposite_gravity, -1, other);
    for (const Eigen::Vector3d& gravity : other_gravities(recording.gravity_W)) {
      other.gravity_W = gravity;
      read_as(Reading::other_gravity, -1, other);
      variants.back().force_W = gravity;
    }
  } else {
    other.gravity_W = {0.0, 0.0, -9.81};
    read_as(Reading::gravity_missing, -1, other);
  }
  for (std::size_t i = 0; i < object.links.size(); ++i)
    add_link_variants(object, recording, blocks, balance, noise, yardstick, i, variants);
  add_offset_variant(object, recording, noise, yardstick, variants);
  std::stable_sort(variants.begin() + 1, variants.end(),
                   [](const BalanceVariant& a, const BalanceVariant& b) { return a.balance < b.balance; });
  return variants;
}

}  // namespace prehend::topology
