// The object lying with one of its faces on one support plane: where it may slide to, and how well it would stand there.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <prehend/placement/search/free_translations.h>
#include <prehend/placement/search/load_polygon.h>
#include <prehend/placement/search/resting_face.h>
#include <prehend/placement/search/support_plane.h>

namespace prehend::placement {

// Scene and object as convex parts: hulls of geoms at once, exact parts when first asked for.
class Parts {
 public:
  explicit Parts(const Problem& problem);
  const std::vector<ConvexPart>& scene(bool exact);
  const std::vector<ConvexPart>& object(bool exact);  // in the object's frame
  // Whether it has so many pieces that its hull stands for them in object(true).
  bool is_simplified() const { return is_simplified_; }
  const std::vector<ConvexPart>& kept_out() const { return kept_out_; }  // boxes the object stays out of
  double object_size() const { return object_size_; }                    // [m] diameter

 private:
  const Problem& problem_;
  std::vector<ConvexPart> scene_hulls_, scene_parts_, object_hulls_, object_parts_, kept_out_;
  bool has_scene_parts_{false}, has_object_parts_{false}, is_simplified_{false};
  double object_size_{0.0};
};

// One face on one plane at one yaw.
struct Slot {
  const SupportPlane* plane{nullptr};
  const RestingFace* face{nullptr};
  double yaw{0.0};                      // [rad]
  int grasp{-1};                        // its gripper must be free, too; -1: none asked
  const SupportPlane* beside{nullptr};  // it touches this one, too; null: none
};

// How well it would stand, by the plane's statics alone.
struct Standing {
  double margin{0.0};  // [g] estimate; 0 or less: it does not stand
  double push{0.0};    // [N] estimate of the least push that moves the object
  double inside{0.0};  // [m] of the centre of mass in the base
};

class Lying {
 public:
  Lying(const Problem& problem, Parts& parts, const LoadPolygons& loads, const Slot& slot, bool exact);

  const Slot& slot() const { return slot_; }
  math::Pose pose(const Eigen::Vector2d& t) const;
  Standing standing(const Eigen::Vector2d& t) const;
  bool is_free(const Eigen::Vector2d& t) const { return free_.is_free(t); }
  // Wholly on one level face of a fixed body: there it holds as well at every other place and yaw of that kind.
  bool stands_alike(const Eigen::Vector2d& t) const;
  const FreeTranslations& free() const { return free_; }
  // Free translations worth a look, best estimate first; `thorough` also searches along the outlines of what is in the way.
  std::vector<Eigen::Vector2d> candidates(bool thorough) const;
  double estimate(const Eigen::Vector2d& t) const;  // by the objective; larger is better

 private:
  // What touches at a translation: its hull, and the bodies touched.
  struct Base {
    Corners2 corners;
    std::vector<model::BodyIndex> bodies;
  };
  Base base_at(const Eigen::Vector2d& t) const;
  // Free translations at which the centre of mass stands deeper in the base than at the best of these.
  std::vector<Eigen::Vector2d> balanced(std::vector<Eigen::Vector2d> starts) const;
  void collect_obstacles(Parts& parts, bool exact);
  void bound_region();
  std::vector<Eigen::Vector2d> wanted()
      const;  // translations that put the centre of mass where it stands well
  Eigen::Vector2d com_on_plane(const Eigen::Vector2d& t) const;  // along the vertical

  const Problem& problem_;
  const LoadPolygons& loads_;
  Slot slot_;
  Eigen::Matrix3d R_WO_;
  std::vector<Corners2> features_;  // of the face, turned by yaw, at t = 0
  Corners2 hull_;
  Eigen::Vector2d com_{Eigen::Vector2d::Zero()};   // at t = 0, along the plane's normal
  Eigen::Vector2d lean_{Eigen::Vector2d::Zero()};  // from there to where the vertical meets the plane
  Corners2 outline_;                               // of the whole object seen along the normal, at t = 0
  double outline_size_{0.0};                       // [m] of that
  double tall_{0.0};                               // [m] of the object above the plane
  double gap_{0.0};                                // [m] it keeps from what it does not touch
  double wanted_gap_{0.0};                         // [m] and likes to keep
  FreeTranslations free_;
};

}  // namespace prehend::placement
