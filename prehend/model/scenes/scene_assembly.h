// What all scene readers do alike: make meshes of primitives, name what has no name, weld, and check.
#pragma once

#include <optional>
#include <string>

#include <prehend/model/scene.h>
#include <prehend/model/scene_options.h>

namespace prehend::model {

// The polyhedron of a primitive; a plane gets an empty mesh (finish_scene() makes it, once the scene's size
// is known).
geometry::TriangleMesh mesh_of_shape(const Shape& shape, const SceneOptions& options);

// Checks that sizes are positive and believable (1e-9 m to 1e9 m); throws InputError.
void check_shape(const Shape& shape, const std::string& file, int line, const std::string& geom_name);

// Mass, centre and inertia of the uniform solid inside a closed mesh, in the mesh's frame; nothing when the
// mesh is open, flat or empty. An inside-out mesh counts by its size.
std::optional<math::SpatialInertia> inertia_of_mesh(const geometry::TriangleMesh& mesh, double density);

// How far the principal moments of a file may miss what a body can have, in parts of the largest: what two
// significant digits leave in the worst case (half a unit in 10). Exported inertias are rounded like that, most
// often those of plates and rods, which lie on the boundary. Up to this line a `problem`, beyond it an error.
constexpr double kInertiaRounding = 0.05;  // [-]

// The last step of every reader: applies `fixed` and `movable`, merges what is welded to a movable body,
// makes plane meshes, names nameless geoms, checks names, masses, inertia, friction and scales.
void finish_scene(Scene& scene, const std::string& file, const SceneOptions& options);

// "FILE" without its last component, with a trailing slash; empty for a bare name.
std::string folder_of(const std::string& path);
// `reference` as seen from `folder`; absolute paths stay.
std::string join_path(const std::string& folder, const std::string& reference);
// Whether this is a plain file that can be opened (no folder, device or pipe).
bool is_plain_file(const std::string& path);

}  // namespace prehend::model
