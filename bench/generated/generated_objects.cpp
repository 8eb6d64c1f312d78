#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include <Eigen/Geometry>
#include <generated/generated_objects.h>

#include <prehend/math/angles.h>

namespace prehend::inertia {
namespace {

using Eigen::Vector3d;

struct Material {
  const char* name;
  double density;  // [kg/m^3]
};
constexpr std::array<Material, 7> kMaterials{{{"steel", 7850.0},
                                              {"brass", 8500.0},
                                              {"aluminium", 2700.0},
                                              {"PVC", 1300.0},
                                              {"rubber", 1100.0},
                                              {"wood", 700.0},
                                              {"titanium", 4500.0}}};

// A box, or a cylinder along one of its axes; axes along O.
struct Piece {
  Vector3d centre{Vector3d::Zero()};  // [m] in O
  Vector3d size{Vector3d::Zero()};    // [m] full
  int axis{-1};                       // of a cylinder; -1: box
  Material material{kMaterials[0]};

  double volume() const { return size.prod() * (axis < 0 ? 1.0 : math::kPi / 4.0); }
  math::SpatialInertia inertia(double mass) const {
    math::SpatialInertia body = math::SpatialInertia::solid_box(mass, size);
    if (axis >= 0) {
      // An elliptic cylinder: across its axis the mean square is d^2/16 instead of the box's d^2/12.
      Vector3d square = size.cwiseAbs2() / 16.0;
      square[axis] = size[axis] * size[axis] / 12.0;
      body.I_com = mass * (square.sum() * Eigen::Matrix3d::Identity() - Eigen::Matrix3d(square.asDiagonal()));
    }
    body.com = centre;
    return body;
  }
};

double between(math::RandomStream& stream, double low, double high) { return stream.uniform(low, high); }
bool chance(math::RandomStream& stream, double p) { return stream.uniform() < p; }

Piece cylinder(int axis, double radius, double length, const Vector3d& centre) {
  Piece piece{centre, Vector3d::Constant(2.0 * radius), axis};
  piece.size[axis] = length;
  return piece;
}
Piece box(const Vector3d& size, const Vector3d& centre) { return {centre, size, -1}; }

std::vector<Piece> hammer(math::RandomStream& s) {
  const double length = between(s, 0.15, 0.35), radius = between(s, 0.006, 0.014);
  std::vector<Piece> pieces;
  double start = 0.0;
  if (chance(s, 0.5)) {
    const double grip = length * between(s, 0.25, 0.45);
    pieces.push_back(cylinder(1, radius * between(s, 1.2, 1.6), grip, {0, grip / 2, 0}));
    start = grip;
  }
  pieces.push_back(cylinder(1, radius, length - start, {0, (start + length) / 2, 0}));
  const double across = between(s, 0.06, 0.14), thick = between(s, 0.02, 0.045);
  const Vector3d at(0, length + thick / 2, across * between(s, -0.2, 0.2));
  pieces.push_back(chance(s, 0.5) ? cylinder(2, thick / 2, across, at) : box({thick, thick, across}, at));
  return pieces;
}

std::vector<Piece> screwdriver(math::RandomStream& s) {
  const double grip = between(s, 0.07, 0.12), shaft = between(s, 0.06, 0.2);
  return {cylinder(2, between(s, 0.009, 0.017), grip, {0, 0, grip / 2}),
          cylinder(2, between(s, 0.002, 0.006), shaft, {0, 0, grip + shaft / 2})};
}

std::vector<Piece> wrench(math::RandomStream& s) {
  const double length = between(s, 0.12, 0.3), width = between(s, 0.012, 0.03),
               thick = between(s, 0.004, 0.012);
  std::vector<Piece> pieces{box({length, width, thick}, Vector3d::Zero())};
  const double head = width * between(s, 1.3, 2.4);
  pieces.push_back(box({head, head, thick * between(s, 1.0, 1.8)},
                       {(length + head) / 2, between(s, -0.2, 0.2) * width, 0}));
  if (chance(s, 0.5)) pieces.push_back(cylinder(2, head / 2, thick, {-(length + head) / 2, 0, 0}));
  return pieces;
}

std::vector<Piece> clamp(math::RandomStream& s) {
  const double opening = between(s, 0.05, 0.12), depth = between(s, 0.04, 0.09), bar = between(s, 0.01, 0.02);
  const double thick = bar * between(s, 0.6, 1.2), screw = between(s, 0.06, 0.12);
  return {box({bar, opening, thick}, {0, 0, 0}),
          box({depth + bar, bar, thick}, {depth / 2, (opening + bar) / 2, 0}),
          box({depth + bar, bar, thick}, {depth / 2, -(opening + bar) / 2, 0}),
          cylinder(1, bar * 0.35, screw, {depth, -opening / 2 - bar - screw / 2, 0}),
          cylinder(0, bar * 0.25, screw * 0.6, {depth, -opening / 2 - bar - screw - bar * 0.25, 0})};
}

std::vector<Piece> plate(math::RandomStream& s) {
  const double length = between(s, 0.1, 0.3), width = between(s, 0.012, 0.06),
               thick = between(s, 0.001, 0.006);
  std::vector<Piece> pieces{box({length, thick, width}, Vector3d::Zero())};
  if (chance(s, 0.6)) {
    const Vector3d size(length * between(s, 0.1, 0.35), thick * between(s, 1.0, 3.0),
                        width * between(s, 0.8, 1.6));
    pieces.push_back(box(size, {between(s, -0.4, 0.4) * length, (thick + size.y()) / 2, 0}));
  }
  return pieces;
}

// Each piece stands on a face of the one before.
std::vector<Piece> chain(math::RandomStream& s) {
  std::vector<Piece> pieces;
  const int count = 1 + static_cast<int>(s.below(5));
  for (int i = 0; i < count; ++i) {
    const Vector3d size(between(s, 0.01, 0.08), between(s, 0.01, 0.08), between(s, 0.01, 0.08));
    Piece piece{Vector3d::Zero(), size, chance(s, 0.5) ? -1 : static_cast<int>(s.below(3))};
    if (i > 0) {
      const auto axis = static_cast<Eigen::Index>(s.below(3));
      const double sign = chance(s, 0.5) ? 1.0 : -1.0;
      piece.centre = pieces.back().centre;
      piece.centre[axis] += sign * (pieces.back().size[axis] + size[axis]) / 2;
    }
    pieces.push_back(piece);
  }
  return pieces;
}

// Points on a grid of cells of equal volume.
void fill(const Piece& piece, int count, std::vector<Vector3d>& points) {
  const double cell = std::cbrt(piece.volume() / count);
  if (piece.axis < 0) {
    const Eigen::Vector3i n = (piece.size / cell).array().round().max(1.0).cast<int>();
    for (int i = 0; i < n.x(); ++i)
      for (int j = 0; j < n.y(); ++j)
        for (int k = 0; k < n.z(); ++k) {
          const Vector3d u((i + 0.5) / n.x() - 0.5, (j + 0.5) / n.y() - 0.5, (k + 0.5) / n.z() - 0.5);
          points.push_back(piece.centre + piece.size.cwiseProduct(u));
        }
    return;
  }
  // Sunflower discs: equal areas.
  const int a = piece.axis, b = (a + 1) % 3, c = (a + 2) % 3;
  const int layers = std::max(1, static_cast<int>(std::lround(piece.size[a] / cell)));
  const int spots = std::max(3, count / layers);
  for (int k = 0; k < layers; ++k)
    for (int i = 0; i < spots; ++i) {
      const double r = 0.5 * std::sqrt((i + 0.5) / spots), angle = i * 2.399963229728653 + k;
      Vector3d p = piece.centre;
      p[a] += piece.size[a] * ((k + 0.5) / layers - 0.5);
      p[b] += piece.size[b] * r * std::cos(angle);
      p[c] += piece.size[c] * r * std::sin(angle);
      points.push_back(p);
    }
}

math::SpatialInertia affine(const math::SpatialInertia& body, const Eigen::Matrix3d& M,
                            const Vector3d& shift) {
  Eigen::Matrix4d T = Eigen::Matrix4d::Identity();
  T.topLeftCorner<3, 3>() = M;
  T.topRightCorner<3, 1>() = shift;
  return math::SpatialInertia::from_pseudo_inertia(T * body.pseudo_inertia() * T.transpose());
}

// What the observer sees of the pieces.
Shape observe(const std::vector<Piece>& pieces, math::RandomStream& s,
              const GeneratedObjectOptions& options) {
  std::vector<int> part_of(pieces.size());
  int parts = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i)
    part_of[i] = i > 0 && chance(s, options.merged_parts) ? part_of[i - 1] : parts++;
  double volume = 0.0;
  Eigen::AlignedBox3d box;
  for (const Piece& piece : pieces) {
    volume += piece.volume();
    box.extend(Vector3d(piece.centre - piece.size / 2)).extend(Vector3d(piece.centre + piece.size / 2));
  }
  const Eigen::Matrix3d sides = box.sizes().asDiagonal();
  Eigen::Matrix3d E;
  for (int j = 0; j < 3; ++j) E.col(j) = options.surface_error * s.normal3();
  const Eigen::Matrix3d M = Eigen::Matrix3d::Identity() + sides * E * sides.inverse();
  const Vector3d shift =
      options.surface_error * (sides * s.normal3()) - (M - Eigen::Matrix3d::Identity()) * box.center();

