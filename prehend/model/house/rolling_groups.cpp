#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <prehend/model/house/rolling_groups.h>
#include <prehend/model/house/round_surface.h>

namespace prehend::model {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

// Rigid clusters: bodies that share three contact points which do not lie on a line cannot roll on each other.
class Clusters {
 public:
  explicit Clusters(std::vector<int> groups) : parent_(groups.size()), groups_(std::move(groups)) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  int of(BodyIndex body) { return root(groups_[body]); }
  int root(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  // The smaller number stays: the ground, 0, keeps its own.
  void unite(int i, int j) {
    i = root(i);
    j = root(j);
    parent_[std::max(i, j)] = std::min(i, j);
  }

 private:
  std::vector<int> parent_, groups_;
};

// [-] of their extent: points nearer to a line lie on it.
constexpr double kOnLine = 1e-3;

bool is_spread(const std::vector<Vector3d>& points) {
  if (points.size() < 3) return false;
  const auto farthest = [&](const Vector3d& from) {
    return *std::max_element(points.begin(), points.end(), [&](const Vector3d& x, const Vector3d& y) {
      return (x - from).squaredNorm() < (y - from).squaredNorm();
    });
  };
  const Vector3d start = farthest(points.front()), way = farthest(start) - start;
  return std::any_of(points.begin(), points.end(), [&](const Vector3d& p) {
    return (p - start).cross(way).norm() > kOnLine * way.squaredNorm();
  });
}

Clusters rigid_clusters(const Scene& scene, const std::vector<SceneInterface>& contacts) {
  Clusters clusters(scene.rigid_groups());
  for (bool changes = true; changes;) {
    changes = false;
    std::map<std::pair<int, int>, std::vector<Vector3d>> points;
    for (const SceneInterface& contact : contacts) {
      const int a = clusters.of(contact.body_a), b = clusters.of(contact.body_b);
      if (a == b) continue;
      std::vector<Vector3d>& shared = points[std::minmax(a, b)];
      shared.insert(shared.end(), contact.patch.points_W.begin(), contact.patch.points_W.end());
    }
    for (const auto& [pair, shared] : points) {
      if (!is_spread(shared)) continue;
      clusters.unite(pair.first, pair.second);
      changes = true;
    }
  }
  return clusters;
}

struct RollingPoint {
  int interface{0}, point{0};  // of the contacts found
  int a{-1}, b{-1};            // clusters of the group; -1: the ground
  Vector3d p_W, n_W;
  Eigen::Matrix<double, 3, 2> tangents;
  std::optional<SurfaceThere> surface;
};

struct RollingBody {
  double mass{0.0};
  Vector3d com_W{Vector3d::Zero()};
  double size{0.0};  // [m] of its contact points from there
};

struct RollingGroup {
  std::vector<RollingBody> bodies;
  std::vector<RollingPoint> points;
};

// Twists (size times w, v about the centre of mass) that leave all contacts closed and at rest, and contact forces that come nearest to balance.
struct RollingState {
  MatrixXd twists;          // one a column
  Eigen::Matrix3Xd forces;  // one a contact, on b
  VectorXd power;           // of the weights on the twists
};

class RollingBalance {
 public:
  RollingBalance(RollingGroup group, const Vector3d& gravity_W)
      : group_(std::move(group)), gravity_(gravity_W) {
    for (const RollingBody& body : group_.bodies) {
      weight_ += body.mass * gravity_.norm();
      length_ = std::max(length_, body.size);
    }
  }

