#include <cmath>
#include <limits>

#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/interrupt.h>
#include <prehend/math/number_text.h>
#include <prehend/model/json_writer.h>
#include <prehend/stability/critical_friction.h>
#include <prehend/stability/limit/limit_general.h>

namespace prehend::stability {

using math::number_text;

void CriticalFrictionOptions::validate() const {
  const math::OptionCheck check("CriticalFrictionOptions");
  check.between("accuracy", accuracy, 1e-8, 0.1);
  check.above("largest_factor", largest_factor, 1.0);
}

const char* to_string(CriticalFrictionStatus status) { return enum_text(status); }

std::string CriticalFriction::brief_report() const {
  switch (status) {
    case CriticalFrictionStatus::holds_without:
      return "holds without friction";
    case CriticalFrictionStatus::never_holds:
      return "falls whatever the friction";
    case CriticalFrictionStatus::ok:
      break;
    default:
      return "undetermined";
  }
  if (std::isnan(coefficient_above)) {
    return "holds from " + number_text(above, 4) + " times the given friction on";
  }
  return "holds from friction " + number_text(coefficient_above, 4) + " on (falls at " +
         number_text(coefficient_below, 4) + ")";
}

std::string CriticalFriction::to_json() const {
  const bool is_found = status == CriticalFrictionStatus::ok;
  const auto number = [&](double value) {
    return is_found ? value : std::numeric_limits<double>::quiet_NaN();  // not finite: null
  };
  model::JsonWriter json;
  json.object()
      .field("status", to_string(status))
      .field("factor_below", number(below))
      .field("factor_above", number(above))
      .field("mu_below", number(coefficient_below))
      .field("mu_above", number(coefficient_above))
      .end();
  return json.text();
}

CriticalFriction critical_friction(const ContactSystem& system, const CriticalFrictionOptions& options) {
  options.validate();
  CriticalFriction result;
  bool is_failed = false;
  const auto holds = [&](double factor) {
    math::check_interrupt();
    ContactSystem other = system;
    for (SystemContact& contact : other.contacts) contact.mu *= factor;
    const ScaledLimit rest = solve_resting(scale_system(other));
    is_failed = is_failed || rest.status == ScaledLimit::Status::failed;
    return rest.status == ScaledLimit::Status::bounded;
  };
  if (holds(0.0)) {
    result.status = is_failed ? CriticalFrictionStatus::undetermined : CriticalFrictionStatus::holds_without;
    return result;
  }
  if (!holds(options.largest_factor)) {
    result.status = is_failed ? CriticalFrictionStatus::undetermined : CriticalFrictionStatus::never_holds;
    return result;
  }
  double low = 0.0, high = options.largest_factor;
  // Below a millionth of the given friction any is enough.
  while (high - low > options.accuracy * high && high > 1e-6) {
    const double middle = 0.5 * (low + high);
    (holds(middle) ? high : low) = middle;
  }
  // Within the bisection a program that stalls exactly at the limit only costs width; failures elsewhere do not occur.
  result.status = CriticalFrictionStatus::ok;
  result.below = low;
  result.above = high;
  double mu = system.contacts.front().mu;
  for (const SystemContact& contact : system.contacts) {
    if (contact.mu != mu) mu = std::numeric_limits<double>::quiet_NaN();
  }
  result.coefficient_below = low * mu;
  result.coefficient_above = high * mu;
  return result;
}

}  // namespace prehend::stability
