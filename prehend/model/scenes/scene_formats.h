// The readers behind read_scene(), one file each. They give a raw Scene; finish_scene() completes and checks
// it.
#pragma once

#include <string>

#include <prehend/model/scene.h>
#include <prehend/model/scene_options.h>

namespace prehend::model {

struct SceneContacts;

Scene read_mjcf(const std::string& text, const std::string& file, const SceneOptions& options);
Scene read_urdf(const std::string& text, const std::string& file, const SceneOptions& options);
Scene read_sdf(const std::string& text, const std::string& file, const SceneOptions& options);
Scene read_compas(const std::string& text, const std::string& file, const SceneOptions& options);
SceneContacts read_compas_interfaces(const std::string& text, const std::string& file, const Scene& scene,
                                     const SceneOptions& options);
Scene read_arrangement(const std::string& text, const std::string& file, const SceneOptions& options);

}  // namespace prehend::model
