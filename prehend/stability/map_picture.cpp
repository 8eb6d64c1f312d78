#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include <Eigen/Geometry>

#include <prehend/math/house/option_check.h>
#include <prehend/stability/drawing/surface_cuts.h>
#include <prehend/stability/map_picture.h>

namespace prehend::stability {
namespace {

using Eigen::Vector3d;

// Vertices after a cut: those of before, then the new ones with their pushes.
void add_vertices(const model::Scene& scene, const CutSurface& surface, MapBody& body, MapPicture& picture) {
  const model::Body& model_body = scene.bodies[body.body];
  body.mesh_B.triangles = surface.triangles;
  for (std::size_t v = body.mesh_B.vertices.size(); v < surface.points.size(); ++v) {
    body.mesh_B.vertices.push_back(surface.points[v]);
    body.push.push_back(static_cast<int>(picture.pushes.size()));
    body.geom.push_back(surface.geom[v]);
    const Push push{body.body, model_body.X_WB * surface.points[v],
                    model_body.X_WB.q() * -surface.normals[v]};
    picture.pushes.push_back(push);
    picture.open.push_back(push);
  }
}

CutSurface surface_of(const model::Scene& scene, const MapBody& body, const MapPicture& picture) {
  CutSurface surface;
  surface.points = body.mesh_B.vertices;
  surface.triangles = body.mesh_B.triangles;
  surface.geom = body.geom;
  surface.round = round_geoms(scene.bodies[body.body]);
  const auto q_BW = scene.bodies[body.body].X_WB.q().conjugate();
  for (const int push : body.push)
    surface.normals.push_back(q_BW * -picture.pushes[static_cast<std::size_t>(push)].d_W);
  return surface;
}

bool changes(const PushAnswer& a, const PushAnswer& b, double change) {
  if (a.status != AnswerStatus::ok || b.status != AnswerStatus::ok) return false;
  if (a.unbounded != b.unbounded) return true;
  return !a.unbounded &&
         std::abs(a.robustness - b.robustness) > change * std::min(a.robustness, b.robustness);
}

}  // namespace

void MapPictureOptions::validate() const {
  const math::OptionCheck check("MapPictureOptions");
  check.at_least("vertices", vertices, 10);
  check.between("rounds", rounds, 0, 6);
  check.above("change", change, 0.0);
  check.at_least("most_vertices", most_vertices, vertices);
}

MapPicture begin_map_picture(const model::Scene& scene, const MapPictureOptions& options) {
  options.validate();
  MapPicture picture;
  picture.options = options;
  std::vector<CutSurface> surfaces;
  double area = 0.0;
  const std::vector<int> groups = scene.rigid_groups();
  for (model::BodyIndex b(0); b < scene.bodies.size(); ++b) {
    const model::Body& body = scene.bodies[b];
    if (groups[b] == 0 || body.geoms.empty()) continue;
    if (options.fixed_above > 0.0 && body.inertia.mass >= options.fixed_above) continue;
    picture.bodies.push_back({b, {}, {}, {}});
    surfaces.push_back(creased_surface(body));
    area += surfaces.back().area();
  }
  // Equilateral triangles of this side have one vertex per sqrt(3)/2 side^2.
  const double side = std::sqrt(area / options.vertices * 2.0 / std::numbers::sqrt3);
  for (std::size_t i = 0; i < surfaces.size(); ++i) {
    cut_long_edges(1.3 * side, options.most_vertices, surfaces[i]);
    add_vertices(scene, surfaces[i], picture.bodies[i], picture);
  }
  return picture;
}

void refine_map_picture(const model::Scene& scene, std::span<const PushAnswer> answers, MapPicture& picture) {
  if (answers.size() != picture.open.size()) {
    throw std::invalid_argument(std::to_string(answers.size()) + " answers for " +
                                std::to_string(picture.open.size()) + " open pushes");
  }
  picture.answers.insert(picture.answers.end(), answers.begin(), answers.end());
  picture.open.clear();
  if (picture.round++ >= picture.options.rounds) return;
  for (MapBody& body : picture.bodies) {
    CutSurface surface = surface_of(scene, body, picture);
    cut_edges(
        [&](int a, int b) {
          const auto answer = [&](int vertex) -> const PushAnswer& {
            return picture.answers[static_cast<std::size_t>(body.push[static_cast<std::size_t>(vertex)])];
          };
          return changes(answer(a), answer(b), picture.options.change);
        },
        surface);
    if (static_cast<int>(picture.pushes.size() + surface.points.size() - body.mesh_B.vertices.size()) >
        picture.options.most_vertices) {
      continue;
    }
    add_vertices(scene, surface, body, picture);
  }
}

MapPicture draw_map_picture(const model::Scene& scene, const RobustnessOptions& options,
                            const MapPictureOptions& picture_options) {
  RobustnessOptions asking = options;
  asking.keep_proofs = false;
  asking.check_prestress = false;
  asking.check_points = false;
  MapPictureOptions drawing = picture_options;
  drawing.fixed_above = options.system.fixed_above;
  if (options.method != Method::exact || options.load_caused) drawing.rounds = 0;
  MapPicture picture = begin_map_picture(scene, drawing);
  while (!picture.open.empty()) {
    const RobustnessResult result = robustness(scene, picture.open, asking);
    if (result.answers.size() != picture.open.size()) {
      throw std::invalid_argument("a scene that gives no answers has no picture: " + result.problems.front());
    }
    refine_map_picture(scene, result.answers, picture);
  }
  return picture;
}

MapPicture draw_map_picture(const model::Scene& scene, const RobustnessMapOptions& options) {
  MapPictureOptions drawing;
  drawing.vertices = std::max(options.points, 100);
  drawing.most_vertices = std::max(10 * drawing.vertices, drawing.most_vertices);
  return draw_map_picture(scene, options.questions(), drawing);
}

}  // namespace prehend::stability
