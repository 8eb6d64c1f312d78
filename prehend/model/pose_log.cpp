#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <stdexcept>

#include <Eigen/Cholesky>

#include <prehend/model/files.h>
#include <prehend/model/house/csv.h>
#include <prehend/model/house/decimal_step.h>
#include <prehend/model/input_error.h>
#include <prehend/model/pose_log.h>
#include <prehend/model/scenes/orientation_input.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {
namespace {

const std::array<std::string, 4> kQuaternion = {"qw", "qx", "qy", "qz"};

// cov_rx_rx, cov_rx_ry, ..., cov_z_z.
std::vector<std::string> covariance_columns() {
  const std::array<std::string, 6> axes = {"rx", "ry", "rz", "x", "y", "z"};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = i; j < 6; ++j) names.push_back("cov_" + axes[i] + "_" + axes[j]);
  return names;
}

void read_covariances(const CsvTable& table, const std::string& name, const std::vector<std::string>& columns,
                      const std::vector<std::size_t>& rows, PoseLog& log) {
  std::vector<const std::vector<double>*> cells;
  for (const std::string& column : columns) cells.push_back(&table.numbers(column));
  for (const std::size_t row : rows) {
    math::Matrix6d& C = log.covariances.emplace_back();
    std::size_t k = 0;
    for (int i = 0; i < 6; ++i)
      for (int j = i; j < 6; ++j) C(i, j) = C(j, i) = (*cells[k++])[row];
    // Scaled to a unit diagonal: metres and radians do not decide what counts as singular.
    const math::Vector6d scale = C.diagonal().cwiseMax(0.0).cwiseSqrt().cwiseInverse();
    const math::Matrix6d unit = scale.asDiagonal() * C * scale.asDiagonal();
    if (!unit.allFinite() || Eigen::LLT<math::Matrix6d>(unit).info() != Eigen::Success)
      throw InputError(name, table.line(row),
                       "the covariance cov_rx_rx ... cov_z_z is not positive definite");
  }
}

// All four cells, or none.
std::optional<Eigen::Quaterniond> orientation(const std::array<const std::vector<double>*, 4>& q,
                                              std::size_t row, const std::string& name, int line) {
  Eigen::Vector4d wxyz;
  int empty = 0;
  for (int k = 0; k < 4; ++k) {
    wxyz[k] = (*q[k])[row];
    empty += std::isnan(wxyz[k]) ? 1 : 0;
  }
  if (empty == 4) return std::nullopt;
  if (empty > 0) {
    throw InputError(name, line,
                     "some of qw, qx, qy, qz are empty; a row has all four or, without orientation, none");
  }
  return orientation_from_file(wxyz, name, line);
}

// Rows with a position: where a part is not seen, all cells of its pose are empty or nan.
std::vector<std::size_t> rows_with_a_pose(const CsvTable& table, const std::string& name,
                                          bool has_orientation) {
  std::vector<std::size_t> rows;
  const auto empty = [&](std::size_t row, const auto& columns) {
    return std::ranges::count_if(
        columns, [&](const std::string& column) { return std::isnan(table.numbers(column)[row]); });
  };
  const std::array<std::string, 3> position = {"x", "y", "z"};
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto missing = empty(row, position);
    if (missing == 0) {
      rows.push_back(row);
      continue;
    }
    if (missing < 3) {
      const auto is_missing = [&](const std::string& column) {
        return std::isnan(table.numbers(column)[row]);
      };
      throw InputError(name, table.line(row),
                       "column " + in_quotes(*std::ranges::find_if(position, is_missing)) +
                           " is empty or nan; a row has all of x, y, z or, where the part is not seen, none");
    }
    if (has_orientation && empty(row, kQuaternion) < 4)
      throw InputError(name, table.line(row), "the row has an orientation, but no position x, y, z");
  }
  return rows;
}

