// Two bodies at one pose: the corners of each in the other's frame, and their heights over its faces.
#pragma once

#include <algorithm>
#include <vector>

#include <Eigen/Core>

#include <prehend/math/pose.h>
#include <prehend/observation/principal_contacts.h>
#include <prehend/observation/relations/body_features.h>

namespace prehend::observation {

struct PairFeatures {
  geometry::Polyhedron moving_body, fixed_body;
  BodyFeatures moving, fixed;
  double size{0.0};  // [m]

  PairFeatures(const geometry::Polyhedron& m, const geometry::Polyhedron& f)
      : moving_body(m), fixed_body(f), moving(m), fixed(f), size(std::min(m.size(), f.size())) {}
};

// Body `of` seen from body `on`.
struct PlacedSide {
  const BodyFeatures &of, &on;
  Eigen::Matrix3d R;                     // turns vectors of `of` into the axes of `on`
  std::vector<Eigen::Vector3d> corners;  // of `of`, in the frame of `on`
  Eigen::MatrixXd heights;               // [m] of corners (rows) over the faces of `on` (columns)

  PlacedSide(const BodyFeatures& body, const BodyFeatures& other, const math::Pose& X);
  bool has_edge_in_plane(const EdgeFeature& edge, int face, double tolerance) const;
};

struct PlacedPair {
  PlacedSide moving, fixed;
  PlacedPair(const PairFeatures& pair, const math::Pose& X_FM)
      : moving(pair.moving, pair.fixed, X_FM), fixed(pair.fixed, pair.moving, X_FM.inverse()) {}
};

// A segment in the plane of a face: what of it lies inside.
struct InsideShare {
  double length{0.0};      // [m] strictly inside, by more than the tolerance
  bool is_touching{false};  // some point inside or within the tolerance
};
InsideShare inside_share(const FaceFeature& face, const Eigen::Vector3d& p, const Eigen::Vector3d& q,
                         double tolerance);

// Whether two faces in one plane share an area; `side.of` has the first.
enum class FaceOverlap { apart, border, area };
FaceOverlap face_overlap(const PlacedSide& side, int face_of, int face_on, double tolerance);

// Parameters of the nearest points of two lines that are not parallel.
struct LineMeeting {
  bool is_parallel{true};
  double s{0.0}, t{0.0}, distance{0.0};
};
LineMeeting meeting_of(const Eigen::Vector3d& a0, const Eigen::Vector3d& a1, const Eigen::Vector3d& b0,
                       const Eigen::Vector3d& b1);

// What two segments on one line share: end before begin where they are apart.
struct SharedLine {
  bool is_common{false};
  double begin{0.0}, end{0.0};  // [m] along b from its start
};
SharedLine shared_line(const Eigen::Vector3d& a0, const Eigen::Vector3d& a1, const Eigen::Vector3d& b0,
                       const Eigen::Vector3d& b1, double tolerance);

}  // namespace prehend::observation
