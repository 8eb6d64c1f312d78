#include <algorithm>
#include <cmath>

#include <prehend/articulation/markers/marker_tracks.h>
#include <prehend/math/number_text.h>
#include <prehend/model/json_writer.h>
#include <prehend/model/text_table.h>

namespace prehend::articulation {

std::string MarkerTracks::to_json() const {
  model::JsonWriter json;
  json.object().field("frames", frames).field("frames_with_markers", frames_with_markers);
  json.field("poses", poses.size()).key("markers").array();
  for (std::size_t part = 0; part < log.parts.size(); ++part) {
    int seen = 0;
    for (const model::PoseRow& row : log.rows) seen += row.part == static_cast<int>(part);
    json.object().field("name", log.parts[part]).field("seen", seen).end();
  }
  json.end().field("median_reprojection_px", median_reprojection).field("focal_scale", focal_scale);
  json.field("doubtful_flips", doubtful_flips).field("problems", problems).field("notes", notes);
  return json.end().text();
}

std::string MarkerTracks::quality_csv() const {
  std::string text = "t,part,std_rx,std_ry,std_rz,std_x,std_y,std_z,reprojection_px,flip_margin\n";
  for (const MarkerPose& pose : poses) {
    text += math::number_text(pose.t, 17) + ",marker_" + std::to_string(pose.id);
    for (int k = 0; k < 6; ++k) text += "," + math::number_text(std::sqrt(pose.covariance(k, k)));
    text += "," + math::number_text(pose.reprojection) + "," +
            math::number_text(std::min(pose.flip_margin, 999.0)) + "\n";
  }
  return text;
}

std::string MarkerTracks::brief_report() const {
  std::string text = std::to_string(log.parts.size()) + " markers, " + std::to_string(poses.size()) +
                     " poses in " + std::to_string(frames) + " pictures (" +
                     std::to_string(frames_with_markers) + " with a marker); corners fit to " +
                     math::number_text(median_reprojection, 3) + " px\n";
  text += model::problem_lines(problems, "problem: ");
  for (const std::string& note : notes) text += "note: " + note + "\n";
  return text;
}

}  // namespace prehend::articulation
