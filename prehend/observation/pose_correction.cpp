#include <algorithm>

#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>
#include <prehend/observation/pose_correction.h>
#include <prehend/observation/relations/least_motion.h>

namespace prehend::observation {

const char* to_string(CorrectionMethod method) { return enum_text(method); }
const char* to_string(CorrectionStatus status) { return enum_text(status); }

void CorrectionOptions::validate() const {
  const math::OptionCheck check("CorrectionOptions");
  check.above("noise.position", noise.position, 0.0, "m");
  check.above("noise.angle", noise.angle, 0.0, "rad");
  check.holds(reference_M.allFinite(), "reference_M", "not finite", "three finite numbers");
  check.above("convergence", convergence, 0.0);
  check.at_least("most_iterations", most_iterations, 1);
}

Correction correct_pose(const BodyPair& pair, const PrincipalContacts& contacts, const math::Pose& X_FM_seen,
                        const CorrectionOptions& options) {
  options.validate();
  const double tolerance = 1e-6 * pair.size();
  Correction correction;
  if (contacts.empty()) {
    correction.status = CorrectionStatus::ok;
    correction.X_FM = X_FM_seen;
  } else {
    const std::vector<ContactRow> rows = rows_of(pair.features(), contacts);
    if (options.method == CorrectionMethod::newton) {
      correction = solve_newton(rows, X_FM_seen, options, tolerance);
    } else if (options.method == CorrectionMethod::least) {
      correction = solve_least(rows, X_FM_seen, options, tolerance);
    } else {
      // The turn first: a shift costs next to nothing beside it.
      CorrectionOptions turn_first = options;
      turn_first.directions = {};
      turn_first.noise = {1.0, 1e-5 / pair.size()};
      correction = solve_least(rows, X_FM_seen, turn_first, tolerance);
      const double shift = correction.moved_m / options.noise.position,
                   turn = correction.turned_rad / options.noise.angle;
      correction.cost = shift * shift + turn * turn;
    }
  }
  if (correction.status != CorrectionStatus::ok) return correction;
  const bool is_touching =
      std::all_of(contacts.begin(), contacts.end(), [&](const PrincipalContact& contact) {
        return pair.touches(contact, correction.X_FM, pair.touch_tolerance());
      });
  if (!is_touching)
    correction.status = CorrectionStatus::apart;
  else if (pair.overlaps(correction.X_FM, pair.overlap_tolerance()))
    correction.status = CorrectionStatus::overlapping;
  return correction;
}

}  // namespace prehend::observation
