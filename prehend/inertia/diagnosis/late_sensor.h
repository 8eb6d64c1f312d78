// A sensor whose wrenches are later than the poses, as filters and drivers make them: how late, and what that changes of the body.
//
// Asked only where residuals last (lasting_residual.h) or go with the rate of change of the wrench: a delay leaves some hundredths of it, in step with the motion. Latency and filter are found
// with the body (calibration.h), without offsets, and believed where they stand out and most of what lasts is gone with them.
#pragma once

#include <optional>
#include <span>
#include <string>

#include <prehend/inertia/calibration.h>
#include <prehend/inertia/diagnosis/lasting_residual.h>

namespace prehend::inertia {

struct LateSensor {
  Calibration found;          // latency and filter
  Samples samples;            // with the delay taken out
  LastingResidual left;       // what lasts once they are taken out
  math::Vector10d as_it_is;   // least squares, without a shape
  math::Vector10d corrected;  // the same with the delay taken out

  // Whether mass or centre change by more than a user would accept.
  bool matters() const;
  std::string sentence() const;
};

struct LateSensorOptions {
  SampleOptions samples;
  CalibrationOptions calibration;
  SmootherOptions smoother;
  std::optional<math::SpatialInertia> tool_S;  // hangs there beside the object
  math::Vector10d found_S;                     // the body that was found,
  std::span<const Sample> found_in;            // and its samples
};
// `as_found` is what lasts of the log as it is.
std::optional<LateSensor> late_sensor(const model::WrenchLog& log, const LastingResidual& as_found,
                                      const LateSensorOptions& options);

}  // namespace prehend::inertia
