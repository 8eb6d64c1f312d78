// How little friction would do? The factor on all friction coefficients below which the scene falls by itself.
#pragma once

#include <string>

#include <prehend/stability/contact_system.h>

namespace prehend::stability {

struct CriticalFrictionOptions {
  double accuracy{1e-4};        // of the factor, relative to its upper end
  double largest_factor{20.0};  // above this more friction does not help

  void validate() const;
};

enum class CriticalFrictionStatus {
  not_computed,
  ok,
  holds_without,  // stable at zero friction
  never_holds,    // not even with the largest factor
  undetermined,   // a cone program at one of the ends did not reach its accuracy
};
const char* to_string(CriticalFrictionStatus status);

struct CriticalFriction {
  CriticalFrictionStatus status{CriticalFrictionStatus::not_computed};
  // Unstable at `below`, stable at `above`; factors on the scene's own coefficients.
  double below{0.0}, above{0.0};
  // The same as a coefficient, where all interfaces have the same; otherwise not a number.
  double coefficient_below{0.0}, coefficient_above{0.0};

  std::string brief_report() const;
  // {status,factor_below,factor_above,mu_below,mu_above}; numbers are null unless the status is ok.
  std::string to_json() const;
};

// Stability never suffers from more friction, so bisection finds it. Cost: about 20 cone programs.
CriticalFriction critical_friction(const ContactSystem& system, const CriticalFrictionOptions& options = {});

}  // namespace prehend::stability
