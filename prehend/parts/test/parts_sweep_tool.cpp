// Segments generated tools under given or random weights: {"seeds":[..],"weights":{..},"random":0,"near":0,"colour":true,"solids":false,
// "volumes":false,"slits":false,"hidden":false,"uneven":1,"views":0,"noise":0} on standard input: of each tool instead what a camera sees from so many directions, or with noise, a share of the diagonal;
// one line of JSON with the mean USE, GCE and ARI per weighting at four parts and at the true number.
#include <cmath>
#include <iostream>
#include <vector>

#include <generated/generated_tools.h>
#include <generated/part_agreement.h>
#include <generated/seen_points.h>
#include <nlohmann/json.hpp>

#include <prehend/math/random.h>
#include <prehend/model/point_cloud.h>
#include <prehend/parts/clusters/cloud_regions.h>
#include <prehend/parts/clusters/prepared_cloud.h>
#include <prehend/parts/merging/cloud_tree.h>
#include <prehend/parts/merging/part_count.h>

namespace prehend::parts {
namespace {

struct Prepared {
  PreparedCloud cloud;
  CloudRegions regions;
  std::vector<int> truth;  // per point of the cloud made ready
  int parts{0};
  double volume{0.0};
};

Prepared prepare(const std::vector<Eigen::Vector3d>& points, const std::vector<Eigen::Vector3d>& colours,
                 const std::vector<int>& labels) {
  Prepared tool;
  tool.cloud = prepare_cloud(points, colours, std::nullopt);
  tool.regions = cloud_regions(tool.cloud.points, tool.cloud.colours, tool.cloud.seen, kRegions);
  tool.truth.resize(tool.cloud.points.size());
  for (std::size_t i = 0; i < points.size(); ++i) tool.truth[tool.cloud.point_of[i]] = labels[i];
  tool.parts = static_cast<int>(std::set<int>(labels.begin(), labels.end()).size());
  return tool;
}

using Vectors = std::vector<Eigen::Vector3d>;

// The tool as it is, or `views` scans of it.
void add_scans(const Vectors& points, const Vectors& colours, const std::vector<int>& labels, int views,
               double noise, std::vector<Prepared>& tools) {
  math::RandomStream random(7, tools.size());
  const Vectors noisy = noise > 0.0 ? generated::with_noise(points, noise, tools.size()) : points;
  if (views == 0) tools.push_back(prepare(noisy, colours, labels));
  for (int view = 0; view < views; ++view) {
    Vectors seen, seen_colours;
    std::vector<int> seen_labels;
    for (const int i : generated::seen_points(noisy, random.unit_vector())) {
      seen.push_back(noisy[i]);
      if (!colours.empty()) seen_colours.push_back(colours[i]);
      seen_labels.push_back(labels[i]);
    }
    tools.push_back(prepare(seen, seen_colours, seen_labels));
  }
}

struct Score {
  generated::Agreement four, exact, suggested;
};

Score evaluate(const Prepared& tool, const CostWeights& weights, double apart) {
  CloudRegions regions = tool.regions;
  const PartTree tree = cloud_tree(tool.cloud, regions, weights);
  const auto at = [&](int count) {
    const std::vector<int> part = tree.cut(std::clamp(count, 1, tree.leaves));
    std::vector<int> labels;
    for (const int region : regions.region_of) labels.push_back(region < 0 ? -1 : part[region]);
    return generated::agreement(labels, tool.truth);
  };
  return {at(4), at(tool.parts), at(suggested_parts(tree, apart))};
}

CostWeights weights_of(const nlohmann::json& json, CostWeights w) {
  const auto take = [&json](const char* name, double& value) {
    if (json.contains(name)) value = json[name];
  };
  take("growth", w.growth), take("hollow", w.hollow), take("groove", w.groove),
      take("groove_scale", w.groove_scale);
  take("colour", w.colour), take("variation", w.variation), take("faint", w.faint), take("plain", w.plain);
  take("size", w.size);
  return w;
}

CostWeights random_weights(math::RandomStream& random) {
  const auto log_uniform = [&random](double low, double high) {
    return low * std::pow(high / low, random.uniform());
  };
  CostWeights w;
  w.hollow = log_uniform(0.05, 3.0);
  w.groove = log_uniform(0.1, 5.0);
  w.groove_scale = log_uniform(1.0, 8.0);
  w.colour = log_uniform(0.1, 5.0);
  w.variation = log_uniform(0.5, 8.0);
  w.faint = log_uniform(0.005, 0.2);
  w.plain = log_uniform(0.005, 0.5);
  w.size = random.uniform(0.2, 1.2);
  return w;
}

// The weights as they are, each by a factor of about exp(spread).
CostWeights weights_near(CostWeights w, double spread, math::RandomStream& random) {
  for (double* value :
       {&w.hollow, &w.groove, &w.groove_scale, &w.colour, &w.variation, &w.faint, &w.plain, &w.size})
    *value *= std::exp(spread * random.normal());
  return w;
}

nlohmann::json row(const CostWeights& w, const std::vector<Score>& scores) {
  nlohmann::json json{{"growth", w.growth}, {"hollow", w.hollow},
                      {"groove", w.groove}, {"groove_scale", w.groove_scale},
                      {"colour", w.colour}, {"variation", w.variation},
                      {"faint", w.faint},   {"plain", w.plain},
                      {"size", w.size}};
  const double n = static_cast<double>(scores.size());
  const auto add = [&](const char* name, generated::Agreement Score::* at) {
    double use = 0.0, gce = 0.0, ari = 0.0;
    for (const Score& s : scores) use += (s.*at).use / n, gce += (s.*at).gce / n, ari += (s.*at).ari / n;
    json[name] = {use, gce, ari};
  };
  add("four", &Score::four), add("exact", &Score::exact), add("suggested", &Score::suggested);
  return json;
}

// One line per tool: the volume of its parts, the true one, and what is said about it.
void print_volumes(const nlohmann::json& input) {
  const double noise = input.value("noise", 0.0), uneven = input.value("uneven", 1.0);
  const bool has_slits = input.value("slits", false);
  const int first = has_slits ? generated::kToolKinds : 0,
            count = has_slits ? generated::kSlitKinds : generated::kToolKinds;
  for (const std::uint64_t seed : input.at("seeds").get<std::vector<std::uint64_t>>())
    for (int kind = first; kind < first + count; ++kind) {
      generated::GeneratedTool tool =
          generated::generated_tool(kind, seed, uneven > 1.0 ? 6000 : 2000, input.value("hidden", false));
      if (uneven > 1.0) {
        Vectors points, colours;
        for (const int i : generated::uneven_points(tool.points, uneven, seed))
          points.push_back(tool.points[i]), colours.push_back(tool.colours[i]);
        tool.points = points, tool.colours = colours;
      }
      const Segmentation result = segment_cloud(
          noise > 0.0 ? generated::with_noise(tool.points, noise, seed) : tool.points, tool.colours);
      std::cout << nlohmann::json{{"name", tool.name},
                                  {"seed", seed},
                                  {"volume", result.volume},
                                  {"true_volume", tool.volume},
                                  {"problems", result.problems}}
                       .dump()
                << std::endl;
    }
}

}  // namespace
}  // namespace prehend::parts

