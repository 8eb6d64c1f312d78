#include <cmath>
#include <random>
#include <vector>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <prehend/inertia/diagnosis/slow_noise.h>

namespace prehend::inertia {
namespace {

// Samples of a slowly turned, otherwise still body of one kilogram, with noise of two kinds on its forces.
struct Made {
  std::vector<Sample> samples;
  math::Vector10d phi{math::Vector10d::Unit(0)};

  Made(unsigned seed, double white, double lasting, double memory, int rows = 800) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    constexpr double kStep = 0.01;
    const double keep = std::exp(-kStep / memory);
    Eigen::Vector3d slow = lasting * Eigen::Vector3d(normal(random), normal(random), normal(random));
    for (int k = 0; k < rows; ++k) {
      Sample sample;
      sample.t = kStep * k;
      const double a = std::sin(1.3 * sample.t), b = std::cos(0.7 * sample.t);
      sample.motion.a = 9.81 * Eigen::Vector3d(a, b, 0.5).normalized();
      sample.motion.w = Eigen::Vector3d(b, a, a * b);
      sample.motion.al = Eigen::Vector3d(a * a, b, -a);
      sample.wrench = wrench_regressor(sample.motion) * phi;
      for (int i = 0; i < 3; ++i) {
        slow(i) = keep * slow(i) + lasting * std::sqrt(1.0 - keep * keep) * normal(random);
        sample.wrench(3 + i) += slow(i) + white * normal(random);
        sample.wrench(i) += 1e-3 * normal(random);
      }
      samples.push_back(sample);
    }
  }
};

math::Matrix10d white_covariance(const Made& made, double variance_force) {
  math::Matrix10d H = math::Matrix10d::Zero();
  for (const Sample& sample : made.samples) {
    const Regressor A = wrench_regressor(sample.motion);
    H += A.topRows<3>().transpose() * A.topRows<3>() * 1e6 +
         A.bottomRows<3>().transpose() * A.bottomRows<3>() / variance_force;
  }
  return H.inverse();
}

TEST(SlowNoise, FindsMemoryAndSize) {
  double memory = 0.0, lasting = 0.0, white = 0.0;
  for (unsigned seed = 0; seed < 8; ++seed) {
    const SlowNoise found = fit_lasting_noise(Made(seed, 0.05, 0.2, 0.2).samples).force;
    memory += std::log(found.memory / 0.2) / 8.0;
    lasting += std::log(found.lasting / 0.2) / 8.0;
    white += std::log(found.white / 0.05) / 8.0;
  }
  // Memories lie on a grid by factors of two, and the mean of eight scatters by less.
  EXPECT_LT(std::abs(memory), std::log(1.5));
  EXPECT_LT(std::abs(lasting), std::log(1.25));
  EXPECT_LT(std::abs(white), std::log(1.15));
}

TEST(SlowNoise, WhiteNoiseHasNone) {
  int found = 0;
  for (unsigned seed = 0; seed < 8; ++seed) {
    const SlowNoise noise = fit_lasting_noise(Made(seed, 0.05, 0.0, 1.0).samples).force;
    if (noise.lasting > 0.02) ++found;
  }
  EXPECT_EQ(found, 0);
}

// Least squares of many recordings scatter as widely as stated, and far more than white residuals would make them.
TEST(SlowNoise, WidensAsErrorsScatter) {
  double squares = 0.0, stated = 0.0, naive = 0.0;
  constexpr int kRecordings = 60;
  for (unsigned seed = 0; seed < kRecordings; ++seed) {
    const Made made(100 + seed, 0.05, 0.2, 0.2);
    const double variance = 0.05 * 0.05 + 0.2 * 0.2;
    const math::Matrix10d C = white_covariance(made, variance);
    math::Vector10d right = math::Vector10d::Zero();
    for (const Sample& sample : made.samples) {
      const Regressor A = wrench_regressor(sample.motion);
      right += A.topRows<3>().transpose() * sample.wrench.head<3>() * 1e6 +
               A.bottomRows<3>().transpose() * sample.wrench.tail<3>() / variance;
    }
    const double error = (C * right)(0) - 1.0;
    squares += error * error / kRecordings;
    stated += widened(C, made.samples, fit_lasting_noise(made.samples))(0, 0) / kRecordings;
    naive += C(0, 0) / kRecordings;
  }
  // The ratio of two variances of sixty: within a factor of two but once in thousands.
  EXPECT_GT(stated, 0.6 * squares);
  EXPECT_LT(stated, 2.0 * squares);
  EXPECT_GT(squares, 4.0 * naive);
}

}  // namespace
}  // namespace prehend::inertia
