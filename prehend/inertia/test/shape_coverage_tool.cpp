// How often the 95 % intervals of `likelihood` hold the truth when the shape is wrong.
//   shape_coverage_tool [source=generated|FOLDER of tools] [objects=N] [from=N] [seed=N] [runs=N] [details=0|1] [one_size=0]
// `one_size`: the error of the shape, relative to each side, in place of the sizes that are found from the wrenches.
// One line per kind of shape: shares for mass, centre (three), inertia about the sensor (six) and the 95 % ellipsoid, errors over
// deviations (rms), mean deviations (mass relative; centre in mm; inertia relative to the trace) and root mean square errors likewise.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <Eigen/Cholesky>
#include <generated/generated_motion.h>
#include <generated/generated_objects.h>

#include "workshop_tool.h"
#include "wrong_shapes.h"
#include <prehend/inertia/estimator.h>
#include <prehend/inertia/motion_smoother.h>

namespace {

using namespace prehend;
using namespace prehend::inertia;
namespace given = prehend::inertia::test;
using given::Specimen;

struct Tally {
  int logs{0}, failed{0};
  double mass{0}, com{0}, inertia{0}, region{0};
  double z_mass{0}, z_com{0}, z_inertia{0};
  double wide_mass{0}, wide_com{0}, wide_inertia{0};
  double off_mass{0}, off_com{0}, off_inertia{0};

  void add(const Estimate& e, const math::SpatialInertia& truth) {
    ++logs;
    if (e.status == Status::failed) {
      ++failed;
      return;
    }
    const Eigen::Matrix3d I = truth.inertia_about(Eigen::Vector3d::Zero()),
                          J = e.inertia_S.inertia_about(Eigen::Vector3d::Zero());
    const auto one = [](double off, double std, double scale, double share, double& inside, double& z,
                        double& wide, double& far) {
      inside += share * (std::abs(off) < 1.96 * std ? 1.0 : 0.0);
      z += share * off * off / (std * std);
      wide += share * std / scale;
      far += share * off * off / (scale * scale);
    };
    one(e.inertia_S.mass - truth.mass, e.std_mass(), 0.01 * truth.mass, 1.0, mass, z_mass, wide_mass,
        off_mass);
    const Eigen::Vector3d std_com = e.std_com();
    for (int i = 0; i < 3; ++i)
      one(e.inertia_S.com[i] - truth.com[i], std_com[i], 1e-3, 1.0 / 3, com, z_com, wide_com, off_com);
    const Eigen::Matrix<double, 6, 1> std_I = e.std_inertia();
    int k = 0;
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j, ++k)
        one(J(i, j) - I(i, j), std_I[k], 0.01 * truth.I_com.trace(), 1.0 / 6, inertia, z_inertia,
            wide_inertia, off_inertia);
    const math::Vector10d std = e.covariance.diagonal().cwiseMax(1e-300).cwiseSqrt();
    const math::Vector10d off = (e.inertia_S.parameters() - truth.parameters()).cwiseQuotient(std);
    const math::Matrix10d correlation =
        std.cwiseInverse().asDiagonal() * e.covariance * std.cwiseInverse().asDiagonal();
    region += off.dot(correlation.ldlt().solve(off)) <= 18.307 ? 1.0 : 0.0;
  }
  void print(const std::string& name) const {
    const double n = std::max(1, logs - failed);
    std::printf(
        "%-32s %4d %2d | mass %.3f com %.3f I %.3f region %.3f | z %5.2f %5.2f %5.2f | std %6.3f %% %6.3f "
        "mm "
        "%6.3f %% | rms %6.3f %% %6.3f mm %6.3f %%\n",
        name.c_str(), logs, failed, mass / n, com / n, inertia / n, region / n, std::sqrt(z_mass / n),
        std::sqrt(z_com / n), std::sqrt(z_inertia / n), wide_mass / n, wide_com / n, wide_inertia / n,
        std::sqrt(off_mass / n), std::sqrt(off_com / n), std::sqrt(off_inertia / n));
  }
};

class Counts {
 public:
  Tally& operator[](const std::string& name) {
    for (auto& [known, tally] : rows_)
      if (known == name) return tally;
    return rows_.emplace_back(name, Tally{}).second;
  }
  void print() const {
    for (const auto& [name, tally] : rows_) tally.print(name);
  }

 private:
  std::vector<std::pair<std::string, Tally>> rows_;
};

using Keys = std::map<std::string, std::string>;

EstimatorOptions options_of(Keys& keys) {
  EstimatorOptions options;
  const double error = std::atof(keys["one_size"].c_str());
  if (error > 0.0) {
    options.likelihood.prior.set_shape_error(error);
    options.likelihood.prior.error_length = 0.0;
  }
  return options;
}

