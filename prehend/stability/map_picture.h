// A surface fine enough to be coloured: meshes whose vertices carry pushes, refined where the answer changes.
//
// Every movable body's surface is cut until no edge is longer than a share of what moves; vertices are apart where the
// surface has a crease, so that each carries one inward normal. After the pushes have been answered, edges along which
// the answer changes much are cut again, and only the new vertices are asked:
//
//   MapPicture picture = begin_map_picture(scene);
//   while (!picture.open.empty()) refine_map_picture(scene, ask(picture.open), picture);
//
// Cuts are shared by the triangles on both sides, so the meshes stay closed. Unlike surface_pushes() the whole surface
// is covered, also where bodies touch: a picture with holes tells less.
#pragma once

#include <span>
#include <vector>

#include <prehend/geometry/mesh.h>
#include <prehend/stability/robustness.h>
#include <prehend/stability/robustness_map.h>

namespace prehend::stability {

struct MapPictureOptions {
  // About this many vertices before refinement, over all bodies; finer meshes keep their own. At least 10.
  int vertices{1500};
  // Rounds of refinement; each may halve an edge once. In [0, 6].
  int rounds{2};
  // An edge is cut where its ends differ by more than this part of the smaller one, or only one is bounded.
  double change{0.15};
  // Never more vertices than this.
  int most_vertices{20000};
  double fixed_above{0.0};  // [kg] as in ContactSystemOptions

  void validate() const;
};

struct MapBody {
  model::BodyIndex body;
  geometry::TriangleMesh mesh_B;
  std::vector<int> push;  // per vertex, into MapPicture::pushes
  std::vector<int> geom;  // per vertex, of the body
};

struct MapPicture {
  MapPictureOptions options;
  std::vector<MapBody> bodies;
  std::vector<Push> pushes;
  std::vector<PushAnswer> answers;  // of the pushes asked so far
  // Pushes that wait for an answer; empty when the picture is finished.
  std::vector<Push> open;
  int round{0};
};

MapPicture begin_map_picture(const model::Scene& scene, const MapPictureOptions& options = {});
// Takes the answers of `open` in its order, and cuts where they change; throws std::invalid_argument when their number
// differs.
void refine_map_picture(const model::Scene& scene, std::span<const PushAnswer> answers, MapPicture& picture);

// A finished picture by one of the methods; those that take their time are not refined. `options` as for a map; points are
// not checked and proofs not kept.
MapPicture draw_map_picture(const model::Scene& scene, const RobustnessOptions& options,
                            const MapPictureOptions& picture_options = {});
// The picture that goes with a map: as many vertices as the map has points before refinement, at least 100.
MapPicture draw_map_picture(const model::Scene& scene, const RobustnessMapOptions& options);

}  // namespace prehend::stability
