#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <prehend/model/files.h>
#include <prehend/model/house/decimal_step.h>
#include <prehend/model/input_error.h>
#include <prehend/model/scenes/orientation_input.h>
#include <prehend/model/text_scan.h>
#include <prehend/model/track_file.h>

namespace prehend::model {
namespace {

// "a/b\\peg.step" -> "peg"; a name a CSV cell can hold.
std::string stem(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");
  if (slash != std::string_view::npos) path.remove_prefix(slash + 1);
  path = path.substr(0, path.find('.', 1));
  std::string name(trimmed(path.substr(0, 200)));
  for (char& c : name) {
    if (c == ',' || c == '#' || c == '"' || c == '\r' || c == '\n') c = '_';
  }
  return name.empty() ? "part" : name;
}

// All numbers of the line; at most `most` + 1 of them are read.
std::vector<double> numbers_of(std::string_view line, std::size_t most, const std::string& name, int number) {
  std::vector<double> values;
  for (std::string_view word = take_word(line); !word.empty() && values.size() <= most;
       word = take_word(line)) {
    const auto value = parse_number(word);
    if (!value) throw InputError(name, number, "expected a finite number, found " + in_quotes(word));
    values.push_back(*value);
  }
  return values;
}

bool next_content(LineScanner& lines, std::string_view& line) {
  do {
    if (!lines.next(line)) return false;
    line = trimmed(line);
  } while (line.empty());
  return true;
}

// The number after "No of Models:" and the like.
std::size_t counted(LineScanner& lines, std::string_view title, const std::string& name) {
  std::string_view line;
  const bool found = next_content(lines, line);
  if (!found || !line.starts_with(title)) {
    throw InputError(name, lines.line(), "expected the line '" + std::string(title) + " N'");
  }
  const auto count = parse_integer(trimmed(line.substr(title.size())));
  if (!count || *count <= 0) {
    throw InputError(name, lines.line(),
                     "expected a positive count after '" + std::string(title) + "', found " +
                         in_quotes(trimmed(line.substr(title.size()))));
  }
  // Each thing that is counted takes a line.
  if (static_cast<std::size_t>(*count) > lines.rest().size()) {
    throw InputError(name, lines.line(),
                     "'" + std::string(title) + "' claims " + std::to_string(*count) + ", but only " +
                         std::to_string(lines.rest().size()) + " bytes follow");
  }
  return static_cast<std::size_t>(*count);
}

constexpr std::string_view kModels = "No of Models:", kScenes = "No of Scenes:";

}  // namespace

PoseLog parse_track(std::string_view bytes, const std::string& name) {
  if (looks_binary(bytes))
    throw InputError(
        name, 0,
        "this is a binary file; a track has lines 'x y z', 'x y z qx qy qz qw' or 't x y z qx qy "
        "qz qw'");
  PoseLog log;
  log.parts = {stem(name)};
  log.has_part_column = false;
  LineScanner lines(bytes);
  std::string_view line;
  std::size_t width = 0;
  std::vector<double> quaternions;
  while (next_content(lines, line)) {
    if (line.front() == '#') continue;
    const std::vector<double> v = numbers_of(line, 8, name, lines.line());
    if (v.size() != 3 && v.size() != 7 && v.size() != 8) {
      throw InputError(name, lines.line(),
                       "a track has 3 (x y z), 7 (x y z qx qy qz qw) or 8 (t x y z qx qy qz qw) numbers per "
                       "line, found " +
                           (v.size() > 8 ? "more than 8" : std::to_string(v.size())));
    }
    if (width != 0 && v.size() != width) {
      throw InputError(name, lines.line(),
                       "the lines before have " + std::to_string(width) + " numbers, this one " +
                           std::to_string(v.size()));
    }
    width = v.size();
    const std::size_t first = width == 8 ? 1 : 0;  // after the time
    PoseRow row;
    row.t = width == 8 ? v[0] : static_cast<double>(log.rows.size());
    row.p_WP = {v[first], v[first + 1], v[first + 2]};
    row.line = lines.line();
    if (width > 3) quaternions.insert(quaternions.end(), v.end() - 4, v.end());
    if (width > 3)
      row.q_WP =
          orientation_from_file({v[first + 6], v[first + 3], v[first + 4], v[first + 5]}, name, row.line);
    if (width == 8 && !log.rows.empty() && !(row.t > log.rows.back().t))
      throw InputError(name, row.line, "the time is not later than that of the line before");
    log.rows.push_back(std::move(row));
  }
  if (log.rows.empty())
    throw InputError(
        name, 0, "the track is empty; expected lines 'x y z', 'x y z qx qy qz qw' or 't x y z qx qy qz qw'");
  log.quaternion_step = decimal_step(quaternions);
  log.columns = {"x", "y", "z"};
  if (width > 3) log.columns.insert(log.columns.end(), {"qx", "qy", "qz", "qw"});
  if (width == 8)
    log.columns.insert(log.columns.begin(), "t");
  else
    log.notes.push_back("the track has no times: the row's number, from 0, stands for seconds");
  return log;
}

PoseLog read_track(const std::string& path) { return parse_track(read_file(path), path); }

bool looks_like_track(std::string_view bytes) {
  LineScanner lines(bytes);
  std::string_view line;
  do {
    if (!next_content(lines, line)) return false;
  } while (line.front() == '#');
  int count = 0;
  for (std::string_view word = take_word(line); !word.empty(); word = take_word(line), ++count) {
    if (count == 8 || !parse_number(word)) return false;
  }
  return count == 3 || count == 7 || count == 8;
}

PoseList parse_pose_list(std::string_view bytes, const std::string& name) {
  PoseList list;
  PoseLog& log = list.log;
  LineScanner lines(bytes);
  std::string_view line;
  const std::size_t models = counted(lines, kModels, name);
  for (std::size_t m = 0; m < models; ++m) {
    if (!next_content(lines, line)) throw InputError(name, lines.line(), "the list of models is truncated");
    list.models.emplace_back(line);
    const std::string part = stem(line);
    if (models > 1000) throw InputError(name, lines.line(), "more than 1000 models");
    if (log.find_part(part)) throw InputError(name, lines.line(), "two models are named " + in_quotes(part));
    log.parts.push_back(part);
  }
  const std::size_t scenes = counted(lines, kScenes, name);
  for (std::size_t s = 0; s < scenes; ++s) {
    for (std::size_t m = 0; m < models; ++m) {
      if (!next_content(lines, line)) {
        throw InputError(name, lines.line(),
                         "the file ends within scene " + std::to_string(s + 1) + " of " +
                             std::to_string(scenes) + "; it is truncated");
      }
      const std::vector<double> v = numbers_of(line, 8, name, lines.line());
      if (v.size() != 8) {
        throw InputError(name, lines.line(),
                         "expected 8 numbers (state, x y z, axis, angle), found " +
                             (v.size() > 8 ? "more" : std::to_string(v.size())));
      }
      if (v[0] != std::floor(v[0]) || std::abs(v[0]) > 1e6) {
        throw InputError(name, lines.line(),
                         "the state flag must be an integer, found " + exact_number(v[0]));
      }
      const Eigen::Vector3d axis(v[4], v[5], v[6]);
      const double norm = axis.stableNorm();
      if (!(std::abs(norm - 1) <= 0.01) && v[7] != 0) {
        throw InputError(name, lines.line(),
                         "the rotation axis has norm " + exact_number(norm) + "; expected 1 within 0.01");
      }
      PoseRow row;
      row.t = static_cast<double>(s);
      row.part = static_cast<int>(m);
      row.p_WP = 0.001 * Eigen::Vector3d(v[1], v[2], v[3]);
      row.q_WP = v[7] == 0 ? Eigen::Quaterniond::Identity()
                           : Eigen::Quaterniond(Eigen::AngleAxisd(v[7], axis / norm)).normalized();
      row.line = lines.line();
      log.rows.push_back(std::move(row));
      list.states.push_back(static_cast<int>(v[0]));
    }
  }
  if (next_content(lines, line)) {
    throw InputError(
        name, lines.line(),
        "more lines than " + std::to_string(scenes) + " scenes of " + std::to_string(models) + " models");
  }
  log.columns = {"state", "x", "y", "z", "axis_x", "axis_y", "axis_z", "angle"};
  log.notes.push_back("the pose list has no times: the scene's number, from 0, stands for seconds");
  log.notes.push_back("positions were converted from millimetres to metres");
  return list;
}

PoseList read_pose_list(const std::string& path) { return parse_pose_list(read_file(path), path); }

bool looks_like_pose_list(std::string_view bytes) {
  return trimmed(bytes.substr(0, 1024)).starts_with(kModels);
}

namespace {

PoseLog parse_poses(std::string_view bytes, const std::string& name) {
  if (looks_like_track(bytes)) return parse_track(bytes, name);
  if (looks_like_pose_list(bytes)) return parse_pose_list(bytes, name).log;
  return parse_pose_log(bytes, name);
}

// Adds the parts of another file, whose indices are then the next ones.
void append(PoseLog& log, PoseLog other, const std::string& name) {
  if (other.covariances.empty() != log.covariances.empty())
    throw InputError(name, 0, "covariances must stand in all files or in none");
  const int first = static_cast<int>(log.parts.size());
  for (const std::string& part : other.parts) {
    if (log.find_part(part)) throw InputError(name, 0, "part '" + part + "' is in a file before as well");
    log.parts.push_back(part);
  }
  for (PoseRow& row : other.rows) {
    row.part += first;
    log.rows.push_back(std::move(row));
  }
  log.covariances.insert(log.covariances.end(), other.covariances.begin(), other.covariances.end());
  log.notes.insert(log.notes.end(), other.notes.begin(), other.notes.end());
  log.has_part_column = true;
  const bool both_rounded = log.quaternion_step > 0.0 && other.quaternion_step > 0.0;
  log.quaternion_step = both_rounded ? std::min(log.quaternion_step, other.quaternion_step) : 0.0;
}

}  // namespace

PoseLog read_poses(const std::string& path, const std::vector<std::string>& with) {
  PoseLog log = parse_poses(read_file(path), path);
  for (const std::string& file : with) append(log, parse_poses(read_file(file), file), file);
  return log;
}

}  // namespace prehend::model
