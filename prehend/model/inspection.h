// What is in this file? One summary for meshes, clouds, scenes and logs.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <prehend/geometry/mass_properties.h>
#include <prehend/geometry/mesh_check.h>
#include <prehend/model/mesh_file.h>
#include <prehend/model/scene.h>
#include <prehend/model/scene_options.h>

namespace prehend::model {

struct InspectOptions {
  MeshFileOptions mesh;
  SceneOptions scene;
};

// One shell of a mesh: see geometry/mesh_shells.h.
struct ShellSummary {
  std::string kind;  // "solid", "cavity", "inside_out", "nested", "open", "flat"
  int triangles{0};
  double area{0.0};    // [m^2]
  double volume{0.0};  // [m^3] signed; 0 unless closed
};

struct MeshSummary {
  geometry::MeshReport report;
  geometry::MassProperties mass;     // at unit density; meaningless but for the area when the mesh is open
  std::size_t faces{0};              // polygons: coplanar neighbours count once
  std::vector<ShellSummary> shells;  // by falling area
};

struct CloudSummary {
  std::size_t points{0};
  Eigen::Vector3d lower{Eigen::Vector3d::Zero()},
      upper{Eigen::Vector3d::Zero()};  // [m] corners of the box around it
  bool has_normals{false}, has_colors{false}, has_volumes{false};
  std::vector<std::pair<int, std::size_t>> labels;  // each label with its number of points
};

struct LogSummary {
  std::size_t rows{0};
  std::vector<std::string> columns;
  double duration{0.0};            // [s]; 0 for ropes, which have frames
  std::vector<std::string> parts;  // pose logs: names of the parts; topology logs: the links; ropes: empty
  std::size_t frames{0};           // ropes
};

enum class InspectionStatus { not_computed, ok };
const char* to_string(InspectionStatus status);

struct Inspection {
  InspectionStatus status{InspectionStatus::not_computed};
  std::string file;
  std::string kind;    // "mesh", "cloud", "scene", "poses", "wrench_log", "rope", "topology_log"
  std::string format;  // "STL", "MJCF", "CSV", ...
  std::vector<std::string> problems;  // one sentence each; empty: nothing to complain about
  std::vector<std::string> notes;     // what the reader converted, assumed or ignored
  std::variant<std::monostate, MeshSummary, CloudSummary, Scene, LogSummary> summary;

  std::string brief_report() const;
  std::string to_json() const;
};

// Throws InputError when the file cannot be read.
Inspection inspect_file(const std::string& path, const InspectOptions& options = {});

}  // namespace prehend::model
