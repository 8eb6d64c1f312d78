// How hard may I push, here, in this direction, before something moves? One signature, six methods.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <prehend/simulate/simulation.h>
#include <prehend/stability/margins.h>
#include <prehend/stability/push.h>

namespace prehend::stability {

enum class Method {
  exact,  // limit analysis with true friction cones and all corners of every patch; both bounds, with proofs
  graph,  // source N, 4.4: slipping by max flow, toppling over feasible cuts
  isolated,  // source N, 5.4.2: every body by itself
  lp4,
  lp8,       // source N, (4.44)-(4.48): a linear program with pyramids of 4 or 8 sides
  simulate,  // source N, algorithm 3: bisection in a physics engine
};
const char* to_string(Method method);

struct RobustnessOptions {
  Method method{Method::exact};
  // `points` is chosen by the method where it is not set: corners for exact, sampled for the source's own methods.
  ContactSystemOptions system;
  bool choose_points{true};
  // Relative gap between the proven bounds at which an answer of `exact` is accepted.
  double accuracy{1e-4};
  // A push above this many times the weight of all movable bodies counts as unbounded.
  double unbounded_above{1e5};
  // exact: above 0, pushes share programs where they can (LimitAnalysis::map), each answer within this relative
  // accuracy; proofs then come with the weakest push of each failure mode alone. 0: every push by itself.
  double map_accuracy{0.0};
  bool keep_proofs{true};  // forces and motion of every answer
  // Fills needs_prestress of the scene and, where every push stands by itself, needs_prestress and without_prestress of
  // the answers (prestress.h); the answers of a map repeat what holds of the scene.
  bool check_prestress{true};
  // exact: without_prestress of every answer of a map, too, and a problem that counts those that are less than 95 % of robustness. Costs as
  // much as asking each push by itself.
  bool load_caused{false};
  // exact: all pushes act at once, their sizes in the proportion of the lengths of their directions; each answer is the
  // size of that push when something moves. No proofs (ask LimitAnalysis with a load of several bodies for them).
  bool together{false};
  // exact, every push by itself: intervals of masses, friction and outlines for which PushAnswer::guaranteed holds.
  MarginOptions margins;
  // A push whose point lies off its body's surface is refused (push_check.h); points that come from the surface need no
  // check.
  bool check_points{true};
  int threads{1};  // 0: as many as there are cores; answers do not depend on it
  // graph: stop enumerating cuts after this many seconds, and say so; 0: never.
  double graph_time_limit{10.0};
  // graph: ask every cut for its weakest motion of all, sliding, turning and tipping at once (combined_motion.h);
  // false: slipping and toppling alone, from the forces at rest, as in the source.
  bool graph_combined{true};
  // simulate: rounds of bisection, engine steps a round, motion threshold [J] and first upper bound [N]: the source's
  // 100, 1, 1e-4 and 100 are some 300 % wrong in this engine, because one step moves nothing. Mean errors with 300 steps
  // and contacts of 5 ms: cube 0.6 %, stack 1.3 %, table 8 % (with the simulation's own 20 ms: 0.6, 5.4, 8 %).
  int simulate_rounds{40};
  int simulate_steps{300};
  double simulate_energy{1e-4};
  double simulate_upper{100.0};
  simulate::SimulationOptions simulation{.contact_time_constant = 0.005};

  void validate() const;
};

enum class RobustnessStatus {
  not_computed,
  ok,
  unstable,      // it falls by itself: see `falling`
  undetermined,  // `problems` say why
};
const char* to_string(RobustnessStatus status);

struct RobustnessResult {
  RobustnessStatus status{RobustnessStatus::not_computed};
  Method method{Method::exact};
  std::vector<Push> pushes;
  std::vector<PushAnswer> answers;  // in the order asked
  long cone_programs{0};            // solved
  bool needs_prestress{false};      // the scene at rest
  bool prestress_checked{false};    // false: not asked for
  // When the scene is unstable: how it falls, and who.
  std::vector<math::Vector6d> falling;  // one twist per body of the system
  std::vector<model::BodyIndex> moving;
  std::vector<std::string> problems;  // sentences
  // What was asked: proofs refer to its contacts and bodies.
  ContactSystem system;
  // [N] Stable: forces that balance the weights, one per contact, on b; empty where the method has none.
  std::vector<Eigen::Vector3d> resting_forces_W;

  std::vector<std::string> body_names;  // of the scene, by model::BodyIndex

  // A table: one line per push, or one per body where there are many.
  std::string brief_report() const;
  // {"status","method","results":[{body,p_W_m,d_W,robustness_N,unbounded,lower_N,upper_N,mode,moving,needs_prestress}],
  //  "cone_programs","needs_prestress","problems"}, with joints also "joints" (contact_system.h); of an unstable scene also
  //  "moving" and "falling":[{body,w_W_radps,v_com_W_mps}].
  std::string to_json() const;
};

// The weakest push of each failure mode (mode and moving bodies), weakest first, at most `most`: indices of answers.
std::vector<std::size_t> failure_modes(const RobustnessResult& result, std::size_t most);

// Throws std::invalid_argument for bad options and for a push that is none: on a fixed or unknown body, without a
// direction, off the surface. With overlapping bodies the answer is undetermined, a scene that falls by itself is unstable.
RobustnessResult robustness(const model::Scene& scene, std::span<const Push> pushes,
                            const RobustnessOptions& options = {});

}  // namespace prehend::stability
