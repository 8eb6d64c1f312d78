// The parts of a body that can touch: plane faces, straight edges and axes, corners and centres, in the body's frame.
//
// An edge is a line of radius 0, a can's or capsule's side a line of its radius; a corner is a point of radius 0, a ball a point of its
// radius. Two features touch where their distance equals the sum of their radii.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <prehend/model/scene.h>

namespace prehend::stability {

struct FlatFeature {
  Eigen::Vector3d n;                                // outward unit normal
  Eigen::Vector3d p;                                // [m] a point in the middle
  std::vector<std::vector<Eigen::Vector3d>> loops;  // [m] outline, material to the left seen from outside
  double radius{0.0};                               // [m] of the ball around p that holds it
  double area{0.0};                                 // [m^2]
};

struct LineFeature {
  Eigen::Vector3d p, q;        // [m] ends
  double radius{0.0};          // [m]
  Eigen::Vector3d normals[2];  // outward, of the faces beside an edge
  Eigen::Vector3d inwards[2];  // unit, in those faces, square to the edge
};

struct PointFeature {
  Eigen::Vector3d p;                   // [m]
  double radius{0.0};                  // [m]
  std::vector<Eigen::Vector3d> along;  // unit, along the edges that leave a corner
};

struct BodyFeatures {
  std::vector<FlatFeature> flats;
  std::vector<LineFeature> lines;
  std::vector<PointFeature> points;
  Eigen::Vector3d com{Eigen::Vector3d::Zero()};  // [m] about which it turns
  double radius{0.0};  // [m] of the ball around com that holds it; of planes: what reaches near the scene
  double size{0.0};    // [m] mean side of its box
};

BodyFeatures body_features(const model::Body& body);

}  // namespace prehend::stability