  // Moved places of all points; none where the group is in balance, or not within what is known.
  std::optional<std::vector<Vector3d>> balanced() {
    RollingState state = solve();
    if (state.power.size() == 0 || is_balanced(state) || !may_balance(state)) return std::nullopt;
    std::vector<Vector3d> start;
    for (const RollingPoint& point : group_.points) start.push_back(point.p_W);
    constexpr int kSteps = 6;  // quadratic from 1e-3 of the size
    for (int step = 0; step < kSteps && !is_balanced(state); ++step) {
      move_points(state);
      state = solve();
    }
    if (!is_balanced(state)) return std::nullopt;
    std::vector<Vector3d> places;
    for (std::size_t k = 0; k < start.size(); ++k) {
      const RollingPoint& point = group_.points[k];
      if ((point.p_W - start[k]).norm() > (point.surface ? point.surface->place : 0.0)) return std::nullopt;
      places.push_back(point.p_W);
    }
    return places;
  }

 private:
  static constexpr double kBalanced = 1e-13;  // [weights and sizes] rounding

  bool is_balanced(const RollingState& state) const {
    return state.power.lpNorm<Eigen::Infinity>() <= kBalanced * weight_;
  }

  Vector3d spin(const VectorXd& z, int body) const {
    return body < 0 ? Vector3d::Zero()
                    : Vector3d(z.segment<3>(6 * body) / group_.bodies[static_cast<std::size_t>(body)].size);
  }
  Vector3d centre_velocity(const VectorXd& z, int body) const { return z.segment<3>(6 * body + 3); }
  Vector3d relative_spin(const VectorXd& z, const RollingPoint& c) const {
    return spin(z, c.b) - spin(z, c.a);
  }
  Vector3d velocity(const VectorXd& z, int body, const Vector3d& p_W) const {
    if (body < 0) return Vector3d::Zero();
    return centre_velocity(z, body) +
           spin(z, body).cross(p_W - group_.bodies[static_cast<std::size_t>(body)].com_W);
  }

  RollingState solve() const {
    const Index n = 6 * static_cast<Index>(group_.bodies.size()),
                m = static_cast<Index>(group_.points.size());
    MatrixXd S = MatrixXd::Zero(3 * m, n);
    for (Index k = 0; k < m; ++k) {
      const RollingPoint& c = group_.points[static_cast<std::size_t>(k)];
      for (const auto& [body, sign] : {std::pair(c.b, 1.0), std::pair(c.a, -1.0)}) {
        if (body < 0) continue;
        const RollingBody& own = group_.bodies[static_cast<std::size_t>(body)];
        const Vector3d lever = (c.p_W - own.com_W) / own.size;
        for (int axis = 0; axis < 3; ++axis) {
          S.block<3, 1>(3 * k, 6 * body + axis) = sign * Vector3d::Unit(axis).cross(lever);
          S(3 * k + axis, 6 * body + 3 + axis) = sign;
        }
      }
    }
    VectorXd g = VectorXd::Zero(n);
    for (std::size_t b = 0; b < group_.bodies.size(); ++b)
      g.segment<3>(6 * static_cast<Index>(b) + 3) = group_.bodies[b].mass * gravity_;
    // Velocities per unit of twist: noise of 1e-4 of places does not take a twist out, and contacts that hold one are far above.
    constexpr double kAtRest = 1e-3;
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(S.transpose() * S);
    Index free = 0;
    while (free < n && solver.eigenvalues()[free] < kAtRest * kAtRest) ++free;
    RollingState state;
    state.twists = solver.eigenvectors().leftCols(free);
    state.power = state.twists.transpose() * g;
    const MatrixXd held = solver.eigenvectors().rightCols(n - free);
    const VectorXd f =
        -S * (held * (held.transpose() * g).cwiseQuotient(solver.eigenvalues().tail(n - free)));
    state.forces = f.reshaped(3, m);
    return state;
  }

