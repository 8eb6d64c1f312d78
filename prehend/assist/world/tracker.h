// The body tracker: pictures at its own rate, results late, some lost, noise that grows close to the camera.
#pragma once

#include <deque>
#include <optional>

#include <prehend/assist/controller.h>
#include <prehend/assist/world/simulated_person.h>
#include <prehend/math/random.h>

namespace prehend::assist {

struct TrackerFaults {
  bool is_lost{false}, is_frozen{false};
  Eigen::Vector3d jump_W{Eigen::Vector3d::Zero()};
};

class Tracker {
 public:
  Tracker(const SensingSpec& spec, std::uint64_t seed) : spec_(spec), random_(seed, 11) {}

  // Takes a picture when one is due.
  void look(double t, const math::Pose& X_WC, const SimulatedPerson& person, const TrackerFaults& faults);
  // What has arrived by now; the newest where there are several.
  std::optional<PersonDetection> arrived(double t);

 private:
  SensingSpec spec_;
  math::RandomStream random_;
  double next_{0.0};
  std::deque<PersonDetection> on_the_way_;
  std::optional<PersonDetection> last_;
};

}  // namespace prehend::assist
