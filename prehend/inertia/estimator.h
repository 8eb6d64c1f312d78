// One door to all estimators: batch (`estimate`) and streaming (`make_streaming_estimator`), by method.
//
// To add a method: (1) its own file in methods/; (2) its options in estimator_options.h, named as the method; (3) one `case` in
// `make_streaming_estimator` (estimator.cpp). `estimate` then works: it feeds the samples, by blocks where the estimator
// overrides `add_all`. Estimates carry the problems of the Samples they came from in front of their own.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include <prehend/inertia/estimate.h>
#include <prehend/inertia/estimator_options.h>
#include <prehend/inertia/samples.h>
#include <prehend/inertia/shape.h>

namespace prehend::inertia {

// What is known beside motion and wrench.
struct Background {
  const Shape* shape{nullptr};       // of the object, in O; must outlive the estimator; null: not known
  std::optional<math::Pose> X_SO;    // object in the sensor's frame; needed wherever the shape is used
  std::optional<SampleNoise> noise;  // known noise; absent: the methods' own defaults or residuals
};

// Takes samples one by one in constant memory; may be asked at any time.
class StreamingEstimator {
 public:
  virtual ~StreamingEstimator() = default;
  virtual void add(const Sample& sample) = 0;
  virtual void add_all(std::span<const Sample> samples) {
    for (const Sample& sample : samples) add(sample);
  }
  // Status `failed` with a sentence in `problems` where there are too few samples; never throws for lack of data.
  virtual Estimate estimate() const = 0;
};

// Throws std::invalid_argument when the method needs a shape or X_SO that is not there, and for bad options.
std::unique_ptr<StreamingEstimator> make_streaming_estimator(Method method, const Background& background = {},
                                                             const EstimatorOptions& options = {});

// All samples at once. `shape` may be null for methods that need none; X_SO and noise are the samples'.
Estimate estimate(Method method, const Samples& samples, const Shape* shape = nullptr,
                  const EstimatorOptions& options = {});

}  // namespace prehend::inertia
