#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include <prehend/inertia/methods/consistent_fit.h>
#include <prehend/inertia/methods/mass_posterior.h>
#include <prehend/inertia/methods/nonnegative_masses.h>
#include <prehend/inertia/methods/point_masses.h>
#include <prehend/math/number_text.h>

namespace prehend::inertia {
namespace {

constexpr int kClassesPerOctave = 3, kLowestOctave = -20, kHighestOctave = 40;
constexpr int kClasses = (kHighestOctave - kLowestOctave) * kClassesPerOctave + 1;

void require_positive(double value, const char* field, const char* unit) {
  if (std::isfinite(value) && value > 0.0) return;
  throw std::invalid_argument(std::string("PointMassOptions.") + field + " is " + math::number_text(value) +
                              unit + ", must be finite and positive");
}

// (3.13); c1 of zero is its limit.
double full_weight(double dynamism, double c1) { return c1 > 0.0 ? std::tanh(3.0 * dynamism / c1) : 1.0; }

struct Blend {
  Quadratic full, reduced;  // one weight for all rows, as printed
  Quadratic force, torque;  // both models, by kind of row
};

Blend blend_of(const FullSums& full, const ReducedSums& reduced) {
  Blend blend;
  blend.force = force_quadratic(full);
  blend.torque = torque_quadratic(full);
  blend.full = blend.force;
  blend.full += blend.torque;
  const Quadratic force = force_quadratic(reduced), torque = torque_quadratic(reduced);
  blend.force += force;
  blend.torque += torque;
  blend.reduced = force;
  blend.reduced += torque;
  return blend;
}

// The sum of norms by its quadratic majorant |x| <= |x|^2 / (2 s) + s / 2, equal at s = |x|: each round is a problem of
// squares, and the objective never rises.
double norms_objective(const Blend& blend, const math::Vector10d& phi, const Eigen::VectorXd& m,
                       double lambda) {
  return std::sqrt(blend.full.squared_residual(phi)) + std::sqrt(blend.reduced.squared_residual(phi)) +
         lambda * m.norm();
}

}  // namespace

void PointMassOptions::validate() const {
  if (c1 && !(std::isfinite(*c1) && *c1 >= 0.0))
    throw std::invalid_argument("PointMassOptions.c1 is " + math::number_text(*c1) +
                                ", must be finite and >= 0");
  require_positive(noise_ratio, "noise_ratio", "");
  for (int k = 0; k < 3; ++k) require_positive(amplitudes[k], "amplitudes", "");
  require_positive(lambda, "lambda", "");
  require_positive(density_spread, "density_spread", "");
}

PointMasses::PointMasses(const Shape& shape, const math::Pose& X_SO, const PointMassOptions& options,
                         const std::optional<SampleNoise>& noise)
    : options_(options), noise_(noise) {
  options.validate();
  if (shape.points.empty()) throw std::invalid_argument("pmd needs a shape with points");
  const Shape few = resample_points(shape, options.points);
  for (std::size_t i = 0; i < few.points.size(); ++i) {
    if (!(few.volumes[i] > 0.0)) continue;  // a point without volume is no place for mass
    points_S_.push_back(X_SO * few.points[i]);
    volumes_.push_back(few.volumes[i]);
  }
  unit_parameters_.resize(10, static_cast<Eigen::Index>(points_S_.size()));
  for (std::size_t i = 0; i < points_S_.size(); ++i) {
    const Eigen::Vector3d& p = points_S_[i];
    const Eigen::Vector3d s = p.cwiseAbs2();
    unit_parameters_.col(static_cast<Eigen::Index>(i)) << 1.0, p, s.y() + s.z(), -p.x() * p.y(),
        -p.x() * p.z(), s.x() + s.z(), -p.y() * p.z(), s.x() + s.y();
  }
  if (!options.c1) class_of_.assign(kClasses, -1);
}

double PointMasses::dynamism(const Sample& sample) const {
  // Of the motion itself: gravity, which the motion's `a` is free of by convention, is added back.
  const Eigen::Vector3d a = sample.motion.a + sample.gravity;
  return a.squaredNorm() / std::pow(options_.amplitudes[0], 2) +
         sample.motion.al.squaredNorm() / std::pow(options_.amplitudes[1], 2) +
         sample.motion.w.squaredNorm() / std::pow(options_.amplitudes[2], 2);
}

void PointMasses::add(const Sample& sample) {
  const FullSums full = full_sums(sample);
  const ReducedSums reduced = reduced_sums(sample, sample.gravity);
  const double nu = dynamism(sample);
  all_.add(full, 1.0);
  ++samples_;
  if (options_.c1) {
    const double w = full_weight(nu, *options_.c1);
    full_.add(full, w * w);
    reduced_.add(reduced, (1.0 - w) * (1.0 - w));
    share_ += w;
    return;
  }
  if (!noise_) {
    noise_a_.add(sample.motion.a + sample.gravity);
    noise_w_.add(sample.motion.w);
    noise_al_.add(sample.motion.al);
  }
  const double octave = std::log2(std::max(nu, 1e-300));
  const int bin = std::clamp(static_cast<int>(std::lround((octave - kLowestOctave) * kClassesPerOctave)), 0,
                             kClasses - 1);
  if (class_of_[bin] < 0) {
    class_of_[bin] = static_cast<int>(classes_.size());
    classes_.emplace_back();
  }
  Class& group = classes_[class_of_[bin]];
  group.full.add(full, 1.0);
  group.reduced.add(reduced, 1.0);
  group.dynamism += nu;
  ++group.samples;
}

double PointMasses::chosen_c1() const {
  if (options_.c1) return *options_.c1;
  const double a = noise_ ? noise_->a : noise_a_.deviation(), w = noise_ ? noise_->w : noise_w_.deviation(),
               al = noise_ ? noise_->al : noise_al_.deviation();
  const Eigen::Vector3d& n = options_.amplitudes;
  return options_.noise_ratio * 3.0 *
         (std::pow(a / n[0], 2) + std::pow(al / n[1], 2) + std::pow(w / n[2], 2));
}

PointMassFit PointMasses::fit() const {
  PointMassFit fit;
  Estimate& estimate = fit.estimate;
  estimate.method = Method::pmd;
  estimate.samples = static_cast<int>(samples_);
  estimate.points_S = points_S_;
  if (samples_ < 2) {
    estimate.problems.emplace_back("pmd needs at least two samples, there are " + std::to_string(samples_));
    return fit;
  }
  fit.c1 = chosen_c1();
  FullSums full = full_;
  ReducedSums reduced = reduced_;
  double share = share_;
  for (const Class& group : classes_) {
    const double w = full_weight(group.dynamism / static_cast<double>(group.samples), fit.c1);
    full.add(group.full, w * w);
    reduced.add(group.reduced, (1.0 - w) * (1.0 - w));
    share += w * static_cast<double>(group.samples);
  }
  fit.full_share = share / static_cast<double>(samples_);

  const Blend blend = blend_of(full, reduced);
  const SampleNoise found = wrench_noise(blend.force, blend.torque);
  const Eigen::Index n = unit_parameters_.cols();
  const Eigen::Map<const Eigen::VectorXd> volumes(volumes_.data(), n);
  const math::Vector10d homogeneous = unit_parameters_ * volumes / volumes.sum();

  MassProblem problem;
  SquareRoot root;
  const auto set_data = [&](const Quadratic& q) {
    root = square_root(q);
    problem.Q.noalias() = root.R * unit_parameters_;
    problem.r = root.r;
  };
  MassSolution solution;
  double noise_scale = 1.0;  // of the objective's unit, for the covariance
  if (options_.form == PointMassForm::noise_weighted) {
    Quadratic weighted = blend.force * std::pow(found.force, -2);
    weighted += blend.torque * std::pow(found.torque, -2);
    set_data(weighted);
    const math::Vector10d seen = root.R * homogeneous;
    const double mass = seen.dot(root.r) / std::max(seen.squaredNorm(), 1e-300);
    if (!(mass > 0.0)) {
      estimate.problems.emplace_back(
          "the wrench fits no positive mass of the object's shape: check the sign of gravity and of the "
          "wrench");
      return fit;
    }
    problem.m0 = mass * volumes / volumes.sum();
    problem.d = (std::pow(options_.density_spread, 2) * mass * problem.m0).cwiseInverse();
    solution = solve_masses(problem);
    const math::Vector10d phi = unit_parameters_ * solution.m;
    fit.objective = weighted.squared_residual(phi) + problem.d.dot((solution.m - problem.m0).cwiseAbs2());
  } else {
    problem.m0 = Eigen::VectorXd::Zero(n);
    problem.d = Eigen::VectorXd::Constant(n, options_.lambda);
    Quadratic both = blend.full;
    both += blend.reduced;
    set_data(both);
    solution = solve_masses(problem);
    const math::Vector10d phi = unit_parameters_ * solution.m;
    fit.objective = both.squared_residual(phi) + options_.lambda * solution.m.squaredNorm();
    noise_scale = std::max(found.force, found.torque);
    if (options_.form == PointMassForm::printed_norms) {
      fit.objective = norms_objective(blend, phi, solution.m, options_.lambda);
      math::Vector10d y = math::Vector10d::Zero();
      int rounds = 0;
      for (bool done = false; !done && rounds < 2000; ++rounds) {
        const math::Vector10d at = unit_parameters_ * solution.m;
        const double mass_norm = std::max(solution.m.norm(), 1e-300);
        // A term at zero is smoothed: its norm counts as a billionth of the data's.
        const auto slope = [](const Quadratic& q, const math::Vector10d& phi_at) {
          return 1.0 / std::max(std::sqrt(q.squared_residual(phi_at)), 1e-9 * std::sqrt(q.c) + 1e-300);
        };
        both = blend.full * slope(blend.full, at);
        both += blend.reduced * slope(blend.reduced, at);
        set_data(both);
        problem.d.setConstant(options_.lambda / mass_norm);
        solution = solve_masses(problem, &y);
        const double next =
            norms_objective(blend, unit_parameters_ * solution.m, solution.m, options_.lambda);
        done = !(next < fit.objective * (1.0 - 1e-11));
        fit.objective = std::min(next, fit.objective);
      }
      solution.iterations += rounds;
    }
  }
  estimate.iterations = solution.iterations;
  estimate.masses.assign(solution.m.data(), solution.m.data() + n);
  const math::Vector10d phi = unit_parameters_ * solution.m;
  estimate.covariance =
      noise_scale * noise_scale * mass_posterior(unit_parameters_, root.R, problem.d, solution.m);
  estimate.notes.push_back("c1 " + math::number_text(fit.c1, 4) +
                           (options_.c1 ? " as given" : " from the noise of the accelerations") +
                           ": the full model has " + math::number_text(100.0 * fit.full_share, 3) +
                           " % of the weight; " + std::to_string(n) + " points.");
  if (!solution.converged) estimate.problems.emplace_back("the masses of the points did not settle");
  finish_consistent_fit(all_, phi, solution.converged, estimate);
  return fit;
}

PointMassFit point_masses(std::span<const Sample> samples, const Shape& shape, const math::Pose& X_SO,
                          const PointMassOptions& options, const std::optional<SampleNoise>& noise) {
  PointMasses running(shape, X_SO, options, noise);
  for (const Sample& sample : samples) running.add(sample);
  return running.fit();
}

}  // namespace prehend::inertia
