// Tracks in formats of other programs, read as pose logs.
//
// A track: one observation per line, `x y z` or `x y z qx qy qz qw` (note the order), metres, white space
// between. There is no time: the row's number, from 0, stands for seconds. With eight numbers, `t x y z qx qy
// qz qw`, the first is the time [s] (TUM trajectories). Lines that begin with # are comments. A pose list: `No of Models: N`, N
// model files, `No of Scenes: M`, then M scenes with one line per model: a state flag, x y z in millimetres,
// a rotation axis and its angle [rad]. The scene's number, from 0, stands for seconds; positions are
// converted to metres; a part is named after its model file, without folder and extension.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <prehend/model/pose_log.h>

namespace prehend::model {

// The part is named after the file, without folder and extension.
PoseLog read_track(const std::string& path);
PoseLog parse_track(std::string_view bytes, const std::string& name);
// True when the first line with content is 3, 7 or 8 numbers.
bool looks_like_track(std::string_view bytes);

struct PoseList {
  PoseLog log;
  std::vector<std::string> models;  // as written
  std::vector<int> states;          // the flag of each row of the log
};
PoseList read_pose_list(const std::string& path);
PoseList parse_pose_list(std::string_view bytes, const std::string& name);
bool looks_like_pose_list(std::string_view bytes);

// A pose log (CSV), a track, a TUM trajectory or a pose list, by what its first line says. Parts of further files come in addition;
// throws InputError on a part that two files have.
PoseLog read_poses(const std::string& path, const std::vector<std::string>& with = {});

}  // namespace prehend::model
