#include <cmath>
#include <cstdio>

#include <prehend/model/body_names.h>
#include <prehend/model/files.h>
#include <prehend/model/house/csv.h>
#include <prehend/model/input_error.h>
#include <prehend/stability/push_file.h>
#include <prehend/stability/statics/push_check.h>

namespace prehend::stability {
namespace {

std::string cell(double value) {
  if (!std::isfinite(value)) return "";
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

}  // namespace

std::vector<Push> parse_pushes(std::string_view bytes, const std::string& name, const model::Scene& scene,
                               double contact_tolerance) {
  std::vector<model::CsvColumn> wanted{{"body", model::CsvColumn::Content::text, true}};
  for (const char* column : {"x", "y", "z", "dx", "dy", "dz"}) wanted.push_back({column});
  const model::CsvTable table = model::parse_csv(bytes, name, wanted, "a table of pushes");
  const auto vector = [&](const char* x, const char* y, const char* z, std::size_t row) {
    return Eigen::Vector3d(table.numbers(x)[row], table.numbers(y)[row], table.numbers(z)[row]);
  };
  PushCheck check(scene, contact_tolerance);
  std::vector<Push> pushes;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string& body = table.texts("body")[static_cast<std::size_t>(table.text_index("body")[row])];
    const Push push{scene.find_body(body), vector("x", "y", "z", row), vector("dx", "dy", "dz", row)};
    std::string problem;
    if (!push.body.is_valid()) problem = model::no_such_body(scene, body);
    if (problem.empty()) problem = check.problem(push);
    if (!problem.empty()) throw model::InputError(name, table.line(row), problem);
    pushes.push_back(push);
  }
  return pushes;
}

std::vector<Push> read_pushes(const std::string& path, const model::Scene& scene, double contact_tolerance) {
  return parse_pushes(model::read_file(path), path, scene, contact_tolerance);
}

std::string answers_csv(const RobustnessResult& result) {
  bool has_caused = false;
  for (const PushAnswer& answer : result.answers)
    has_caused = has_caused || !std::isnan(answer.without_prestress);
  std::string text = "body,x,y,z,dx,dy,dz,robustness_N,lower_N,upper_N,mode,moving";
  text += has_caused ? ",without_prestress_N\n" : "\n";
  for (std::size_t i = 0; i < result.answers.size(); ++i) {
    const Push& push = result.pushes[i];
    const PushAnswer& answer = result.answers[i];
    text += model::name_of(result.body_names, push.body);
    for (const double number : {push.p_W.x(), push.p_W.y(), push.p_W.z(), push.d_W.x(), push.d_W.y(),
                                push.d_W.z(), answer.robustness, answer.lower, answer.upper}) {
      text += "," + cell(number);
    }
    text += std::string(",") + to_string(answer.mode) + ",";
    for (std::size_t k = 0; k < answer.moving.size(); ++k) {
      text += (k == 0 ? "" : " ") + model::name_of(result.body_names, answer.moving[k]);
    }
    if (has_caused) text += "," + cell(answer.without_prestress);
    text += "\n";
  }
  return text;
}

}  // namespace prehend::stability
