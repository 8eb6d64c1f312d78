#include <algorithm>

#include <prehend/articulation/markers/detection/frame_files.h>
#include <prehend/articulation/markers/simulated_film.h>
#include <prehend/articulation/markers/virtual_camera.h>
#include <prehend/model/files.h>
#include <prehend/model/json_writer.h>

namespace prehend::articulation {
namespace {

// Far enough to see all of it, always.
math::Pose view_of(const SimulatedMotion& motion) {
  Eigen::Vector3d low = motion.X_WP[0][0].p(), high = low;
  for (const auto& X_WP : motion.X_WP)
    for (const math::Pose& X : X_WP) low = low.cwiseMin(X.p()), high = high.cwiseMax(X.p());
  double part = 0;
  for (const SimulatedPart& one : motion.object.parts) part = std::max(part, one.size.norm());
  const Eigen::Vector3d middle = 0.5 * (low + high);
  const double radius = 0.5 * (high - low).norm() + 0.5 * part;
  return look_at(middle + Eigen::Vector3d(0.15, -1.0, 0.2).normalized() * radius * 2.7, middle);
}

}  // namespace

std::string SimulatedFilm::markers_json() const {
  model::JsonWriter json;
  json.object()
      .field("dictionary", marked.options.dictionary)
      .field("size_m", marked.options.size)
      .field("X_CW", X_CW)
      .key("markers")
      .array();
  for (const PlacedMarker& marker : marked.markers)
    json.object()
        .field("name", "marker_" + std::to_string(marker.id))
        .field("part", marked.object.parts[static_cast<std::size_t>(marker.part)].name)
        .field("X_PM", marker.X_PM)
        .end();
  return json.end().end().text();
}

SimulatedFilm write_film(const SimulatedMotion& motion, FilmFormat format, const std::string& folder) {
  SimulatedFilm film;
  MarkingOptions marking;
  if (motion.object.name == "random") {
    marking.faces.clear();  // a random object shows any side
    for (int axis = 0; axis < 3; ++axis)
      for (const int sign : {-1, 1}) marking.faces.push_back(sign * Eigen::Vector3d::Unit(axis));
    marking.dictionary = "5x5_250";
  }
  film.marked = mark_object(motion.object, marking);
  film.lens.width = 960, film.lens.height = 720, film.lens.cx = 479.5, film.lens.cy = 359.5;
  film.lens.fx = film.lens.fy = 900;
  film.lens.distortion << 0.08, -0.12, 5e-4, -3e-4, 0.0;
  film.X_CW = view_of(motion);
  VirtualCameraOptions options;
  options.seed = motion.options.seed;
  const VirtualCamera camera(film.lens, options);
  film.name = format == FilmFormat::avi ? "film.avi" : "frames";
  FilmWriter writer(folder + "/" + film.name, motion.options.frame_time);
  film_motion(motion, film.marked, camera, film.X_CW, options.exposure,
              [&](int, const GreyImage& image) { writer.add(image); });
  writer.finish();
  model::write_calibration(folder + "/calibration.yaml", film.lens);
  model::write_file(folder + "/markers.json", film.markers_json() + "\n");
  return film;
}

MotionOptions before_a_camera(MotionOptions options) {
  constexpr double kLongEnough = 3.0;  // [s]
  options.motion = MotionKind::smooth;
  options.place_spread = options.root_step = options.root_turn = 0;
  options.turn_root = false;
  options.full_travel = options.frames * options.frame_time >= kLongEnough;
  return options;
}

}  // namespace prehend::articulation
