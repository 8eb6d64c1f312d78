#include <prehend/model/mesh_file.h>
#include <prehend/model/scene_writer.h>
#include <prehend/model/scenes/mesh_reference.h>
#include <prehend/model/scenes/scene_assembly.h>

namespace prehend::model {

std::string resolve_reference(const XmlNode& node, const std::string& reference,
                              const SceneOptions& options) {
  if (!options.allow_files)
    node.fail("the scene names the file '" + reference + "', and reading further files is off");
  const std::string folder = folder_of(node.file());
  std::string inside = reference, package;
  for (const char* scheme : {"package://", "model://"}) {
    if (!reference.starts_with(scheme)) continue;
    std::string rest = reference.substr(std::string_view(scheme).size());
    rest.erase(0, rest.find_first_not_of('/'));  // some write three slashes
    const std::size_t slash = rest.find('/');
    if (slash == std::string::npos) {
      // Bullet and Genesis drop the scheme: the file lies beside the model.
      if (is_plain_file(join_path(folder, rest))) return join_path(folder, rest);
      node.fail("'" + reference + "' names a package but no file in it");
    }
    package = rest.substr(0, slash);
    inside = rest.substr(slash + 1);
  }
  if (reference.starts_with("file://")) inside = reference.substr(7);
  if (package.empty() && reference.find("://") != std::string::npos && !reference.starts_with("file://")) {
    node.fail("'" + reference + "' is an address that cannot be opened; use a path relative to this file");
  }
  // A model in a subfolder may name its meshes as seen from a folder above, the root that its own loader was given.
  std::string above = folder;
  for (int level = 0; level <= (inside.starts_with('/') ? 0 : 3); ++level) {
    for (const std::string& path : {join_path(above, inside), join_path(above, package + "/" + inside)}) {
      if (is_plain_file(path)) return path;
      if (package.empty()) break;
    }
    above += "../";
  }
  // Some writers begin what is meant from the scene's folder with a slash.
  if (inside.starts_with('/') && is_plain_file(folder + inside.substr(1))) return folder + inside.substr(1);
  node.fail("the file '" + reference + "' does not exist; looked for " + join_path(folder, inside) +
            (package.empty() ? " and in the folders above"
                             : " and for " + package + "/" + inside + " in the folders above"));
}

bool exists(const XmlNode& node, const std::string& reference, const SceneOptions& options) {
  try {
    resolve_reference(node, reference, options);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

geometry::TriangleMesh read_referenced_mesh(const XmlNode& node, const std::string& reference,
                                            const Eigen::Vector3d& scale, const SceneOptions& options) {
  if ((scale.array() == 0.0).any()) node.fail("the mesh scale " + format_vector(scale) + " has a zero");
  const geometry::TriangleMesh mesh = read_mesh(resolve_reference(node, reference, options));
  return scale == Eigen::Vector3d::Ones() ? mesh : geometry::scaled(mesh, scale);
}

}  // namespace prehend::model
