// Shapes that are wrong as people's files are, made from generated objects whose truth is known in closed form.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Dense>
#include <generated/generated_objects.h>

#include <prehend/geometry/hull.h>
#include <prehend/geometry/mesh.h>
#include <prehend/inertia/shape.h>
#include <prehend/math/random.h>

namespace prehend::inertia::test {

// A generated object; `truth` and `shape` may both be changed, so that one is wrong about the other.
struct Specimen {
  math::SpatialInertia truth;  // in O
  Shape shape;                 // in O
  math::Pose X_SO;
};

inline math::SpatialInertia of_volume(const Part& part) {
  math::SpatialInertia body = part.of_unit_mass;
  body.mass *= part.volume;
  body.I_com *= part.volume;
  return body;
}

// After a change of parts: the whole follows.
inline void gather_whole(Shape& shape) {
  math::SpatialInertia sum;
  for (const Part& part : shape.parts) sum = sum + of_volume(part);
  shape.of_unit_mass = math::SpatialInertia::from_pseudo_inertia(sum.pseudo_inertia() / sum.mass);
}

inline math::SpatialInertia moved_by(const math::SpatialInertia& body, const Eigen::Matrix4d& T) {
  return math::SpatialInertia::from_pseudo_inertia(T * body.pseudo_inertia() * T.transpose());
}

inline Eigen::Matrix4d about(const Eigen::Vector3d& centre, const Eigen::Matrix3d& M,
                             const Eigen::Vector3d& shift = Eigen::Vector3d::Zero()) {
  Eigen::Matrix4d T = Eigen::Matrix4d::Identity();
  T.topLeftCorner<3, 3>() = M;
  T.topRightCorner<3, 1>() = centre - M * centre + shift;
  return T;
}

// Moves the whole shape, or one part of it.
inline void move_shape(Shape& shape, const Eigen::Matrix4d& T, int only = -1) {
  shape.box.setEmpty();
  for (std::size_t i = 0; i < shape.points.size(); ++i) {
    if (only < 0 || shape.labels[i] == only)
      shape.points[i] = (T * shape.points[i].homogeneous()).head<3>().eval();
    shape.box.extend(shape.points[i]);
  }
  const double grown = std::abs(T.topLeftCorner<3, 3>().determinant());
  for (std::size_t k = 0; k < shape.parts.size(); ++k) {
    if (only >= 0 && static_cast<int>(k) != only) continue;
    shape.parts[k].of_unit_mass = moved_by(shape.parts[k].of_unit_mass, T);
    shape.parts[k].volume *= grown;
    for (std::size_t i = 0; i < shape.points.size(); ++i)
      if (shape.labels[i] == static_cast<int>(k)) shape.volumes[i] *= grown;
  }
  gather_whole(shape);
}

// `share` of its length is hollow: what is left of a body of mass `mass`.
inline math::SpatialInertia hollowed(const math::SpatialInertia& of_unit_mass, double mass, double share) {
  math::SpatialInertia body = of_unit_mass;
  body.mass = mass * (1.0 - std::pow(share, 3));
  body.I_com *= mass * (1.0 - std::pow(share, 5));
  return body;
}

// Masses of the parts, which the truth is made of.
inline Eigen::VectorXd part_masses(const Specimen& s) {
  Eigen::MatrixXd columns(10, static_cast<Eigen::Index>(s.shape.parts.size()));
  for (std::size_t k = 0; k < s.shape.parts.size(); ++k)
    columns.col(static_cast<Eigen::Index>(k)) = s.shape.parts[k].of_unit_mass.parameters();
  Eigen::VectorXd scale = s.truth.parameters().cwiseAbs();
  scale = scale.cwiseMax(1e-6 * scale.maxCoeff()).cwiseInverse();
  return (scale.asDiagonal() * columns)
      .colPivHouseholderQr()
      .solve(scale.asDiagonal() * s.truth.parameters());
}

inline int some_part(const Specimen& s, math::RandomStream& random) {
  return static_cast<int>(random.below(static_cast<std::uint32_t>(s.shape.parts.size())));
}

inline void forget_parts(Shape& shape) {
  shape.parts.clear();
  shape.labels.clear();
}

using ShapeFault = std::function<void(Specimen&, math::RandomStream&)>;

inline void drop_part(Shape& shape, int part) {
  Shape rest = shape;
  rest.points.clear();
  rest.volumes.clear();
  rest.labels.clear();
  rest.box.setEmpty();
  for (std::size_t i = 0; i < shape.points.size(); ++i) {
    if (shape.labels[i] == part) continue;
    rest.points.push_back(shape.points[i]);
    rest.box.extend(shape.points[i]);
    rest.volumes.push_back(shape.volumes[i]);
    rest.labels.push_back(shape.labels[i] - (shape.labels[i] > part ? 1 : 0));
  }
  rest.parts.erase(rest.parts.begin() + part);
  gather_whole(rest);
  shape = rest;
}

inline void fill_hull(Shape& shape) {
  const Eigen::AlignedBox3d box = shape.box;
  const geometry::HullResult hull = geometry::convex_hull(shape.points);
  if (hull.status != geometry::HullStatus::ok) return;
  geometry::TriangleMesh mesh = hull.mesh;
  Eigen::AlignedBox3d inner;
  for (const Eigen::Vector3d& p : mesh.vertices) inner.extend(p);
  for (Eigen::Vector3d& p : mesh.vertices)  // points are centres of cells
    p = box.center() + (p - inner.center()).cwiseProduct(box.sizes().cwiseQuotient(inner.sizes()));
  shape = shape_of_mesh(mesh, "hull");
}

// Scans are too large by a layer of one thickness.
inline void inflate(Shape& shape, double layer) {
  const Eigen::Vector3d side = shape.box.sizes();
  const Eigen::Vector3d factor = (side.array() + 2.0 * layer) / side.array();
  move_shape(shape, about(shape.box.center(), factor.asDiagonal()));
}

inline std::vector<std::pair<std::string, ShapeFault>> shape_faults() {
  using Random = math::RandomStream;
  const auto keep_hollow = [](Specimen& s, Random& r) {
    const int k = some_part(s, r);
    const double share = r.uniform(0.5, 0.9), mass = part_masses(s)[k];
    const math::SpatialInertia core = s.shape.parts[static_cast<std::size_t>(k)].of_unit_mass;
    s.truth = math::SpatialInertia::from_parameters(s.truth.parameters() - mass * core.parameters() +
                                                    hollowed(core, mass, share).parameters());
  };
  const auto shown_hollow = [](Specimen& s, Random& r) {
    Part& part = s.shape.parts[static_cast<std::size_t>(some_part(s, r))];
    const math::SpatialInertia rest = hollowed(part.of_unit_mass, part.volume, r.uniform(0.5, 0.9));
    part.of_unit_mass = math::SpatialInertia::from_pseudo_inertia(rest.pseudo_inertia() / rest.mass);
    part.volume = rest.mass;
    gather_whole(s.shape);
  };
  const auto stretched = [](double low, double high) {
    return [=](Specimen& s, Random& r) {
      move_shape(s.shape, about(s.shape.box.center(), r.uniform(low, high) * Eigen::Matrix3d::Identity()));
    };
  };
  const auto displaced = [](Specimen& s, Random& r) {
    const Eigen::AngleAxisd turn(0.02 * r.normal(), r.unit_vector());
    const Eigen::Vector3d shift = r.uniform(1e-3, 4e-3) * r.unit_vector();
    move_shape(s.shape, about(s.shape.box.center(), turn.toRotationMatrix(), shift));
  };
  const auto no_parts = [](const ShapeFault& fault) {
    return [fault](Specimen& s, Random& r) {
      fault(s, r);
      forget_parts(s.shape);
    };
  };
  const ShapeFault right = [](Specimen&, Random&) {};
  const ShapeFault layer = [](Specimen& s, Random& r) { inflate(s.shape, r.uniform(5e-4, 4e-3)); };
  const ShapeFault lost = [](Specimen& s, Random& r) {
    if (s.shape.parts.size() > 1) drop_part(s.shape, some_part(s, r));
  };
  const ShapeFault resized = [](Specimen& s, Random& r) {
    const int k = some_part(s, r);
    const double factor = std::exp(0.2 * r.normal());
    move_shape(s.shape,
               about(s.shape.parts[static_cast<std::size_t>(k)].of_unit_mass.com,
                     factor * Eigen::Matrix3d::Identity()),
               k);
  };
  const ShapeFault volumes = [](Specimen& s, Random& r) {
    for (std::size_t k = 0; k < s.shape.parts.size(); ++k) {
      const double factor = std::exp(0.4 * r.normal());
      s.shape.parts[k].volume *= factor;
      for (std::size_t i = 0; i < s.shape.points.size(); ++i)
        if (s.shape.labels[i] == static_cast<int>(k)) s.shape.volumes[i] *= factor;
    }
    gather_whole(s.shape);
  };
  const ShapeFault hull = [](Specimen& s, Random&) { fill_hull(s.shape); };
  return {{"right", right},
          {"right, no parts", no_parts(right)},
          {"hull", hull},
          {"truth hollow", keep_hollow},
          {"truth hollow, no parts", no_parts(keep_hollow)},
          {"shown hollow", shown_hollow},
          {"shown hollow, no parts", no_parts(shown_hollow)},
          {"part missing", lost},
          {"part missing, no parts", no_parts(lost)},
          {"part resized", resized},
          {"part resized, no parts", no_parts(resized)},
          {"2 to 5 % too large", stretched(1.02, 1.05)},
          {"2 to 5 % too large, no parts", no_parts(stretched(1.02, 1.05))},
          {"layer of 0.5 to 4 mm", layer},
          {"layer of 0.5 to 4 mm, no parts", no_parts(layer)},
          {"1 to 4 mm off", displaced},
          {"1 to 4 mm off, no parts", no_parts(displaced)},
          {"volumes of parts off", volumes},
          {"volumes of parts off, no parts", no_parts(volumes)}};
}

}  // namespace prehend::inertia::test
