#include <algorithm>
#include <cmath>

#include <prehend/geometry/hull.h>
#include <prehend/geometry/primitives.h>
#include <prehend/inertia/methods/mass_distribution.h>
#include <prehend/inertia/methods/symmetric.h>
#include <prehend/inertia/pages.h>
#include <prehend/inertia/point_set.h>
#include <prehend/math/number_text.h>

namespace prehend::inertia {
namespace {

using Eigen::Vector3d;

// The 95 % quantile of chi squared with three degrees of freedom.
constexpr double kRegion = 7.814727903251179;
constexpr std::size_t kMostFrames = 1500;

Vector3d in_object(const std::optional<math::Pose>& X_SO, const Vector3d& p_S) {
  return X_SO ? X_SO->inverse() * p_S : p_S;
}

void add_masses(const IdentifiedBody& body, const std::optional<math::Pose>& X_SO, report::BodyIndex owner,
                report::Scene3d& scene) {
  const Estimate& estimate = body.estimate;
  if (estimate.masses.empty() || estimate.masses.size() != estimate.points_S.size()) return;
  report::PointLayer layer;
  layer.name = std::string(estimate.method == Method::hps ? "parts" : "point masses") + " (" +
               to_string(estimate.method) + ")";
  layer.body = owner;
  report::ScalarMap map;
  map.name = "mass";
  map.unit = "g";
  map.lower = 0.0;
  for (std::size_t i = 0; i < estimate.masses.size(); ++i) {
    layer.points.push_back(in_object(X_SO, estimate.points_S[i]));
    map.values.push_back(1000.0 * estimate.masses[i]);
    layer.hover.push_back(math::number_text(1000.0 * estimate.masses[i], 3) + " g");
  }
  layer.map = std::move(map);
  scene.points.push_back(std::move(layer));
}

// Where the mass could be, for estimates that do not say it themselves.
void add_density(const Shape& shape, const math::SpatialInertia& body_O, report::BodyIndex owner,
                 report::Scene3d& scene) {
  PointSetOptions options;
  options.min_points = options.max_points = options.keep_up_to = 200;
  const Shape few = resample_points(shape, options);
  const std::vector<double> masses = evenest_masses(few, body_O);
  report::PointLayer layer;
  layer.name = "density (evenest with these moments, 0 to 22.6 g/cm³)";
  layer.body = owner;
  layer.points = few.points;
  report::ScalarMap map;
  map.name = "density";
  map.unit = "g/cm³";
  map.lower = 0.0;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    map.values.push_back(1e-3 * masses[i] / few.volumes[i]);
    layer.hover.push_back(math::number_text(1000.0 * masses[i], 3) + " g");
  }
  layer.map = std::move(map);
  scene.points.push_back(std::move(layer));
  scene.initial_map = "density";
}

void add_shape_points(const Shape& shape, report::BodyIndex owner, report::Scene3d& scene) {
  constexpr std::size_t kMostPoints = 2000;
  const std::size_t step = shape.points.size() / kMostPoints + 1;
  std::vector<report::PointLayer> layers(std::max<std::size_t>(shape.parts.size(), 1));
  for (std::size_t k = 0; k < layers.size(); ++k) {
    layers[k].name = shape.parts.empty() ? "shape" : "part " + shape.parts[k].name;
    layers[k].body = owner;
    layers[k].colour = report::palette_colour(k);
    layers[k].visible = false;
  }
  for (std::size_t i = 0; i < shape.points.size(); i += step)
    layers[shape.labels.empty() ? 0 : static_cast<std::size_t>(shape.labels[i])].points.push_back(
        shape.points[i]);
  for (report::PointLayer& layer : layers) scene.points.push_back(std::move(layer));
}

void add_motion(const model::WrenchLog& log, const Identification& result,
                const std::optional<math::Pose>& X_SO, const std::vector<report::BodyIndex>& moving,
                report::Scene3d& scene) {
  const std::vector<Sample>& samples = result.samples.samples;
  if (log.rows() < 2 || samples.size() != log.rows()) return;
  report::Motion motion;
  motion.name = "as recorded";
  motion.playback = report::Motion::Playback::once;
  std::vector<report::BodyTrack> tracks;
  for (const report::BodyIndex body : moving) tracks.push_back({body, {}});
  report::ArrowTrack forces{0, {}};
  const std::size_t step = log.rows() / kMostFrames + 1;
  for (std::size_t k = 0; k < log.rows(); k += step) {
    const math::Pose& X_WS = log.X_WS[k];
    motion.times.push_back(log.t[k] - log.t.front());
    for (report::BodyTrack& track : tracks) track.X_WB.push_back(X_SO ? X_WS * *X_SO : X_WS);
    forces.arrows.push_back({{X_WS.p(), X_WS.R() * samples[k].wrench.tail<3>(), "force of the sensor"}});
  }
  motion.tracks = std::move(tracks);
  report::ArrowLayer layer;
  layer.name = "force of the sensor on the object";
  scene.arrows.push_back(std::move(layer));
  motion.arrow_tracks.push_back(std::move(forces));
  scene.add_motion(std::move(motion));
}

}  // namespace

