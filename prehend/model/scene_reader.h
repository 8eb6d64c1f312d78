// Reading scenes: MJCF, URDF, SDF, COMPAS assembly JSON and transport arrangements (YAML).
//
// Every reader gives the same Scene: SI units, one world frame, quaternions as (w, x, y, z), meshes for all
// geoms. What a format does not carry (friction and density in COMPAS, friction in URDF) comes from
// SceneOptions, and the scene's `notes` name what was converted or assumed. Bad input throws InputError with
// file and line; time and memory are bounded by the limits in SceneOptions, whatever the file says.
#pragma once

#include <string>

#include <prehend/model/scene.h>
#include <prehend/model/scene_options.h>

namespace prehend::model {

enum class SceneFormat { mjcf, urdf, sdf, compas, arrangement };

// By extension (.xml .mjcf .urdf .sdf .world .json .yaml .yml) and, for .xml, by the root element. A name
// after `#` picks the arrangement of a transport file, or the keyframe of an MJCF model.
Scene read_scene(const std::string& path, const SceneOptions& options = {});

// The same from memory; `name` stands for the file in messages, and its folder for relative paths.
Scene read_scene_text(const std::string& text, SceneFormat format, const std::string& name,
                      const SceneOptions& options = {});

struct SceneContacts;  // scene_contacts.h

// The interfaces that a COMPAS assembly stores, as contacts of the scene read from that file: polygons with their own normals, whether or
// not the blocks overlap there. Throws InputError where the file is no assembly or stores none.
SceneContacts read_stored_contacts(const std::string& path, const Scene& scene,
                                   const SceneOptions& options = {});

}  // namespace prehend::model
