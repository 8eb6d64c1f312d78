#include <cmath>
#include <limits>

#include <prehend/model/input_error.h>
#include <prehend/model/scenes/orientation_input.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {

Eigen::Quaterniond orientation_from_file(const Eigen::Vector4d& wxyz, const std::string& name, int line) {
  // As docs/files.md promises: rounding to two digits passes, columns in another order mostly do not.
  constexpr double kTolerance = 0.01;
  const double norm = wxyz.stableNorm();
  if (!(std::abs(norm - 1.0) <= kTolerance)) {
    throw InputError(name, line,
                     "the quaternion (" + exact_number(wxyz[0]) + ", " + exact_number(wxyz[1]) + ", " +
                         exact_number(wxyz[2]) + ", " + exact_number(wxyz[3]) + ") has norm " +
                         exact_number(norm) + "; expected 1 within 0.01, in the order w, x, y, z");
  }
  const bool is_unit = std::abs(norm - 1.0) <= 4 * std::numeric_limits<double>::epsilon();
  const Eigen::Vector4d unit = is_unit ? wxyz : Eigen::Vector4d(wxyz / norm);
  return {unit[0], unit[1], unit[2], unit[3]};
}

}  // namespace prehend::model
