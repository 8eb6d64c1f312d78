// scene_tool PATH [mjcf|urdf OUTPUT]: prints the scene as JSON for the Python oracles, or writes it in
// another format. scene_tool --check PATH: reads it and prints its problems.
#include <cstdio>
#include <iostream>
#include <string_view>

#include <nlohmann/json.hpp>

#include <prehend/model/friction.h>
#include <prehend/model/input_error.h>
#include <prehend/model/scene_reader.h>
#include <prehend/model/scene_writer.h>

namespace {

using nlohmann::json;

json list(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }
json list(const prehend::math::Pose& X) {
  return {{"p", list(X.p())}, {"q", {X.q().w(), X.q().x(), X.q().y(), X.q().z()}}};
}
json list(const Eigen::Matrix3d& m) {
  return {list(m.row(0).transpose().eval()), list(m.row(1).transpose().eval()),
          list(m.row(2).transpose().eval())};
}

json describe(const prehend::model::Scene& scene) {
  using namespace prehend::model;
  json out{{"gravity", list(scene.gravity_W)}, {"notes", scene.notes}, {"problems", scene.problems}};
  for (const Body& body : scene.bodies) {
    json geoms = json::array();
    for (const Geom& geom : body.geoms) {
      json vertices = json::array(), triangles = json::array();
      for (const auto& v : geom.mesh.vertices) vertices.push_back(list(v));
      for (const auto& t : geom.mesh.triangles) triangles.push_back({t[0], t[1], t[2]});
      geoms.push_back({{"name", geom.name},
                       {"shape", to_string(geom.shape.kind)},
                       {"size", list(geom.shape.size)},
                       {"X_BG", list(geom.X_BG)},
                       {"friction", geom.friction},
                       {"vertices", vertices},
                       {"triangles", triangles}});
    }
    out["bodies"].push_back({{"name", body.name},
                             {"movable", body.movable},
                             {"mass", body.inertia.mass},
                             {"com", list(body.inertia.com)},
                             {"inertia", list(body.inertia.I_com)},
                             {"X_WB", list(body.X_WB)},
                             {"geoms", geoms}});
  }
  for (const Joint& joint : scene.joints) {
    out["joints"].push_back({{"name", joint.name},
                             {"type", to_string(joint.type)},
                             {"parent", scene.bodies[joint.parent].name},
                             {"child", scene.bodies[joint.child].name},
                             {"axis", list(joint.axis_C)},
                             {"anchor", list(joint.p_CJ)},
                             {"X_PC", list(joint.X_PC)},
                             {"pitch", joint.pitch}});
  }
  out["touching"] = json::array();
  for (std::size_t a = 0; a < scene.bodies.size(); ++a) {
    for (std::size_t i = 0; i < scene.bodies[a].geoms.size(); ++i) {
      for (std::size_t b = a + 1; b < scene.bodies.size(); ++b) {
        for (std::size_t j = 0; j < scene.bodies[b].geoms.size(); ++j) {
          const GeomRef x{BodyIndex(a), GeomIndex(i)}, y{BodyIndex(b), GeomIndex(j)};
          if (!may_touch(scene, x, y)) continue;
          out["touching"].push_back({scene.geom(x).name, scene.geom(y).name, pair_friction(scene, x, y)});
        }
      }
    }
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 3 && std::string_view(argv[1]) == "--check") {
      for (const std::string& problem : prehend::model::read_scene(argv[2]).problems)
        std::cout << problem << "\n";
      return 0;
    }
    const prehend::model::Scene scene = prehend::model::read_scene(argv[1]);
    if (argc == 4) {
      const std::string format = argv[2];
      format == "mjcf" ? prehend::model::write_mjcf(scene, argv[3])
                       : prehend::model::write_urdf(scene, argv[3]);
      return 0;
    }
    std::cout << describe(scene).dump() << "\n";
    return 0;
  } catch (const prehend::model::InputError& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
}
