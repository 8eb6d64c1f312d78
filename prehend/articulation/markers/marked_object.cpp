#include <cmath>
#include <stdexcept>

#include <prehend/articulation/markers/detection/marker_pattern.h>
#include <prehend/articulation/markers/marked_object.h>
#include <prehend/math/house/option_check.h>

namespace prehend::articulation {

void MarkingOptions::validate() const {
  require_dictionary(dictionary);
  const math::OptionCheck check("MarkingOptions");
  check.above("size", size, 0.0, "m");
  check.between("margin", margin, 0.0, 10.0, "cells");
  check.holds(!faces.empty(), "faces", "empty", "one face at least");
  for (const Eigen::Vector3d& face : faces)
    check.holds(std::abs(face.norm() - 1) < 1e-9 && std::abs(face.cwiseAbs().maxCoeff() - 1) < 1e-9, "faces",
                "another direction", "a unit direction along an axis of the part");
}

MarkedObject mark_object(const SimulatedObject& object, const MarkingOptions& options) {
  options.validate();
  object.validate();
  MarkedObject marked{object, options, {}};
  const std::size_t count = object.parts.size() * options.faces.size();
  if (count > static_cast<std::size_t>(dictionary_size(options.dictionary))) {
    throw std::invalid_argument(std::to_string(count) + " markers are needed, dictionary " +
                                options.dictionary + " has " +
                                std::to_string(dictionary_size(options.dictionary)));
  }
  for (std::size_t part = 0; part < object.parts.size(); ++part) {
    for (const Eigen::Vector3d& out : options.faces) {
      const Eigen::Vector3d up =
          std::abs(out.z()) > 0.5 ? Eigen::Vector3d::UnitY() : Eigen::Vector3d::UnitZ();
      Eigen::Matrix3d R_PM;
      R_PM << up.cross(out), up, out;
      const Eigen::Vector3d p_PM = 0.5 * object.parts[part].size.cwiseProduct(out);
      marked.markers.push_back(
          {static_cast<int>(marked.markers.size()), static_cast<int>(part), math::Pose(R_PM, p_PM)});
    }
  }
  return marked;
}

}  // namespace prehend::articulation
