// How hard may I push, here, in this direction, before something moves? One signature, six methods.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <prehend/simulate/simulation.h>
#include <prehend/stability/push.h>

namespace prehend::stability {

enum class Method {
  exact,     // limit analysis with true friction cones and all corners of every patch; both bounds, with proofs
  graph,     // source N, 4.4: slipping by max flow, toppling over feasible cuts
  isolated,  // source N, 5.4.2: every body by itself
  lp4, lp8,  // source N, (4.44)-(4.48): a linear program with pyramids of 4 or 8 sides
  simulate,  // source N, algorithm 3: bisection in a physics engine
};
const char* method_name(Method method);
// Throws std::invalid_argument that lists the names.
Method method_from_name(const std::string& name);

struct RobustnessOptions {
  Method method{Method::exact};
  // `points` is chosen by the method where it is not set: corners for exact, sampled for the source's own methods.
  ContactSystemOptions system;
  bool choose_points{true};
  // Relative gap between the proven bounds at which an answer of `exact` is accepted.
  double accuracy{1e-4};
  // A push above this many times the weight of all movable bodies counts as unbounded.
  double unbounded_above{1e5};
  bool keep_proofs{true};       // forces and motion of every answer
  bool check_prestress{true};   // fills needs_prestress and without_prestress
  int threads{1};               // 0: as many as there are cores; answers do not depend on it
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

enum class RobustnessStatus { not_computed, answered, unstable, no_answer };
const char* robustness_status_name(RobustnessStatus status);

struct RobustnessResult {
  RobustnessStatus status{RobustnessStatus::not_computed};
  Method method{Method::exact};
  std::vector<Push> pushes;
  std::vector<PushAnswer> answers;  // in the order asked
  long cone_programs{0};            // solved
  bool needs_prestress{false};      // the scene at rest
  // When the scene is unstable: how it falls, and who.
  std::vector<math::Vector6d> falling;  // one twist per body of the system
  std::vector<model::BodyIndex> moving;
  std::vector<std::string> problems;    // sentences

  std::string brief_report(const model::Scene& scene) const;
  std::string to_json(const model::Scene& scene) const;
};

RobustnessResult robustness(const model::Scene& scene, std::span<const Push> pushes,
                            const RobustnessOptions& options = {});

// The methods of the source, each in its own file. The system must have been built with the points they want.
std::vector<PushAnswer> graph_robustness(const model::Scene& scene, const ContactSystem& system,
                                         std::span<const Push> pushes, const RobustnessOptions& options);
std::vector<PushAnswer> isolated_robustness(const model::Scene& scene, const ContactSystem& system,
                                            std::span<const Push> pushes, const RobustnessOptions& options);
std::vector<PushAnswer> linear_robustness(const model::Scene& scene, const ContactSystem& system,
                                          std::span<const Push> pushes, const RobustnessOptions& options);
std::vector<PushAnswer> simulated_robustness(const model::Scene& scene, const ContactSystem& system,
                                             std::span<const Push> pushes, const RobustnessOptions& options);

}  // namespace prehend::stability
