#include <algorithm>
#include <cctype>

#include <prehend/model/files.h>
#include <prehend/model/input_error.h>
#include <prehend/model/scene_contacts.h>
#include <prehend/model/scene_reader.h>
#include <prehend/model/scenes/scene_assembly.h>
#include <prehend/model/scenes/scene_formats.h>

namespace prehend::model {
namespace {

std::string lower_extension(const std::string& path) {
  const std::size_t dot = path.find_last_of('.');
  if (dot == std::string::npos || path.find('/', dot) != std::string::npos) return {};
  std::string extension = path.substr(dot + 1);
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

// The root element's name, for .xml files that may be MJCF, URDF or SDF.
std::string root_element(const std::string& text) {
  for (std::size_t i = text.find('<'); i != std::string::npos; i = text.find('<', i + 1)) {
    if (text.compare(i, 4, "<!--") == 0) {
      i = text.find("-->", i);
      if (i == std::string::npos) break;
      continue;
    }
    if (i + 1 < text.size() && (text[i + 1] == '?' || text[i + 1] == '!')) continue;
    const std::size_t end = text.find_first_of(" \t\r\n/>", i + 1);
    return text.substr(i + 1, end == std::string::npos ? end : end - i - 1);
  }
  return {};
}

SceneFormat format_of(const std::string& path, const std::string& text) {
  const std::string extension = lower_extension(path);
  if (extension == "json") return SceneFormat::compas;
  if (extension == "yaml" || extension == "yml") return SceneFormat::arrangement;
  const std::string root = root_element(text);
  if (root == "mujoco") return SceneFormat::mjcf;
  if (root == "robot") return SceneFormat::urdf;
  if (root == "sdf") return SceneFormat::sdf;
  if (extension == "mjcf") return SceneFormat::mjcf;
  if (extension == "urdf") return SceneFormat::urdf;
  if (extension == "sdf" || extension == "world") return SceneFormat::sdf;
  if (extension == "xml" && root.empty())
    return SceneFormat::mjcf;  // the XML layer says what is wrong with it
  throw InputError(path, 0,
                   root.empty() || extension != "xml"
                       ? "this is no scene file: expected MJCF (.xml), URDF (.urdf), SDF (.sdf, .world), a "
                         "COMPAS assembly "
                         "(.json) or a transport arrangement (.yaml)"
                       : "the root element <" + root.substr(0, 40) +
                             "> is unknown; expected <mujoco> (MJCF), <robot> (URDF) or <sdf>");
}

}  // namespace

Scene read_scene_text(const std::string& text, SceneFormat format, const std::string& name,
                      const SceneOptions& options) {
  options.validate();
  if (text.size() > options.max_file_bytes) {
    throw InputError(name, 0,
                     "the document is larger than " + std::to_string(options.max_file_bytes >> 20) + " MiB");
  }
  Scene scene;
  switch (format) {
    case SceneFormat::mjcf:
      scene = read_mjcf(text, name, options);
      break;
    case SceneFormat::urdf:
      scene = read_urdf(text, name, options);
      break;
    case SceneFormat::sdf:
      scene = read_sdf(text, name, options);
      break;
    case SceneFormat::compas:
      scene = read_compas(text, name, options);
      break;
    case SceneFormat::arrangement:
      scene = read_arrangement(text, name, options);
      break;
  }
  finish_scene(scene, name, options);
  return scene;
}

Scene read_scene(const std::string& path, const SceneOptions& options) {
  std::string file = path;
  SceneOptions chosen = options;
  const std::size_t hash = path.find_last_of('#');
  if (hash != std::string::npos && !is_plain_file(path)) {
    file = path.substr(0, hash);
    chosen.arrangement = path.substr(hash + 1);
  }
  chosen.validate();
  const std::string text = read_file(file, {.max_bytes = chosen.max_file_bytes});
  return read_scene_text(text, format_of(file, text), file, chosen);
}

SceneContacts read_stored_contacts(const std::string& path, const Scene& scene, const SceneOptions& options) {
  if (scene.format != "compas")
    throw InputError(path, 0,
                     "only COMPAS assemblies store interfaces; leave --interfaces away to compute them");
  return read_compas_interfaces(read_file(path, {.max_bytes = options.max_file_bytes}), path, scene, options);
}

}  // namespace prehend::model
