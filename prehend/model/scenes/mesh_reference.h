// Mesh files named inside URDF and SDF: package://, model:// and file:// addresses, relative to the scene
// file.
#pragma once

#include <string>

#include <Eigen/Core>

#include <prehend/geometry/mesh.h>
#include <prehend/model/scene_options.h>
#include <prehend/model/scenes/xml_input.h>

namespace prehend::model {

// Where `reference` would have to be is what resolve_reference() says.
bool exists(const XmlNode& node, const std::string& reference, const SceneOptions& options);

// The file behind `reference` as seen from `node`'s file, which must exist; throws InputError naming where it
// was sought: in the scene's folder and up to three folders above, a package or model address with and without
// the package's name.
std::string resolve_reference(const XmlNode& node, const std::string& reference, const SceneOptions& options);

// The mesh, scaled componentwise. Scales must not be zero.
geometry::TriangleMesh read_referenced_mesh(const XmlNode& node, const std::string& reference,
                                            const Eigen::Vector3d& scale, const SceneOptions& options);

}  // namespace prehend::model
