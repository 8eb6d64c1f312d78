// Options of the six estimators, one struct per method, together in EstimatorOptions. What each method minimises stands in its
// own file in methods/; docs/inertia.md compares them.
//
// Every validate() throws std::invalid_argument naming the field, its value and the bound it breaks.
#pragma once

#include <optional>
#include <vector>

#include <Eigen/Core>

#include <prehend/inertia/point_set.h>
#include <prehend/inertia/samples.h>

namespace prehend::inertia {

// How much a residual counts, by kind of row: a row is multiplied by its weight before it is squared.
struct RowWeights {
  double force{1.0};   // [1/N]
  double torque{1.0};  // [1/(N m)]
};

// Ordinary least squares.
struct LeastSquaresOptions {
  RowWeights weights{};
  // Relative to the largest singular value of the scaled regressor: what is smaller is rounding of logs written with
  // nine digits, not information.
  double rank_tolerance{1e-7};

  void validate() const;
};

// Total least squares.
struct TotalLeastSquaresOptions {
  // Used when the samples do not bring their own noise. Table 3.7 of source N, moderate; only proportions matter.
  SampleNoise expected{.a = 0.05, .w = 0.0, .al = 0.5, .force = 0.1, .torque = 0.005};
  // As for least squares.
  double rank_tolerance{1e-7};

  void validate() const;
};

// Least squares with the log-det divergence to a prior body.
struct GeometricOptions {
  // Weight of the divergence relative to trace(A^T A), as the method's authors scale it: 1e-5 (source N, table 3.8) then
  // means the same for ten samples and ten thousand. A fixed weight would fade as samples come in.
  double alpha{1e-5};
  RowWeights weights{};
  // Newton stops when the decrement promises less than this share of the objective: some hundred roundings.
  double tolerance{1e-13};
  int max_iterations{100};  // eight are usual, twenty at a weight of 1e-11
  // As for least squares; only for the report of what the data determine.
  double rank_tolerance{1e-7};

  void validate() const;
};

// What is assumed of a body before it is moved (methods/body_prior.h). Chosen on generated tools.
struct BodyPriorOptions {
  // Relative spreads of part densities: from "all steel" to steel beside rubber. Positive, rising.
  std::vector<double> part_spreads{0.02, 0.06, 0.2, 0.5, 1.2};
  // Relative spreads of the density inside: from cast metal to a case with a motor in it. Positive, rising.
  std::vector<double> field_spreads{0.01, 0.05, 0.2, 0.8};
  // Errors of the surface, and of where it is held, along each axis relative to that side of the box: from drawings to shapes
  // in which a part is missing. The size is not known before: where the data contradict the shape, the large ones prevail.
  // Chosen with error_length and error_size on 120 objects of shape_coverage_tool, seed 1. Positive, rising.
  std::vector<double> surface_errors{0.005, 0.02, 0.08};
  // Beliefs in them. Positive, one for each; they add up to 1.
  std::vector<double> surface_shares{0.6, 0.3, 0.1};
  // The same, equally likely, for clouds of surface points that were filled (Shape::shell_of_unit_mass): most are within 0.02,
  // thin and concave ones within 0.1.
  std::vector<double> scan_errors{0.01, 0.03, 0.1};
  // The same for points that stand for volumes (Shape::is_of_cells): cells of scans are several millimetres too large all around.
  std::vector<double> cell_errors{0.02, 0.06, 0.2};
  // Layers that scans add, and displaced frames, are lengths: no axis is known better than this share of the longest side
  // would be. Not negative.
  double error_length{0.3};
  // Scale of the whole, in surface errors: scans are too large along all axes together. Not negative.
  double error_size{3.0};
  // Belief that an object known by its surface alone is hollow. In (0, 1).
  double hollow_share{0.1};
  // Belief in the smallest of the part spreads, and of the field spreads: half of all tools are of one material
  // throughout. The others share the rest. In (0, 1).
  double uniform_share{0.5};
  // Borders of parts are never quite right: this share of their spread is added to the field's. In [0, 1].
  double label_leak{0.1};
  // Reach of the density field relative to the longest side of the box. Positive.
  double field_reach{0.3};
  // Cells for the field: the time for the prior grows with their square, 160 take about 1 ms. In [8, 2000].
  int nodes{160};
  // Share of belief that the shape is plainly wrong (another object, millimetres for metres). In (0, 1).
  double wrong_shape{1e-4};
  // [m] Radii of bodies of which nothing is known but that a robot holds them. Positive, rising.
  std::vector<double> generic_radii{0.3};

