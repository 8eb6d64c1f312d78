#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Cholesky>

#include <prehend/inertia/estimator.h>
#include <prehend/inertia/methods/believable_body.h>
#include <prehend/inertia/methods/fit_report.h>
#include <prehend/inertia/methods/least_squares.h>
#include <prehend/inertia/methods/likelihood.h>
#include <prehend/inertia/methods/regressor.h>

namespace prehend::inertia {
namespace {

using math::Vector10d;

// Per sample, what white noise in a and al adds to A^T A of rows of one kind; noise in w is taken as none.
struct MotionNoiseGram {
  Matrix10d force{Matrix10d::Zero()};
  Matrix10d torque{Matrix10d::Zero()};

  explicit MotionNoiseGram(const std::optional<SampleNoise>& noise) {
    if (!noise) return;
    for (int k = 0; k < 3; ++k) {
      Motion by_a, by_al;
      by_a.a[k] = noise->a;
      by_al.al[k] = noise->al;
      for (const Motion& motion : {by_a, by_al}) {
        const Regressor E = wrench_regressor(motion);
        torque += E.topRows<3>().transpose() * E.topRows<3>();
        force += E.bottomRows<3>().transpose() * E.bottomRows<3>();
      }
    }
  }
  bool is_zero() const { return force.isZero(0.0) && torque.isZero(0.0); }
};

struct Data {
  Matrix10d force_gram, torque_gram;
  Vector10d force_right, torque_right;  // A^T b
  double force_square, torque_square;   // b^T b
  double samples;
  Vector10d origin;  // least squares

