#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include <prehend/geometry/house/mesh_shells.h>
#include <prehend/geometry/polyhedron.h>
#include <prehend/model/file_kind.h>
#include <prehend/model/inspection.h>
#include <prehend/model/point_cloud.h>
#include <prehend/model/pose_log.h>
#include <prehend/model/rope_log.h>
#include <prehend/model/scene_reader.h>
#include <prehend/model/topology_log.h>
#include <prehend/model/track_file.h>
#include <prehend/model/wrench_log.h>

namespace prehend::model {
namespace {

void append(std::vector<std::string>& to, const std::vector<std::string>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

std::vector<ShellSummary> shells_of(const geometry::TriangleMesh& mesh) {
  std::vector<ShellSummary> shells;
  for (const geometry::MeshShell& shell : geometry::find_shells(mesh).shells) {
    const bool is_solid = shell.is_closed && shell.is_oriented;
    const char* kind = !is_solid                 ? "open"
                       : shell.is_flat           ? "flat"
                       : shell.is_inside_out     ? "inside_out"
                       : shell.is_nested_outward ? "nested"
                       : shell.volume < 0.0      ? "cavity"
                                                 : "solid";
    shells.push_back({kind, static_cast<int>(shell.triangles.size()), shell.area, shell.volume});
  }
  std::stable_sort(shells.begin(), shells.end(),
                   [](const ShellSummary& a, const ShellSummary& b) { return a.area > b.area; });
  return shells;
}

void inspect_mesh(const std::string& path, const InspectOptions& options, Inspection& result) {
  const MeshFile file = read_mesh_file(path, options.mesh);
  MeshSummary summary;
  summary.report = geometry::check_mesh(file.mesh);
  summary.mass = geometry::mass_properties(file.mesh);
  const bool has_surface = summary.report.status != geometry::MeshStatus::unusable;
  if (has_surface && summary.report.nonfinite_vertices == 0 && summary.report.bad_index_triangles == 0) {
    summary.faces = geometry::Polyhedron::from_mesh(file.mesh).faces().size();
    summary.shells = shells_of(file.mesh);
  }
  append(result.problems, summary.report.problems);
  append(result.notes, file.notes);
  result.summary = std::move(summary);
}

void inspect_cloud(const std::string& path, const InspectOptions& options, Inspection& result) {
  const PointCloud cloud = read_cloud(path, options.mesh);
  CloudSummary summary;
  summary.points = cloud.points.size();
  const geometry::Aabb box = geometry::bounding_box(cloud.points);
  if (!box.is_empty()) {
    summary.lower = box.lower;
    summary.upper = box.upper;
  }
  summary.has_normals = !cloud.normals.empty();
  summary.has_colors = !cloud.colors.empty();
  summary.has_volumes = !cloud.volumes.empty();
  std::map<int, std::size_t> labels;
  for (const int label : cloud.labels) ++labels[label];
  summary.labels.assign(labels.begin(), labels.end());
  append(result.notes, cloud.notes);
  result.summary = std::move(summary);
}

void inspect_poses(const std::string& path, Inspection& result) {
  const PoseLog log = read_poses(path);
  append(result.notes, log.notes);
  result.summary = LogSummary{log.rows.size(), log.columns, log.duration(), log.parts, 0};
}

void inspect_topology(const std::string& path, Inspection& result) {
  const TopologyLog log = read_topology_log(path);
  LogSummary summary{log.rows(), log.columns, log.duration(), {}, 0};
  for (std::size_t link = 0; link < log.links(); ++link) {
    summary.parts.push_back("l" + std::to_string(log.first_number + static_cast<int>(link)));
  }
  append(result.notes, log.notes);
  result.summary = std::move(summary);
}

}  // namespace

Inspection inspect_file(const std::string& path, const InspectOptions& options) {
  Inspection result;
  result.file = path;
  // `file.yaml#name` picks an arrangement, `file.xml#name` a keyframe: the part after # belongs to the scene reader.
  std::error_code ignored;
  const bool is_file = std::filesystem::is_regular_file(path, ignored);
  const std::size_t hash = is_file ? std::string::npos : path.rfind('#');
  const FileType type = detect_file_type(path.substr(0, hash));
  result.kind = to_string(type.kind);
  result.format = type.format;
  switch (type.kind) {
    case FileKind::mesh:
      inspect_mesh(path, options, result);
      break;
    case FileKind::cloud:
      inspect_cloud(path, options, result);
      break;
    case FileKind::scene: {
      Scene scene = read_scene(path, options.scene);
      result.problems = scene.problems;
      result.notes = scene.notes;
      result.summary = std::move(scene);
      break;
    }
    case FileKind::poses:
      inspect_poses(path, result);
      break;
    case FileKind::wrench_log: {
      const WrenchLog log = read_wrench_log(path);
      append(result.notes, log.notes);
      result.summary = LogSummary{log.rows(), log.columns, log.duration(), {}, 0};
      break;
    }
    case FileKind::rope: {
      const RopeLog log = read_rope_log(path);
      append(result.notes, log.notes);
      result.summary = LogSummary{log.rows, log.columns, 0.0, {}, log.frames.size()};
      break;
    }
    case FileKind::topology_log:
      inspect_topology(path, result);
      break;
  }
  result.status = InspectionStatus::ok;
  return result;
}

}  // namespace prehend::model
