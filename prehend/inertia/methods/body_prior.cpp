// The ten parameters are linear in the density, so each surprise gives a 10 x 10 covariance C, and
//   phi / m ~ N(mean, s_p^2 C_parts + s_g^2 C_field + e^2 C_surface),   mean: the homogeneous object;
// the mass is free. Sizes are not chosen but averaged over a grid, each as likely as the data find it (likelihood.h): a
// homogeneous tool is soon seen to be one, and a hammer's head is not forced to weigh what its handle does. One
// component that knows nothing of the shape stays in the mixture: should the shape be wrong, it wins, and that shows.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>

#include <prehend/inertia/methods/body_prior.h>
#include <prehend/inertia/methods/symmetric.h>

namespace prehend::inertia {
namespace {

using Eigen::Matrix4d;
using Eigen::Vector3d;
using math::Vector10d;

// Linear in J, unlike SpatialInertia, so that differences of bodies may pass.
Vector10d parameters_of(const Matrix4d& J) {
  const double trace = J.topLeftCorner<3, 3>().trace();
  Vector10d phi;
  phi << J(3, 3), J(0, 3), J(1, 3), J(2, 3),  //
      trace - J(0, 0), -J(0, 1), -J(0, 2), trace - J(1, 1), -J(1, 2), trace - J(2, 2);
  return phi;
}

// Of a unit mass at p.
Vector10d parameters_at(const Vector3d& p) {
  const Eigen::Vector4d h = p.homogeneous();
  return parameters_of(h * h.transpose());
}

struct Node {
  Vector3d p{Vector3d::Zero()};  // [m]
  double volume{0.0};            // share of the whole
  int label{-1};
};

// Points gathered by cubes (and labels), the cubes as small as `limit` nodes allow.
std::vector<Node> gather(const Shape& shape, std::size_t limit) {
  const double total = [&shape] {
    double sum = 0.0;
    for (const double v : shape.volumes) sum += v;
    return sum;
  }();
  const Vector3d low = shape.box.min();
  for (double cell = shape.box.sizes().maxCoeff() / static_cast<double>(limit);; cell *= 1.25) {
    std::map<std::array<long, 4>, Node> nodes;
    for (std::size_t i = 0; i < shape.points.size() && nodes.size() <= limit; ++i) {
      const int label = shape.labels.empty() ? 0 : shape.labels[i];
      const Vector3d u = (shape.points[i] - low) / cell;
      Node& node = nodes[{std::lround(u.x()), std::lround(u.y()), std::lround(u.z()), label}];
      node.p += shape.volumes[i] * shape.points[i];
      node.volume += shape.volumes[i];
      node.label = label;
    }
    // More labels than nodes: they cannot be gathered further.
    if (nodes.size() > limit && cell < 4.0 * shape.box.sizes().maxCoeff()) continue;
    std::vector<Node> gathered;
    for (auto& [key, node] : nodes) {
      if (!(node.volume > 0.0)) continue;
      node.p /= node.volume;
      node.volume /= total;
      gathered.push_back(node);
    }
    return gathered;
  }
}

math::Matrix10d field_covariance(const std::vector<Node>& nodes, const math::Pose& X_SO,
                                 const Vector10d& mean, double reach) {
  const auto n = static_cast<Eigen::Index>(nodes.size());
  Eigen::MatrixXd kernel(n, n);
  Eigen::Matrix<double, Eigen::Dynamic, 10> D(n, 10);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Node& node = nodes[static_cast<std::size_t>(i)];
    D.row(i) = (node.volume * (parameters_at(X_SO * node.p) - mean)).transpose();
    for (Eigen::Index j = 0; j <= i; ++j) {
      const double square = (node.p - nodes[static_cast<std::size_t>(j)].p).squaredNorm();
      kernel(i, j) = kernel(j, i) = 1.0 / (1.0 + square / (2.0 * reach * reach));
    }
  }
  return D.transpose() * kernel * D;
}

math::Matrix10d part_covariance(const std::vector<Node>& nodes, const math::Pose& X_SO,
                                const Vector10d& mean) {
  std::map<int, Vector10d> shares;
  for (const Node& node : nodes) {
    auto [found, is_new] = shares.try_emplace(node.label, Vector10d::Zero());
    found->second += node.volume * (parameters_at(X_SO * node.p) - mean);
  }
  math::Matrix10d covariance = math::Matrix10d::Zero();
  for (const auto& [label, share] : shares) covariance += share * share.transpose();
  return covariance;
}

// Affine distortions G of the object: J -> J + G J + J G^T; its ends move by 1 times `reach` along each axis, and all of it grows by
// `size`.
math::Matrix10d surface_covariance(const Matrix4d& J_O, const Eigen::AlignedBox3d& box,
                                   const math::Pose& X_SO, const BodyPriorOptions& options) {
  const Vector3d side = box.sizes().cwiseMax(1e-3 * box.diagonal().norm());
  const Vector3d reach = (side.array().square() + std::pow(options.error_length * side.maxCoeff(), 2)).sqrt();
  const Matrix4d T = X_SO.matrix();
  math::Matrix10d covariance = math::Matrix10d::Zero();
  const auto add = [&](const Matrix4d& G) {
    const Matrix4d change = G * J_O + J_O * G.transpose();
    const Vector10d d = parameters_of(T * change * T.transpose());
    covariance += d * d.transpose();
  };
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j) {
      Matrix4d G = Matrix4d::Zero();
      G(i, j) = j < 3 ? reach[i] / side[j] : reach[i];
      if (j < 3) G(i, 3) = -G(i, j) * box.center()[j];
      add(G);
    }
  Matrix4d grown = Matrix4d::Zero();
  grown.topLeftCorner<3, 3>() = options.error_size * Eigen::Matrix3d::Identity();
  grown.topRightCorner<3, 1>() = -options.error_size * box.center();
  add(grown);
  return covariance;
}

