// contact_forces_tool SCENE METHOD SIDES [FRICTION] [TOLERANCE]: the contact system and the forces found in it, as JSON
// for the Python oracle.
#include <chrono>
#include <cstdlib>
#include <iostream>

#include <nlohmann/json.hpp>

#include <prehend/math/enum_text.h>
#include <prehend/model/scene_reader.h>
#include <prehend/stability/contact_forces.h>

namespace {

nlohmann::json list(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }

}  // namespace

int main(int argc, char** argv) {
  using namespace prehend;
  if (argc < 4) return 2;
  try {
    model::SceneOptions scene_options;
    if (argc > 4) scene_options.friction = std::atof(argv[4]);
    const model::Scene scene = model::read_scene(argv[1], scene_options);
    stability::ContactForcesOptions options;
    options.method = from_string<stability::ForceMethod>(argv[2]).value();
    options.pyramid_sides = std::atoi(argv[3]);
    if (argc > 5) options.system.contact.gap_tolerance = std::atof(argv[5]);
    const stability::ContactSystem system = stability::build_contact_system(scene, options.system);
    options.check_prestress = false;
    const auto start = std::chrono::steady_clock::now();
    stability::ContactForcesResult result = stability::contact_forces(system, options);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    options.check_prestress = true;
    result.needs_prestress = stability::contact_forces(system, options).needs_prestress;

    nlohmann::json out = nlohmann::json::parse(result.to_json());
    out["seconds"] = seconds;
    for (const auto& body : system.bodies) {
      out["bodies"].push_back(
          {{"name", scene.bodies[body.body].name}, {"mass", body.mass}, {"com", list(body.com_W)}});
    }
    out["gravity"] = list(system.gravity_W);
    for (std::size_t k = 0; k < system.contacts.size(); ++k) {
      const auto& contact = system.contacts[k];
      out["contacts"][k]["a"] = contact.a.value();
      out["contacts"][k]["b"] = contact.b.value();
      out["contacts"][k]["tangents"] = {list(contact.R_WC.col(0)), list(contact.R_WC.col(1))};
    }
    out["origin"] = list(system.origin_W);
    for (const auto& twist : result.falling) {
      out["falling"].push_back({twist[0], twist[1], twist[2], twist[3], twist[4], twist[5]});
    }
    std::cout << out.dump() << "\n";
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
}
