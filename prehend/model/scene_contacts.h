// The contact interfaces of a scene, with names and friction: what stability, placement and the user ask for.
//
// Bodies touch with the faces of their geoms as posed in the scene. Interfaces are found between all pairs that may
// touch (one of them moves, freely or on a joint; the filters of friction.h), and geoms of one body whose friction rules are alike form
// one surface, so that a table top of four boards gives one interface, not four.
#pragma once

#include <string>
#include <vector>

#include <prehend/geometry/contact_patch.h>
#include <prehend/model/scene.h>
#include <prehend/model/scene_interface.h>

namespace prehend::model {

struct ScenePenetration {
  BodyIndex body_a, body_b;
  double depth{0.0};                             // [m]
  Eigen::Vector3d p_W{Eigen::Vector3d::Zero()};  // [m] a point where they overlap
};

enum class SceneContactsStatus { not_computed, ok };
const char* to_string(SceneContactsStatus status);

struct SceneContacts {
  SceneContactsStatus status{SceneContactsStatus::not_computed};
  std::vector<SceneInterface> interfaces;      // by body_a, body_b, large before small
  std::vector<ScenePenetration> penetrations;  // overlaps beyond the tolerance, by body_a, body_b
  std::vector<BodyIndex> floating;             // movable bodies that touch nothing
  std::vector<std::string> problems;           // one sentence each: overlaps, floating bodies
  std::vector<std::string> body_names;         // of the scene, by BodyIndex

  // A readable table.
  std::string brief_report() const;
  // {"status","interfaces":[{body_a,body_b,kind,n_W,area_m2,points_W_m,friction,gap_min_m,gap_max_m}],
  //  "penetrations":[{body_a,body_b,depth_m,p_W_m}],"problems":[]}
  std::string to_json() const;
};

SceneContacts find_scene_contacts(const Scene& scene, const geometry::ContactOptions& options = {});

}  // namespace prehend::model
