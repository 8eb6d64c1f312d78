#include <stdexcept>
#include <string>
#include <utility>

#include <prehend/inertia/estimator.h>
#include <prehend/inertia/methods/geometric.h>
#include <prehend/inertia/methods/homogeneous_parts.h>
#include <prehend/inertia/methods/least_squares.h>
#include <prehend/inertia/methods/likelihood.h>
#include <prehend/inertia/methods/point_masses.h>
#include <prehend/inertia/methods/total_least_squares.h>

namespace prehend::inertia {
namespace {

class OrdinaryEstimator : public StreamingEstimator {
 public:
  explicit OrdinaryEstimator(const LeastSquaresOptions& options) : options_(options) {}
  void add(const Sample& sample) override { sums_.add(sample); }
  void add_all(std::span<const Sample> samples) override { sums_.add(samples); }
  Estimate estimate() const override { return least_squares(sums_, options_); }

 private:
  LeastSquaresOptions options_;
  NormalEquations sums_;
};

class TotalEstimator : public StreamingEstimator {
 public:
  explicit TotalEstimator(const TotalLeastSquaresOptions& options) : running_(options) {}
  void add(const Sample& sample) override { running_.add(sample); }
  Estimate estimate() const override { return running_.estimate(); }

 private:
  TotalLeastSquares running_;
};

class GeometricEstimator : public StreamingEstimator {
 public:
  GeometricEstimator(const Shape& shape, const math::Pose& X_SO, const GeometricOptions& options)
      : shape_(shape), X_SO_(X_SO), options_(options) {}
  void add(const Sample& sample) override { sums_.add(sample); }
  void add_all(std::span<const Sample> samples) override { sums_.add(samples); }
  Estimate estimate() const override { return geometric(sums_, shape_, X_SO_, options_); }

 private:
  const Shape& shape_;
  math::Pose X_SO_;
  GeometricOptions options_;
  NormalEquations sums_;
};

// The shape is used where background has shape and X_SO.
class LikelihoodEstimator : public StreamingEstimator {
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

class PointMassEstimator : public StreamingEstimator {
 public:
  PointMassEstimator(const Background& known, const PointMassOptions& options)
      : running_(*known.shape, *known.X_SO, options, known.noise) {}
  void add(const Sample& sample) override { running_.add(sample); }
  Estimate estimate() const override { return running_.fit().estimate; }

 private:
  PointMasses running_;
};

class PartsEstimator : public StreamingEstimator {
 public:
  PartsEstimator(const Background& known, const HomogeneousPartsOptions& options)
      : running_(*known.shape, *known.X_SO, options, known.noise) {}
  void add(const Sample& sample) override { running_.add(sample); }
  Estimate estimate() const override { return running_.fit().estimate; }

 private:
  HomogeneousParts running_;
};

void require_shape(Method method, const Background& background) {
  if (background.shape && background.X_SO) return;
  throw std::invalid_argument(std::string(to_string(method)) + " needs " +
                              (background.shape
                                   ? "the object's pose in the sensor's frame (the log's o* columns)"
                                   : "the object's shape"));
}

// Known noise goes before the options' expectation; a wrench without noise cannot be divided by it.
TotalLeastSquaresOptions with_known_noise(TotalLeastSquaresOptions options,
                                          const std::optional<SampleNoise>& noise) {
  if (noise && noise->force > 0.0 && noise->torque > 0.0) options.expected = *noise;
  return options;
}

}  // namespace

std::unique_ptr<StreamingEstimator> make_streaming_estimator(Method method, const Background& background,
                                                             const EstimatorOptions& options) {
  options.validate();
  switch (method) {
    case Method::ols:
      return std::make_unique<OrdinaryEstimator>(options.ols);
    case Method::rtls:
      return std::make_unique<TotalEstimator>(with_known_noise(options.rtls, background.noise));
    case Method::geo:
      require_shape(method, background);
      return std::make_unique<GeometricEstimator>(*background.shape, *background.X_SO, options.geo);
    case Method::likelihood:
      return std::make_unique<LikelihoodEstimator>(background, options.likelihood);
    case Method::pmd:
      require_shape(method, background);
      return std::make_unique<PointMassEstimator>(background, options.pmd);
    case Method::hps:
      require_shape(method, background);
      return std::make_unique<PartsEstimator>(background, options.hps);
  }
  throw std::invalid_argument("there is no method of the number " + std::to_string(static_cast<int>(method)));
}

Estimate estimate(Method method, const Samples& samples, const Shape* shape,
                  const EstimatorOptions& options) {
  const std::unique_ptr<StreamingEstimator> estimator =
      make_streaming_estimator(method, {shape, samples.X_SO, samples.noise}, options);
  estimator->add_all(samples.samples);
  Estimate result = estimator->estimate();
  result.problems.insert(result.problems.begin(), samples.problems.begin(), samples.problems.end());
  return result;
}

}  // namespace prehend::inertia
