// Options of all scene readers: values for what a format does not carry, which bodies move, and limits.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

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
  // Largest torque [N m], or force [N], with which a motor holds the state of a joint; 0: none, infinite: never yields.
  // "all" names every joint. Without, a joint with a motor in its file never yields, and one without is free.
  struct JointTorque {
    std::string joint;
    double torque{0.0};
  };
  std::vector<JointTorque> joint_torques{};
  // A body welded to a movable one becomes part of it. False where every link counts, whatever holds it.
  bool merge_welded{true};
  // Straight sides of a circle; spheres and ellipsoids are divided alike (64: 1280 triangles). Inscribed, so
  // a circle falls short of its radius by a factor 1 - cos(pi/64) = 0.12 % at most. A multiple of 4 keeps the
  // extreme points along the axes exact, so that a ball or a lying cylinder rests at its true height.
  int round_segments{64};
  // Meshes of balls, cans and turned bodies whose facets are fine (geometry/round_shape.h) are taken as the round shapes they stand for,
  // and a note says so. True: they keep their facets.
  bool keep_facets{false};
  // Name of the arrangement in a transport file, or of a keyframe of an MJCF model (or its number, from 0); `file.yaml#name` and
  // `file.xml#name` say the same.
  std::string arrangement{};

  // URDF and SDF: a shape whose mesh file does not exist is left out, with a note. For those who need masses and joints only.
  bool without_missing_meshes{false};

  // Whether the reader may open further files that the scene names (meshes, includes).
  bool allow_files{true};
  // Limits against hostile or broken files. They trade the largest scene that is read against the time and memory that a
  // file made to be slow can cost (seconds, not minutes); real scenes stay far below.
  std::size_t max_file_bytes{std::size_t{256} << 20};
  int max_depth{200};                     // nesting of elements
  std::size_t max_elements{200'000};      // elements after expansion of MJCF <replicate>
  std::size_t max_triangles{10'000'000};  // of all geoms together

  // Throws std::invalid_argument naming the field, its value and the bound it breaks.
  void validate() const;
};

}  // namespace prehend::model
