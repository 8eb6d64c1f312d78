#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <prehend/inertia/methods/consistent_fit.h>
#include <prehend/inertia/methods/homogeneous_parts.h>
#include <prehend/inertia/methods/mass_posterior.h>
#include <prehend/inertia/methods/nonnegative_masses.h>
#include <prehend/math/nonnegative_least_squares.h>
#include <prehend/math/number_text.h>

namespace prehend::inertia {
namespace {

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + ("'" + names[i] + "'");
  return text;
}

// Each part's posterior variance over its prior's, and how many directions the data know better than the prior.
void judge_separation(const MassProblem& problem, PartsFit& fit) {
  const Eigen::VectorXd inverse_root = problem.d.cwiseSqrt().cwiseInverse();
  const MassData scaled = problem.Q * inverse_root.asDiagonal();
  const Matrix10d information = scaled * scaled.transpose();
  const Eigen::SelfAdjointEigenSolver<Matrix10d> spectrum(information, Eigen::EigenvaluesOnly);
  fit.told = static_cast<int>((spectrum.eigenvalues().array() > 1.0).count());
  Matrix10d inner = information;
  inner.diagonal().array() += 1.0;
  const MassData solved = Eigen::LLT<Matrix10d>(inner).solve(scaled);
  for (Eigen::Index i = 0; i < scaled.cols(); ++i)
    fit.prior_share.push_back(std::clamp(1.0 - scaled.col(i).dot(solved.col(i)), 0.0, 1.0));
}

// A body at rest shows mass and first moments only where gravity came from several sides.
void name_undetermined(const Matrix10d& gram, Estimate& estimate) {
  Eigen::Matrix4d scaled = gram.topLeftCorner<4, 4>();
  const double mass_scale = std::sqrt(std::max(scaled(0, 0), 1e-300));
  const double moment_scale = std::sqrt(std::max(scaled.bottomRightCorner<3, 3>().trace() / 2.0, 1e-300));
  const Eigen::Vector4d inverse(1.0 / mass_scale, 1.0 / moment_scale, 1.0 / moment_scale, 1.0 / moment_scale);
  scaled = (inverse.asDiagonal() * scaled * inverse.asDiagonal()).eval();
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> spectrum(scaled);
  static const char* const kNames[] = {"mass", "com_x", "com_y", "com_z"};
  for (int p = 0; p < 4; ++p)
    for (int k = 0; k < 4; ++k)
      if (spectrum.eigenvalues()[k] < 1e-6 * spectrum.eigenvalues()[3] &&
          std::abs(spectrum.eigenvectors()(p, k)) > 0.1) {
        estimate.undetermined.emplace_back(kNames[p]);
        break;
      }
}

}  // namespace

void HomogeneousPartsOptions::validate() const {
  const auto require = [](double value, const char* field) {
    if (std::isfinite(value) && value > 0.0) return;
    throw std::invalid_argument(std::string("HomogeneousPartsOptions.") + field + " is " +
                                math::number_text(value) + ", must be finite and positive");
  };
  require(still, "still");
  require(density_spread, "density_spread");
}

HomogeneousParts::HomogeneousParts(const Shape& shape, const math::Pose& X_SO,
                                   const HomogeneousPartsOptions& options,
                                   const std::optional<SampleNoise>& noise)
    : options_(options), noise_(noise), parts_(shape.parts) {
  options.validate();
  if (parts_.empty())
    throw std::invalid_argument("hps needs a shape with parts: a labelled cloud or one mesh per part");
  unit_parameters_.resize(10, static_cast<Eigen::Index>(parts_.size()));
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (!(parts_[i].volume > 0.0))
      throw std::invalid_argument("hps: part '" + parts_[i].name + "' has no volume");
    unit_parameters_.col(static_cast<Eigen::Index>(i)) =
        parts_[i].of_unit_mass.expressed_in(X_SO).parameters();
  }
}

bool HomogeneousParts::is_still(const Sample& sample) const {
  const double limit = options_.still * options_.still;
  const double allowance = options_.printed ? 0.0 : 3.0;
  const double a = noise_ ? noise_->a : deviation_a_, al = noise_ ? noise_->al : deviation_al_;
  // Between speeding up and slowing down a body has no acceleration and yet turns.
  const double turning = 0.2 * options_.still;  // [rad/s] what still accelerations reach in 0.2 s
  if (!options_.printed && sample.motion.w.squaredNorm() > turning * turning) return false;
  return (sample.motion.a + sample.gravity).squaredNorm() < limit + allowance * a * a &&
         sample.motion.al.squaredNorm() < limit + allowance * al * al;
}

void HomogeneousParts::add(const Sample& sample) {
  ++samples_;
  if (!noise_ && !options_.printed && !options_.use_motion) {
    noise_a_.add(sample.motion.a + sample.gravity);
    noise_al_.add(sample.motion.al);
    if (samples_ % 16 == 0) {  // the noise does not change from one sample to the next
      deviation_a_ = noise_a_.deviation();
      deviation_al_ = noise_al_.deviation();
    }
  }
  if (options_.use_motion) {
    full_.add(full_sums(sample), 1.0);
    ++used_;
  } else if (is_still(sample)) {
    // Held still in the apparent gravity: what an accelerometer feels.
    reduced_.add(reduced_sums(sample, options_.printed ? sample.gravity : Eigen::Vector3d(-sample.motion.a)),
                 1.0);
    ++used_;
  }
}

