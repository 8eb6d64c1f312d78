// A sample counts as still when |a|^2 and |al|^2, less what their noise adds on average (3 s^2), are below `still`^2,
// and it turns no faster than `still` accelerations reach in 0.2 s (the source looks at accelerations alone). Its
// measured acceleration, small against gravity, is taken into account unless it is printed form.
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include <prehend/inertia/methods/consistent_fit.h>
#include <prehend/inertia/methods/homogeneous_parts.h>
#include <prehend/inertia/methods/mass_posterior.h>
#include <prehend/inertia/methods/nonnegative_masses.h>
#include <prehend/inertia/methods/symmetric.h>
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
  const math::Matrix10d information = scaled * scaled.transpose();
  fit.separated = static_cast<int>((eigenvalues_of<10>(information).array() > 1.0).count());
  math::Matrix10d inner = information;
  inner.diagonal().array() += 1.0;
  const Cholesky<10> factor(inner);
  for (Eigen::Index i = 0; i < scaled.cols(); ++i) {
    const math::Vector10d column = scaled.col(i);
    fit.prior_share.push_back(std::clamp(1.0 - column.dot(factor.solve(column)), 0.0, 1.0));
  }
}

// Squared singular values of still samples below this share of the largest are noise of gravity's direction, and a parameter
// with more than this share in such a direction is not determined. On logs with nine digits rounding lies far below.
constexpr double kLeastStillShare = 1e-6, kLeastNullShare = 0.1;

// A body at rest shows mass and first moments only where gravity came from several sides.
void name_undetermined(const math::Matrix10d& gram, Estimate& estimate) {
  Eigen::Matrix4d scaled = gram.topLeftCorner<4, 4>();
  const double mass_scale = std::sqrt(std::max(scaled(0, 0), 1e-300));
  const double moment_scale = std::sqrt(std::max(scaled.bottomRightCorner<3, 3>().trace() / 2.0, 1e-300));
  const Eigen::Vector4d inverse(1.0 / mass_scale, 1.0 / moment_scale, 1.0 / moment_scale, 1.0 / moment_scale);
  scaled = (inverse.asDiagonal() * scaled * inverse.asDiagonal()).eval();
  const SymmetricSpectrum<4> spectrum = spectrum_of<4>(scaled);
  static const char* const kNames[] = {"mass", "com_x", "com_y", "com_z"};
  for (int p = 0; p < 4; ++p)
    for (int k = 0; k < 4; ++k)
      if (spectrum.values[k] < kLeastStillShare * spectrum.values[3] &&
          std::abs(spectrum.vectors(p, k)) > kLeastNullShare) {
        estimate.undetermined.emplace_back(kNames[p]);
        break;
      }
}

std::vector<std::string> massless(const std::vector<Part>& parts, const Eigen::VectorXd& m) {
  std::vector<std::string> names;
  for (Eigen::Index i = 0; i < m.size(); ++i)
    if (!(m[i] > 0.0)) names.push_back(parts[static_cast<std::size_t>(i)].name);
  return names;
}

struct Masses {
  Eigen::VectorXd m;  // [kg]
  bool solved{false};
};

// (3.26) as printed.
Masses printed_masses(const std::vector<Part>& parts, MassProblem& problem, Estimate& estimate) {
  math::NonnegativeLeastSquaresOptions exact;
  exact.route = math::NonnegativeLeastSquaresRoute::orthogonal;
  const math::NonnegativeLeastSquaresResult result =
      math::solve_nonnegative_least_squares(problem.Q, problem.r, exact);
  estimate.iterations = result.iterations;
  // A prior so wide that it only keeps the covariance finite.
  problem.d =
      Eigen::VectorXd::Constant(problem.Q.cols(), std::pow(10.0 * std::max(result.x.sum(), 1e-12), -2));
  const std::vector<std::string> zeroed = massless(parts, result.x);
  if (!zeroed.empty())
    estimate.notes.push_back("The printed problem gives no mass to " + list_of(zeroed) + ".");
  return {result.x, result.status == math::SolverStatus::optimal};
}

