//   printed_norms    reweighted squares, monotone. The balance between its terms shifts with the residuals, so that a good
//                    fit of one model silences the other.
//   noise_weighted   ours, the default. Squared, with force and torque rows each divided by their noise (newtons and
//                    newton metres are not comparable, and the ratio decides how well the centre of mass is known), and
//                    with the regularisation drawn to the homogeneous body instead of to zero: lambda |m| shrinks a light
//                    object's mass and says nothing about density. Masses vary as a white density field does:
//                    var(m_i) = density_spread^2 M m_i for m_i, M of the homogeneous body, whatever the number of points.
// c1 from the data, when none is given: accelerations of noise s alone would show the dynamism
// nu0 = 3 (s_a/n1)^2 + 3 (s_al/n2)^2 + 3 (s_w/n3)^2; the full model takes over where the motion stands out from it,
// c1 = noise_ratio nu0. Noise is measured on the accelerations (noise_meter.h) unless it is known.
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

// Masses of the points under one of the three objectives.
struct MassFit {
  const MassData& unit_parameters;  // phi of 1 kg at each point
  MassProblem problem{};
  SquareRoot root{};
  MassSolution solution{};
  double objective{0.0};

  void set_data(const Quadratic& quadratic) {
    root = square_root(quadratic);
    problem.Q.noalias() = root.R * unit_parameters;
    problem.r = root.r;
  }

  // Towards the homogeneous object that fits best; false where its mass is not positive.
  bool fit_weighted(const Blend& blend, const SampleNoise& noise,
                    const Eigen::Map<const Eigen::VectorXd>& volumes, double density_spread) {
    const math::Vector10d homogeneous = unit_parameters * volumes / volumes.sum();
    Quadratic weighted = blend.force * std::pow(noise.force, -2);
    weighted += blend.torque * std::pow(noise.torque, -2);
    set_data(weighted);
    const math::Vector10d seen = root.R * homogeneous;
    const double mass = seen.dot(root.r) / std::max(seen.squaredNorm(), 1e-300);
    if (!(mass > 0.0)) return false;
    problem.m0 = mass * volumes / volumes.sum();
    problem.d = (std::pow(density_spread, 2) * mass * problem.m0).cwiseInverse();
    solution = solve_masses(problem);
    const math::Vector10d phi = unit_parameters * solution.m;
    objective = weighted.squared_residual(phi) + problem.d.dot((solution.m - problem.m0).cwiseAbs2());
    return true;
  }

  bool fit_printed(const Blend& blend, PointMassForm form, double lambda) {
    problem.m0 = Eigen::VectorXd::Zero(unit_parameters.cols());
    problem.d = Eigen::VectorXd::Constant(unit_parameters.cols(), lambda);
    Quadratic both = blend.full;
    both += blend.reduced;
    set_data(both);
    solution = solve_masses(problem);
    const math::Vector10d phi = unit_parameters * solution.m;
    objective = both.squared_residual(phi) + lambda * solution.m.squaredNorm();
    if (form == PointMassForm::printed_norms) reweigh(blend, lambda);
    return true;
  }

  // From the squares' solution to that of the sum of norms.
  void reweigh(const Blend& blend, double lambda) {
    constexpr int kMostRounds = 2000;     // bounds the time; the objective falls until it stands
    constexpr double kLeastGain = 1e-11;  // of the objective: rounding
    objective = norms_objective(blend, unit_parameters * solution.m, solution.m, lambda);
    math::Vector10d y = math::Vector10d::Zero();
    int rounds = 0;
    for (bool done = false; !done && rounds < kMostRounds; ++rounds) {
      const math::Vector10d at = unit_parameters * solution.m;
      const double mass_norm = std::max(solution.m.norm(), 1e-300);
      // A term at zero is smoothed: its norm counts as a billionth of the data's.
      const auto slope = [&at](const Quadratic& q) {
        return 1.0 / std::max(std::sqrt(q.squared_residual(at)), 1e-9 * std::sqrt(q.c) + 1e-300);
      };
      Quadratic both = blend.full * slope(blend.full);
      both += blend.reduced * slope(blend.reduced);
      set_data(both);
      problem.d.setConstant(lambda / mass_norm);
      solution = solve_masses(problem, &y);
      const double next = norms_objective(blend, unit_parameters * solution.m, solution.m, lambda);
      done = !(next < objective * (1.0 - kLeastGain));
      objective = std::min(next, objective);
    }
    solution.iterations += rounds;
  }
};

}  // namespace

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

// Full and reduced sums under the weights of c1.
struct PointMasses::WeightedSums {
  FullSums full;
  ReducedSums reduced;
  double share{0.0};  // sum of the full model's weights
};

PointMasses::WeightedSums PointMasses::weighted_sums(double c1) const {
  WeightedSums sums{full_, reduced_, share_};
  for (const Class& group : classes_) {
    const double w = full_weight(group.dynamism / static_cast<double>(group.samples), c1);
    sums.full.add(group.full, w * w);
    sums.reduced.add(group.reduced, (1.0 - w) * (1.0 - w));
    sums.share += w * static_cast<double>(group.samples);
  }
  return sums;
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
  const WeightedSums sums = weighted_sums(fit.c1);
  fit.full_share = sums.share / static_cast<double>(samples_);
  const Blend blend = blend_of(sums.full, sums.reduced);
  const SampleNoise found = wrench_noise(blend.force, blend.torque);
  const Eigen::Index n = unit_parameters_.cols();
  const bool is_weighted = options_.form == PointMassForm::noise_weighted;
  MassFit masses{unit_parameters_};
  const bool has_mass =
      is_weighted ? masses.fit_weighted(blend, found, Eigen::Map<const Eigen::VectorXd>(volumes_.data(), n),
                                        options_.density_spread)
                  : masses.fit_printed(blend, options_.form, options_.lambda);
  if (!has_mass) {
    estimate.problems.emplace_back(
        "the wrench fits no positive mass of the object's shape: check the sign of gravity and of the "
        "wrench");
    return fit;
  }
  const MassSolution& solution = masses.solution;
  fit.objective = masses.objective;
  estimate.iterations = solution.iterations;
  estimate.masses.assign(solution.m.data(), solution.m.data() + n);
  // Of the objective's unit.
  const double noise_scale = is_weighted ? 1.0 : std::max(found.force, found.torque);
  estimate.covariance = noise_scale * noise_scale *
                        mass_posterior(unit_parameters_, masses.root.R, masses.problem.d, solution.m);
  estimate.notes.push_back("c1 " + math::number_text(fit.c1, 4) +
                           (options_.c1 ? " as given" : " from the noise of the accelerations") +
                           ": the full model has " + math::number_text(100.0 * fit.full_share, 3) +
                           " % of the weight; " + std::to_string(n) + " points.");
  if (!solution.converged) estimate.problems.emplace_back("the masses of the points did not settle");
  finish_consistent_fit(all_, unit_parameters_ * solution.m, solution.converged, estimate);
  return fit;
}

PointMassFit point_masses(std::span<const Sample> samples, const Shape& shape, const math::Pose& X_SO,
                          const PointMassOptions& options, const std::optional<SampleNoise>& noise) {
  PointMasses running(shape, X_SO, options, noise);
  for (const Sample& sample : samples) running.add(sample);
  return running.fit();
}

}  // namespace prehend::inertia
