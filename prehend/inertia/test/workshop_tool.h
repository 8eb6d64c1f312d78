// One of the recorded workshop tools: samples, shape from the authors' tetrahedra, and the truth, all in the sensor's frame.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <tests/places.h>
#include <yaml-cpp/yaml.h>

#include <prehend/inertia/samples.h>
#include <prehend/inertia/shape.h>
#include <prehend/model/point_cloud.h>
#include <prehend/model/wrench_log.h>

namespace prehend::inertia::test {

struct WorkshopTool {
  std::string name;
  Samples samples;  // free of noise
  Shape shape;      // in the mesh's frame, which is the log's object frame
  math::SpatialInertia truth_S;
  Eigen::Vector3d box_sides_S;  // [m] sides of the mesh frame's box, turned into S as the source does
};

inline Shape shape_of_points(const model::PointCloud& cloud) {
  Shape shape;
  shape.points = cloud.points;
  shape.volumes = cloud.volumes;
  Eigen::Matrix4d J = Eigen::Matrix4d::Zero();
  double volume = 0.0;
  for (std::size_t i = 0; i < cloud.points.size(); ++i) {
    const double share = cloud.volumes.empty() ? 1.0 : cloud.volumes[i];
    const Eigen::Vector4d p = cloud.points[i].homogeneous();
    J += share * p * p.transpose();
    volume += share;
    shape.box.extend(cloud.points[i]);
  }
  shape.of_unit_mass = math::SpatialInertia::from_pseudo_inertia(J / volume);
  return shape;
}

inline std::filesystem::path tools_folder() {
  return std::filesystem::path(prehend::test::shared_data()) / "tools";
}

inline std::vector<std::string> tool_names() {
  std::vector<std::string> names;
  if (!std::filesystem::is_directory(tools_folder())) return names;
  for (const auto& entry : std::filesystem::directory_iterator(tools_folder())) {
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

inline WorkshopTool read_tool(const std::string& name) {
  const std::filesystem::path folder = tools_folder() / name;
  WorkshopTool tool;
  tool.name = name;
  SampleOptions options;
  options.gravity_W = {0.0, 0.0, 9.81};
  tool.samples = prepare_samples(model::read_wrench_log((folder / "motion.csv.gz").string()), options);
  tool.shape = shape_of_points(model::read_cloud((folder / "parts.ply").string()));
  const YAML::Node object = YAML::LoadFile((folder / "inertia.yaml").string())["OBJECT"];
  math::SpatialInertia truth_O;
  truth_O.mass = object["MASS"].as<double>();
  for (int i = 0; i < 3; ++i) {
    truth_O.com[i] = object["COM_WRT_MESH"][i].as<double>();
    for (int j = 0; j < 3; ++j) truth_O.I_com(i, j) = object["INERTIA_WRT_COM"][i][j].as<double>();
  }
  tool.truth_S = truth_O.expressed_in(*tool.samples.X_SO);
  tool.box_sides_S = (tool.samples.X_SO->R() * tool.shape.box.sizes()).cwiseAbs();
  return tool;
}

}  // namespace prehend::inertia::test
