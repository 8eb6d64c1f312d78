// What a person assembled: contact states, their motions and the sub-skills between them, from two meshes and noisy poses.
//
// Every frame is compared with every contact relation near it: the least motion onto the relation, in units of the noise, against what the
// relation explains (each freedom that it takes is worth the logarithm of range over noise). The most probable sequence follows by
// dynamic programming over the whole recording; played backwards it is the same. Successive relations lie one inside the other
// (Donald 1987): where two observed ones do not, the relation passed between them is inserted and marked `inferred`.
//
// `source` is the pipeline of Takamatsu 2004, section 2.7: features closer than a threshold touch, Newton's method, and transitions by
// the 20 practical changes of freedoms.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <prehend/observation/contact_relation.h>
#include <prehend/observation/motion_freedom.h>
#include <prehend/observation/pose_correction.h>
#include <prehend/observation/principal_contacts.h>
#include <prehend/observation/recording.h>
#include <prehend/observation/sub_skills.h>

namespace prehend::observation {

enum class WatchMethod { least, newton, linear, source };
const char* to_string(WatchMethod method);

enum class WatchStatus {
  not_computed,
  ok,
  doubtful,  // an answer, but other states explain the recording about as well: `doubt` of the states, `doubts` of the whole
  overlapping,  // the bodies overlap deeply in a tenth of the frames or more: wrong unit, wrong frame or wrong part
};
const char* to_string(WatchStatus status);

struct WatchOptions {
  WatchMethod method{WatchMethod::least};
  std::optional<TrackNoise> noise;  // estimated when absent
  int plan{0};                      // poses of each trajectory between states; 0: none
  // [m] source: features this close touch; 0: 0.0425 of the smaller body's diagonal, 5 mm for the source's peg
  double threshold{0.0};

  void validate() const;
};

// A principal contact with its corner points and their planes, in the fixed body's frame.
struct WatchedContact {
  PrincipalContact features;
  std::vector<Eigen::Vector3d> points_F, normals_F;
};

struct WatchedState {
  double t0_s{0.0}, t1_s{0.0};  // first and last frame; of an inferred state the frames around it
  int first_frame{-1}, last_frame{-1};
  bool inferred{false};
  std::vector<WatchedContact> contacts;
  ContactRelation relation;  // points and planes, in the fixed body's frame, at X_FM
  MotionFreedom freedom;
  math::Pose X_FM;  // where they were taken
  // [nats] Of the sequence over the best one that has other relations in all of these frames; `least` only.
  double margin{0.0};
  std::string doubt;  // empty: none

  PrincipalContacts features() const;
  // "free", or kinds with their numbers: "2 edge-face, face-face".
  std::string contacts_text() const;
};

struct WatchedFrame {
  double t_s{0.0};
  int state{0};  // -1: none (source)
  math::Pose X_FM, X_FM_seen;
  double moved_m{0.0}, turned_rad{0.0};
  CorrectionStatus status{CorrectionStatus::not_converged};
};

struct WatchedTransition {
  int from{0}, to{0};
  Transition skills;
};

// From one state to the next: keeps the less restricted of the two, ends in both.
struct WatchedTrajectory {
  int from{0}, to{0};
  std::vector<math::Pose> X_FM;
  std::string note;  // why there is none, or what is not met
};

// Where the noise differs by direction: its principal axes in the tracker's frame, each as long as the standard deviation along it, largest first.
struct NoiseAxes {
  std::vector<Eigen::Vector3d> position_W, angle_W;  // [m] and [rad]

  std::string text() const;  // "0.4 to 1.3 mm, 0.2 to 0.6 deg"
};

struct RejectedRelation {
  PrincipalContacts contacts;
  std::string reason;
  double best_score{0.0};  // [nats] over the chosen relation, in the frame that speaks most for it
  double t_s{0.0};
};

struct Watched {
  WatchStatus status{WatchStatus::not_computed};
  WatchMethod method{WatchMethod::least};
  TrackNoise noise;
  bool noise_was_given{false};
  std::optional<NoiseAxes> noise_axes;  // none where it is alike in all directions
  std::vector<WatchedState> states;
  std::vector<WatchedFrame> frames;
  std::vector<WatchedTransition> transitions;
  std::vector<WatchedTrajectory> trajectories;  // with `plan`
  std::vector<int> critical;                    // transitions
  std::vector<RejectedRelation> rejected;
  // Constant error of the moving body's track, where contacts show one; it was taken out first.
  std::optional<TrackOffset> offset;
  std::vector<std::string> doubts;  // about the whole sequence
  std::vector<std::string> notes;
  std::string reason;  // why there is no answer

  std::string to_json() const;
  std::string brief_report() const;
};

// Throws std::invalid_argument for invalid options or open meshes.
Watched watch(const BodyPair& pair, const Recording& recording, const WatchOptions& options = {});

}  // namespace prehend::observation
