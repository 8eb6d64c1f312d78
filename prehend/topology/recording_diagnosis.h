// What is wrong with a recording, said in sentences, before its wrenches are believed.
//
// Newton and Euler hold for the object as a whole whatever its joints are: the rate of the total momentum is the total
// wrench. Where the balance (whitened mean square, about 1 where all is right) is bad, the recording is read otherwise: a
// hand's wrench with the other sign or in the world's axes, without gravity or with it, links in another order, one link
// heavier, a further force. What fits far better is named. Findings that `block` leave nothing to say of the joints (exit 3);
// others are warnings: the answer stands on what remains. Time: linear in rows; the readings cost some 10 ms each, only where
// the balance is bad. A fixed base whose wrench is not recorded cannot be checked by the balance.
#pragma once

#include <string>
#include <vector>

#include <prehend/topology/recording_noise.h>

namespace prehend::topology {

struct DiagnosisOptions {
  // Whitened mean square beyond which wrenches are not believed: five times the noise. 24 right recordings stay below, eleven
  // kinds of mistakes on three objects each lie above (recording_diagnosis_test.cpp; also for the next one).
  double bad_balance{25.0};
  // Another reading is named when its mean square is this much smaller.
  double far_better{10.0};
  // A step of time longer than this many usual ones is a jump: two rows may be lost without one.
  double jump{3.5};
  // Rates are unequal when this share of the steps is off by a fifth of the usual one: a few late rows are not worth a
  // sentence.
  double unequal_share{0.05};

  void validate() const;
};

enum class FindingKind {
  at_rest,
  wrench_sign,
  wrench_frame,
  gravity,
  link_order,
  link_inertia,
  further_force,
  sensor_offset,  // constant wrenches of the sensors' own
  base_is_held,   // a base that stands still is held by something that was not recorded
  no_balance,     // and no reading explains it
  wrench_delay,   // wrenches and poses are not of one time; diagnose_and_estimate() moves them
  time_jump,
  unequal_rate
};
const char* to_string(FindingKind kind);

struct Finding {
  FindingKind kind{FindingKind::no_balance};
  bool blocks{true};
  std::string sentence;
};

struct RecordingDiagnosis {
  std::vector<Finding> findings;
  double balance{0.0};  // as recorded; 0 where it cannot be checked

  bool blocks() const;
  std::vector<std::string> sentences() const;
};

RecordingDiagnosis diagnose_recording(const ArticulatedObject& object, const Recording& recording,
                                      const RecordingNoise* noise = nullptr,
                                      const DiagnosisOptions& options = {});

}  // namespace prehend::topology
