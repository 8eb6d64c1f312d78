#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include <prehend/articulation/pose_input.h>
#include <prehend/articulation/tree/rigid_groups.h>
#include <prehend/articulation/tree/same_part.h>
#include <prehend/math/se3.h>
#include <prehend/model/input_error.h>
#include <prehend/model/track_file.h>

namespace prehend::articulation {

model::PoseLog read_poses(const std::string& path, const std::vector<std::string>& with) {
  return model::read_poses(path, with);
}

model::PoseLog markers_as_one(const model::PoseLog& log, const std::string& name,
                              const std::vector<std::vector<std::string>>& same_part) {
  const std::vector<std::vector<int>> lists = same_part_indices(log.parts, same_part);
  if (lists.empty()) return log;
  const PartTracks tracks = part_tracks(log, name);
  std::vector<RigidGroup> groups;
  model::PoseLog result = log;
  result.parts.clear();
  result.rows.clear();
  result.covariances.clear();
  for (int part = 0; part < static_cast<int>(log.parts.size()); ++part) {
    const auto holds = [&](const std::vector<int>& list) {
      return std::ranges::find(list, part) != list.end();
    };
    const auto list = std::ranges::find_if(lists, holds);
    if (list == lists.end())
      groups.push_back({{part}, {}});
    else if (list->front() == part)
      groups.push_back({*list, {}});
  }
  const PartTracks pooled = pooled_tracks(tracks, groups);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::vector<int>& markers = groups[g].parts;
    check_same_part(tracks, markers, name);
    result.parts.push_back(log.parts[markers.front()]);
    const math::Pose X_GP = groups[g].X_GP.front();
    const math::Matrix6d to_P = math::adjoint(X_GP.inverse());
    const PartTrack& track = pooled.parts[g];
    for (std::size_t t = 0; t < pooled.times.size(); ++t) {
      if (!track.X_WP[t]) continue;
      const math::Pose X = *track.X_WP[t] * X_GP;
      result.rows.push_back({pooled.times[t], static_cast<int>(g), X.p(), X.q(), 0});
      if (!track.covariances.empty())
        result.covariances.push_back(to_P * track.covariances[t] * to_P.transpose());
    }
    if (markers.size() < 2) continue;
    std::string others;
    for (std::size_t k = 1; k < markers.size(); ++k)
      others += (k == 1 ? "'" : ", '") + log.parts[markers[k]] + "'";
    result.notes.push_back("'" + result.parts.back() + "' is tracked by " + others + " as well");
  }
  return result;
}

bool is_film(const std::string& path) {
  if (std::filesystem::is_directory(path)) return true;
  constexpr std::array<std::string_view, 8> kEndings{".avi",  ".mp4", ".mov", ".mkv",
                                                     ".webm", ".m4v", ".mpg", ".mpeg"};
  return std::ranges::find(kEndings, std::filesystem::path(path).extension().string()) != kEndings.end();
}

}  // namespace prehend::articulation
