// The contact relations that a seen pose could stand for, within its noise.
//
// Principal contacts near the pose are solved for by themselves, then together, one more at a time; sets that cost more motion than the
// freedoms they explain are dropped, the best few are kept at each size. What really touches at a solved pose is the relation.
#pragma once

#include <vector>

#include <prehend/observation/pose_correction.h>

namespace prehend::observation {

struct CandidateSearch {
  CorrectionOptions correction;
  double reward{3.0};  // [nats] for each freedom that a relation takes
  int width{14};       // sets kept at each size
  int first_width{40};  // single contacts kept
  int most_contacts{5};
  double tolerance{1e-7};  // [m] slack of equations that follow from others
};

struct Candidate {
  PrincipalContacts contacts;
  math::Pose X_FM;    // where it was found
  double score{0.0};  // [nats] reward minus half the cost there
};

std::vector<Candidate> candidates_near(const BodyPair& pair, const math::Pose& X_FM_seen,
                                       const CandidateSearch& search);

}  // namespace prehend::observation
