// mesh_file_tool IN SCALE [OUT...]: reads the mesh IN and prints what it holds as one JSON document; writes
// it to each OUT (format by extension; OUT.ascii.ply and OUT.big.ply choose PLY's encoding). For the Python
// oracle test.
#include <iostream>

#include <nlohmann/json.hpp>

#include <prehend/model/mesh_file.h>

int main(int argc, char** argv) {
  using namespace prehend::model;
  try {
    const MeshFile file = read_mesh_file(argv[1], {.unit = std::stod(argv[2])});
    nlohmann::json json;
    const auto rows = [](const auto& vectors) {
      auto list = nlohmann::json::array();
      for (const auto& v : vectors) list.push_back({v[0], v[1], v[2]});
      return list;
    };
    json["vertices"] = rows(file.mesh.vertices);
    json["triangles"] = rows(file.mesh.triangles);
    json["normals"] = rows(file.vertex_normals);
    json["vertex_colors"] = rows(file.vertex_colors);
    json["face_colors"] = rows(file.triangle_colors);
    json["groups"] = file.groups;
    json["notes"] = file.notes;
    std::cout << json << "\n";
    for (int i = 3; i < argc; ++i) {
      const std::string path = argv[i];
      if (path.ends_with(".ascii.ply")) {
        write_ply(path, file, PlyEncoding::ascii);
      } else if (path.ends_with(".big.ply")) {
        write_ply(path, file, PlyEncoding::binary_big_endian);
      } else {
        write_mesh(path, file.mesh);
      }
    }
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
}