void generated(Keys& keys, Counts& counts) {
  const int from = std::atoi(keys["from"].c_str()), objects = std::atoi(keys["objects"].c_str());
  const auto seed = static_cast<std::uint64_t>(std::atoi(keys["seed"].c_str()));
  const auto faults = given::shape_faults();
  for (int k = from; k < from + objects; ++k) {
    math::RandomStream stream(seed, static_cast<std::uint64_t>(k));
    const GeneratedObject object =
        generate_object(stream, {.merged_parts = 0.0, .wrong_labels = 0.0, .surface_error = 0.0});
    math::RandomStream motion_stream = stream.split(1);
    const std::vector<MotionState> motion = k % 2
                                                ? stop_and_go_motion(motion_stream, {.duration = 6.0})
                                                : wrist_motion({.mean_speed = motion_stream.uniform(0.5, 2.5),
                                                                .duration = 4.0,
                                                                .start = motion_stream.uniform(0.0, 10.0)});
    SampleNoise noise = source_noise_levels()[1 + static_cast<std::size_t>(k) % 3].noise;
    noise.a = noise.al = 0.0;
    for (std::size_t f = 0; f < faults.size(); ++f) {
      math::RandomStream fault_stream = stream.split(10 + f), noise_stream = stream.split(2);
      Specimen specimen{object.truth, object.shape, object.X_SO};
      faults[f].second(specimen, fault_stream);
      const Eigen::Vector3d down(0.0, 0.0, -9.81);
      const math::SpatialInertia truth = specimen.truth.expressed_in(specimen.X_SO);
      model::WrenchLog log = record_motion(motion, truth, specimen.X_SO, down);
      add_noise(log, noise, noise_stream);
      const Samples samples = prepare_samples(log, {.gravity_W = down});
      counts[faults[f].first].add(estimate(Method::likelihood, samples, &specimen.shape, options_of(keys)),
                                  truth);
    }
  }
}

// Each point takes the label of the nearest labelled point.
Shape with_parts_of(Shape shape, const Shape& labelled) {
  shape.parts = labelled.parts;
  shape.labels.clear();
  for (const Eigen::Vector3d& p : shape.points) {
    std::size_t best = 0;
    for (std::size_t j = 1; j < labelled.points.size(); ++j)
      if ((p - labelled.points[j]).squaredNorm() < (p - labelled.points[best]).squaredNorm()) best = j;
    shape.labels.push_back(labelled.labels[best]);
  }
  return shape;
}

void recorded(const std::filesystem::path& folder, Keys& keys, Counts& counts) {
  const auto seed = static_cast<std::uint64_t>(std::atoi(keys["seed"].c_str()));
  const bool details = keys["details"] != "0";
  const int runs = std::atoi(keys["runs"].c_str());
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.is_directory()) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  const SampleOptions upwards{.gravity_W = {0.0, 0.0, 9.81}};
  for (std::size_t t = 0; t < paths.size(); ++t) {
    const given::WorkshopTool tool = given::read_tool(paths[t].filename().string());
    const model::WrenchLog exact = model::read_wrench_log((paths[t] / "motion.csv.gz").string());
    std::vector<std::pair<std::string, Shape>> shapes;
    const Shape mesh = read_shape((paths[t] / "mesh.ply").string(), {.unit = 0.001});
    const Shape parts = read_parts({(paths[t] / "parts.ply").string()});
    shapes.emplace_back("mesh", mesh);
    shapes.emplace_back("mesh, labels", with_parts_of(mesh, parts));
    shapes.emplace_back("parts", parts);
    shapes.emplace_back("cloud", read_shape((paths[t] / "cloud.ply").string()));
    shapes.emplace_back("cloud, no labels", shapes.back().second);
    given::forget_parts(shapes.back().second);
    for (int run = 0; run < runs; ++run)
      for (std::size_t level = 1; level < 4; ++level) {
        math::RandomStream stream =
            math::RandomStream(seed, level).split(t).split(static_cast<std::uint64_t>(run));
        model::WrenchLog log = exact;
        add_noise(log, source_noise_levels()[level].noise, stream);
        const Samples samples = smooth_samples(log, upwards);
        for (const auto& [name, shape] : shapes) {
          const Estimate e = estimate(Method::likelihood, samples, &shape, options_of(keys));
          counts[name].add(e, tool.truth_S);
          if (details) counts[name + " " + tool.name].add(e, tool.truth_S);
        }
      }
  }
}

}  // namespace

int main(int argc, char** argv) {
  Keys keys{{"source", "generated"}, {"objects", "60"}, {"from", "0"},    {"seed", "1"},
            {"runs", "3"},           {"details", "0"},  {"one_size", "0"}};
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const std::size_t at = word.find('=');
    if (at == std::string::npos || !keys.contains(word.substr(0, at))) {
      std::fprintf(stderr, "unknown word '%s'\n", word.c_str());
      return 2;
    }
    keys[word.substr(0, at)] = word.substr(at + 1);
  }
  Counts counts;
  if (keys["source"] == "generated")
    generated(keys, counts);
  else
    recorded(keys["source"], keys, counts);
  counts.print();
  return 0;
}
