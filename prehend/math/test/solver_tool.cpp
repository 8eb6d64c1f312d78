// Solves problems for solver_oracle_test.py: one JSON problem per line on standard input, one JSON answer per
// line on standard output. Infinite numbers travel as the strings "inf" and "-inf".
#include <cmath>
#include <iostream>
#include <limits>
#include <string>

#include <nlohmann/json.hpp>

#include <prehend/math/linear_program.h>
#include <prehend/math/nonnegative_least_squares.h>
#include <prehend/math/quadratic_program.h>

namespace {

using nlohmann::json;
using namespace prehend::math;

double read_number(const json& value) {
  if (value.is_number()) return value.get<double>();
  const double infinity = std::numeric_limits<double>::infinity();
  return value.get<std::string>() == "inf" ? infinity : -infinity;
}

Eigen::VectorXd read_vector(const json& values) {
  Eigen::VectorXd vector(static_cast<Eigen::Index>(values.size()));
  for (Eigen::Index i = 0; i < vector.size(); ++i)
    vector[i] = read_number(values[static_cast<std::size_t>(i)]);
  return vector;
}

Eigen::MatrixXd read_matrix(const json& rows, Eigen::Index columns) {
  Eigen::MatrixXd matrix(static_cast<Eigen::Index>(rows.size()), columns);
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    matrix.row(i) = read_vector(rows[static_cast<std::size_t>(i)]);
  return matrix;
}

json write_number(double value) {
  if (std::isfinite(value)) return value;
  return value > 0 ? "inf" : value < 0 ? "-inf" : "nan";
}

json write_vector(const Eigen::VectorXd& vector) {
  json values = json::array();
  for (const double value : vector) values.push_back(write_number(value));
  return values;
}

template <class Result>
json write_common(const Result& result) {
  return {{"status", to_string(result.status)},
          {"x", write_vector(result.x)},
          {"objective", write_number(result.objective)},
          {"iterations", result.iterations},
          {"residual", write_number(result.residuals.largest())},
          {"report", result.brief_report()}};
}

json solve(const json& problem) {
  const std::string kind = problem.at("kind");
  if (kind == "lp") {
    LinearProgram program;
    program.c = read_vector(problem.at("c"));
    program.A = read_matrix(problem.at("A"), program.c.size()).sparseView();
    program.row_lower = read_vector(problem.at("row_lower"));
    program.row_upper = read_vector(problem.at("row_upper"));
    program.lower = read_vector(problem.at("lower"));
    program.upper = read_vector(problem.at("upper"));
    const LinearProgramResult result = solve_linear_program(program);
    json answer = write_common(result);
    answer.update(
        {{"y", write_vector(result.y)}, {"w", write_vector(result.w)}, {"ray", write_vector(result.ray)}});
    answer["certificate_residual"] = write_number(result.certificate_residual);
    return answer;
  }
  if (kind == "qp") {
    QuadraticProgram program;
    program.g = read_vector(problem.at("g"));
    program.H = read_matrix(problem.at("H"), program.g.size());
    program.A = read_matrix(problem.at("A"), program.g.size());
    program.b = read_vector(problem.at("b"));
    program.C = read_matrix(problem.at("C"), program.g.size());
    program.lower = read_vector(problem.at("lower"));
    program.upper = read_vector(problem.at("upper"));
    const QuadraticProgramResult result = solve_quadratic_program(program);
    json answer = write_common(result);
    answer.update(
        {{"y", write_vector(result.y)}, {"z", write_vector(result.z)}, {"ray", write_vector(result.ray)}});
    answer["certificate_residual"] = write_number(result.certificate_residual);
    return answer;
  }
  NonnegativeLeastSquaresOptions options;
  options.ridge = problem.value("ridge", 0.0);
  const std::string route = problem.value("route", "automatic");
  if (route == "orthogonal") options.route = NonnegativeLeastSquaresRoute::orthogonal;
  if (route == "normal_equations") options.route = NonnegativeLeastSquaresRoute::normal_equations;
  const Eigen::VectorXd b = read_vector(problem.at("b"));
  const auto columns = problem.at("columns").get<Eigen::Index>();
  const auto result = solve_nonnegative_least_squares(read_matrix(problem.at("A"), columns), b, options);
  json answer = write_common(result);
  answer["gradient"] = write_vector(result.gradient);
  answer["route"] =
      result.route == NonnegativeLeastSquaresRoute::orthogonal ? "orthogonal" : "normal_equations";
  return answer;
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);) {
    json answer;
    try {
      answer = solve(json::parse(line));
    } catch (const std::exception& error) {
      answer = {{"status", "refused"}, {"error", error.what()}};
    }
    std::cout << answer.dump() << '\n';
  }
}