  // How the contact point moves along both surfaces; none where the surfaces do not say.
  std::optional<Vector3d> shift(const VectorXd& z, const RollingPoint& c) const {
    if (!c.surface) return Vector3d::Zero();
    const Vector2d turns = c.tangents.transpose() * relative_spin(z, c).cross(c.n_W);
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> solver(c.surface->K);
    const Vector2d along = solver.eigenvectors().transpose() * turns;
    Vector2d x = Vector2d::Zero();
    for (int i = 0; i < 2; ++i) {
      // [1/m] and [-] of the turning: surfaces that are flat against each other along a line do not roll across it.
      constexpr double kFlat = 1e-2, kTurns = 1e-3;
      const double curvature = solver.eigenvalues()[i];
      if (curvature > kFlat / length_) {
        x[i] = along[i] / curvature;
      } else if (std::abs(along[i]) > kTurns / length_) {
        return std::nullopt;
      }
    }
    return c.tangents * (solver.eigenvectors() * x);
  }

  // Whether the power of the weights on all twists may be what is not known of the contacts' places.
  bool may_balance(const RollingState& state) const {
    const Index count = state.power.size(), m = static_cast<Index>(group_.points.size());
    std::vector<MatrixXd> shifts(static_cast<std::size_t>(m), MatrixXd(3, count));
    MatrixXd K = MatrixXd::Zero(count, count), size = MatrixXd::Zero(count, count);
    for (Index j = 0; j < count; ++j) {
      const VectorXd z = state.twists.col(j);
      Eigen::Matrix3Xd moment = Eigen::Matrix3Xd::Zero(3, static_cast<Index>(group_.bodies.size()));
      for (Index k = 0; k < m; ++k) {
        const RollingPoint& c = group_.points[static_cast<std::size_t>(k)];
        const auto x = shift(z, c);
        if (!x) return false;
        shifts[static_cast<std::size_t>(k)].col(j) = *x;
        const Vector3d moved = velocity(z, c.b, c.p_W) + *x, f = state.forces.col(k);
        if (c.b >= 0) moment.col(c.b) += moved.cross(f);
        if (c.a >= 0) moment.col(c.a) -= moved.cross(f);
      }
      for (std::size_t b = 0; b < group_.bodies.size(); ++b) {
        const int body = static_cast<int>(b);
        moment.col(body) += centre_velocity(z, body).cross(group_.bodies[b].mass * gravity_);
        for (Index i = 0; i < count; ++i) K(i, j) -= spin(state.twists.col(i), body).dot(moment.col(body));
      }
    }
    for (Index k = 0; k < m; ++k) {
      const RollingPoint& c = group_.points[static_cast<std::size_t>(k)];
      if (!c.surface) continue;
      const MatrixXd x = c.tangents.transpose() * shifts[static_cast<std::size_t>(k)];
      size += state.forces.col(k).norm() * x.transpose() * c.surface->K * x;
    }
    return closes(state, shifts, 0.5 * (K + K.transpose()), size);
  }

  // `size`: what rolling by a unit does to the balance where nothing cancels; K against it is the share that restores.
  bool closes(const RollingState& state, const std::vector<MatrixXd>& shifts, const MatrixXd& K,
              const MatrixXd& size) const {
    const Eigen::SelfAdjointEigenSolver<MatrixXd> sizes(0.5 * (size + size.transpose()));
    const double largest = sizes.eigenvalues().tail<1>()[0];
    VectorXd rolled = VectorXd::Zero(state.power.size());
    Index spins = 0;  // that roll nowhere
    while (spins < rolled.size() && sizes.eigenvalues()[spins] <= 1e-9 * largest) ++spins;
    constexpr double kRounding = 1e-9;  // [weights and sizes]
    if ((sizes.eigenvectors().leftCols(spins).transpose() * state.power).lpNorm<Eigen::Infinity>() >
        kRounding * weight_)
      return false;
    const Index rolls = rolled.size() - spins;
    const MatrixXd to_unit = sizes.eigenvectors().rightCols(rolls) *
                             sizes.eigenvalues().tail(rolls).cwiseSqrt().cwiseInverse().asDiagonal();
    const Eigen::SelfAdjointEigenSolver<MatrixXd> modes(to_unit.transpose() * K * to_unit);
    const MatrixXd twists = to_unit * modes.eigenvectors();
    const VectorXd power = twists.transpose() * state.power;
    // [-] Below, rolling brings bodies back so slowly that it counts as not at all: a ball in a bowl of fifty radii.
    constexpr double kRestores = 0.02;
    for (Index i = 0; i < rolls; ++i) {
      if (modes.eigenvalues()[i] > kRestores) {
        rolled += power[i] / modes.eigenvalues()[i] * twists.col(i);
      } else if (std::abs(power[i]) > rounding_of(state, state.twists * twists.col(i))) {
        return false;
      }
    }
    for (std::size_t k = 0; k < shifts.size(); ++k) {
      const auto& surface = group_.points[k].surface;
      if (surface && (shifts[k] * rolled).norm() > surface->place) return false;
    }
    return true;
  }

