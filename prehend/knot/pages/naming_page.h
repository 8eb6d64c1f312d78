// A name in a report: the rope, the loop it was closed to, what is left of the loop when it is reduced, and the invariants.
#pragma once

#include <span>
#include <string>

#include <Eigen/Core>

#include <prehend/knot/naming.h>
#include <prehend/report/page.h>

namespace prehend::knot {

// `centre_line` is the recorded rope [m], shown in 3D; empty: the drawing of the code is. `source` names where it came from.
report::Page naming_page(const PData& rope, const RopeName& name,
                         std::span<const Eigen::Vector3d> centre_line, const std::string& source);

}  // namespace prehend::knot
