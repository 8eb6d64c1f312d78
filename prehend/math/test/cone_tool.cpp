// Solves cone programs given as JSON lines on standard input; one JSON line each on standard output. Driven
// by cone_oracle_test.py and bench/cone_vs_clarabel.py.
//   {"c":[..],"A":[[row,col,value],..],"b":[..],"G":[[row,col,value],..],"h":[..],"l":2,"q":[3,3],"psd4":0,"repeat":1,"tolerance":1e-9}
#include <chrono>
#include <cmath>
#include <iostream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <prehend/math/cone_program.h>
#include <prehend/math/test/cone_certificate.h>

namespace {
using nlohmann::json;
namespace math = prehend::math;

Eigen::VectorXd read_vector(const json& list) {
  const auto values = list.get<std::vector<double>>();
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

Eigen::SparseMatrix<double> read_matrix(const json& list, Eigen::Index rows, Eigen::Index columns) {
  std::vector<Eigen::Triplet<double>> triplets;
  for (const json& entry : list) triplets.emplace_back(entry[0], entry[1], entry[2]);
  Eigen::SparseMatrix<double> matrix(rows, columns);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

json number(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }
json list(const Eigen::VectorXd& v) { return std::vector<double>(v.begin(), v.end()); }

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

json answer(const json& input) {
  math::ConeProgram program;
  program.c = read_vector(input["c"]);
  program.b = read_vector(input["b"]);
  program.h = read_vector(input["h"]);
  program.A = read_matrix(input["A"], program.b.size(), program.c.size());
  program.G = read_matrix(input["G"], program.h.size(), program.c.size());
  program.cones.nonnegative = input.value("l", 0);
  program.cones.second_order = input.value("q", std::vector<int>{});
  program.cones.psd4 = input.value("psd4", 0);
  const int repeat = input.value("repeat", 1);
  math::ConeOptions options;
  options.tolerance = input.value("tolerance", options.tolerance);

  // Fastest of the repetitions, as timers are disturbed one way only.
  double total = HUGE_VAL, solve = HUGE_VAL, resolve = HUGE_VAL;
  math::ConeResult result;
  for (int i = 0; i < repeat; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    math::ConeSolver solver(program, options);
    const auto built = std::chrono::steady_clock::now();
    const math::ConeResult& current = solver.solve();
    solve = std::min(solve, seconds_since(built));
    total = std::min(total, seconds_since(begin));
    if (repeat > 1) {  // new numbers in the same solver
      const auto again = std::chrono::steady_clock::now();
      solver.set_equality_bounds(program.b);
      solver.set_matrix_values(Eigen::Map<const Eigen::VectorXd>(program.A.valuePtr(), program.A.nonZeros()),
                               Eigen::Map<const Eigen::VectorXd>(program.G.valuePtr(), program.G.nonZeros()));
      solver.solve();
      resolve = std::min(resolve, seconds_since(again));
    }
    if (i + 1 == repeat) result = current;
  }
  const math::ConeCertificate certificate = math::check_certificate(program, result);
  return {{"status", math::to_string(result.status)},
          {"x", list(result.x)},
          {"s", list(result.s)},
          {"y", list(result.y)},
          {"z", list(result.z)},
          {"primal_objective", number(result.primal_objective)},
          {"dual_objective", number(result.dual_objective)},
          {"primal_residual", number(result.primal_residual)},
          {"dual_residual", number(result.dual_residual)},
          {"gap", number(result.gap)},
          {"iterations", result.iterations},
          {"certificate_valid", certificate.valid},
          {"certificate", certificate.brief_report()},
          {"solve_s", solve},
          {"total_s", total},
          {"resolve_s", number(resolve)}};
}
}  // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    if (line.empty()) continue;
    try {
      std::cout << answer(json::parse(line)).dump() << std::endl;
    } catch (const std::exception& error) {
      std::cout << json{{"status", "error"}, {"message", error.what()}}.dump() << std::endl;
    }
  }
}
