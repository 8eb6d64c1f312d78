#include <cmath>

#include <prehend/model/input_error.h>
#include <prehend/model/logs/log_columns.h>
#include <prehend/model/scenes/orientation_input.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {

std::vector<std::string> names_with(const std::string& prefix, std::initializer_list<const char*> suffixes) {
  std::vector<std::string> names;
  for (const char* suffix : suffixes) names.push_back(prefix + suffix);
  return names;
}

void append_columns(std::vector<CsvColumn>& wanted, const std::vector<std::string>& names, bool required) {
  for (const std::string& name : names) wanted.push_back({name, CsvColumn::Content::number, required});
}

std::vector<Eigen::Vector3d> vectors_of(const CsvTable& table, const std::vector<std::string>& names) {
  const auto &x = table.numbers(names.at(0)), &y = table.numbers(names.at(1)),
             &z = table.numbers(names.at(2));
  std::vector<Eigen::Vector3d> result(table.rows());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = {x[i], y[i], z[i]};
  return result;
}

std::vector<math::Pose> poses_of(const CsvTable& table, const std::vector<std::string>& names,
                                 const std::string& file) {
  const std::vector<Eigen::Vector3d> p = vectors_of(table, names);
  const auto &w = table.numbers(names.at(3)), &x = table.numbers(names.at(4)),
             &y = table.numbers(names.at(5)), &z = table.numbers(names.at(6));
  std::vector<math::Pose> result;
  result.reserve(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) {
    result.emplace_back(orientation_from_file({w[i], x[i], y[i], z[i]}, file, table.line(i)), p[i]);
  }
  return result;
}

std::vector<double> increasing_times(const CsvTable& table, const std::string& file) {
  const std::vector<double>& t = table.numbers("t");
  for (std::size_t i = 1; i < t.size(); ++i) {
    if (t[i] > t[i - 1]) continue;
    throw InputError(file, table.line(i),
                     t[i] == t[i - 1] ? "a second row at t = " + exact_number(t[i])
                                      : "time runs backwards: t = " + exact_number(t[i]) + " after " +
                                            exact_number(t[i - 1]));
  }
  if (!t.empty() && !std::isfinite(t.back() - t.front())) {
    throw InputError(file, 0, "the times span more than a number holds; expected seconds");
  }
  return t;
}

std::vector<std::string> ignored_notes(const CsvTable& table) {
  std::vector<std::string> notes;
  for (const std::string& column : table.ignored())
    notes.push_back("column " + in_quotes(column) + " was ignored");
  return notes;
}

}  // namespace prehend::model