// Of 1 kg, as a pseudo inertia. Plates and wires as scanned may be flat: every body has some thickness.
Matrix4d thickened(const math::SpatialInertia& whole, double diagonal) {
  Matrix4d J_O = whole.pseudo_inertia();
  const double thickness = 1e-3 * diagonal;
  const Vector3d com = J_O.topRightCorner<3, 1>();
  const SymmetricSpectrum<3> spread = spectrum_of<3>(J_O.topLeftCorner<3, 3>() - com * com.transpose());
  const Vector3d wide = spread.values.cwiseMax(thickness * thickness / 12.0);
  J_O.topLeftCorner<3, 3>() =
      spread.vectors * wide.asDiagonal() * spread.vectors.transpose() + com * com.transpose();
  return J_O;
}

// Bodies of which only the size is known: a ball about the sensor with a wild density.
void add_generic(const BodyPriorOptions& options, double share, BodyPrior& prior) {
  Shape ball;
  constexpr int kSide = 6;
  for (int i = 0; i < kSide; ++i)
    for (int j = 0; j < kSide; ++j)
      for (int k = 0; k < kSide; ++k) {
        const Vector3d p = (2.0 * Vector3d(i, j, k) / (kSide - 1)).array() - 1.0;
        if (p.norm() <= 1.05) ball.points.push_back(p);
      }
  ball.volumes.assign(ball.points.size(), 1.0);
  ball.box = Eigen::AlignedBox3d(Vector3d::Constant(-1.0), Vector3d::Constant(1.0));
  const std::vector<Node> nodes = gather(ball, ball.points.size());
  Vector10d mean = Vector10d::Zero();
  for (const Node& node : nodes) mean += node.volume * parameters_at(node.p);
  // Slender bodies are far from balls: narrower beliefs held wrong inertias with too much certainty on generated tools.
  constexpr double kWild = 6.0, kReach = 0.6;
  const math::Matrix10d unit = kWild * kWild * field_covariance(nodes, math::Pose(), mean, kReach);
  for (const double radius : options.generic_radii) {
    Vector10d scale;
    scale << 1.0, Vector3d::Constant(radius), Eigen::Matrix<double, 6, 1>::Constant(radius * radius);
    PriorComponent component;
    component.mean = scale.cwiseProduct(mean);
    component.covariance = scale.asDiagonal() * unit * scale.asDiagonal();
    component.log_weight = std::log(share / static_cast<double>(options.generic_radii.size()));
    prior.components.push_back(component);
  }
}

}  // namespace

