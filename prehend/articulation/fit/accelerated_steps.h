// Steps of an iteration that comes near its end slowly, by the same factor each time along one direction or few: Anderson's acceleration.
//
// Gauss-Newton takes a direction that only the noise determines (the second axis of a universal joint where one turns, a slide along a circle) for
// stiffer than it is, and steps along it are too short, by the same factor each time. How steps have changed with what was taken so far tells that factor: the
// combination of the last few iterates whose steps would cancel best, in the metric of the curvature, is where to go. A fit that converges as it should is left alone.
#pragma once

#include <Eigen/Core>

#include <prehend/articulation/fit/pass_state.h>

namespace prehend::articulation::engine {

class AcceleratedSteps {
 public:
  // What to take instead of `step`, of `size` step'H step.
  ParameterVector next(const ParameterVector& step, double size, const ParameterMatrix& H);
  // What was taken, where that is something else.
  void set_taken(const ParameterVector& step) { taken_ = step; }
  // Whether steps have been lengthened.
  bool is_slow() const { return is_slow_; }
  // The steps to come have nothing to do with those so far.
  void forget() { *this = {}; }

 private:
  static constexpr int kMemory = 4;  // directions that come near slowly at once
  using Columns =
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, kMostParameters, kMemory>;

  ParameterVector step_, taken_;  // the last ones; none: no entries
  double size_{0};
  int count_{0};  // of differences so far
  bool is_slow_{false};
  Columns steps_, iterates_;  // differences between successive ones
};

}  // namespace prehend::articulation::engine
