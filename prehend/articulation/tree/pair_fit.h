// How well does some joint explain the relative motion of two parts? The weight of an edge between them.
//
// Score = log density of the relative poses under the best type, states integrated out, less the BIC or AIC penalty [nats]: with noise known and
// common to all pairs, the best tree is the one of largest sum. Types are fitted only as far as they can matter: those of one
// freedom first; further ones when the residuals show motion; maximum likelihood only where the closed form explains the motion at all, over few
// frames first. A hinge is tried beside a slide that explains the motion, and a screw beside a hinge, where the residuals show
// a turn or shift that is worth its parameter. Axes far away, by the size of the pair, are unlikely by a prior (PairOptions::radius_scale).
#pragma once

#include <optional>
#include <vector>

#include <prehend/articulation/discovery_options.h>
#include <prehend/articulation/joint_model.h>
#include <prehend/articulation/observations.h>
#include <prehend/articulation/selection.h>

namespace prehend::articulation {

struct PairNoise {
  PoseNoise noise;          // of the relative pose
  double fixed_share{0.5};  // of the fixed part in its angular variance
  // Poses with covariances: how many independent frames one is worth. A film's errors depend on where a marker is, and change slowly.
  double independence{1.0};
};

struct PairOptions {
  Criterion criterion{Criterion::bic};
  std::vector<model::JointType> types;  // candidates; empty: all
  double free_margin{1.0};              // see SelectionOptions
  // Further parameters of a joint with one more freedom: what residuals of a simple joint must be worth before such joints are
  // tried at all (times half log N).
  int further_parameters{4};
  // Beyond this a closed form is not worth refining: the likelihood gains a factor of two at most over it.
  double hopeless{3.0};
  // Whether a type is hopeless shows in this many frames already.
  int look_frames{40};
  // Ten steps settle what can be settled; a score needs no more.
  int max_iterations{10};
  // Half-normal prior on the distance from the moving part's origin to a turning axis or centre, of the two parts' distance
  // and travel together: without it a slide is a hinge of ten metres as well. Infinite: none.
  double radius_scale{2.0};
  // As PairNoise::fixed_share, where the noise is not known.
  double fixed_share{0.5};
  // When two parts move at all; such pairs are not rigid, whatever their frames one by one would allow.
  RigidOptions rigid;
};

struct PairFit {
  int a{0}, b{0};  // parts; a is the fixed one
  model::JointType type{model::JointType::free};
  double score{0.0};   // [nats]
  double misfit{0.0};  // root mean square residual in units of the noise; 1 where the joint explains all
  // No motion is left in the residuals of the best type of at most one freedom: joints of more freedoms have nothing to explain.
  bool is_explained{false};
  // The state changes smoothly from frame to frame and residuals do not: what is left is noise, whatever its size and directions.
  bool leaves_noise{false};
  // Two joints of the tree in a row connect the parts (chained_pairs.h).
  bool is_chained{false};
  // How far the state of a joint of at most one freedom goes to and fro, in units of the noise; little moves below kStill of it are none.
  static constexpr double kStill = 4.0;
  double way{kStill};
  int frames{0};
  double independence{1.0};                 // of the best type's residuals, where poses have covariances
  std::optional<Joint> joint;               // of the best type
  std::vector<model::JointType> plausible;  // types that come near the best; `free` not among them
  PoseNoise noise;                          // of the relative pose: as given, or estimated
};

// BIC or AIC penalty [nats] of a fit of that type to that many poses.
double penalty(Criterion criterion, model::JointType type, double frames);

// [m] PairOptions::radius_scale of this pair's size: the parts' mean distance and how far they move from their mean place, together.
double radius_scale(const Observations& observations, const PairOptions& options);

// `noise` absent: estimated for this pair alone, in closed form, simple types only (for a first look).
PairFit fit_pair(const Observations& observations, const std::optional<PairNoise>& noise,
                 const PairOptions& options);

}  // namespace prehend::articulation