BodyPrior prior_without_shape(const BodyPriorOptions& options) {
  options.validate();
  BodyPrior prior;
  add_generic(options, 1.0, prior);
  return prior;
}

BodyPrior prior_of_shape(const Shape& shape, const math::Pose& X_SO, const BodyPriorOptions& options) {
  options.validate();
  if (shape.points.empty() || shape.volumes.size() != shape.points.size())
    throw std::invalid_argument("the shape has " + std::to_string(shape.points.size()) + " points and " +
                                std::to_string(shape.volumes.size()) +
                                " volumes, must have one volume a point");
  const std::vector<Node> nodes = gather(shape, static_cast<std::size_t>(options.nodes));
  Vector10d node_mean = Vector10d::Zero();
  for (const Node& node : nodes) node_mean += node.volume * parameters_at(X_SO * node.p);
  const math::Matrix10d field =
      field_covariance(nodes, X_SO, node_mean, options.field_reach * shape.box.sizes().maxCoeff());
  const bool has_parts = shape.parts.size() > 1 && !shape.labels.empty();
  const math::Matrix10d parts =
      has_parts ? part_covariance(nodes, X_SO, node_mean) : math::Matrix10d::Zero().eval();
  const std::vector<double> part_spreads = has_parts ? options.part_spreads : std::vector<double>{0.0};
  const auto log_share = [&options](const std::vector<double>& values, double value) {
    const double others = static_cast<double>(values.size()) - 1.0;
    if (others == 0.0) return 0.0;
    return std::log(value == values.front() ? options.uniform_share : (1.0 - options.uniform_share) / others);
  };
  const bool is_scan = shape.shell_of_unit_mass.has_value();
  const std::vector<double>& errors = is_scan             ? options.scan_errors
                                      : shape.is_of_cells ? options.cell_errors
                                                          : options.surface_errors;
  const bool is_solid = !is_scan && !shape.is_of_cells;
  const auto log_share_of_error = [&](std::size_t k) {
    return is_solid ? std::log(options.surface_shares[k]) : -std::log(static_cast<double>(errors.size()));
  };
  BodyPrior prior;
  const Matrix4d T = X_SO.matrix();
  const auto add_bodies_like = [&](const math::SpatialInertia& whole, double share) {
    const Matrix4d J_O = thickened(whole, shape.box.diagonal().norm());
    const math::Matrix10d surface = surface_covariance(J_O, shape.box, X_SO, options);
    for (const double part : part_spreads)
      for (const double wander : options.field_spreads)
        for (std::size_t k = 0; k < errors.size(); ++k) {
          PriorComponent component;
          component.mean = parameters_of(T * J_O * T.transpose());
          const double leak = options.label_leak * part;
          component.covariance =
              part * part * parts + (wander * wander + leak * leak) * field + errors[k] * errors[k] * surface;
          component.log_weight = std::log1p(-options.wrong_shape) + std::log(share) +
                                 log_share(part_spreads, part) + log_share(options.field_spreads, wander) +
                                 log_share_of_error(k);
          component.knows_shape = true;
          prior.components.push_back(component);
        }
  };
  add_bodies_like(shape.of_unit_mass, is_scan ? 1.0 - options.hollow_share : 1.0);
  if (is_scan) add_bodies_like(*shape.shell_of_unit_mass, options.hollow_share);
  add_generic(options, options.wrong_shape, prior);
  return prior;
}

}  // namespace prehend::inertia
