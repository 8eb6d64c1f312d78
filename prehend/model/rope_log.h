// Ropes over time: CSV `frame,x,y,z`, the points of each frame in order from the selected end, in metres; with a column `t`,
// also when each frame was taken, in seconds. Without a column `frame`, points of one time are one
// frame, numbered from 0; without times, too, all are.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

namespace prehend::model {

struct RopeFrame {
  int frame{0};                           // number in the file
  std::vector<Eigen::Vector3d> points_W;  // [m] from the selected end to the other; at least two
  std::optional<double> t{};              // [s] all frames have one, or none
};

struct RopeLog {
  std::vector<RopeFrame> frames;  // numbers increase
  std::size_t rows{0};
  std::vector<std::string> columns;  // as in the file
  std::vector<std::string> notes;    // ignored columns
};

// Rows of a frame stand together and frame numbers (integers) increase; a frame has at least two points, and one time, which
// increases from frame to frame.
// Anything else is an InputError with its line.
RopeLog read_rope_log(const std::string& path);
RopeLog parse_rope_log(std::string_view bytes, const std::string& name);

// Gives every frame the time number / rate. Throws std::invalid_argument: a rate that is not above 0 and finite [Hz], frames
// that have times.
void set_frame_rate(RopeLog& log, double rate);

void write_rope_log(const std::string& path, const RopeLog& log);

}  // namespace prehend::model