// Which masses are the data's, and which follow from equal densities.
void note_separation(const std::vector<Part>& parts, const Eigen::VectorXd& m, PartsFit& fit) {
  std::vector<std::string> assumed;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (fit.prior_share[i] > 0.5) assumed.push_back(parts[i].name);
  if (!assumed.empty() && parts.size() > 1)
    fit.estimate.notes.push_back("The data separate " + std::to_string(fit.separated) + " of " +
                                 std::to_string(parts.size()) + " masses; those of " + list_of(assumed) +
                                 " follow from densities as equal as the data allow.");
  const std::vector<std::string> zeroed = massless(parts, m);
  if (!zeroed.empty())
    fit.estimate.notes.push_back("The data leave no mass for " + list_of(zeroed) + ": are the parts right?");
}

// Towards the homogeneous object that fits best; none where its mass is not positive.
std::optional<Masses> masses_near_homogeneous(const std::vector<Part>& parts, double density_spread,
                                              MassProblem& problem, PartsFit& fit) {
  const Eigen::Index n = problem.Q.cols();
  Eigen::VectorXd volumes(n);
  for (Eigen::Index i = 0; i < n; ++i) volumes[i] = parts[static_cast<std::size_t>(i)].volume;
  volumes /= volumes.sum();
  const math::Vector10d seen = problem.Q * volumes;
  const double mass = seen.dot(problem.r) / std::max(seen.squaredNorm(), 1e-300);
  if (!(mass > 0.0)) {
    fit.estimate.problems.emplace_back(
        "the wrench fits no positive mass of these parts: check the sign of gravity and of the wrench");
    return std::nullopt;
  }
  problem.m0 = mass * volumes;
  problem.d = (density_spread * problem.m0).cwiseAbs2().cwiseInverse();
  const MassSolution solution = solve_masses(problem);
  fit.estimate.iterations = solution.iterations;
  judge_separation(problem, fit);
  note_separation(parts, solution.m, fit);
  return Masses{solution.m, solution.converged};
}

}  // namespace

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
    // Held still in the apparent gravity: what an accelerometer reads.
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
  const std::optional<Masses> masses =
      options_.printed ? printed_masses(parts_, problem, estimate)
                       : masses_near_homogeneous(parts_, options_.density_spread, problem, fit);
  if (!masses) return fit;
  const Eigen::VectorXd& m = masses->m;
  fit.objective = data.squared_residual(unit_parameters_ * m);
  if (!options_.printed) fit.objective += problem.d.dot((m - problem.m0).cwiseAbs2());
  estimate.masses.assign(m.data(), m.data() + m.size());
  const double scale = options_.printed ? std::max(found.force, found.torque) : 1.0;
  // Printed rows count in SI units, so their information is that of the noise's square.
  estimate.covariance = mass_posterior(unit_parameters_, root.R / scale, problem.d, m);
  finish(force, torque, m, masses->solved, estimate);
  return fit;
}

void HomogeneousParts::finish(const Quadratic& force, const Quadratic& torque, const Eigen::VectorXd& m,
                              bool solved, Estimate& estimate) const {
  const math::Vector10d phi = unit_parameters_ * m;
  const double rows = std::max(1.0, force.rows);
  estimate.residual_force = std::sqrt(force.squared_residual(phi) / rows);
  estimate.residual_torque = std::sqrt(torque.squared_residual(phi) / rows);
  report_observability(force.G + torque.G, options_.use_motion ? 10 : 4, estimate);
  if (!(phi[0] > 0.0) || !phi.allFinite()) {
    estimate.problems.emplace_back("no mass was found: check the sign of gravity and of the wrench");
    return;
  }
  estimate.inertia_S = math::SpatialInertia::from_parameters(phi);
  estimate.consistency = math::check_consistency(estimate.inertia_S);
  if (!solved) {
    estimate.problems.emplace_back("the masses of the parts did not settle");
    return;
  }
  if (!options_.use_motion) name_undetermined(force.G + torque.G, estimate);
  estimate.status = estimate.undetermined.empty() ? Status::ok : Status::undetermined;
}

PartsFit homogeneous_parts(std::span<const Sample> samples, const Shape& shape, const math::Pose& X_SO,
                           const HomogeneousPartsOptions& options, const std::optional<SampleNoise>& noise) {
  HomogeneousParts running(shape, X_SO, options, noise);
  for (const Sample& sample : samples) running.add(sample);
  return running.fit();
}

}  // namespace prehend::inertia
