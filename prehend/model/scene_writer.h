// Writing scenes as MJCF and URDF so that reading them again gives the same scene: signs, axes, limits, screw
// joints, friction pairs, gravity, inertia and primitives are kept; numbers are printed so that they read
// back to the last bit, and what remains is the rounding of poses composed on the way (about 1e-15 of their
// size).
//
// What MJCF has no word for: a rigid joint's name and friction between bodies go to <custom><text>;
// cylindrical, universal and planar joints become joints in series (see mjcf_joints.h), a screw a hinge and a
// slide tied by an equality. Joints that close loops, ropes and couplings that yield are left out. What URDF has no word for goes to <prehend> elements (see urdf_model.h), which
// other readers skip. Mesh geoms are OBJ files beside the scene, named after it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <prehend/model/scene.h>

namespace prehend::model {

// A scene as text, with the OBJ files it refers to, named relative to the scene file.
struct SceneText {
  std::string text;
  std::vector<std::pair<std::string, geometry::TriangleMesh>> mesh_files;
};

// `stem` begins the names of the mesh files. Throws std::invalid_argument when the scene cannot be written: a
// name that is used twice, a joint whose child is missing, joints that form a loop.
SceneText mjcf_text(const Scene& scene, const std::string& stem);
SceneText urdf_text(const Scene& scene, const std::string& stem);

// Mesh files first, the scene last, each complete or absent. Throws std::runtime_error naming the path.
void write_mjcf(const Scene& scene, const std::string& path);
void write_urdf(const Scene& scene, const std::string& path);

// The text of a URDF or MJCF file with the inertia of one body filled in, in the frame of its link or body; everything else of the file, names,
// comments and elements that we do not know, stays. Throws InputError: not URDF or MJCF, no such body (the message lists those there
// are; with an empty name the file must have exactly one), an MJCF whose compiler computes inertias from geoms whatever is written.
// Throws std::invalid_argument when no body can have such an inertia.
std::string with_inertial(const std::string& path, const std::string& body, const math::SpatialInertia& inertia);

// For those who add elements to such a text. Numbers are separated by blanks, each so that it reads back as the same
// double; & < > " ' and control characters are made safe for an attribute, which is ` name="value"`.
std::string format_numbers(const double* values, std::size_t count);
std::string format_vector(const Eigen::Vector3d& v);
std::string xml_escaped(std::string_view text);
std::string xml_attribute(const char* name, const std::string& value);

}  // namespace prehend::model
