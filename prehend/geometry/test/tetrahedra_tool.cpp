// Reads an OBJ surface (v and f lines, triangles) from standard input, tetrahedralises it and writes one JSON
// object; for tetrahedra_test.py. Arguments: [max_edge [improvement_passes [brief]]].
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include <prehend/geometry/tetrahedra.h>

int main(int argc, char** argv) {
  using namespace prehend::geometry;
  TriangleMesh mesh;
  std::string line, word;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    words >> word;
    if (word == "v") {
      Eigen::Vector3d p;
      words >> p.x() >> p.y() >> p.z();
      mesh.vertices.push_back(p);
    } else if (word == "f") {
      Eigen::Vector3i t;
      for (int k = 0; k < 3; ++k) {
        words >> word;
        t[k] = std::atoi(word.c_str()) - 1;
      }
      mesh.triangles.push_back(t);
    }
  }
  TetrahedraOptions options;
  if (argc > 1) options.max_edge = std::atof(argv[1]);
  if (argc > 2) options.improvement_passes = std::atoi(argv[2]);
  const auto begin = std::chrono::steady_clock::now();
  const Tetrahedra result = tetrahedralize(mesh, options);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  nlohmann::json json{{"status", to_string(result.status)},
                      {"message", result.message},
                      {"seconds", seconds},
                      {"report", result.brief_report()},
                      {"volume", result.quality.total_volume},
                      {"volume_error", result.volume_error},
                      {"missing_edges", result.missing_edges},
                      {"missing_triangles", result.missing_triangles},
                      {"flips", result.flips}};
  if (argc <= 3) {
    for (const auto& p : result.vertices) json["vertices"].push_back({p.x(), p.y(), p.z()});
    for (const auto& t : result.tetrahedra) json["tetrahedra"].push_back({t[0], t[1], t[2], t[3]});
    for (const auto& t : result.surface) {
      json["surface"].push_back({t.vertices[0], t.vertices[1], t.vertices[2], t.input_triangle});
    }
  }
  std::cout << json.dump() << '\n';
}