  Data(const NormalEquations& sums, const Vector10d& least_squares)
      : force_gram(sums.force_gram()),
        torque_gram(sums.torque_gram()),
        samples(static_cast<double>(sums.samples())),
        origin(least_squares) {
    force_right.setZero();
    torque_right.setZero();
    const auto& F = sums.force_factor();
    const auto& T = sums.torque_factor();
    force_right.head<4>() = F.leftCols<4>().transpose() * F.col(4);
    torque_right.tail<9>() = T.leftCols<9>().transpose() * T.col(9);
    force_square = F.col(4).squaredNorm();
    torque_square = T.col(9).squaredNorm();
  }
};

BodyInformation information(const Data& data, const MotionNoiseGram& motion, double force_variance,
                            double torque_variance) {
  BodyInformation result;
  result.H = data.force_gram / force_variance + data.torque_gram / torque_variance;
  result.g = data.force_right / force_variance + data.torque_right / torque_variance;
  result.origin = data.origin;
  if (motion.is_zero()) {
    result.g -= result.H * data.origin;
    return result;
  }
  const Matrix10d corrected =
      result.H - data.samples * (motion.force / force_variance + motion.torque / torque_variance);
  // Columns by their lengths, so that the factorisation does not see units.
  const Vector10d scale =
      result.H.diagonal().unaryExpr([](double d) { return d > 0.0 ? 1.0 / std::sqrt(d) : 1.0; });
  Matrix10d V = scale.asDiagonal() * result.H * scale.asDiagonal();
  V.diagonal().array() += 1e-12;
  const Eigen::LLT<Matrix10d> root(V);
  const Matrix10d half = root.matrixL().solve(scale.asDiagonal() * corrected);
  const Vector10d right = root.matrixL().solve(scale.cwiseProduct(result.g - corrected * data.origin));
  result.H = half.transpose() * half;
  result.g = half.transpose() * right;
  return result;
}

// Whether no distribution of mass over the shape comes near the body: its centre lies farther out than shapes reach, or it is
// several times as wide or as narrow. A body inside its box is within 1.7 standard deviations of a full one, pointed shapes reach 2.5.
bool is_beyond_shape(const math::SpatialInertia& body, const BodyPrior& prior) {
  constexpr double kReach = 2.5, kWider = 3.0;
  const auto spread = [](const math::SpatialInertia& one) {
    return Eigen::Matrix3d((0.5 * one.I_com.trace() * Eigen::Matrix3d::Identity() - one.I_com) / one.mass);
  };
  for (const PriorComponent& component : prior.components) {
    if (!component.knows_shape) continue;
    const math::SpatialInertia whole = math::SpatialInertia::from_parameters(component.mean);
    const Eigen::Matrix3d extent = spread(whole);
    const Eigen::Vector3d away = body.com - whole.com;
    return away.dot(extent.ldlt().solve(away)) > kReach * kReach ||
           spread(body).trace() > kWider * kWider * extent.trace() ||
           kWider * kWider * spread(body).trace() < extent.trace();
  }
  return false;
}

}  // namespace

void LikelihoodOptions::validate() const {
  prior.validate();
  const auto check = [](const char* name, double value, double low, double high) {
    if (!(value >= low && value <= high)) {
      throw std::invalid_argument(std::string("likelihood.") + name + " is " + std::to_string(value) +
                                  ", must be in [" + std::to_string(low) + ", " + std::to_string(high) + "]");
    }
  };
  check("extent", extent, 0.0, 10.0);
  check("known_noise_samples", known_noise_samples, 0.0, 1e9);
  check("rounds", rounds, 1, 100);
  check("noise_floor", noise_floor, 0.0, 1.0);
  check("rank_tolerance", rank_tolerance, 0.0, 1.0);
}

Estimate likelihood(const NormalEquations& sums, const BodyPrior& prior,
                    const std::optional<SampleNoise>& noise, const LikelihoodOptions& options) {
  options.validate();
  Estimate estimate;
  estimate.method = Method::likelihood;
  estimate.samples = static_cast<int>(sums.samples());
  if (sums.samples() < 2) {
    estimate.problems.push_back("there are " + std::to_string(sums.samples()) +
                                " samples; at least 2 are needed");
    return estimate;
  }
  const ScaledSolution free = solve_scaled(sums.factor(), options.rank_tolerance);
  const Observability& seen = free.observability;
  estimate.condition = seen.condition;
  estimate.rank = seen.rank;
  estimate.undetermined = seen.undetermined;

  const Data data(sums, free.phi);
  const double rows = 3.0 * data.samples;
  const MotionNoiseGram motion(noise);
  const double known = noise ? 3.0 * options.known_noise_samples : 0.0;
  const double known_force = noise && noise->force > 0.0 ? known : 0.0;
  const double known_torque = noise && noise->torque > 0.0 ? known : 0.0;
  const double floor = options.noise_floor * options.noise_floor;
  const double force_floor = floor * data.force_square / rows + 1e-300;
  const double torque_floor = floor * data.torque_square / rows + 1e-300;
  // `squares`: expected sum of squared residuals.
  const auto variance = [rows](double squares, double pseudo_rows, double sigma, double smallest) {
    return std::max((squares + pseudo_rows * sigma * sigma) / (rows + pseudo_rows), smallest);
  };
  const auto set_equal = [&](double& force, double& torque) {
    if (!options.weigh_by_noise) force = torque = 0.5 * (force + torque);
  };
  // Least squares of each kind of rows alone leave the last entries of their factors; 4 and 9 unknowns took their share.
  const double force_left = sums.force_factor()(4, 4), torque_left = sums.torque_factor()(9, 9);
  double force_variance = variance(force_left * force_left * rows / std::max(rows - 4.0, 1.0), known_force,
                                   noise ? noise->force : 0.0, force_floor);
  double torque_variance = variance(torque_left * torque_left * rows / std::max(rows - 9.0, 1.0),
                                    known_torque, noise ? noise->torque : 0.0, torque_floor);
  set_equal(force_variance, torque_variance);

  // Weight over gravity and motion: the force along what an unknown mass would give.
  const double pull = data.force_gram(0, 0);
  double mass = pull > 0.0 ? data.force_right[0] / pull : 0.0;
  if (!(mass > 0.0)) {
    estimate.problems.push_back(
        pull > 0.0 ? "the forces point against gravity: no positive mass fits (is the sign of gravity right?)"
                   : "neither gravity nor acceleration acts on the object: the mass cannot be told");
    return estimate;
  }

  // Of bodies without a shape the prior knows the size, not the place: they are put where the centre of mass is found.
  struct Candidate {
    const PriorComponent* component;
    BodyChart chart;
  };
  std::vector<Candidate> candidates;
  for (const PriorComponent& component : prior.components)
    candidates.push_back({&component, BodyChart(component)});
  const bool knows_shape = std::any_of(prior.components.begin(), prior.components.end(),
                                       [](const PriorComponent& component) { return component.knows_shape; });
  Vector10d phi = free.phi;
  double wrong_shape = 0.0;
  for (int round = 0; round < options.rounds; ++round) {
    const BodyInformation facts = information(data, motion, force_variance, torque_variance);
    std::vector<BodyAnswer> answers;
    double best = -std::numeric_limits<double>::infinity();
    const Eigen::Vector3d centre =
        phi[0] > 0.0 ? (phi.segment<3>(1) / phi[0]).eval() : Eigen::Vector3d::Zero();
    for (Candidate& candidate : candidates) {
      if (!candidate.component->knows_shape) candidate.chart = BodyChart(moved(*candidate.component, centre));
      answers.push_back(most_probable_body(candidate.chart, facts, mass, options.extent));
      if (answers.back().log_evidence > best) best = answers.back().log_evidence;
      estimate.iterations += answers.back().steps;
    }
    double total = 0.0;
    std::vector<double> weights;
    for (const BodyAnswer& answer : answers) {
      // A prior that the data refute altogether may end in rounding: it has no weight.
      const double weight = std::exp(answer.log_evidence - best);
      weights.push_back(std::isfinite(weight) && answer.phi.allFinite() ? weight : 0.0);
      total += weights.back();
    }
    phi.setZero();
    estimate.covariance.setZero();
    wrong_shape = 0.0;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      weights[i] /= total;
      if (weights[i] == 0.0) continue;
      phi += weights[i] * answers[i].phi;
      if (!candidates[i].component->knows_shape) wrong_shape += weights[i];
    }
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if (weights[i] == 0.0) continue;
      const Vector10d apart = answers[i].phi - phi;
      estimate.covariance += weights[i] * (answers[i].covariance + apart * apart.transpose());
    }
    if (!(phi[0] > 0.0) || !phi.allFinite()) break;
    mass = phi[0];
    force_variance =
        variance(sums.squared_force_residual(phi) + data.force_gram.cwiseProduct(estimate.covariance).sum(),
                 known_force, noise ? noise->force : 0.0, force_floor);
    torque_variance =
        variance(sums.squared_torque_residual(phi) + data.torque_gram.cwiseProduct(estimate.covariance).sum(),
                 known_torque, noise ? noise->torque : 0.0, torque_floor);
    set_equal(force_variance, torque_variance);
    // What has no weight now will have none in the next round.
    std::vector<Candidate> kept;
    for (std::size_t i = 0; i < candidates.size(); ++i)
      if (weights[i] >= 1e-6) kept.push_back(candidates[i]);
    candidates = std::move(kept);
  }
  report_fit(sums, phi, estimate);
  if (estimate.status == Status::failed && !estimate.problems.empty()) return estimate;
  if (knows_shape && wrong_shape > 0.5) {
    if (is_beyond_shape(estimate.inertia_S, prior)) {
      estimate.problems.push_back(
          "the wrenches do not fit the given shape, which was set aside: is it this object, in metres, and "
          "posed as the log "
          "says?");
    } else {
      estimate.notes.push_back("the wrenches are more precise than the shape, which was set aside");
    }
  }
  const bool told = estimate.undetermined.empty();
  if (!told && knows_shape && wrong_shape <= 0.5)
    estimate.notes.push_back("parameters that the motion does not tell come from the shape alone");
  estimate.status = told || (knows_shape && wrong_shape <= 0.5) ? Status::ok : Status::undetermined;
  return estimate;
}

namespace {

class LikelihoodEstimator final : public StreamingEstimator {
 public:
  LikelihoodEstimator(const Background& background, LikelihoodOptions options)
      : noise_(background.noise),
        options_(std::move(options)),
        prior_(background.shape != nullptr && background.X_SO
                   ? prior_of_shape(*background.shape, *background.X_SO, options_.prior)
                   : prior_without_shape(options_.prior)) {}
  void add(const Sample& sample) override { sums_.add(sample); }
  void add_all(std::span<const Sample> samples) override { sums_.add(samples); }
  Estimate estimate() const override { return likelihood(sums_, prior_, noise_, options_); }

 private:
  std::optional<SampleNoise> noise_;
  LikelihoodOptions options_;
  BodyPrior prior_;
  NormalEquations sums_;
};

}  // namespace

std::unique_ptr<StreamingEstimator> make_likelihood_estimator(const Background& background,
                                                              const EstimatorOptions& options) {
  options.likelihood.validate();
  return std::make_unique<LikelihoodEstimator>(background, options.likelihood);
}

}  // namespace prehend::inertia
