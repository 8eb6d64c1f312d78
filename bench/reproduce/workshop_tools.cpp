#include "workshop_tools.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <stdexcept>

#include <yaml-cpp/yaml.h>

#include "recorded_data.h"
#include <prehend/inertia/samples.h>
#include <prehend/model/mesh_file.h>
#include <prehend/model/point_cloud.h>
#include <prehend/parts/segmentation.h>

namespace prehend::reproduce {
namespace {

// `object` with the parts of `labelled` (same frame): each point takes the label of the nearest labelled point. For a
// precise shape from one file and parts from a scan.
inertia::Shape with_parts_of(const inertia::Shape& object, const inertia::Shape& labelled) {
  if (labelled.labels.size() != labelled.points.size() || labelled.points.empty())
    throw std::invalid_argument("the labelled shape has " + std::to_string(labelled.labels.size()) +
                                " labels for " + std::to_string(labelled.points.size()) + " points");
  inertia::Shape shape = object;
  shape.parts = labelled.parts;
  shape.labels.clear();
  for (const Eigen::Vector3d& p : shape.points) {
    double nearest = std::numeric_limits<double>::infinity();
    int label = 0;
    for (std::size_t j = 0; j < labelled.points.size(); ++j) {
      const double square = (p - labelled.points[j]).squaredNorm();
      if (square >= nearest) continue;
      nearest = square;
      label = labelled.labels[j];
    }
    shape.labels.push_back(label);
  }
  return shape;
}

inertia::Shape shape_of(const parts::Segmentation& segmentation, const std::string& name) {
  if (segmentation.status != parts::SegmentStatus::ok)
    throw std::runtime_error(name + ": " + segmentation.reason);
  const std::vector<int> label_of_leaf = segmentation.leaf_labels();
  model::PointCloud cloud;
  for (const parts::VolumeSample& sample : segmentation.samples) {
    cloud.points.push_back(sample.point);
    cloud.volumes.push_back(sample.volume);
    cloud.labels.push_back(label_of_leaf[sample.leaf]);
  }
  return inertia::shape_of_cloud(cloud, name);
}

void divide(const std::filesystem::path& path, WorkshopTool& tool) {
  const model::MeshFile drawing = model::read_mesh_file((path / "mesh.ply").string(), {.unit = 0.001});
  tool.shells = shape_of(parts::segment_mesh(drawing.mesh, drawing.triangle_colors), tool.name);
  const model::PointCloud cloud = model::read_cloud((path / "cloud.ply").string());
  parts::Segmentation scan = parts::segment_cloud(cloud.points, cloud.colors);
  tool.scan = shape_of(scan, tool.name);
  scan.cut(4);
  tool.scan_four = shape_of(scan, tool.name);
}

}  // namespace

std::string tools_folder(const std::string& data) {
  const std::filesystem::path root = recorded_data(data);
  return std::filesystem::is_directory(root / "tools") ? (root / "tools").string() : "";
}

std::vector<WorkshopTool> read_workshop_tools(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.is_directory()) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<WorkshopTool> tools;
  for (const std::filesystem::path& path : paths) {
    WorkshopTool& tool = tools.emplace_back();
    tool.name = path.filename().string();
    tool.log = model::read_wrench_log((path / "motion.csv.gz").string());
    tool.parts = inertia::read_parts({(path / "parts.ply").string()});
    inertia::ShapeOptions millimetres;
    millimetres.unit = 0.001;
    tool.mesh = with_parts_of(inertia::read_shape((path / "mesh.ply").string(), millimetres), tool.parts);
    divide(path, tool);
    const YAML::Node object = YAML::LoadFile((path / "inertia.yaml").string())["OBJECT"];
    math::SpatialInertia truth_O;
    truth_O.mass = object["MASS"].as<double>();
    for (int i = 0; i < 3; ++i) {
      truth_O.com[i] = object["COM_WRT_MESH"][i].as<double>();
      for (int j = 0; j < 3; ++j) truth_O.I_com(i, j) = object["INERTIA_WRT_COM"][i][j].as<double>();
    }
    inertia::SampleOptions options;
    options.gravity_W = kToolGravity;
    const math::Pose X_SO = inertia::prepare_samples(tool.log, options).X_SO.value();
    // Errors are relative to a box. That of the authors' reconstruction is some millimetres larger than the drawing's and
    // gives figures like theirs; by the drawing's own the ruler, 1 mm thick, rules every mean.
    tool.truth = {truth_O.expressed_in(X_SO), (X_SO.R() * tool.parts.box.sizes()).cwiseAbs()};
    tool.truth_by_drawing = {tool.truth.body_S, (X_SO.R() * tool.mesh.box.sizes()).cwiseAbs()};
  }
  return tools;
}

}  // namespace prehend::reproduce
