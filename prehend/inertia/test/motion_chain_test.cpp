#include <cmath>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <prehend/inertia/motion/motion_chain.h>
#include <prehend/inertia/motion/motion_noise.h>
#include <prehend/math/random.h>

namespace prehend::inertia {
namespace {

// Draws of the model itself: white jerk by its exact step covariance, columns with the stated noise.
struct Drawn {
  ChainData data;
  std::vector<Eigen::Matrix3d> truth;
};

Drawn draw(const ChainNoise& noise, std::size_t n, bool v, bool a, std::uint64_t seed, bool even = true) {
  math::RandomStream random(seed);
  Drawn drawn;
  Eigen::Matrix3d s = Eigen::Matrix3d::Zero();
  s.row(1) = random.normal3();
  s.row(2) = random.normal3();
  double t = 0.0;
  for (std::size_t k = 0; k < n; ++k) {
    drawn.data.t.push_back(t);
    drawn.truth.push_back(s);
    drawn.data.x.push_back(s.row(0).transpose() + noise.x * random.normal3());
    if (v) drawn.data.v.push_back(s.row(1).transpose() + noise.v * random.normal3());
    if (a) drawn.data.a.push_back(s.row(2).transpose() + noise.a * random.normal3());
    const double h = even ? 0.01 : 0.01 * random.uniform(0.2, 3.0);
    Eigen::Matrix3d F, Q;
    F << 1, h, h * h / 2, 0, 1, h, 0, 0, 1;
    Q << std::pow(h, 5) / 20, std::pow(h, 4) / 8, std::pow(h, 3) / 6, std::pow(h, 4) / 8, std::pow(h, 3) / 3,
        h * h / 2, std::pow(h, 3) / 6, h * h / 2, h;
    Eigen::Matrix3d u;
    for (int i = 0; i < 3; ++i) u.row(i) = random.normal3();
    s = F * s + noise.jerk * Eigen::Matrix3d(Q.llt().matrixL()) * u;
    t += h;
  }
  return drawn;
}

// The same problem as one dense least-squares system.
struct Dense {
  Eigen::MatrixXd states, covariance;
  double cost;  // minus twice the restricted log likelihood, up to the constant
};

Dense dense(const ChainData& data, const ChainNoise& noise) {
  const auto n = static_cast<Eigen::Index>(data.t.size());
  const Eigen::Index rows = n * (1 + !data.v.empty() + !data.a.empty()) + 3 * (n - 1);
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(rows, 3 * n), y = Eigen::MatrixXd::Zero(rows, 3);
  Eigen::Index row = 0;
  double log_noise = 0.0;
  const auto measure = [&](const std::vector<Eigen::Vector3d>& column, int order, double sigma) {
    for (std::size_t k = 0; k < column.size(); ++k, ++row) {
      J(row, 3 * static_cast<Eigen::Index>(k) + order) = 1.0 / sigma;
      y.row(row) = column[k].transpose() / sigma;
      log_noise += 2.0 * std::log(sigma);
    }
  };
  measure(data.x, 0, noise.x);
  measure(data.v, 1, noise.v);
  measure(data.a, 2, noise.a);
  for (Eigen::Index k = 0; k + 1 < n; ++k, row += 3) {
    const auto at = static_cast<std::size_t>(k);
    const double h = data.t[at + 1] - data.t[at],
                 q = noise.jerk * noise.jerk *
                     (noise.factor.empty() ? 1.0 : noise.factor[at] * noise.factor[at]);
    Eigen::Matrix3d F, Q;
    F << 1, h, h * h / 2, 0, 1, h, 0, 0, 1;
    Q << std::pow(h, 5) / 20, std::pow(h, 4) / 8, std::pow(h, 3) / 6, std::pow(h, 4) / 8, std::pow(h, 3) / 3,
        h * h / 2, std::pow(h, 3) / 6, h * h / 2, h;
    Q *= q;
    const Eigen::Matrix3d L = Q.llt().matrixL(), W = L.inverse();
    J.block<3, 3>(row, 3 * k) = -W * F;
    J.block<3, 3>(row, 3 * k + 3) = W;
    log_noise += 2.0 * L.diagonal().array().log().sum();
  }
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(J);
  const Eigen::MatrixXd R = qr.matrixQR().topRows(3 * n).triangularView<Eigen::Upper>();
  Dense result;
  result.states = qr.solve(y);
  const Eigen::MatrixXd inverse =
      R.triangularView<Eigen::Upper>().solve(Eigen::MatrixXd::Identity(3 * n, 3 * n));
  result.covariance = inverse * inverse.transpose();
  result.cost = 3.0 * (log_noise + 2.0 * R.diagonal().cwiseAbs().array().log().sum()) +
                (y - J * result.states).squaredNorm();
  return result;
}

TEST(MotionChain, EqualsDenseLeastSquares) {
  for (int columns = 0; columns < 4; ++columns) {
    for (bool even : {true, false}) {
      ChainNoise noise{2e-3, 0.02, 0.5, 3.0, {}};
      const Drawn drawn = draw(noise, 40, columns & 1, columns & 2, 7, even);
      if (!even) {
        math::RandomStream random(3);
        for (std::size_t k = 0; k + 1 < 40; ++k) noise.factor.push_back(random.uniform(0.1, 3.0));
      }
      const Dense expected = dense(drawn.data, noise);
      const ChainStates states = smooth_chain(drawn.data, noise, 0.01);
      for (std::size_t k = 0; k < 40; ++k) {
        const auto at = 3 * static_cast<Eigen::Index>(k);
        const Eigen::Matrix3d P = expected.covariance.block<3, 3>(at, at);
        for (int i = 0; i < 3; ++i) {
          const double sigma = std::sqrt(P(i, i));
          EXPECT_LT((states.state[k].row(i) - expected.states.row(at + i)).norm(), 1e-7 * sigma);
          for (int j = 0; j < 3; ++j)
            EXPECT_NEAR(states.covariance[k](i, j), P(i, j), 1e-8 * sigma * std::sqrt(P(j, j)));
        }
        if (k + 1 < 40) {
          const Eigen::Matrix3d lag = expected.covariance.block<3, 3>(at, at + 3);
          EXPECT_LT((states.lagged[k] - lag).norm(), 1e-7 * lag.norm());
        }
      }
      // Constants apart (log det C per step, and the units of the states), likelihoods are the same: compare differences.
      ChainNoise other = noise;
      other.x *= 1.7;
      other.jerk *= 0.6;
      const ChainLikelihood a = chain_likelihood(drawn.data, noise, 0.01),
                            b = chain_likelihood(drawn.data, other, 0.01);
      EXPECT_NEAR(b.log_determinant + b.squares - a.log_determinant - a.squares,
                  dense(drawn.data, other).cost - expected.cost, 1e-6);
    }
  }
}

TEST(MotionChain, LastFilteredStateIsLastSmoothed) {
  const ChainNoise noise{2e-3, 0.02, 0.5, 3.0, {}};
  const Drawn drawn = draw(noise, 60, true, false, 5, false);
  ChainFilter filter(0.01);
  for (std::size_t k = 0; k < 60; ++k) {
    if (k > 0) filter.predict(drawn.data.t[k] - drawn.data.t[k - 1], noise.jerk);
    filter.measure(0, drawn.data.x[k], noise.x);
    filter.measure(1, drawn.data.v[k], noise.v);
    EXPECT_EQ(filter.determined(), k >= 1) << k;  // x and v twice tell a
  }
  const ChainStates states = smooth_chain(drawn.data, noise, 0.01);
  EXPECT_LT((filter.state() - states.state.back()).norm(), 1e-9 * states.state.back().norm());
  EXPECT_LT((filter.covariance() - states.covariance.back()).norm(), 1e-9 * states.covariance.back().norm());
}

// Normalised errors of draws of the model: mean one, and within 95 % bounds over many independent draws.
TEST(MotionChain, ErrorsFitTheirCovariance) {
  const ChainNoise noise{1e-3, 0.02, 0.5, 5.0, {}};
  for (int columns = 0; columns < 4; ++columns) {
    double sum = 0.0;
    constexpr int kRuns = 200;
    for (int run = 0; run < kRuns; ++run) {
      const Drawn drawn = draw(noise, 60, columns & 1, columns & 2, 100 + static_cast<std::uint64_t>(run));
      const ChainStates states = smooth_chain(drawn.data, noise, 0.01);
      const Eigen::Matrix3d error = states.state[30] - drawn.truth[30];
      sum += (error.transpose() * states.covariance[30].inverse() * error).trace();
    }
    // Sum of kRuns * 9 squared normals: standard deviation of its mean per run is sqrt(18 / kRuns).
    EXPECT_NEAR(sum / kRuns, 9.0, 4.0 * std::sqrt(18.0 / kRuns));
  }
}

TEST(MotionNoise, FindsWhatTheModelWasDrawnWith) {
  const ChainNoise noise{1e-3, 0.02, 0.5, 5.0, {}};
  const Drawn drawn = draw(noise, 2000, true, true, 11);
  const NoiseSearch found = estimate_chain_noise(drawn.data, {}, 0.01, 0.0);
  EXPECT_NEAR(found.noise.x / noise.x, 1.0, 0.05);
  EXPECT_NEAR(found.noise.v / noise.v, 1.0, 0.05);
  EXPECT_NEAR(found.noise.a / noise.a, 1.0, 0.05);
  EXPECT_NEAR(found.noise.jerk / noise.jerk, 1.0, 0.2);
  const ChainData positions{drawn.data.t, drawn.data.x, {}, {}};
  const NoiseSearch alone = estimate_chain_noise(positions, {}, 0.01, 0.0);
  EXPECT_NEAR(alone.noise.x / noise.x, 1.0, 0.05);
  EXPECT_NEAR(alone.noise.jerk / noise.jerk, 1.0, 0.3);
  // With everything stated nothing is searched.
  const NoiseSearch stated = estimate_chain_noise(drawn.data, {1e-3, 0.02, 0.5, 5.0}, 0.01, 0.0);
  EXPECT_DOUBLE_EQ(stated.noise.x, 1e-3);
  EXPECT_NEAR(stated.noise.jerk, 5.0, 1e-12);
}

}  // namespace
}  // namespace prehend::inertia
