// From a recording to a body: the whole path behind `prehend identify` and Python's identify().
//
// Diagnose the log, take or smooth the motion, calibrate where asked, subtract a tool, estimate with every method asked.
// Published methods take the log's own accelerations where it has any (as their authors do); `likelihood` takes the
// smoothed motion, and so does every method on a log of poses alone. An answer to which the log gives no right (wrong
// units, swapped columns) is not given: its status is `undetermined` and the problem is the first sentence. Parameters that
// the motion does not determine leave ols, rtls and a likelihood without shape `undetermined`; geo, pmd and likelihood say in
// their notes that those come from the shape; hps needs still samples only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <prehend/inertia/calibration.h>
#include <prehend/inertia/estimate.h>
#include <prehend/inertia/estimator_options.h>
#include <prehend/inertia/log_diagnosis.h>
#include <prehend/inertia/motion_smoother.h>
#include <prehend/inertia/samples.h>
#include <prehend/inertia/shape.h>
#include <prehend/model/wrench_log.h>

namespace prehend::inertia {

enum class Kinematics {
  automatic,  // recorded where there are accelerations, but smoothed for `likelihood`
  recorded,
  smoothed,
};
const char* to_string(Kinematics kinematics);

struct IdentificationOptions {
  SampleOptions samples{};
  SmootherOptions smoother{};
  EstimatorOptions estimator{};
  std::vector<Method> methods{Method::likelihood};
  Kinematics kinematics{Kinematics::automatic};
  // Sensor bias, gravity's direction and the latency between pose and wrench are estimated first, from the log itself,
  // and corrected. The motion is smoothed then, whatever `kinematics` says.
  bool calibrate{false};
  CalibrationOptions calibration{};
  // Found before, in a log of the empty gripper: its offsets are corrected and its body is subtracted.
  std::optional<Calibration> empty{};
  // What hangs below the sensor beside the object (a gripper), in S; its wrench is subtracted.
  std::optional<math::SpatialInertia> tool_S{};
  // Solves per method; `time_ms` is their median. At least 1.
  int repeat{1};
  // Estimates along the recording, for curves of convergence; 0: none.
  int curve_points{0};

  // Throws std::invalid_argument naming the field, its value and the bound it breaks.
  void validate() const;
};

// The estimate when the recording had come this far.
struct CurvePoint {
  double t{0.0};                                 // [s]
  double mass{0.0}, std_mass{0.0};               // [kg]
  Eigen::Vector3d com{Eigen::Vector3d::Zero()};  // [m]
  Eigen::Vector3d std_com{Eigen::Vector3d::Zero()};
};

struct IdentifiedBody {
  Estimate estimate;
  std::optional<math::SpatialInertia>
      inertia_O;         // the same body in the object's frame, where the log has its pose
  bool smoothed{false};  // motion smoothed, not as recorded
  double time_ms{0.0};   // median of the solves alone
  std::vector<CurvePoint> curve;
};

struct Identification {
  Status status{Status::failed};        // the worst of all results
  std::vector<IdentifiedBody> results;  // by method, in the order asked
  std::vector<Finding> findings;        // about the log
  std::optional<Calibration> calibration;
  Samples samples;                    // those that the first method saw
  std::vector<std::string> problems;  // sentences, worst first

  // The answer to read first: of bodies that may be used the recommended method's (`likelihood`), else the first one's; else the
  // first answer there is. Null without any.
  const IdentifiedBody* headline() const;
  // The headline's body where it may be used: in the object's frame, or in the sensor's where the log has no pose of the object.
  // None where no result has the status ok and is consistent.
  std::optional<math::SpatialInertia> usable_body() const;
  // One sentence for those who get no answer: all problems, or what the data do not determine.
  std::string why_no_answer() const;
  std::string brief_report() const;
  std::string to_json() const;
};

// `shape` may be null for methods that need none; parts are the shape's. Throws std::invalid_argument for bad options and for
// a method that lacks what it needs (a shape, parts, the object's pose), naming it.
Identification identify(const model::WrenchLog& log, const Shape* shape = nullptr,
                        const IdentificationOptions& options = {});

}  // namespace prehend::inertia
