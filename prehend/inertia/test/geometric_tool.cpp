// Solves one `geo` problem from standard input for the oracle test and the benchmark against cvxpy.
//
// In:  {"samples": [[a(3), w(3), al(3), tau(3), f(3)], ...], "prior": [phi(10)], "alpha": x, "repeat": n}
// Out: {"status", "phi", "objective", "iterations", "solve_us"}: median over `repeat` of compressing and solving.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <vector>

#include <nlohmann/json.hpp>

#include <prehend/inertia/methods/geometric.h>

int main() {
  using namespace prehend;
  const nlohmann::json in = nlohmann::json::parse(std::cin);
  std::vector<inertia::Sample> samples;
  for (const nlohmann::json& row : in.at("samples")) {
    const std::vector<double> v = row.get<std::vector<double>>();
    inertia::Sample sample;
    sample.motion.a = {v.at(0), v.at(1), v.at(2)};
    sample.motion.w = {v.at(3), v.at(4), v.at(5)};
    sample.motion.al = {v.at(6), v.at(7), v.at(8)};
    for (std::size_t k = 0; k < 6; ++k) sample.wrench[static_cast<Eigen::Index>(k)] = v.at(9 + k);
    samples.push_back(sample);
  }
  const std::vector<double> prior_phi = in.at("prior").get<std::vector<double>>();
  const math::SpatialInertia prior =
      math::SpatialInertia::from_parameters(Eigen::Map<const math::Vector10d>(prior_phi.data()));
  inertia::GeometricOptions options;
  options.alpha = in.at("alpha").get<double>();

  inertia::Estimate found;
  inertia::NormalEquations last;
  std::vector<double> times;
  for (int i = 0; i < in.value("repeat", 1); ++i) {
    const auto start = std::chrono::steady_clock::now();
    inertia::NormalEquations sums;
    sums.add(samples);
    found = inertia::geometric(sums, prior, options);
    times.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
    last = sums;
  }
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  const math::Vector10d phi = found.inertia_S.parameters();
  std::cout << nlohmann::json{{"status", found.status == inertia::Status::ok ? "ok" : "not ok"},
                              {"phi", std::vector<double>(phi.data(), phi.data() + 10)},
                              {"objective", inertia::geometric_objective(last, prior, phi, options)},
                              {"iterations", found.iterations},
                              {"solve_us", times[times.size() / 2]}}
            << '\n';
}
