#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <prehend/report/html/page_json.h>

namespace prehend::report {
namespace {

// Frames per buffer: a long recording is unpacked, or streamed, block by block.
constexpr std::size_t kBlockFrames = 1024;

const char* playback_name(Motion::Playback playback) {
  switch (playback) {
    case Motion::Playback::once:
      return "once";
    case Motion::Playback::loop:
      return "loop";
    case Motion::Playback::back_and_forth:
      return "back-and-forth";
  }
  throw std::logic_error("unknown playback");
}

std::vector<double> pose_table(const Motion& motion, const Scene3d& scene, const Eigen::Vector3d& origin,
                               const std::string& where) {
  const std::size_t frames = motion.times.size(), columns = 7 * motion.tracks.size();
  std::vector<double> table(frames * columns);
  for (std::size_t k = 0; k < motion.tracks.size(); ++k) {
    const BodyTrack& track = motion.tracks[k];
    if (!track.body.is_valid() || track.body >= scene.bodies.size())
      refuse(where, "body index " + std::to_string(track.body.value()) + " is out of range; the scene has " +
                        std::to_string(scene.bodies.size()) + " bodies");
    const std::string who = where + ", body '" + scene.bodies[track.body].name + "'";
    if (track.X_WB.size() != frames)
      refuse(who, std::to_string(track.X_WB.size()) + " poses for " + std::to_string(frames) + " times");
    Eigen::Vector4d previous(1.0, 0.0, 0.0, 0.0);
    for (std::size_t f = 0; f < frames; ++f) {
      const math::Pose& X = track.X_WB[f];
      Eigen::Vector4d q(X.q().w(), X.q().x(), X.q().y(), X.q().z());
      if (!X.p().allFinite() || !q.allFinite())
        refuse(who, "the pose at time " + std::to_string(motion.times[f]) +
                        " s is not finite; a page can only show finite geometry");
      // q and -q are the same rotation; the nearer one keeps the differences small and the way between them
      // short.
      if (q.dot(previous) < 0.0) q = -q;
      previous = q;
      double* row = &table[f * columns + 7 * k];
      for (int axis = 0; axis < 3; ++axis) row[axis] = X.p()[axis] - origin[axis];
      for (int i = 0; i < 4; ++i) row[3 + i] = q[i];
    }
  }
  return table;
}

void write_poses(model::JsonWriter& json, BufferStore& store, const std::vector<double>& table,
                 std::size_t columns, double size) {
  double reach = 0.0;
  for (std::size_t i = 0; i < table.size(); ++i)
    if (i % 7 < 3) reach = std::max(reach, std::abs(table[i]));
  // A millionth of the scene's size, unless a body flies very far; rotations to 2^-16 (1e-5 rad).
  const double step = std::max(size * std::ldexp(1.0, -20), reach * std::ldexp(1.0, -30));
  const double turn = std::ldexp(1.0, -16);
  const Quantisation quantisation{std::vector<double>(7, 0.0), {step, step, step, turn, turn, turn, turn}};
  json.field("positionStep", step).field("rotationStep", turn).key("poseBlocks").array();
  for (std::size_t first = 0; columns > 0 && first < table.size(); first += kBlockFrames * columns) {
    const std::size_t count = std::min(kBlockFrames * columns, table.size() - first);
    json.value(
        store.add_quantised(std::span(table).subspan(first, count), static_cast<int>(columns), quantisation));
  }
  json.end();
}

void write_arrow_track(model::JsonWriter& json, BufferStore& store, const ArrowTrack& track,
                       const Motion& motion, const Scene3d& scene, const Eigen::Vector3d& world_origin,
                       const std::string& where) {
  if (track.layer >= scene.arrows.size())
    refuse(where, "arrow layer " + std::to_string(track.layer) + " is out of range");
  const ArrowLayer& layer = scene.arrows[track.layer];
  const std::string who = where + ", arrows '" + layer.name + "'";
  const bool is_constant = track.arrows.size() == 1;
  if (track.arrows.size() != motion.times.size() && !is_constant)
    refuse(who, std::to_string(track.arrows.size()) + " lists of arrows for " +
                    std::to_string(motion.times.size()) + " times");
  const Eigen::Vector3d origin = layer.body ? Eigen::Vector3d::Zero() : world_origin;
  double longest = 0.0;
  json.object().field("layer", track.layer).key("blocks").array();
  for (std::size_t first = 0; first < track.arrows.size(); first += kBlockFrames) {
    const std::size_t end = std::min(first + kBlockFrames, track.arrows.size());
    std::vector<std::int32_t> counts;
    std::vector<double> numbers;
    for (std::size_t f = first; f < end; ++f) {
      counts.push_back(static_cast<std::int32_t>(track.arrows[f].size()));
      for (const Arrow& arrow : track.arrows[f]) {
        if (!arrow.point.allFinite() || !arrow.vector.allFinite())
          refuse(who, "an arrow at time " + std::to_string(motion.times[f]) + " s is not finite");
        longest = std::max(longest, arrow.vector.norm());
        for (int axis = 0; axis < 3; ++axis) numbers.push_back(arrow.point[axis] - origin[axis]);
        for (int axis = 0; axis < 3; ++axis) numbers.push_back(arrow.vector[axis]);
      }
    }
    json.array().value(store.add_integers(counts, 1)).value(store.add_float32(numbers, 6)).end();
  }
  json.end().field("longest", longest);
  if (is_constant) json.field("constant", true);
  json.end();
}

void write_spans(model::JsonWriter& json, const Motion& motion, const Scene3d& scene,
                 const std::string& where) {
  json.key("spans").array();
  for (const BodySpan& span : motion.spans) {
    if (!span.body.is_valid() || span.body >= scene.bodies.size() || span.first > span.last ||
        span.last >= motion.times.size())
      refuse(where, "a span of frames " + std::to_string(span.first) + " to " + std::to_string(span.last) +
                        " names no body, or no frames of the motion");
    json.array().value(span.body.value()).value(span.first).value(span.last).end();
  }
  json.end();
}

}  // namespace

void write_motion(model::JsonWriter& json, BufferStore& store, const Motion& motion, const Scene3d& scene,
                  const Eigen::Vector3d& origin, double size, const std::string& where) {
  if (motion.times.empty()) refuse(where, "has no times");
  for (std::size_t f = 0; f < motion.times.size(); ++f) {
    if (!std::isfinite(motion.times[f])) refuse(where, "time " + std::to_string(f) + " is not finite");
    if (f > 0 && motion.times[f] < motion.times[f - 1])
      refuse(where, "times must rise; time " + std::to_string(f) + " (" + std::to_string(motion.times[f]) +
                        " s) lies before the one above it");
  }
  json.object().field("name", motion.name).field_unless_empty("note", motion.note);
  json.field("playback", playback_name(motion.playback)).field("frames", motion.times.size());
  const Quantisation clock = quantisation_over(motion.times);
  json.key("times").object().field("buffer", store.add_quantised(motion.times, 1, clock));
  json.field("offset", clock.offset[0]).field("step", clock.step[0]).end();
  json.field("blockFrames", kBlockFrames).key("bodies").array();
  for (const BodyTrack& track : motion.tracks) json.value(track.body.value());
  json.end();
  write_poses(json, store, pose_table(motion, scene, origin, where), 7 * motion.tracks.size(), size);
  json.key("arrows").array();
  for (const ArrowTrack& track : motion.arrow_tracks)
    write_arrow_track(json, store, track, motion, scene, origin, where);
  json.end();
  if (!motion.spans.empty()) write_spans(json, motion, scene, where);
  json.end();
}

}  // namespace prehend::report
