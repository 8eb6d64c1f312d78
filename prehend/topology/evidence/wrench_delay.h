// Wrenches that come later than the poses, or earlier: sensors and trackers have clocks and pipelines of their own.
//
// A wrench that is late by d leaves d times its rate in the balance of the whole object (balance.h), so the balance's mean square is a
// parabola in the time by which the wrenches are moved. Its lowest point is the delay, first of all hands together, then of each.
//
// Cost: a balance per point of the parabola, eight or so, and only where the balance is not good.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <prehend/topology/recording.h>
#include <prehend/topology/recording_noise.h>

namespace prehend::topology {

struct DelayOptions {
  // [s] Longest delay that is looked for: half of it is an image at 30 Hz.
  double longest{0.06};
  // The balance must be worse than this, and the best delay must make it this many times better: other mistakes leave constant wrenches
  // or wrenches in proportion to the motion, which no delay takes away.
  double bad_balance{4.0};
  double better{3.0};
  // What is left must be as good as any recording that is believed (DiagnosisOptions::bad_balance).
  double good_balance{25.0};
};

struct WrenchDelay {
  std::vector<double> delays;  // [s] per hand; positive: the wrench comes later than the poses
  double before{0}, after{0};  // the balance as recorded, and without the delays
  Recording recording;         // without them: rows for which every wrench is known

  std::string sentence(const ArticulatedObject& object) const;
};

std::optional<WrenchDelay> find_wrench_delay(const ArticulatedObject& object, const Recording& recording,
                                             const RecordingNoise& noise, const DelayOptions& options = {});

}  // namespace prehend::topology
