// The pipeline of Takamatsu 2004, section 2.7: features closer than a threshold touch, Newton's method brings them together, and
// relations that make a transition impractical are dropped.
#pragma once

#include <vector>

#include <prehend/observation/motion_freedom.h>
#include <prehend/observation/pose_correction.h>
#include <prehend/observation/recording.h>

namespace prehend::observation {

struct SourceFrame {
  CorrectionStatus status{CorrectionStatus::not_converged};
  PrincipalContacts contacts;
  math::Pose X_FM;
  int run{-1};  // none: the frame was lost or its relation dropped
};

struct SourceRun {
  std::size_t first{0}, last{0};
  PrincipalContacts contacts;
  math::Pose X_FM;
};

struct SourceResult {
  std::vector<SourceFrame> frames;
  std::vector<SourceRun> runs;
  int lost{0}, dropped{0};  // frames: not corrected; of relations that no practical transition leads to
};

SourceResult source_pipeline(const BodyPair& pair, const std::vector<math::Pose>& seen, double threshold,
                             const CorrectionOptions& options);

// Whether every freedom lost and every one gained belongs to one of the 20 practical changes (figure 2.5).
bool is_practical(const MotionFreedom& before, const MotionFreedom& after);

}  // namespace prehend::observation
