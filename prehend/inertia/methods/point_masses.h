// Point masses (`pmd`, source N, 3.1.3): non-negative masses at known points of the object, so that whatever comes out
// is a body that can exist, blended from two models by how dynamic the motion is.
//
// Problem 1:  min over m >= 0 of  |(1-w)(A~ m - b)| + |w (A m - b)| + lambda |m|,  w = tanh(3 nu / c1)  (3.13),
// nu = (|a|/n1)^2 + (|al|/n2)^2 + (|w|/n3)^2  (3.5); A~ the reduced model (gravity alone acts), A the full one; one weight per
// sample. Three forms are offered:
//   printed_norms    the objective as printed, a sum of norms (reweighted squares, monotone). Its balance between the
//                    terms shifts with the residuals themselves, so that a good fit of one model silences the other.
//   printed_squared  every norm squared: least squares, what the source's figures behave like; lambda 0.1.
//   noise_weighted   ours, the default. Squared, with force and torque rows each divided by their noise (newtons and
//                    newton metres are not comparable, and the ratio decides how well the centre of mass is known), and
//                    with the regularisation drawn to the homogeneous body instead of to zero: lambda |m| shrinks a light
//                    object's mass and says nothing about density. Masses vary as a white density field does:
//                    var(m_i) = density_spread^2 M m_i for m_i, M of the homogeneous body, whatever the number of points.
// c1 from the data, when none is given: accelerations of noise s alone would show the dynamism
// nu0 = 3 (s_a/n1)^2 + 3 (s_al/n2)^2 + 3 (s_w/n3)^2; the full model takes over where the motion stands out from it,
// c1 = noise_ratio nu0. Noise is measured on the accelerations (noise_meter.h) unless it is known.
//
// Streaming in constant memory: with c1 given, weights depend on the sample only; without, sums are kept apart by
// dynamism (three classes an octave) until c1 is known. Cost: 0.2 us a sample, 20 us a solve of 56 points.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <prehend/inertia/estimate.h>
#include <prehend/inertia/methods/blended_sums.h>
#include <prehend/inertia/methods/noise_meter.h>
#include <prehend/inertia/samples.h>
#include <prehend/inertia/shape.h>

namespace prehend::inertia {

enum class PointMassForm { noise_weighted, printed_squared, printed_norms };

struct PointMassOptions {
  PointMassForm form{PointMassForm::noise_weighted};
  // Dynamism at which the full model has 99.5 % of the weight; absent: from the noise. The source's 300 suits its own
  // robot. Zero: the full model alone.
  std::optional<double> c1;
  // How far the dynamism must stand out from that of noise. Chosen on 24 generated objects of one to four boxes at two
  // noise levels: 10 to 30 are equal within their scatter, 3 and 100 worse. Positive.
  double noise_ratio{30.0};
  // Amplitudes n1 [m/s^2], n2 [rad/s^2], n3 [rad/s] of (3.5). Positive.
  Eigen::Vector3d amplitudes{1.0, 1.0, 0.5};
  // Regularisation of the printed forms. Positive.
  double lambda{0.1};
  // Of the noise-weighted form, see above: 0.13 lets each of 56 masses vary by its own size. Chosen on the same
  // objects (0.05 and 0.3 are worse).
  // Positive.
  double density_spread{0.13};
  // How a shape of many points is thinned.
  PointSetOptions points{};

  // Throws std::invalid_argument naming the field, its value and the bound it breaks.
  void validate() const;
};

struct PointMassFit {
  Estimate estimate;
  double objective{0.0};   // of the form chosen; printed_squared: without the factor 1/2
  double c1{0.0};          // used
  double full_share{0.0};  // mean weight of the full model over the samples
};

class PointMasses {
 public:
  // The shape is thinned and copied. Throws std::invalid_argument for bad options or a shape without points.
  PointMasses(const Shape& shape, const math::Pose& X_SO, const PointMassOptions& options = {},
              const std::optional<SampleNoise>& noise = {});
  void add(const Sample& sample);
  PointMassFit fit() const;

  const std::vector<Eigen::Vector3d>& points_S() const { return points_S_; }

 private:
  struct Class {  // samples of about the same dynamism
    FullSums full;
    ReducedSums reduced;
    double dynamism{0.0};  // sum
    std::int64_t samples{0};
  };
  double dynamism(const Sample& sample) const;
  double chosen_c1() const;

  PointMassOptions options_;
  std::optional<SampleNoise> noise_;
  std::vector<Eigen::Vector3d> points_S_;
  std::vector<double> volumes_;
  Eigen::Matrix<double, 10, Eigen::Dynamic> unit_parameters_;  // phi of 1 kg at each point

  std::int64_t samples_{0};
  FullSums all_;   // unweighted
  FullSums full_;  // c1 given: weighted
  ReducedSums reduced_;
  double share_{0.0};
  std::vector<int> class_of_;  // index into classes_ by rounded dynamism, -1 where none yet
  std::vector<Class> classes_;
  NoiseMeter noise_a_, noise_w_, noise_al_;
};

PointMassFit point_masses(std::span<const Sample> samples, const Shape& shape, const math::Pose& X_SO,
                          const PointMassOptions& options = {}, const std::optional<SampleNoise>& noise = {});

}  // namespace prehend::inertia
