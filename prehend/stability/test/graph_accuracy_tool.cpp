// The error and time of the source's methods on cube, stack and table: table 4.1's rows "this work" and "approximate".
// Usage: graph_accuracy_tool [points]
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "graph_scenes.h"
#include <prehend/stability/methods/robustness_methods.h>
#include <prehend/stability/robustness.h>

using namespace prehend;
using namespace prehend::stability;

namespace {

// The source's hand-made truth for a cube: slip or topple, whichever comes first; no turning.
double hand_limit(const Push& push, double mu) {
  const double weight = 9.81;
  if (push.d_W.z() < -0.5) return std::numeric_limits<double>::infinity();
  if (push.d_W.z() > 0.5) return 0.5 * weight / (0.5 + push.p_W.head<2>().cwiseAbs().maxCoeff());
  return std::min(mu * weight, 0.5 * weight / push.p_W.z());
}

struct Row {
  std::string name;
  graph_scenes::MapError error;
  double seconds{0.0};
};

Row measure(const model::Scene& scene, const std::vector<Push>& pushes, const std::vector<double>& truth,
            int variant) {
  Row row;
  const auto start = std::chrono::steady_clock::now();
  ContactSystemOptions sampled;
  sampled.points = ContactPoints::sampled;
  const ContactSystem system = build_contact_system(scene, sampled);
  RobustnessOptions options;
  options.graph_combined = variant == 0;
  row.name = variant == 0 ? "graph" : variant == 1 ? "slip, topple" : "isolated";
  const auto answers = variant == 2 ? isolated_robustness(scene, system, pushes, options)
                                    : graph_robustness(scene, system, pushes, options);
  row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  row.error = graph_scenes::map_error(truth, answers);
  return row;
}

void print(const std::string& scene, const Row& row) {
  std::printf("%-22s %-14s %9.3f %9.2f %9.2f %8d %6d %9.4f\n", scene.c_str(), row.name.c_str(),
              100 * row.error.mean, 100 * row.error.max, 100 * row.error.largest_below, row.error.compared,
              row.error.disagree, row.seconds);
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 2000;
  std::printf("%-22s %-14s %9s %9s %9s %8s %6s %9s\n", "scene", "method", "mean %", "max %", "below %",
              "points", "differ", "seconds");
  using graph_scenes::cubes, graph_scenes::table;
  const graph_scenes::TableSize tall{{0.3, 1, 0.8}, 0.6, {2, 1, 0.2}, 0.5, 1.0};
  for (const double mu : {0.3, 0.5, 0.7}) {
    const std::vector<std::pair<std::string, model::Scene>> scenes{{"cube", cubes(1, mu)},
                                                                   {"stack", cubes(3, mu)},
                                                                   {"table", table(mu)},
                                                                   {"tall table", table(mu, tall)}};
    for (const auto& [name, scene] : scenes) {
      const std::vector<Push> pushes = graph_scenes::surface_pushes(scene, count, 1);
      const ContactSystem corners = build_contact_system(scene);
      std::vector<double> truth, by_hand;
      for (const Push& push : pushes) {
        truth.push_back(graph_scenes::true_limit(corners, push_load(scene, corners, push)));
        by_hand.push_back(hand_limit(push, mu));
      }
      char label[64];
      std::snprintf(label, sizeof label, "%s, mu %.1f", name.c_str(), mu);
      for (int variant = 0; variant < 3; ++variant) print(label, measure(scene, pushes, truth, variant));
      if (name == "cube") {
        print(std::string(label) + " (by hand)", measure(scene, pushes, by_hand, 1));
      }
    }
  }
}