  // This error of the surface along each axis by itself, of a mesh as of a scan.
  void set_shape_error(double error) {
    surface_errors = scan_errors = cell_errors = {error};
    surface_shares = {1.0};
    error_size = 0.0;
  }
  void validate() const;
};

// The recommended estimator.
struct LikelihoodOptions {
  BodyPriorOptions prior{};
  // Weight nu of log det J; zero: answers may be no bodies. One half counts as one observation that has extent. In [0, 10].
  double extent{0.5};
  // Off: every row counts the same in SI units, as in ordinary least squares. For comparison.
  bool weigh_by_noise{true};
  // Known wrench noise counts as this many samples against what residuals show. Not negative.
  double known_noise_samples{20.0};
  // Rounds of noise and mass: fewer leave them near their first guess, more cost time. In [1, 100].
  int rounds{4};
  // Noise is not assumed to be smaller than this share of the wrench's own size: logs are written with nine digits.
  double noise_floor{1e-8};
  // As for least squares; only for the report of what the data determine.
  double rank_tolerance{1e-7};

  void validate() const;
};

// Forms of the point-mass objective; see methods/point_masses.h.
enum class PointMassForm { noise_weighted, printed_squared, printed_norms };

struct PointMassOptions {
  PointMassForm form{PointMassForm::noise_weighted};
  // Dynamism at which the full model has 99.5 % of the weight; absent: from the noise. The source's 300 suits its own
  // robot. Zero: the full model alone.
  std::optional<double> c1;
  // How far the dynamism must stand out from that of noise. Chosen on 24 generated objects of one to four boxes at two
  // noise levels: 10 to 30 are equal within their scatter, 3 and 100 worse. Positive.
  double noise_ratio{30.0};
  // Amplitudes n1 [m/s^2], n2 [rad/s^2], n3 [rad/s] of (3.5). Positive.
  Eigen::Vector3d amplitudes{1.0, 1.0, 0.5};
  // Regularisation of the printed forms. Positive.
  double lambda{0.1};
  // Of the noise-weighted form: 0.13 lets each of 56 masses vary by its own size. Chosen on the same objects (0.05 and
  // 0.3 are worse). Positive.
  double density_spread{0.13};
  // How a shape of many points is thinned.
  PointSetOptions points{};

  // The objective of source N, its norms squared, with this regularisation (0.1 there).
  void use_printed(double regularisation) {
    form = PointMassForm::printed_squared;
    lambda = regularisation;
  }
  void validate() const;
};

// Masses of homogeneous parts.
struct HomogeneousPartsOptions {
  // [m/s^2] and [rad/s^2]: accelerations below which a sample is still (source N, 3.2.4). Positive.
  double still{1.0};
  // Relative deviation of densities among parts: 0.9 for plastics, aluminium, steel and brass drawn evenly. On generated
  // objects 1 is better than 0.5 and 0.25. Positive.
  double density_spread{1.0};
  // All samples and the full model: up to ten parts distinguished, at the price of the accelerations' noise.
  bool use_motion{false};
  // (3.26) as printed: rows unweighted, no prior, gravity alone, the threshold without allowance for noise.
  bool printed{false};

  void validate() const;
};

struct EstimatorOptions {
  LeastSquaresOptions ols{};
  TotalLeastSquaresOptions rtls{};
  GeometricOptions geo{};
  LikelihoodOptions likelihood{};
  PointMassOptions pmd{};
  HomogeneousPartsOptions hps{};

  void validate() const;
};

}  // namespace prehend::inertia
