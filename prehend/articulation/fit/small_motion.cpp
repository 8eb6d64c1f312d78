#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Eigenvalues>

#include <prehend/articulation/fit/likelihood_engine.h>
#include <prehend/articulation/fit/small_motion.h>
#include <prehend/math/house/compiled_solves.h>
#include <prehend/math/se3.h>

namespace prehend::articulation {
namespace {

using SpreadMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;

// States of the frames that count: how they spread, and how well each is measured.
struct MeasuredStates {
  std::vector<std::size_t> frames;
  State mean;
  SpreadMatrix spread, noise;
};

MeasuredStates measured_states(const JointKind& kind, const LikelihoodResult& result) {
  MeasuredStates seen;
  const int d = kind.freedoms();
  seen.frames.reserve(result.terms.size());
  seen.mean = State::Zero(d);
  seen.spread = seen.noise = SpreadMatrix::Zero(d, d);
  for (std::size_t i = 0; i < result.terms.size(); ++i) {
    if (result.weights[i] < 0.5) continue;
    seen.frames.push_back(i);
    seen.mean += result.terms[i].q;
    seen.noise += result.terms[i].state_covariance;
  }
  const double n = std::max<double>(1.0, static_cast<double>(seen.frames.size()));
  seen.mean /= n;
  seen.noise /= n;
  if (d == 1) {  // which most joints have: numbers instead of matrices
    double squares = 0;
    for (const std::size_t i : seen.frames) squares += std::pow(result.terms[i].q[0] - seen.mean[0], 2);
    seen.spread(0, 0) = squares / n;
    return seen;
  }
  for (const std::size_t i : seen.frames) {
    const State z = result.terms[i].q - seen.mean;
    seen.spread += z * z.transpose() / n;
  }
  return seen;
}

// Whether some state moves by less than ten times the noise of a pose along it.
bool is_small(const JointKind& kind, const MeasuredStates& seen, const PoseNoise& noise) {
  constexpr double kLarge = 100.0;  // of variances; deviations beyond are a per cent too small at most
  const std::vector<StateName> names = state_names(kind.type());
  for (Eigen::Index k = 0; k < seen.mean.size(); ++k) {
    const double own = names[static_cast<std::size_t>(k)].is_angle ? noise.angle : noise.position;
    if (seen.spread(k, k) < kLarge * std::max(seen.noise(k, k), own * own)) return true;
  }
  return false;
}

// Curvature over some poses at given states, noise of one size.
engine::ParameterMatrix curvature(const JointKind& kind, const Frames& frames,
                                  const LikelihoodSettings& settings, const LikelihoodResult& result,
                                  std::vector<double> states) {
  engine::PassState state{.frames = frames,
                          .settings = settings,
                          .joint = result.joint,
                          .p = result.noise.position * result.noise.position,
                          .r = result.noise.angle * result.noise.angle};
  state.weights.assign(frames.X.size(), 1.0);
  state.q = std::move(states);
  kind.pass(state);
  return state.sums.H;
}

}  // namespace

void widen_for_small_motion(const JointKind& kind, const Frames& frames, const LikelihoodSettings& settings,
                            LikelihoodResult& result) {
  constexpr std::size_t kMost = 128;  // frames: curvature is known to a few per cent
  const int d = kind.freedoms(), n = kind.parameters();
  if (d == 0 || d > 3 || n == 0 || result.terms.size() < 3 || result.covariance.rows() != n) return;
  const MeasuredStates seen = measured_states(kind, result);
  if (seen.frames.size() < 3 || !is_small(kind, seen, result.noise)) return;
  const math::Spectrum spread_in_noise = math::spectrum(seen.spread, seen.noise);
  if (spread_in_noise.values.size() != d) return;
  // In these coordinates states are measured with unit variance, and their spread is known to a share `chance` of itself: it is at least one such
  // share less. What is not three times that above the noise is not known to be motion at all.
  constexpr double kSignificant = 3.0, kHardlyAny = 0.25;
  // V'NV = 1, so N V is the inverse of V'.
  const SpreadMatrix V = spread_in_noise.vectors, back = seen.noise * V;
  const double chance = std::sqrt(2.0 / static_cast<double>(seen.frames.size()));
  State share(d);
  for (int k = 0; k < d; ++k) {
    const double spread = spread_in_noise.values[k];
    const double true_spread =
        spread - 1 > kSignificant * chance * spread ? spread - 1 - chance * spread : kHardlyAny * chance;
    share[k] = true_spread / (true_spread + 1);
  }
  Frames measured, expected;
  measured.fixed_share = expected.fixed_share = frames.fixed_share;
  measured.length = expected.length = frames.length;
  std::vector<double> q_measured, q_expected;
  const math::Pose X_JM = result.joint.X_MJ.inverse();
  const std::size_t stride = seen.frames.size() / kMost + 1;
  for (std::size_t i = 0; i < seen.frames.size(); i += stride) {
    const State& q = result.terms[seen.frames[i]].q;
    const State drawn = seen.mean + back * share.cwiseProduct(State(V.transpose() * State(q - seen.mean)));
    const Motion E = kind.motion(drawn, result.joint.pitch);
    const math::Pose X = result.joint.X_FJ * math::Pose(E.R, E.p) * X_JM;
    measured.X.push_back(frames.X[seen.frames[i]]);
    expected.X.push_back({X.R(), X.p()});
    for (int k = 0; k < d; ++k) q_measured.push_back(q[k]), q_expected.push_back(drawn[k]);
  }
  measured.weights.assign(measured.X.size(), 1.0);
  expected.weights = measured.weights;
  LikelihoodSettings plain = settings;
  plain.sizes.reset();
  plain.robust = false;
  const double count = static_cast<double>(seen.frames.size()) / static_cast<double>(measured.X.size());
  const engine::ParameterMatrix prior = engine::prior_curvature(kind, result.joint, settings);
  const engine::ParameterMatrix as_stated = engine::inverse_curvature(
      count * curvature(kind, measured, plain, result, std::move(q_measured)) + prior);
  const engine::ParameterMatrix honest = engine::inverse_curvature(
      count * curvature(kind, expected, plain, result, std::move(q_expected)) + prior);
  constexpr double kMostWider = 1e3;  // a direction that nothing tells
  Eigen::VectorXd wider = Eigen::VectorXd::Ones(n);
  for (int k = 0; k < n; ++k) {
    const double ratio = std::sqrt(honest(k, k) / as_stated(k, k));
    wider[k] = std::isnan(ratio) ? 1.0 : std::clamp(ratio, 1.0, kMostWider);
  }
  result.covariance = wider.asDiagonal() * result.covariance * wider.asDiagonal();
}

}  // namespace prehend::articulation
