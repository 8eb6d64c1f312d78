// Runs pmd and hps for the tests: `mass_methods_tool LOG SHAPE [key=value ...]`, one JSON document on standard output.
//   method=pmd|hps  form=noise_weighted|printed_squared|printed_norms  c1=  lambda=  printed=1  gravity_z=  seed=  seeds=
//   noise=ang,lin,force,torque (deviations added)  rows=N (only the first N)  truth=m,phi... (ten numbers) box=x,y,z
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <generated/identification_error.h>
#include <nlohmann/json.hpp>

#include <prehend/inertia/methods/homogeneous_parts.h>
#include <prehend/inertia/methods/point_masses.h>
#include <prehend/inertia/samples.h>
#include <prehend/inertia/shape.h>
#include <prehend/math/random.h>
#include <prehend/model/wrench_log.h>

namespace {

using namespace prehend;
using nlohmann::json;

std::vector<double> numbers(const std::string& text) {
  std::vector<double> values;
  std::stringstream stream(text);
  for (std::string item; std::getline(stream, item, ',');) values.push_back(std::atof(item.c_str()));
  return values;
}

inertia::Samples noisy(const inertia::Samples& clean, const std::vector<double>& noise, std::uint64_t seed) {
  inertia::Samples samples = clean;
  math::RandomStream random(seed);
  for (inertia::Sample& sample : samples.samples) {
    sample.motion.al += noise[0] * random.normal3();
    sample.motion.a += noise[1] * random.normal3();
    sample.wrench.tail<3>() += noise[2] * random.normal3();
    sample.wrench.head<3>() += noise[3] * random.normal3();
  }
  return samples;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  std::map<std::string, std::string> keys;
  for (int i = 3; i < argc; ++i) {
    const std::string word = argv[i];
    keys[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
  }
  inertia::SampleOptions sampling;
  if (keys.count("gravity_z")) sampling.gravity_W.z() = std::atof(keys["gravity_z"].c_str());
  inertia::Samples samples = inertia::prepare_samples(model::read_wrench_log(argv[1]), sampling);
  if (keys.count("rows")) samples.samples.resize(std::atoi(keys["rows"].c_str()));
  const inertia::Shape shape = inertia::read_shape(argv[2]);
  const std::vector<double> noise =
      keys.count("noise") ? numbers(keys["noise"]) : std::vector<double>(4, 0.0);

  inertia::PointMassOptions pmd;
  if (keys.count("c1")) pmd.c1 = std::atof(keys["c1"].c_str());
  if (keys.count("lambda")) pmd.lambda = std::atof(keys["lambda"].c_str());
  if (keys.count("spread")) pmd.density_spread = std::atof(keys["spread"].c_str());
  if (keys.count("ratio")) pmd.noise_ratio = std::atof(keys["ratio"].c_str());
  if (keys["form"] == "printed_squared") pmd.form = inertia::PointMassForm::printed_squared;
  if (keys["form"] == "printed_norms") pmd.form = inertia::PointMassForm::printed_norms;
  pmd.points.min_points = pmd.points.max_points = 56;
  inertia::HomogeneousPartsOptions hps;
  hps.printed = keys["printed"] == "1";
  if (keys.count("parts_spread")) hps.density_spread = std::atof(keys["parts_spread"].c_str());

  json answer;
  const int first = keys.count("seed") ? std::atoi(keys["seed"].c_str()) : 0;
  const int seeds = keys.count("seeds") ? std::atoi(keys["seeds"].c_str()) : 1;
  for (int seed = first; seed < first + seeds; ++seed) {
    const inertia::Samples used = noisy(samples, noise, seed);
    inertia::Estimate estimate;
    json one;
    if (keys["method"] == "hps") {
      const inertia::PartsFit fit = inertia::homogeneous_parts(used.samples, shape, *used.X_SO, hps);
      estimate = fit.estimate;
      one["objective"] = fit.objective;
      one["told"] = fit.separated;
    } else {
      const inertia::PointMassFit fit = inertia::point_masses(used.samples, shape, *used.X_SO, pmd);
      estimate = fit.estimate;
      one["objective"] = fit.objective;
      one["c1"] = fit.c1;
    }
    const math::Vector10d phi = estimate.inertia_S.parameters();
    one["status"] = static_cast<int>(estimate.status);
    one["phi"] = std::vector<double>(phi.data(), phi.data() + 10);
    one["masses"] = estimate.masses;
    one["samples"] = estimate.samples;
    one["notes"] = estimate.notes;
    one["problems"] = estimate.problems;
    one["consistent"] = estimate.consistency.is_consistent();
    one["iterations"] = estimate.iterations;
    one["std_mass"] = estimate.std_mass();
    one["points"] = json::array();
    for (const Eigen::Vector3d& p : estimate.points_S) one["points"].push_back({p.x(), p.y(), p.z()});
    if (keys.count("truth")) {
      const std::vector<double> truth = numbers(keys["truth"]), box = numbers(keys["box"]);
      const inertia::IdentificationError error = inertia::identification_error(
          estimate.inertia_S,
          math::SpatialInertia::from_parameters(Eigen::Map<const math::Vector10d>(truth.data())),
          {box[0], box[1], box[2]});
      one["errors"] = {error.mass, error.com_mean, error.inertia_sensor_mean, error.inertia_com_mean};
    }
    answer.push_back(one);
  }
  std::cout << answer.dump() << "\n";
  return 0;
}
