// Ropes over time: CSV `frame,x,y,z`, the points of each frame in order from the selected end, in metres.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

namespace prehend::model {

struct RopeFrame {
  int frame{0};                           // number in the file
  std::vector<Eigen::Vector3d> points_W;  // [m] from the selected end to the other; at least two
};

struct RopeLog {
  std::vector<RopeFrame> frames;  // numbers increase
  std::size_t rows{0};
  std::vector<std::string> columns;  // as in the file
  std::vector<std::string> notes;    // ignored columns
};

// Rows of a frame stand together and frame numbers (integers) increase; a frame has at least two points.
// Anything else is an InputError with its line.
RopeLog read_rope_log(const std::string& path);
RopeLog parse_rope_log(std::string_view bytes, const std::string& name);

void write_rope_log(const std::string& path, const RopeLog& log);

}  // namespace prehend::model
