#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include <prehend/articulation/pose_input.h>
#include <prehend/model/files.h>
#include <prehend/model/input_error.h>
#include <prehend/model/track_file.h>

namespace prehend::articulation {

namespace {

model::PoseLog read_one(const std::string& path) {
  const std::string bytes = model::read_file(path);
  if (model::looks_like_track(bytes)) return model::parse_track(bytes, path);
  return model::read_pose_log(path);
}

}  // namespace

model::PoseLog read_poses(const std::string& path, const std::vector<std::string>& with) {
  model::PoseLog log = read_one(path);
  for (const std::string& file : with) {
    const model::PoseLog other = read_one(file);
    if (other.covariances.empty() != log.covariances.empty())
      throw model::InputError(file, 0, "covariances must stand in all files or in none");
    const int first = static_cast<int>(log.parts.size());
    for (const std::string& part : other.parts) {
      if (log.find_part(part))
        throw model::InputError(file, 0, "part '" + part + "' is in a file before as well");
      log.parts.push_back(part);
    }
    for (model::PoseRow row : other.rows) {
      row.part += first;
      log.rows.push_back(std::move(row));
    }
    log.covariances.insert(log.covariances.end(), other.covariances.begin(), other.covariances.end());
    log.notes.insert(log.notes.end(), other.notes.begin(), other.notes.end());
    log.has_part_column = true;
  }
  return log;
}

bool is_film(const std::string& path) {
  if (std::filesystem::is_directory(path)) return true;
  constexpr std::array<std::string_view, 8> kEndings{".avi",  ".mp4", ".mov", ".mkv",
                                                     ".webm", ".m4v", ".mpg", ".mpeg"};
  return std::ranges::find(kEndings, std::filesystem::path(path).extension().string()) != kEndings.end();
}

}  // namespace prehend::articulation
