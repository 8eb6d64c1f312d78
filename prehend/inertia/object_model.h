// An identified object as a model that simulators and planners read: one free body with its surface and the inertia found.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <prehend/geometry/mesh.h>
#include <prehend/inertia/identification.h>
#include <prehend/math/inertia.h>
#include <prehend/model/scene.h>

namespace prehend::inertia {

model::Scene object_model(const math::SpatialInertia& inertia_O,
                          const std::optional<geometry::TriangleMesh>& surface_O = std::nullopt);

struct ObjectModelOptions {
  std::optional<geometry::TriangleMesh> surface_O{};  // for a model of its own
  // A URDF or MJCF whose inertial of `body` is filled in; the rest of the file stays as it is. Empty: object.xml and
  // object.urdf are written.
  std::string into{};
  std::string body{};  // empty: the only one of that file
};

// Writes the usable body of a result into the folder, which must exist; returns the files' paths, none without such a body.
// Throws model::InputError for a file that cannot be read or written.
std::vector<std::string> write_object_model(const Identification& result, const std::string& folder,
                                            const ObjectModelOptions& options = {});

}  // namespace prehend::inertia
