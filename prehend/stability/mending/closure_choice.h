// Which near features really touch: hypotheses of contact weighed against the noise of the poses.
//
// The poses are Gaussian with the stated noise about what was observed. A closed contact is an exact observation: it narrows the
// distribution (a Kalman update). A hypothesis is weighed by the likelihood of its residual if the features touch, with what uncertainty
// is left, against that of a gap anywhere between zero and the size of the bodies; features may be parallel without touching. Where
// the contacts closed so far determine the residual already, it must vanish. The best hypothesis closes first, then all are weighed anew.
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include <prehend/stability/mending/closure.h>

namespace prehend::stability {

// Of the poses, per axis.
struct ChoiceNoise {
  double position{1e-3};  // [m]
  double angle{8.7e-3};   // [rad]
};

struct ChoiceProblem {
  std::vector<PosedBody> bodies;           // as posed now: where the equations are linear
  std::vector<math::Pose> observed;        // by body
  std::vector<int> node;                   // by body: number among those that move; -1: fixed
  std::vector<std::pair<int, int>> pairs;  // that may touch
  ChoiceNoise noise;
  Eigen::Vector3d up_W{Eigen::Vector3d::Zero()};  // against gravity; zero without
  bool coarse{true};  // poses are still off by the noise: equations are linear to second order in its angle
  std::vector<Closure> forced;  // close, whatever the evidence
  std::vector<Closure> banned;

  int nodes() const;
  // Where the bodies were observed, seen from where they are: the mean of the motions, in units of the noise.
  Eigen::VectorXd observed_motion() const;
  ClosureGate gate() const;
};

struct ChosenClosure {
  Closure closure;
  bool independent[3]{};  // rows that say something new; the others hold already
};

struct Choice {
  std::vector<ChosenClosure> closed;
  std::vector<Closure> aligned;  // faces in one plane that share nothing: among `closed`
  int rows{0};                   // independent, of those that closed by evidence
  double strain{
      0.0};  // sum of squares of their residuals in standard deviations: about `rows` where the noise is right
  double evidence{0.0};            // logarithm of how much better than chance, all together
  std::vector<PosedClosure> open;  // hypotheses within the gate that did not close
};

Choice choose_closures(const ChoiceProblem& problem);

}  // namespace prehend::stability