int main() {
  using namespace prehend;
  using namespace prehend::parts;
  const nlohmann::json input = nlohmann::json::parse(std::cin);
  if (input.value("volumes", false)) {
    print_volumes(input);
    return 0;
  }
  std::vector<Prepared> tools;
  const int views = input.value("views", 0);
  const double noise = input.value("noise", 0.0);
  for (const std::uint64_t seed : input.value("seeds", std::vector<std::uint64_t>{}))
    for (int kind = 0; kind < generated::kToolKinds; ++kind) {
      const generated::GeneratedTool made = generated::generated_tool(kind, seed);
      add_scans(made.points, input.value("colour", true) ? made.colours : Vectors{}, made.labels, views,
                noise, tools);
      tools.back().volume = made.volume;
    }
  for (const std::string& path : input.value("files", std::vector<std::string>{})) {
    const model::PointCloud cloud = model::read_cloud(path);
    add_scans(cloud.points, input.value("colour", true) ? cloud.colors : Vectors{}, cloud.labels, views,
              noise, tools);
  }
  if (input.value("solids", false)) {
    for (const Prepared& tool : tools)
      std::cout << nlohmann::json{{"folded", tool.regions.solid.folded},
                                  {"bridged", tool.regions.solid.bridged},
                                  {"reach_spacings", tool.regions.solid.reach / tool.regions.solid.spacing},
                                  {"volume", tool.regions.solid.volume},
                                  {"true_volume", tool.volume}}
                       .dump()
                << std::endl;
    return 0;
  }
  const double apart = input.value("apart", 0.4);
  math::RandomStream random(input.value("seed", 0));
  const int count = input.value("random", 0);
  const CostWeights given = weights_of(input.value("weights", nlohmann::json::object()), {});
  const double near = input.value("near", 0.0);
  for (int k = 0; k <= count; ++k) {
    const CostWeights weights = k == 0       ? given
                                : near > 0.0 ? weights_near(given, near, random)
                                             : random_weights(random);
    std::vector<Score> scores;
    for (const Prepared& tool : tools) scores.push_back(evaluate(tool, weights, apart));
    std::cout << row(weights, scores).dump() << std::endl;
  }
}