  // [W] Power on a twist that rounding of the places may have.
  double rounding_of(const RollingState& state, const VectorXd& z) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < group_.points.size(); ++k) {
      const RollingPoint& c = group_.points[k];
      if (c.surface)
        sum +=
            state.forces.col(static_cast<Index>(k)).norm() * relative_spin(z, c).norm() * c.surface->offset;
    }
    return sum;
  }

  // By the least that closes the gap with the forces as they are.
  void move_points(const RollingState& state) {
    const Index count = state.power.size(), m = static_cast<Index>(group_.points.size());
    MatrixXd A = MatrixXd::Zero(count, 2 * m);
    for (Index k = 0; k < m; ++k) {
      const RollingPoint& c = group_.points[static_cast<std::size_t>(k)];
      if (!c.surface) continue;
      for (Index i = 0; i < count; ++i) {
        const Vector3d turned = state.forces.col(k).cross(relative_spin(state.twists.col(i), c));
        A.block<1, 2>(i, 2 * k) = (c.tangents.transpose() * turned).transpose();
      }
    }
    const VectorXd d = A.completeOrthogonalDecomposition().solve(-state.power);
    for (Index k = 0; k < m; ++k) {
      RollingPoint& c = group_.points[static_cast<std::size_t>(k)];
      c.p_W += c.tangents * d.segment<2>(2 * k);
    }
  }

  RollingGroup group_;
  Vector3d gravity_;
  double weight_{0.0}, length_{0.0};
};

// Groups of clusters that touch each other, each with at least one round contact and none without friction or with a jointed body.
class GroupSearch {
 public:
  GroupSearch(const Scene& scene, double touching, const std::vector<SceneInterface>& contacts)
      : scene_(scene),
        touching_(touching),
        contacts_(contacts),
        clusters_(rigid_clusters(scene, contacts)),
        connected_(clusters_) {}

  std::vector<RollingGroup> run() {
    for (const SceneInterface& contact : contacts_) {
      const int a = clusters_.of(contact.body_a), b = clusters_.of(contact.body_b);
      if (a != 0 && b != 0) connected_.unite(a, b);
    }
    find_refused();
    for (BodyIndex b(0); b < scene_.bodies.size(); ++b) add_mass(b);
    std::map<int, RollingGroup> groups;
    for (const auto& [cluster, body] : bodies_) {
      const int group = connected_.root(cluster);
      if (refused_[group]) continue;
      number_[cluster] = static_cast<int>(groups[group].bodies.size());
      groups[group].bodies.push_back(body);
    }
    std::vector<RollingGroup> found;
    for (int i = 0; i < static_cast<int>(contacts_.size()); ++i) add_points(i, groups);
    constexpr std::size_t kMostBodies = 48;  // dense algebra of 288 unknowns: some 20 ms
    for (auto& [number, group] : groups) {
      const bool is_round = std::any_of(group.points.begin(), group.points.end(),
                                        [](const RollingPoint& c) { return c.surface.has_value(); });
      const bool has_size = std::all_of(group.bodies.begin(), group.bodies.end(),
                                        [](const RollingBody& body) { return body.size > 0.0; });
      if (is_round && has_size && group.bodies.size() <= kMostBodies) found.push_back(std::move(group));
    }
    return found;
  }

