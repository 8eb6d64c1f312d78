// Quaternions as files state them: nearly unit, any sign.
#pragma once

#include <string>

#include <Eigen/Geometry>

namespace prehend::model {

// The unit quaternion of four numbers. A norm off by more than 0.01 is an InputError at `line`: it is no
// rounding but another order, another unit or damage. A quaternion that is unit to the last bits is kept as
// it is, so that what we write reads back exactly.
Eigen::Quaterniond orientation_from_file(const Eigen::Vector4d& wxyz, const std::string& name, int line);

}  // namespace prehend::model
