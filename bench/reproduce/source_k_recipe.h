// Source K's recipe as printed, for comparison: one numerical fit per pair and type (algorithm 1), error plus
// parameter count, minimum spanning tree, rigid joints eliminated.
//
// Fit: from three random frames, the sum over frames of the squared metric (16) with c = d = 1 is minimised
// over the parameters of (18), (20), (22), with states by the inverse kinematics (19), (21), (23) and without
// a noise model. Levenberg-Marquardt replaces the source's optimiser (gradient of appendix A) and finds the
// same minima.
//
// Cost (8): that sum in rad^2 and m^2 plus 6, 9 or 12 parameters (footnote 5). A sum of squares is a log
// likelihood only in units of the noise: slides of centimetres, in metres, are cheaper as rigid joints. The
// second tree corrects this with the true noise: squared errors over twice the variance of a relative pose,
// plus the parameters.
#pragma once

#include <string>
#include <vector>

#include <prehend/articulation/part_tracks.h>
#include <prehend/math/random.h>
#include <prehend/model/joint.h>

namespace prehend::reproduce {

struct SourceEdge {
  int a{0}, b{0};
  model::JointType type{model::JointType::rigid};
};
struct SourceTree {
  std::vector<int> group_of;      // of each feature
  std::vector<SourceEdge> edges;  // between features, the movable ones only
};

struct SourceTrees {
  SourceTree printed;
  SourceTree with_noise;
};

// Parameters are found on at most `frames` of the frames, errors summed over all of them. `noise` of one pose, per axis.
SourceTrees source_k_trees(const articulation::PartTracks& tracks, const articulation::PoseNoise& noise,
                           math::RandomStream random, int frames);

}  // namespace prehend::reproduce