 private:
  void find_refused() {
    const auto refuse = [&](BodyIndex body) { refused_[connected_.root(clusters_.of(body))] = true; };
    for (const SceneInterface& contact : contacts_) {
      if (contact.friction > 0.0) continue;
      refuse(contact.body_a);
      refuse(contact.body_b);
    }
    for (const auto* joints : {&scene_.joints, &scene_.loop_joints}) {
      for (const Joint& joint : *joints) {
        if (joint.type == JointType::free || clusters_.of(joint.parent) == clusters_.of(joint.child))
          continue;
        refuse(joint.parent);
        refuse(joint.child);
      }
    }
    refused_[0] = true;
  }

  void add_mass(BodyIndex b) {
    const int cluster = clusters_.of(b);
    if (cluster == 0) return;
    RollingBody& body = bodies_[cluster];
    const math::SpatialInertia& inertia = scene_.bodies[b].inertia;
    const double mass = body.mass + inertia.mass;
    if (!(mass > 0.0)) return;
    body.com_W += inertia.mass / mass * (scene_.bodies[b].X_WB * inertia.com - body.com_W);
    body.mass = mass;
  }

  void add_points(int interface, std::map<int, RollingGroup>& groups) {
    const SceneInterface& contact = contacts_[static_cast<std::size_t>(interface)];
    const int a = clusters_.of(contact.body_a), b = clusters_.of(contact.body_b);
    if (a == b) return;
    const auto entry = groups.find(connected_.root(std::max(a, b)));
    if (entry == groups.end()) return;
    RollingGroup& group = entry->second;
    const Vector3d n = contact.patch.n_W, u = n.unitOrthogonal();
    for (int k = 0; k < static_cast<int>(contact.patch.points_W.size()); ++k) {
      RollingPoint c;
      c.interface = interface;
      c.point = k;
      c.a = a == 0 ? -1 : number_[a];
      c.b = b == 0 ? -1 : number_[b];
      c.p_W = contact.patch.points_W[static_cast<std::size_t>(k)];
      c.n_W = n;
      c.tangents << u, n.cross(u);
      const ContactPlane plane{c.p_W, u, n.cross(u)};
      c.surface = surfaces_together(surface_at(scene_.bodies[contact.body_a], plane, n, touching_),
                                    surface_at(scene_.bodies[contact.body_b], plane, -n, touching_));
      for (const int body : {c.a, c.b}) {
        if (body < 0) continue;
        RollingBody& own = group.bodies[static_cast<std::size_t>(body)];
        own.size = std::max(own.size, (c.p_W - own.com_W).norm());
      }
      group.points.push_back(std::move(c));
    }
  }

  const Scene& scene_;
  double touching_;
  const std::vector<SceneInterface>& contacts_;
  Clusters clusters_, connected_;
  std::map<int, RollingBody> bodies_;  // by cluster
  std::map<int, bool> refused_;        // by group
  std::map<int, int> number_;          // of a cluster in its group
};

}  // namespace

void balance_rolling_groups(const Scene& scene, double touching, std::vector<SceneInterface>& contacts) {
  if (!(scene.gravity_W.norm() > 0.0)) return;
  for (const RollingGroup& group : GroupSearch(scene, touching, contacts).run()) {
    const auto places = RollingBalance(group, scene.gravity_W).balanced();
    if (!places) continue;
    for (std::size_t k = 0; k < places->size(); ++k) {
      const RollingPoint& c = group.points[k];
      contacts[static_cast<std::size_t>(c.interface)].patch.points_W[static_cast<std::size_t>(c.point)] =
          (*places)[k];
    }
  }
}

}  // namespace prehend::model
