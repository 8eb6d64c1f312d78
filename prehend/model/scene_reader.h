// Reading scenes: MJCF, URDF, SDF, COMPAS assembly JSON and transport arrangements (YAML).
//
// Every reader gives the same Scene: SI units, one world frame, quaternions as (w, x, y, z), meshes for all
// geoms. What a format does not carry (friction and density in COMPAS, friction in URDF) comes from
// SceneOptions, and the scene's `notes` name what was converted or assumed. Bad input throws InputError with
// file and line; time and memory are bounded by the limits below, whatever the file says.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <prehend/model/scene.h>

namespace prehend::model {

struct SceneOptions {
  // [-] sliding coefficient for formats that carry none (URDF, COMPAS, SDF without <mu>); 0.84 is what the
  // authors of the block assemblies use.
  double friction{0.84};
  // [kg/m^3] for bodies whose file gives no mass (COMPAS).
  double density{1000.0};
  // Bodies held fixed whatever the file says.
  std::vector<std::string> fixed{};
  // Bodies set free that the file leaves fixed: URDF roots, mostly.
  std::vector<std::string> movable{};
  // A body welded to a movable one becomes part of it. False where every link counts, whatever holds it.
  bool merge_welded{true};
  // Straight sides of a circle; spheres and ellipsoids are divided alike (64: 1280 triangles). Inscribed, so
  // a circle falls short of its radius by a factor 1 - cos(pi/64) = 0.12 % at most. A multiple of 4 keeps the
  // extreme points along the axes exact, so that a ball or a lying cylinder rests at its true height.
  int round_segments{64};
  // Name of the arrangement in a transport file; `file.yaml#name` says the same.
  std::string arrangement{};

  // Whether the reader may open further files that the scene names (meshes, includes).
  bool allow_files{true};
  // Limits against hostile or broken files.
  std::size_t max_file_bytes{std::size_t{256} << 20};
  int max_depth{200};                     // nesting of elements
  std::size_t max_elements{200'000};      // elements after expansion of MJCF <replicate>
  std::size_t max_triangles{10'000'000};  // of all geoms together

  // Throws std::invalid_argument naming the field, its value and the bound it breaks.
  void validate() const;
};

enum class SceneFormat { mjcf, urdf, sdf, compas, arrangement };

// By extension (.xml .mjcf .urdf .sdf .world .json .yaml .yml) and, for .xml, by the root element. A name
// after `#` picks the arrangement of a transport file.
Scene read_scene(const std::string& path, const SceneOptions& options = {});

// The same from memory; `name` stands for the file in messages, and its folder for relative paths.
Scene read_scene_text(const std::string& text, SceneFormat format, const std::string& name,
                      const SceneOptions& options = {});

}  // namespace prehend::model
