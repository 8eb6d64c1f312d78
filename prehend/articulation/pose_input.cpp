#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include <prehend/articulation/pose_input.h>
#include <prehend/model/files.h>
#include <prehend/model/track_file.h>

namespace prehend::articulation {

model::PoseLog read_poses(const std::string& path) {
  const std::string bytes = model::read_file(path);
  if (model::looks_like_track(bytes)) return model::parse_track(bytes, path);
  return model::read_pose_log(path);
}

bool is_film(const std::string& path) {
  if (std::filesystem::is_directory(path)) return true;
  constexpr std::array<std::string_view, 8> kEndings{".avi",  ".mp4", ".mov", ".mkv",
                                                     ".webm", ".m4v", ".mpg", ".mpeg"};
  return std::ranges::find(kEndings, std::filesystem::path(path).extension().string()) != kEndings.end();
}

}  // namespace prehend::articulation
