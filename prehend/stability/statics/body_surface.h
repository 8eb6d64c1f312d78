// The surface of a body: the meshes of its geoms, in the body's frame.
#pragma once

#include <prehend/geometry/mesh.h>
#include <prehend/model/body.h>

namespace prehend::stability {

inline geometry::TriangleMesh body_surface(const model::Body& body) {
  geometry::TriangleMesh mesh_B;
  for (const model::Geom& geom : body.geoms) {
    mesh_B = geometry::merged(mesh_B, geometry::transformed(geom.mesh, geom.X_BG));
  }
  return mesh_B;
}

}  // namespace prehend::stability
