#include <cctype>
#include <stdexcept>

#include "verb.h"
#include <prehend/geometry/contact.h>
#include <prehend/model/mesh_file.h>
#include <prehend/model/text_scan.h>
#include <prehend/model/text_table.h>
#include <prehend/simulate/settle.h>

namespace prehend::cli {

void SceneArguments::declare(Arguments& arguments) {
  arguments.option("--friction", friction, "Friction coefficient where the file gives none");
  arguments.option("--density", density, "Density where the file gives no mass [kg/m3]");
  arguments.option("--fixed", fixed, "Bodies held fixed, whatever the file says");
  arguments.flag("--keep-facets", keep_facets, "Meshes of balls, cans and turned bodies keep their facets");
  arguments.option("--movable", movable, "Bodies set free that the file leaves fixed (URDF roots)");
  arguments.option("--joint-torque", joint_torque,
                   "NAME=TORQUE: what the motor of a joint holds at most [N m], a slide's [N]; 0: free, inf: "
                   "held, NAME all: every joint");
}

model::SceneOptions SceneArguments::options() const {
  model::SceneOptions options;
  options.friction = friction;
  options.density = density;
  options.fixed = fixed;
  options.movable = movable;
  options.keep_facets = keep_facets;
  for (const std::string& given : joint_torque) {
    const std::size_t equals = given.rfind('=');
    if (equals == std::string::npos || equals == 0)
      throw UsageError("--joint-torque: '" + given + "' is no NAME=TORQUE, for example door_hinge=2.5");
    const std::string word = given.substr(equals + 1);
    const double torque = word == "inf" || word == "held" ? std::numeric_limits<double>::infinity()
                          : word == "free"                ? 0.0
                                                          : number_of("--joint-torque", word);
    if (!(torque >= 0.0)) throw UsageError("--joint-torque: '" + given + "' is negative");
    options.joint_torques.push_back({given.substr(0, equals), torque});
  }
  options.validate();
  return options;
}

void StabilityArguments::declare(Arguments& arguments) {
  arguments.positional(
      "SCENE", file,
      "Scene: MJCF, URDF, SDF, COMPAS JSON or transport YAML; FILE#NAME is an arrangement or a keyframe");
  arguments.option("--contact-tolerance", contact_tolerance, kToleranceHelp);
  arguments.flag("--settle", settle, "Let physics settle the scene first");
  mend.declare(arguments);
  arguments.option("--fixed-above", fixed_above, "Bodies of this mass or more count as fixed [kg]; 0: none");
  arguments.words("--acceleration", "ax ay az", acceleration,
                  "Acceleration of the ground [m/s^2], in the world");
  scene.declare(arguments);
}

stability::ContactSystemOptions StabilityArguments::system(const Shared& shared) const {
  stability::ContactSystemOptions options;
  if (!contact_tolerance.empty())
    options.contact.set_tolerance(number_of("--contact-tolerance", contact_tolerance));
  options.contact.threads = shared.threads;
  options.seed = shared.seed;
  options.fixed_above = fixed_above;
  if (!acceleration.empty()) options.acceleration_W = vector_of("--acceleration", acceleration);
  return options;
}

bool takes_stored_interfaces(const std::string& word) {
  if (word != "stored" && word != "computed")
    throw UsageError("--interfaces: there is no '" + word + "'; it must be computed or stored");
  return word == "stored";
}

std::string joined(const std::vector<std::string>& sentences) { return model::problem_sentence(sentences); }

model::Scene StabilityArguments::read() { return prepared(model::read_scene(file, scene.options())); }

model::Scene StabilityArguments::prepared(model::Scene as_written) {
  model::Scene read = mend.mended(std::move(as_written), contact_tolerance);
  if (!settle) return read;
  const simulate::SettleResult settled = simulate::settle(read, simulate::SettleOptions::for_statics());
  if (settled.status != simulate::SettleStatus::settled) {
    throw NoAnswerError("not_settled", "the scene did not settle: " + settled.brief_report());
  }
  return settled.scene;
}

double number_of(const std::string& option, const std::string& word) {
  const std::optional<double> number = model::parse_number(word);
  if (!number) throw UsageError(option + ": '" + word + "' is not a number");
  return *number;
}

double metres_of(const std::string& option, const std::string& unit) {
  if (!unit.empty() && (std::isdigit(static_cast<unsigned char>(unit[0])) || unit[0] == '.'))
    return number_of(option, unit);
  try {
    return model::length_unit(unit);
  } catch (const std::invalid_argument& error) {
    throw UsageError(option + ": " + error.what() + ", or metres as a number");
  }
}

Eigen::Vector3d vector_of(const std::string& option, const std::vector<std::string>& words,
                          std::size_t first) {
  Eigen::Vector3d vector;
  for (std::size_t k = 0; k < 3; ++k) {
    vector[static_cast<int>(k)] = number_of(option, words.at(first + k));
  }
  return vector;
}

}  // namespace prehend::cli