PartsFit HomogeneousParts::fit() const {
  PartsFit fit;
  Estimate& estimate = fit.estimate;
  estimate.method = Method::hps;
  estimate.samples = static_cast<int>(used_);
  for (Eigen::Index i = 0; i < unit_parameters_.cols(); ++i)
    estimate.points_S.push_back(unit_parameters_.col(i).segment<3>(1));
  if (used_ < 2) {
    estimate.problems.push_back("hps needs still samples (accelerations below " +
                                math::number_text(options_.still) + "): the log has " +
                                std::to_string(used_) + " of " + std::to_string(samples_) +
                                "; stop between motions, or use pmd");
    return fit;
  }
  const Quadratic force = options_.use_motion ? force_quadratic(full_) : force_quadratic(reduced_);
  const Quadratic torque = options_.use_motion ? torque_quadratic(full_) : torque_quadratic(reduced_);
  const SampleNoise found = wrench_noise(force, torque);
  Quadratic data = force * (options_.printed ? 1.0 : std::pow(found.force, -2));
  data += torque * (options_.printed ? 1.0 : std::pow(found.torque, -2));
  const SquareRoot root = square_root(data);

  MassProblem problem;
  problem.Q.noalias() = root.R * unit_parameters_;
  problem.r = root.r;
  const Eigen::Index n = unit_parameters_.cols();
  Eigen::VectorXd m;
  bool solved = false;
  if (options_.printed) {
    math::NonnegativeLeastSquaresOptions exact;
    exact.route = math::NonnegativeLeastSquaresRoute::orthogonal;
    const math::NonnegativeLeastSquaresResult result =
        math::solve_nonnegative_least_squares(problem.Q, problem.r, exact);
    solved = result.status == math::SolverStatus::optimal;
    m = result.x;
    estimate.iterations = result.iterations;
    fit.objective = data.squared_residual(unit_parameters_ * m);
    // A prior so wide that it only keeps the covariance finite.
    problem.d = Eigen::VectorXd::Constant(n, std::pow(10.0 * std::max(m.sum(), 1e-12), -2));
    std::vector<std::string> zeroed;
    for (Eigen::Index i = 0; i < n; ++i)
      if (!(m[i] > 0.0)) zeroed.push_back(parts_[i].name);
    if (!zeroed.empty())
      estimate.notes.push_back("The printed problem gives no mass to " + list_of(zeroed) + ".");
  } else {
    Eigen::VectorXd volumes(n);
    for (Eigen::Index i = 0; i < n; ++i) volumes[i] = parts_[i].volume;
    volumes /= volumes.sum();
    const Eigen::Matrix<double, 10, 1> seen = problem.Q * volumes;
    const double mass = seen.dot(problem.r) / std::max(seen.squaredNorm(), 1e-300);
    if (!(mass > 0.0)) {
      estimate.problems.emplace_back(
          "the wrench fits no positive mass of these parts: check the sign of gravity and of the wrench");
      return fit;
    }
    problem.m0 = mass * volumes;
    problem.d = (options_.density_spread * problem.m0).cwiseAbs2().cwiseInverse();
    const MassSolution solution = solve_masses(problem);
    solved = solution.converged;
    m = solution.m;
    estimate.iterations = solution.iterations;
    fit.objective = data.squared_residual(unit_parameters_ * m) + problem.d.dot((m - problem.m0).cwiseAbs2());
    judge_separation(problem, fit);
    std::vector<std::string> assumed, zeroed;
    for (Eigen::Index i = 0; i < n; ++i) {
      if (fit.prior_share[i] > 0.5) assumed.push_back(parts_[i].name);
      if (!(m[i] > 0.0)) zeroed.push_back(parts_[i].name);
    }
    if (!assumed.empty() && n > 1)
      estimate.notes.push_back("The data tell " + std::to_string(fit.told) + " of " + std::to_string(n) +
                               " masses apart; those of " + list_of(assumed) +
                               " follow from densities as equal as the data allow.");
    if (!zeroed.empty())
      estimate.notes.push_back("The data leave no mass for " + list_of(zeroed) + ": are the parts right?");
  }
  estimate.masses.assign(m.data(), m.data() + n);
  const double scale = options_.printed ? std::max(found.force, found.torque) : 1.0;
  // Printed rows count in SI units, so their information is that of the noise's square.
  estimate.covariance = mass_posterior(unit_parameters_, root.R / scale, problem.d, m);

  const math::Vector10d phi = unit_parameters_ * m;
  const double rows = std::max(1.0, force.rows);
  estimate.residual_force = std::sqrt(force.squared_residual(phi) / rows);
  estimate.residual_torque = std::sqrt(torque.squared_residual(phi) / rows);
  report_observability(force.G + torque.G, options_.use_motion ? 10 : 4, estimate);
  if (!(phi[0] > 0.0) || !phi.allFinite()) {
    estimate.problems.emplace_back("no mass was found: check the sign of gravity and of the wrench");
    return fit;
  }
  estimate.inertia_S = math::SpatialInertia::from_parameters(phi);
  estimate.consistency = math::check_consistency(estimate.inertia_S);
  if (!solved) {
    estimate.problems.emplace_back("the masses of the parts did not settle");
    return fit;
  }
  if (!options_.use_motion) name_undetermined(force.G + torque.G, estimate);
  estimate.status = estimate.undetermined.empty() ? Status::ok : Status::undetermined;
  return fit;
}

PartsFit homogeneous_parts(std::span<const Sample> samples, const Shape& shape, const math::Pose& X_SO,
                           const HomogeneousPartsOptions& options, const std::optional<SampleNoise>& noise) {
  HomogeneousParts running(shape, X_SO, options, noise);
  for (const Sample& sample : samples) running.add(sample);
  return running.fit();
}

}  // namespace prehend::inertia
