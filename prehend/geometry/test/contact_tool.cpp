// Contacts of triangle meshes given as JSON on standard input, for tests that bring their own truth:
//   {"tolerance": 1e-4, "shapes": [{"body": 0, "vertices": [[x,y,z],...], "triangles": [[a,b,c],...]}, ...]}
#include <iostream>
#include <vector>

#include <nlohmann/json.hpp>

#include <prehend/geometry/contact.h>

int main() {
  using namespace prehend::geometry;
  const nlohmann::json input = nlohmann::json::parse(std::cin);
  std::vector<Polyhedron> shapes;
  std::vector<int> bodies;
  nlohmann::json output{{"shapes", nlohmann::json::array()},
                        {"interfaces", nlohmann::json::array()},
                        {"penetrations", nlohmann::json::array()}};
  for (const nlohmann::json& shape : input.at("shapes")) {
    TriangleMesh mesh;
    for (const auto& v : shape.at("vertices")) mesh.vertices.emplace_back(v[0], v[1], v[2]);
    for (const auto& t : shape.at("triangles")) mesh.triangles.emplace_back(t[0], t[1], t[2]);
    shapes.push_back(Polyhedron::from_mesh(mesh));
    bodies.push_back(shape.at("body"));
    output["shapes"].push_back({{"faces", shapes.back().faces().size()},
                                {"closed", shapes.back().is_closed()},
                                {"problems", shapes.back().problems()}});
  }
  std::vector<PosedPolyhedron> posed;
  for (std::size_t i = 0; i < shapes.size(); ++i)
    posed.push_back({&shapes[i], {}, ContactBodyIndex(bodies[i])});
  ContactOptions options;
  options.gap_tolerance = input.at("tolerance");
  options.tilt_limit = input.value("tilt_limit", options.tilt_limit);
  const ContactResult result = find_contacts(posed, options);
  const auto list = [](const Eigen::Vector3d& v) { return std::vector<double>{v.x(), v.y(), v.z()}; };
  for (const ContactInterface& interface : result.interfaces) {
    nlohmann::json points = nlohmann::json::array();
    for (const Eigen::Vector3d& p : interface.points_W) points.push_back(list(p));
    output["interfaces"].push_back({{"body_a", interface.body_a.value()},
                                    {"body_b", interface.body_b.value()},
                                    {"kind", static_cast<int>(interface.kind)},
                                    {"n_W", list(interface.n_W)},
                                    {"area_m2", interface.area_m2},
                                    {"points_W_m", points}});
  }
  for (const Penetration& p : result.penetrations) {
    output["penetrations"].push_back(
        {{"body_a", p.body_a.value()}, {"body_b", p.body_b.value()}, {"depth_m", p.depth_m}});
  }
  std::cout << output.dump() << "\n";
}