void check_parts_are_seen(const PoseLog& log, const std::string& name) {
  std::vector<bool> is_seen(log.parts.size(), false);
  for (const PoseRow& row : log.rows) is_seen[row.part] = true;
  for (std::size_t part = 0; part < is_seen.size(); ++part)
    if (!is_seen[part])
      throw InputError(
          name, 0, "part " + in_quotes(log.parts[part]) + " is never seen: none of its rows has a position");
}

}  // namespace

double PoseLog::duration() const {
  if (rows.empty()) return 0;
  const auto [first, last] = std::minmax_element(
      rows.begin(), rows.end(), [](const PoseRow& a, const PoseRow& b) { return a.t < b.t; });
  return last->t - first->t;
}

std::vector<const PoseRow*> PoseLog::track(int part) const {
  std::vector<const PoseRow*> result;
  for (const PoseRow& row : rows) {
    if (row.part == part) result.push_back(&row);
  }
  return result;
}

std::vector<std::vector<const PoseRow*>> PoseLog::tracks() const {
  std::vector<std::vector<const PoseRow*>> result(parts.size());
  for (const PoseRow& row : rows) result[row.part].push_back(&row);
  return result;
}

std::optional<int> PoseLog::find_part(std::string_view name) const {
  const auto found = std::find(parts.begin(), parts.end(), name);
  if (found == parts.end()) return std::nullopt;
  return static_cast<int>(found - parts.begin());
}

void check_times(const PoseLog& log, const std::string& name) {
  std::vector<const PoseRow*> last(log.parts.size(), nullptr);
  for (const PoseRow& row : log.rows) {
    const PoseRow* before = last[row.part];
    if (before != nullptr && !(row.t > before->t)) {
      const std::string at = in_quotes(log.parts[row.part]) + " at t = " + exact_number(row.t);
      const std::string hint = log.has_part_column ? "" : "; several parts need a column 'part'";
      throw InputError(name, row.line,
                       row.t == before->t
                           ? "a second row for part " + at + " (the first is line " +
                                 std::to_string(before->line) + ")" + hint
                           : "time runs backwards for part " + at + ", after " + exact_number(before->t) +
                                 " on line " + std::to_string(before->line) + hint);
    }
    last[row.part] = &row;
  }
  if (!std::isfinite(log.duration()))
    throw InputError(name, 0, "the times span more than a number holds; expected seconds");
}

PoseLog parse_pose_log(std::string_view bytes, const std::string& name) {
  using Content = CsvColumn::Content;
  std::vector<CsvColumn> wanted = {{"t"},
                                   {"part", Content::text, false},
                                   {"x", Content::number_or_empty},
                                   {"y", Content::number_or_empty},
                                   {"z", Content::number_or_empty}};
  for (const std::string& column : kQuaternion) wanted.push_back({column, Content::number_or_empty, false});
  const std::vector<std::string> covariance = covariance_columns();
  for (const std::string& column : covariance) wanted.push_back({column, Content::number_or_empty, false});
  const CsvTable table = parse_csv(bytes, name, wanted, "a pose log");
  const bool has_orientation = has_group(table, name, kQuaternion);

  PoseLog log;
  log.columns = table.columns();
  log.has_part_column = table.has("part");
  log.parts = log.has_part_column ? table.texts("part") : std::vector<std::string>{"part"};
  const auto &t = table.numbers("t"), &x = table.numbers("x"), &y = table.numbers("y"),
             &z = table.numbers("z");
  std::array<const std::vector<double>*, 4> q{};
  for (int k = 0; k < 4 && has_orientation; ++k) q[k] = &table.numbers(kQuaternion[k]);
  if (has_orientation) {
    std::vector<double> numbers;
    for (const auto* column : q)
      std::copy_if(column->begin(), column->end(), std::back_inserter(numbers),
                   [](double cell) { return std::isfinite(cell); });
    log.quaternion_step = decimal_step(numbers);
  }
  const std::vector<std::size_t> seen = rows_with_a_pose(table, name, has_orientation);
  for (const std::size_t i : seen) {
    PoseRow& row = log.rows.emplace_back();
    row.t = t[i];
    row.line = table.line(i);
    row.part = log.has_part_column ? table.text_index("part")[i] : 0;
    row.p_WP = {x[i], y[i], z[i]};
    if (has_orientation) row.q_WP = orientation(q, i, name, row.line);
  }
  check_parts_are_seen(log, name);
  check_times(log, name);
  if (has_group(table, name, covariance)) {
    if (!has_orientation)
      throw InputError(name, 0, "covariances of poses need orientations: the columns qw, qx, qy, qz");
    read_covariances(table, name, covariance, seen, log);
  }
  if (const std::size_t unseen = table.rows() - seen.size(); unseen > 0)
    log.notes.push_back(std::to_string(unseen) + " rows without a pose (empty or nan) were left out");
  for (const std::string& column : table.ignored())
    log.notes.push_back("column " + in_quotes(column) + " was ignored");
  return log;
}

