// An MJCF document made safe and small before the physics engine parses it.
//
// Includes are resolved, meshes are read by our own readers, and only what describes bodies, geometry,
// joints, tendons, friction, gravity and the keyframe asked for is kept: sensors, textures, plug-ins and the like never reach the engine; motors
// and loops are listed beside it. Refused with file and line: include cycles, <replicate> bombs, numbers that are not
// finite, negative friction, negative masses, missing meshes, names used twice,
// signed-distance geoms and <attach>. Soft bodies (<flexcomp>, <deformable>) and <composite> are left out and
// named in `problems`.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <prehend/geometry/mesh.h>
#include <prehend/model/scene_options.h>

namespace prehend::model {

struct MjcfMeshFile {
  std::string name;             // of the mesh asset
  geometry::TriangleMesh mesh;  // coordinates as in the file, before the asset's scale and reference pose
};

// What drives joints, by name: the engine never sees it.
struct MjcfMotor {
  std::string name, joint, tendon;  // neither joint nor tendon: it acts on something else
  bool pulls_only{false};           // a muscle
};
struct MjcfTendon {
  std::string name;
  std::vector<std::pair<std::string, double>> joints;  // <fixed>: joint and coefficient
};
// <connect> and <weld>.
struct MjcfLoop {
  std::string name, body1, body2;
  std::string site1, site2;  // in their place
  bool is_weld{false};
  Eigen::Vector3d anchor{Eigen::Vector3d::Zero()};  // [m] in body1
  std::string file;
  int line{0};
};

struct MjcfDocument {
  std::string name;                                 // of the model
  std::string xml;                                  // one element per line
  std::vector<std::pair<std::string, int>> origin;  // file and line behind each line of `xml`
  std::vector<MjcfMeshFile> meshes;
  std::map<std::string, int> body_lines;
  std::vector<MjcfMotor> motors;
  std::vector<MjcfTendon> tendons;  // of a document without tendons: fixed ones
  std::vector<MjcfLoop> loops;
  int tendons_left_out{0};  // of a document without them
  std::vector<std::string>
      keyframes;  // all names, or numbers in the file; `xml` has the one that was asked for, if any
  bool has_keyframe{false};
  std::size_t keyframe_states{0};  // numbers of its qpos; 0: none
  std::string keyframe_file;
  int keyframe_line{0};
  std::vector<std::string> notes, problems;
};

// `mass_unit` [1/kg]: masses, densities and inertias in `xml` are multiplied by it. MuJoCo refuses moving
// bodies below 1e-15 kg m^2, a cube of a few tenths of a millimetre; a power of two changes nothing but that
// bound. Without tendons `xml` has neither them nor sites.
MjcfDocument load_mjcf_document(const std::string& text, const std::string& file, const SceneOptions& options,
                                double mass_unit = 1.0, bool with_tendons = true);

}  // namespace prehend::model
