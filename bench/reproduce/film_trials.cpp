#ifdef PREHEND_WITH_OPENCV
#include "film_trials.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <prehend/articulation/markers/virtual_camera.h>
#include <prehend/articulation/simulated/simulated_object.h>
#include <prehend/model/text_scan.h>

namespace prehend::reproduce {

using namespace articulation;

TrackedFilm track_film(const FilmSpec& spec) {
  TrackedFilm film;
  MotionOptions motion;
  motion.seed = spec.seed;
  motion.motion = MotionKind::smooth;
  motion.frames = static_cast<int>(std::lround(spec.seconds / motion.frame_time));
  motion.place_spread = motion.root_step = motion.root_turn = 0;
  motion.turn_root = false;
  motion.full_travel = spec.seconds >= 3.0;  // in less the whole travel would be a blur
  film.motion = simulate_motion(named_object(spec.object), motion);
  film.marked = mark_object(film.motion.object);
  model::CameraModel lens;
  lens.width = 960, lens.height = 720, lens.cx = 479.5, lens.cy = 359.5, lens.fx = lens.fy = 900;
  lens.distortion << 0.08, -0.12, 5e-4, -3e-4, 0.0;
  // Far enough to see all of it, always.
  Eigen::Vector3d low = film.motion.X_WP[0][0].p(), high = low;
  for (const auto& X_WP : film.motion.X_WP)
    for (const math::Pose& X : X_WP) low = low.cwiseMin(X.p()), high = high.cwiseMax(X.p());
  double part = 0;
  for (const SimulatedPart& one : film.motion.object.parts) part = std::max(part, one.size.norm());
  const Eigen::Vector3d middle = 0.5 * (low + high);
  const double distance = 2.7 * (0.5 * (high - low).norm() + 0.5 * part);
  const Eigen::Vector3d towards(std::sin(spec.azimuth) * std::cos(spec.height),
                                -std::cos(spec.azimuth) * std::cos(spec.height), std::sin(spec.height));
  film.X_CW = look_at(middle + distance * towards, middle);
  VirtualCameraOptions shutter;
  shutter.seed = spec.seed;
  const VirtualCamera camera(lens, shutter);
  MarkerTrackOptions tracking;
  tracking.marker_size = film.marked.options.size;
  MarkerTracker tracker(lens, tracking);
  film_motion(film.motion, film.marked, camera, film.X_CW, shutter.exposure,
              [&](int i, const GreyImage& image) {
                tracker.add(image, film.motion.times[static_cast<std::size_t>(i)]);
              });
  film.tracks = tracker.finish();
  return film;
}

FilmVerdict judge_film(const Discovery& found, const TrackedFilm& film) {
  using Edges = std::map<std::pair<int, int>, model::JointType>;
  Edges truth, edges;
  for (const SimulatedJoint& joint : film.motion.object.joints)
    truth[std::minmax(static_cast<int>(joint.joint.parent), static_cast<int>(joint.joint.child))] =
        joint.joint.type;
  FilmVerdict verdict;
  verdict.loops = !found.loops.empty();
  // Parts are named marker_0, marker_1, ..., one marker to a part.
  const auto part = [&](int group) {
    const int id = static_cast<int>(model::parse_integer(found.name(group).substr(7)).value());
    return film.marked.markers[static_cast<std::size_t>(id)].part;
  };
  for (const DiscoveredJoint& joint : found.joints)
    edges[std::minmax(part(joint.parent), part(joint.child))] = joint.joint.type;
  const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
  verdict.tree = std::equal(truth.begin(), truth.end(), edges.begin(), edges.end(), same);
  verdict.types = truth == edges;
  return verdict;
}

}  // namespace prehend::reproduce
#endif