  Shape shape;
  shape.parts.resize(static_cast<std::size_t>(parts));
  for (Part& part : shape.parts) part.of_unit_mass = {};
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Piece& piece = pieces[i];
    const double share = piece.volume() / volume;
    const std::size_t first = shape.points.size();
    fill(piece, std::max(8, static_cast<int>(std::lround(share * options.points))), shape.points);
    const double each = piece.volume() / static_cast<double>(shape.points.size() - first);
    shape.volumes.resize(shape.points.size(), each);
    shape.labels.resize(shape.points.size(), part_of[i]);
    Part& part = shape.parts[static_cast<std::size_t>(part_of[i])];
    part.name = "part " + std::to_string(part_of[i]);
    part.of_unit_mass = part.of_unit_mass + piece.inertia(piece.volume());
    part.volume += piece.volume();
  }
  for (Part& part : shape.parts) {
    shape.of_unit_mass = shape.of_unit_mass + part.of_unit_mass;
    const Eigen::Matrix4d J = part.of_unit_mass.pseudo_inertia() / part.volume;
    part.of_unit_mass = affine(math::SpatialInertia::from_pseudo_inertia(J), M, shift);
  }
  shape.of_unit_mass = affine(
      math::SpatialInertia::from_pseudo_inertia(shape.of_unit_mass.pseudo_inertia() / volume), M, shift);
  const std::vector<int> labels = shape.labels;
  for (std::size_t i = 0; parts > 1 && i < labels.size(); ++i) {
    if (!chance(s, options.wrong_labels)) continue;
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < labels.size(); ++j) {
      const double distance = (shape.points[i] - shape.points[j]).squaredNorm();
      if (labels[j] == labels[i] || distance >= nearest) continue;
      nearest = distance;
      shape.labels[i] = labels[j];
    }
  }
  for (Vector3d& p : shape.points) p = M * p + shift;
  for (int corner = 0; corner < 8; ++corner)
    shape.box.extend(Vector3d(M * box.corner(static_cast<Eigen::AlignedBox3d::CornerType>(corner)) + shift));
  return shape;
}

}  // namespace

