#include <string>
#include <string_view>

#include <prehend/inertia/estimator_options.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/number_text.h>

namespace prehend::inertia {
namespace {

using math::OptionCheck;

void check_weights(const OptionCheck& check, const RowWeights& weights) {
  check.above("weights.force", weights.force, 0.0, "1/N");
  check.above("weights.torque", weights.torque, 0.0, "1/(N m)");
}

void check_share(const OptionCheck& check, std::string_view field, double value) {
  check.holds(value > 0.0 && value < 1.0, field, math::number_text(value), "above 0 and below 1");
}

void check_rising(const OptionCheck& check, std::string_view field, const std::vector<double>& values) {
  check.holds(!values.empty(), field, "empty", "a list of at least one number");
  double last = 0.0;
  for (const double value : values) {
    check.above(field, value, last);
    last = value;
  }
}

}  // namespace

void LeastSquaresOptions::validate() const {
  const OptionCheck check("LeastSquaresOptions");
  check_weights(check, weights);
  check_share(check, "rank_tolerance", rank_tolerance);
}

void TotalLeastSquaresOptions::validate() const {
  const OptionCheck check("TotalLeastSquaresOptions");
  check.at_least("expected.a", expected.a, 0.0, "m/s^2");
  check.at_least("expected.w", expected.w, 0.0, "rad/s");
  check.at_least("expected.al", expected.al, 0.0, "rad/s^2");
  check.above("expected.force", expected.force, 0.0, "N");
  check.above("expected.torque", expected.torque, 0.0, "N m");
  check_share(check, "rank_tolerance", rank_tolerance);
}

void GeometricOptions::validate() const {
  const OptionCheck check("GeometricOptions");
  check_weights(check, weights);
  check.above("alpha", alpha, 0.0);
  check_share(check, "tolerance", tolerance);
  check_share(check, "rank_tolerance", rank_tolerance);
  check.at_least("max_iterations", max_iterations, 1);
}

void BodyPriorOptions::validate() const {
  const OptionCheck check("BodyPriorOptions");
  check_rising(check, "part_spreads", part_spreads);
  check_rising(check, "field_spreads", field_spreads);
  check_rising(check, "surface_errors", surface_errors);
  check_rising(check, "scan_errors", scan_errors);
  check_rising(check, "cell_errors", cell_errors);
  check.holds(surface_shares.size() == surface_errors.size(), "surface_shares",
              "of " + std::to_string(surface_shares.size()) + " numbers", "one for each of surface_errors");
  for (const double share : surface_shares) check.between("surface_shares", share, 1e-9, 1.0);
  check.at_least("error_length", error_length, 0.0);
  check.at_least("error_size", error_size, 0.0);
  check_rising(check, "generic_radii", generic_radii);
  check.above("field_reach", field_reach, 0.0);
  check.between("nodes", nodes, 8, 2000);
  check.between("label_leak", label_leak, 0.0, 1.0);
  check_share(check, "uniform_share", uniform_share);
  check_share(check, "wrong_shape", wrong_shape);
  check_share(check, "hollow_share", hollow_share);
}

void LikelihoodOptions::validate() const {
  prior.validate();
  const OptionCheck check("LikelihoodOptions");
  check.between("extent", extent, 0.0, 10.0);
  check.between("known_noise_samples", known_noise_samples, 0.0, 1e9);
  check.between("rounds", rounds, 1, 100);
  check.between("noise_floor", noise_floor, 0.0, 1.0);
  check.between("rank_tolerance", rank_tolerance, 0.0, 1.0);
}

void PointMassOptions::validate() const {
  const OptionCheck check("PointMassOptions");
  if (c1) check.at_least("c1", *c1, 0.0);
  check.above("noise_ratio", noise_ratio, 0.0);
  for (const double amplitude : amplitudes) check.above("amplitudes", amplitude, 0.0);
  check.above("lambda", lambda, 0.0);
  check.above("density_spread", density_spread, 0.0);
  points.validate();
}

void HomogeneousPartsOptions::validate() const {
  const OptionCheck check("HomogeneousPartsOptions");
  check.above("still", still, 0.0, "m/s^2");
  check.above("density_spread", density_spread, 0.0);
}

void EstimatorOptions::validate() const {
  ols.validate();
  rtls.validate();
  geo.validate();
  likelihood.validate();
  pmd.validate();
  hps.validate();
}

}  // namespace prehend::inertia