geometry::TriangleMesh com_ellipsoid(const Estimate& estimate) {
  Eigen::Matrix<double, 3, 4> slope;  // of c = (m c) / m
  slope << -estimate.inertia_S.com, Eigen::Matrix3d::Identity();
  const Eigen::Matrix3d covariance = slope * estimate.covariance.topLeftCorner<4, 4>() * slope.transpose() /
                                     (estimate.inertia_S.mass * estimate.inertia_S.mass);
  const SymmetricSpectrum<3> axes = spectrum_of<3>(covariance);
  const Vector3d radii = (kRegion * axes.values.cwiseMax(0.0)).cwiseSqrt();
  // What is known to the micrometre is drawn as a ball of that size: a mesh needs some extent.
  geometry::TriangleMesh mesh = geometry::make_ellipsoid(radii.cwiseMax(1e-6), 3);
  for (Vector3d& vertex : mesh.vertices) vertex = estimate.inertia_S.com + axes.vectors * vertex;
  return mesh;
}

report::Scene3d identification_scene(const model::WrenchLog& log, const Identification& result,
                                     const IdentificationView& view) {
  report::Scene3d scene;
  const std::optional<math::Pose>& X_SO = result.samples.X_SO;
  scene.caption = X_SO ? "The object in its own frame; play the recording to see it carried."
                       : "The sensor's frame: the log has no pose of the object.";
  std::vector<report::BodyIndex> moving;
  const math::Pose X_OS = X_SO ? X_SO->inverse() : math::Pose();
  report::SceneBody object;
  object.name = "object";
  object.opacity = 0.35;
  object.colour = report::colour_from_hex(report::kGrey);
  if (view.mesh_O != nullptr) {
    object.mesh_B = *view.mesh_O;
  } else if (view.shape != nullptr) {
    object.mesh_B = geometry::convex_hull(view.shape->points).mesh;
    object.hover = "hull of its points";
  }
  const IdentifiedBody* best = result.headline();
  if (object.mesh_B.triangles.empty()) {
    // A mark as large as the arm on which the mass hangs, so that the view has a size.
    const double reach = best ? std::max(best->estimate.inertia_S.com.norm(), 0.01) : 0.05;
    object.mesh_B = geometry::make_icosphere(0.1 * reach, 2);
    object.name = "sensor";
  }
  moving.push_back(scene.add_body(std::move(object)));
  if (view.shape != nullptr) {
    add_shape_points(*view.shape, moving.front(), scene);
    if (best != nullptr && best->inertia_O) add_density(*view.shape, *best->inertia_O, moving.front(), scene);
  }
  for (std::size_t i = 0; i < result.results.size(); ++i) {
    const IdentifiedBody& body = result.results[i];
    if (body.estimate.status == Status::failed) continue;
    add_masses(body, X_SO, moving.front(), scene);
    report::SceneBody region;
    region.name = std::string("centre of mass, 95 % (") + to_string(body.estimate.method) + ")";
    region.mesh_B = com_ellipsoid(body.estimate);
    for (Vector3d& vertex : region.mesh_B.vertices) vertex = in_object(X_SO, vertex);
    region.colour = report::palette_colour(i);
    region.opacity = 0.7;
    const Vector3d spread = body.estimate.std_com();
    region.properties = {report::number_fact("standard deviation x", 1000.0 * spread.x(), "mm"),
                         report::number_fact("standard deviation y", 1000.0 * spread.y(), "mm"),
                         report::number_fact("standard deviation z", 1000.0 * spread.z(), "mm")};
    moving.push_back(scene.add_body(std::move(region)));
    scene.points.push_back({std::string("centre of mass (") + to_string(body.estimate.method) + ")",
                            {in_object(X_SO, body.estimate.inertia_S.com)},
                            moving.front(),
                            report::palette_colour(i),
                            0.0,
                            {},
                            std::nullopt,
                            true});
  }
  scene.frames.push_back({"sensor", X_OS, moving.front(), 0.0});
  add_motion(log, result, X_SO, moving, scene);
  return scene;
}

}  // namespace prehend::inertia