void GeneratedObjectOptions::validate() const {
  const auto check = [](const char* name, double value, double low, double high) {
    if (!(value >= low && value <= high)) {
      throw std::invalid_argument(std::string(name) + " is " + std::to_string(value) + ", must be in [" +
                                  std::to_string(low) + ", " + std::to_string(high) + "]");
    }
  };
  check("one_material", one_material, 0.0, 1.0);
  check("merged_parts", merged_parts, 0.0, 1.0);
  check("wrong_labels", wrong_labels, 0.0, 0.5);
  check("surface_error", surface_error, 0.0, 0.1);
  check("points", points, 50, 100000);
}

GeneratedObject generate_object(math::RandomStream& stream, const GeneratedObjectOptions& options) {
  options.validate();
  using Maker = std::vector<Piece> (*)(math::RandomStream&);
  constexpr std::array<std::pair<const char*, Maker>, 6> kKinds{{{"hammer", hammer},
                                                                 {"screwdriver", screwdriver},
                                                                 {"wrench", wrench},
                                                                 {"clamp", clamp},
                                                                 {"plate", plate},
                                                                 {"chain", chain}}};
  const auto& [kind, make] = kKinds[stream.below(kKinds.size())];
  std::vector<Piece> pieces = make(stream);
  const bool one = chance(stream, options.one_material);
  const Material common = kMaterials[stream.below(kMaterials.size())];
  GeneratedObject object;
  object.name = kind;
  for (Piece& piece : pieces) {
    piece.material = one ? common : kMaterials[stream.below(kMaterials.size())];
    object.name += std::string(" ") + piece.material.name;
    object.truth = object.truth + piece.inertia(piece.volume() * piece.material.density);
  }
  object.shape = observe(pieces, stream, options);
  // Held near the middle of its first piece, the sensor behind the fingers.
  const Eigen::Quaterniond q_SO = stream.rotation();
  const Vector3d grasp_S = stream.unit_vector() * between(stream, 0.0, 0.15);
  object.X_SO = math::Pose(q_SO, grasp_S - q_SO * pieces.front().centre);
  return object;
}

}  // namespace prehend::inertia
