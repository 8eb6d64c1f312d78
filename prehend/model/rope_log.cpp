#include <cmath>
#include <stdexcept>

#include <prehend/model/files.h>
#include <prehend/model/house/csv.h>
#include <prehend/model/input_error.h>
#include <prehend/model/logs/log_columns.h>
#include <prehend/model/rope_log.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {
namespace {

void check_length(const RopeFrame& frame, const std::string& name, int line) {
  if (frame.points_W.size() >= 2) return;
  throw InputError(name, line,
                   "frame " + std::to_string(frame.frame) + " has one point; a rope needs at least two");
}

std::vector<double> frames_by_time(std::size_t rows, const std::vector<double>* times) {
  std::vector<double> number(rows, 0.0);
  for (std::size_t i = 1; times != nullptr && i < rows; ++i)
    number[i] = number[i - 1] + ((*times)[i] != (*times)[i - 1] ? 1.0 : 0.0);
  return number;
}

}  // namespace

RopeLog parse_rope_log(std::string_view bytes, const std::string& name) {
  const CsvColumn wanted[] = {{"frame", CsvColumn::Content::number, false},
                              {"x"},
                              {"y"},
                              {"z"},
                              {"t", CsvColumn::Content::number, false}};
  const CsvTable table = parse_csv(bytes, name, wanted, "a rope");
  RopeLog log;
  log.rows = table.rows();
  log.columns = table.columns();
  log.notes = ignored_notes(table);
  // Without a column of its own, points of one time are one frame; without times all are.
  const std::vector<double>* times = table.has("t") ? &table.numbers("t") : nullptr;
  const std::vector<double> number =
      table.has("frame") ? table.numbers("frame") : frames_by_time(table.rows(), times);
  const std::vector<Eigen::Vector3d> points = vectors_of(table, {"x", "y", "z"});
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (number[i] != std::floor(number[i]) || std::abs(number[i]) > 2e9) {
      throw InputError(name, table.line(i),
                       "column 'frame' must be an integer, found " + exact_number(number[i]));
    }
    const int frame = static_cast<int>(number[i]);
    if (log.frames.empty() || frame != log.frames.back().frame) {
      if (!log.frames.empty()) {
        check_length(log.frames.back(), name, table.line(i - 1));
        if (frame < log.frames.back().frame) {
          throw InputError(name, table.line(i),
                           "frame " + std::to_string(frame) + " comes after frame " +
                               std::to_string(log.frames.back().frame) +
                               "; frames must increase and their points stand together");
        }
      }
      if (times != nullptr && !log.frames.empty() && !((*times)[i] > *log.frames.back().t)) {
        throw InputError(name, table.line(i),
                         "frame " + std::to_string(frame) + " is at t = " + exact_number((*times)[i]) +
                             ", the frame before it at " + exact_number(*log.frames.back().t) +
                             "; time must increase");
      }
      log.frames.push_back({frame, {}});
      if (times != nullptr) log.frames.back().t = (*times)[i];
    } else if (times != nullptr && (*times)[i] != *log.frames.back().t) {
      throw InputError(name, table.line(i),
                       "frame " + std::to_string(frame) + " has the times " +
                           exact_number(*log.frames.back().t) + " and " + exact_number((*times)[i]) +
                           "; all points of a frame have one time");
    }
    log.frames.back().points_W.push_back(points[i]);
  }
  check_length(log.frames.back(), name, table.line(points.size() - 1));
  return log;
}

RopeLog read_rope_log(const std::string& path) { return parse_rope_log(read_file(path), path); }

void set_frame_rate(RopeLog& log, double rate) {
  if (!(rate > 0.0 && std::isfinite(rate)))
    throw std::invalid_argument("the rate is " + exact_number(rate) + " Hz, must be above 0 and finite");
  for (RopeFrame& frame : log.frames) {
    if (frame.t)
      throw std::invalid_argument("the recording has its own times (column t); a rate cannot be given");
    frame.t = frame.frame / rate;
  }
}

void write_rope_log(const std::string& path, const RopeLog& log) {
  const bool timed = !log.frames.empty() && log.frames.front().t.has_value();
  std::string out = timed ? "frame,t,x,y,z\n" : "frame,x,y,z\n";
  if (log.frames.empty()) throw std::invalid_argument(path + ": cannot write the rope: it has no frames");
  for (std::size_t f = 0; f < log.frames.size(); ++f) {
    const RopeFrame& frame = log.frames[f];
    if (frame.points_W.size() < 2 || (f > 0 && frame.frame <= log.frames[f - 1].frame)) {
      throw std::invalid_argument(
          path + ": cannot write the rope: frames must increase and have at least two points");
    }
    if (frame.t.has_value() != timed || (timed && !std::isfinite(*frame.t)) ||
        (timed && f > 0 && !(*frame.t > *log.frames[f - 1].t))) {
      throw std::invalid_argument(
          path + ": cannot write the rope: all frames have a time that increases, or none has");
    }
    for (const Eigen::Vector3d& p : frame.points_W) {
      if (!p.allFinite())
        throw std::invalid_argument(path + ": cannot write the rope: a point is not finite");
      out += std::to_string(frame.frame);
      if (timed) {
        out += ',';
        append_number(out, *frame.t);
      }
      for (double x : p) {
        out += ',';
        append_number(out, x);
      }
      out += '\n';
    }
  }
  write_file(path, out);
}

}  // namespace prehend::model