PoseLog read_pose_log(const std::string& path) { return parse_pose_log(read_file(path), path); }

void write_pose_log(const std::string& path, const PoseLog& log) {
  const auto fail = [&](const std::string& what) {
    throw std::invalid_argument(path + ": cannot write the poses: " + what);
  };
  if (log.rows.empty()) fail("there are no rows");
  if (!log.has_part_column && log.parts.size() != 1) fail("several parts need the column 'part'");
  for (const std::string& part : log.parts) {
    if (part.empty() || part != trimmed(part) || part.find_first_of(",#\"\r\n") != std::string::npos) {
      fail("part name " + in_quotes(part) + " does not fit a CSV cell");
    }
  }
  const bool oriented =
      std::any_of(log.rows.begin(), log.rows.end(), [](const PoseRow& row) { return row.q_WP.has_value(); });
  if (!log.covariances.empty() && (!oriented || log.covariances.size() != log.rows.size()))
    fail("covariances need orientations, and there must be one for every row");
  std::string out = log.has_part_column ? "t,part,x,y,z" : "t,x,y,z";
  if (oriented) out += ",qw,qx,qy,qz";
  if (!log.covariances.empty())
    for (const std::string& column : covariance_columns()) out += "," + column;
  out += '\n';
  std::vector<const PoseRow*> last(log.parts.size(), nullptr);
  for (const PoseRow& row : log.rows) {
    if (row.part < 0 || row.part >= static_cast<int>(log.parts.size()))
      fail("a row has part " + std::to_string(row.part));
    if (!std::isfinite(row.t) || !row.p_WP.allFinite()) fail("a value is not finite");
    if (last[row.part] != nullptr && !(row.t > last[row.part]->t))
      fail("time does not increase within a part");
    last[row.part] = &row;
    append_number(out, row.t);
    if (log.has_part_column) out += "," + log.parts[row.part];
    for (double value : row.p_WP) {
      out += ',';
      append_number(out, value);
    }
    if (row.q_WP && !(std::abs(row.q_WP->norm() - 1) <= 1e-6)) fail("a quaternion is not unit");
    for (int k = 0; k < 4 && oriented; ++k) {
      out += ',';
      const int eigen_order[] = {3, 0, 1, 2};
      if (row.q_WP) append_number(out, row.q_WP->coeffs()[eigen_order[k]]);
    }
    if (!log.covariances.empty()) {
      const math::Matrix6d& C = log.covariances[static_cast<std::size_t>(&row - log.rows.data())];
      if (!C.allFinite()) fail("a covariance is not finite");
      for (int i = 0; i < 6; ++i) {
        for (int j = i; j < 6; ++j) {
          out += ',';
          append_number(out, C(i, j));
        }
      }
    }
    out += '\n';
  }
  write_file(path, out);
}

}  // namespace prehend::model
