#include <algorithm>

#include <prehend/math/house/option_check.h>
#include <prehend/model/scene_contacts.h>
#include <prehend/stability/robustness_map.h>
#include <prehend/stability/surface_pushes.h>

namespace prehend::stability {

void RobustnessMapOptions::validate() const {
  math::OptionCheck("RobustnessMapOptions").between("accuracy", accuracy, 1e-9, 0.1);
  questions().validate();
}

RobustnessOptions RobustnessMapOptions::questions() const {
  RobustnessOptions asking = robustness;
  asking.map_accuracy = accuracy;
  asking.accuracy = std::min(robustness.accuracy, accuracy);
  asking.check_points = false;
  return asking;
}

RobustnessResult robustness_map(const model::Scene& scene, const RobustnessMapOptions& options) {
  options.validate();
  const SurfacePushOptions surface{options.points, options.seed, options.covered,
                                   options.robustness.system.fixed_above};
  const model::SceneContacts contacts = model::find_scene_contacts(scene, options.robustness.system.contact);
  if (build_contact_system(scene, contacts, options.robustness.system).bodies.empty())
    return robustness(scene, {}, options.questions());  // says so
  return robustness(scene, surface_pushes(scene, contacts, surface), options.questions());
}

}  // namespace prehend::stability
