#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include <Eigen/Geometry>

#include <prehend/geometry/proximity.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/random.h>
#include <prehend/observation/cones/contact_planes.h>
#include <prehend/observation/motion_freedom.h>
#include <prehend/observation/neighbour_relations.h>
#include <prehend/observation/polyhedron_contacts.h>
#include <prehend/observation/principal_contacts.h>
#include <prehend/observation/screw_path.h>
#include <prehend/observation/second/kept_contacts.h>
#include <prehend/observation/second/least_motion.h>

namespace prehend::observation {
namespace {

using Eigen::Index;
using Eigen::Vector3d;
using geometry::Polyhedron;
using math::Vector6d;

// Two bodies, and how a pose becomes a relation.
class PosedBodies {
 public:
  PosedBodies(const Polyhedron& moving_body, const Polyhedron& fixed_body)
      : moving(moving_body),
        fixed(fixed_body),
        size(std::min(moving_body.size(), fixed_body.size())),
        pair_(moving_body, fixed_body) {}

  // Nothing where the bodies overlap.
  std::optional<RelationNode> relation_at(const math::Pose& X_FM) const {
    if (pair_.overlaps(X_FM, pair_.overlap_tolerance())) return std::nullopt;
    PolyhedronContactOptions each_point;
    each_point.joins_lines = false;
    PolyhedronContacts found = find_contacts(moving, X_FM, fixed, math::Pose(), each_point);
    if (!found.problems.empty()) return std::nullopt;
    RelationNode node;
    node.X_FM = X_FM;
    std::set<std::string> pairs;
    for (const Contact& contact : found.relation.contacts) {
      const auto a = moving_feature(contact, X_FM), b = fixed_feature(contact);
      if (!a || !b) return std::nullopt;
      pairs.insert(feature_name(*a) + "-" + feature_name(*b));
    }
    node.pairs.assign(pairs.begin(), pairs.end());
    node.relation = std::move(found.relation);
    return node;
  }

  std::optional<Feature> moving_feature(const Contact& contact, const math::Pose& X_FM) const {
    return feature_at(moving, X_FM.inverse() * contact.points_W[0], 4e-5 * size);
  }
  std::optional<Feature> fixed_feature(const Contact& contact) const {
    return feature_at(fixed, contact.points_W[0], 4e-5 * size);
  }

  const Polyhedron &moving, &fixed;
  double size;

 private:
  BodyPair pair_;
};

// A plane of a contact of the relation at hand, with its row in the units of `planes`.
struct NodePlane {
  int contact{0};
  KeptContact kept;
  Vector6d row;
};

class Neighbours {
 public:
  Neighbours(const PosedBodies& bodies, const RelationNode& node, const NeighbourOptions& options)
      : bodies_(bodies),
        node_(node),
        options_(options),
        planes_(node.relation),
        first_(motion_freedom(node.relation)) {
    for (std::size_t i = 0; i < node.relation.contacts.size(); ++i) {
      const Contact& contact = node.relation.contacts[i];
      for (const Vector3d& n : contact.normals_W) {
        NodePlane& plane = all_.emplace_back();
        plane.contact = static_cast<int>(i);
        plane.kept = {contact.points_W[0], n.normalized(), *bodies.moving_feature(contact, node.X_FM),
                      *bodies.fixed_feature(contact)};
        const Vector3d p = (contact.points_W[0] - planes_.centre_W) / planes_.length;
        plane.row << p.cross(plane.kept.n_F), plane.kept.n_F;
      }
    }
  }

  // One relation reached by a random motion; nothing where the motion leads to none.
  std::optional<RelationNode> draw(math::RandomStream& random) const {
    if (first_.legal.empty()) return std::nullopt;
    const std::optional<Vector6d> screw = random_screw(random);
    if (!screw) return std::nullopt;
    std::vector<const NodePlane*> keep, open;
    choose(planes_.scaled(*screw), random, keep, open);
    const std::optional<Vector6d> second = second_order(*screw, keep, open);
    if (!second) return std::nullopt;
    const double theta = options_.step_rel * bodies_.size / planes_.scaled(*screw).norm();
    std::vector<KeptContact> kept;
    for (const NodePlane* plane : keep) kept.push_back(plane->kept);
    const math::Pose guess = screw_path(*screw, *second, theta);
    const std::optional<math::Pose> exact =
        closed_exactly(kept, bodies_.moving, node_.X_FM, bodies_.fixed, guess, 1e-10 * bodies_.size);
    if (!exact) return std::nullopt;
    std::optional<RelationNode> reached = bodies_.relation_at(*exact * node_.X_FM);
    if (!reached || reached->pairs == node_.pairs || reached->pairs.empty()) return std::nullopt;
    reached->guess_error = largest_distance(kept, guess);
    reached->first_order_error = largest_distance(kept, screw_path(*screw, Vector6d::Zero(), theta));
    return reached;
  }

 private:
  std::optional<Vector6d> random_screw(math::RandomStream& random) const {
    const LegalCone& cone = first_.legal[random.below(static_cast<std::uint32_t>(first_.legal.size()))];
    Vector6d screw = Vector6d::Zero();
    const double some = random.uniform();
    for (const Vector6d& basis : cone.lineality_W) {
      const double weight = random.normal();
      if (random.uniform() < some) screw += weight * basis / planes_.scaled(basis).norm();
    }
    // Often none: motions that keep what can be kept.
    const double opens = random.uniform() < 0.5 ? 0.0 : some;
    for (const Vector6d& ray : cone.rays_W) {
      const double weight = std::abs(random.normal());
      if (random.uniform() < opens) screw += weight * ray / planes_.scaled(ray).norm();
    }
    if (planes_.scaled(screw).norm() < 1e-3) return std::nullopt;
    return screw;
  }

  // Of the contacts that first order leaves closed, a random part is kept, by one of its planes or all.
  void choose(const Vector6d& scaled, math::RandomStream& random, std::vector<const NodePlane*>& keep,
              std::vector<const NodePlane*>& open) const {
    const double zero = kConeTolerance * scaled.norm(), share = random.uniform(),
                 keeps = random.uniform() < 0.5 ? 1.0 : share;
    std::map<int, std::vector<const NodePlane*>> closed;
    std::set<int> opened;
    for (const NodePlane& plane : all_) {
      const double rate = plane.row.dot(scaled);
      if (rate > zero) opened.insert(plane.contact);
      if (std::abs(rate) <= zero) closed[plane.contact].push_back(&plane);
    }
    for (const auto& [contact, planes] : closed) {
      if (opened.count(contact) > 0) continue;
      const bool is_kept = random.uniform() < keeps;
      const std::size_t one = random.below(static_cast<std::uint32_t>(planes.size()));
      const bool all = random.uniform() < 0.5;
      if (!is_kept)
        open.push_back(planes[one]);
      else if (all)
        keep.insert(keep.end(), planes.begin(), planes.end());
      else
        keep.push_back(planes[one]);
    }
  }

  // h of a plane from the distance itself: exact for flat faces and straight edges up to the difference's rounding.
  double coefficient(const NodePlane& plane, const Vector6d& screw) const {
    const double theta = 1e-4 * bodies_.size / planes_.scaled(screw).norm();
    const auto at = [&](double angle) {
      return plane.kept.distance(bodies_.moving, node_.X_FM, bodies_.fixed,
                                 screw_path(screw, Vector6d::Zero(), angle));
    };
    return (at(theta) + at(-theta)) / (theta * theta);
  }

  std::optional<Vector6d> second_order(const Vector6d& screw, const std::vector<const NodePlane*>& keep,
                                       const std::vector<const NodePlane*>& open) const {
    const auto kept = static_cast<Index>(keep.size()), opened = static_cast<Index>(open.size());
    Eigen::MatrixXd G(2 * kept + opened, 6);
    Eigen::VectorXd g(2 * kept + opened);
    const double factor = planes_.scaled(screw).squaredNorm() / planes_.length;
    for (Index i = 0; i < kept; ++i) {
      const NodePlane& plane = *keep[static_cast<std::size_t>(i)];
      const double h = coefficient(plane, screw) / factor;
      G.row(2 * i) = plane.row.transpose();
      G.row(2 * i + 1) = -plane.row.transpose();
      // What the difference rounds.
      g[2 * i] = -h - 1e-6;
      g[2 * i + 1] = h - 1e-6;
    }
    for (Index i = 0; i < opened; ++i) {
      const NodePlane& plane = *open[static_cast<std::size_t>(i)];
      G.row(2 * kept + i) = plane.row.transpose();
      g[2 * kept + i] = 0.3 - coefficient(plane, screw) / factor;
    }
    const LeastMotion least = least_motion(G, g);
    if (!least.found || least.x.norm() > 30.0) return std::nullopt;
    const Vector3d s3 = factor * least.x.head<3>() / planes_.length;
    Vector6d second;
    second << s3, factor * least.x.tail<3>() - s3.cross(planes_.centre_W);
    return second;
  }

  double largest_distance(const std::vector<KeptContact>& kept, const math::Pose& X_F) const {
    double largest = 0.0;
    for (const KeptContact& contact : kept)
      largest = std::max(largest, std::abs(contact.distance(bodies_.moving, node_.X_FM, bodies_.fixed, X_F)));
    return largest;
  }

  const PosedBodies& bodies_;
  const RelationNode node_;
  const NeighbourOptions& options_;
  ContactPlanes planes_;
  MotionFreedom first_;
  std::vector<NodePlane> all_;
};

}  // namespace

void NeighbourOptions::validate() const {
  const math::OptionCheck check("NeighbourOptions");
  check.at_least("motions", motions, 1);
  check.at_least("most_relations", most_relations, 1);
  check.strictly_between("step_rel", step_rel, 0.0, 0.5);
}

RelationGraph neighbouring_relations(const Polyhedron& moving, const Polyhedron& fixed,
                                     const math::Pose& X_FM, const NeighbourOptions& options) {
  options.validate();
  const PosedBodies bodies(moving, fixed);
  RelationGraph graph;
  std::optional<RelationNode> start = bodies.relation_at(X_FM);
  if (!start) throw std::invalid_argument("the bodies overlap in the given pose");
  if (start->pairs.empty()) throw std::invalid_argument("the bodies do not touch in the given pose");
  graph.nodes.push_back(std::move(*start));
  std::map<std::vector<std::string>, int> known{{graph.nodes[0].pairs, 0}};
  std::set<std::pair<int, int>> edges;
  for (std::size_t at = 0; at < graph.nodes.size() && (options.whole_graph || at == 0); ++at) {
    const Neighbours neighbours(bodies, graph.nodes[at], options);
    math::RandomStream random(options.seed, at);
    for (int k = 0; k < options.motions; ++k) {
      std::optional<RelationNode> reached = neighbours.draw(random);
      if (!reached) continue;
      const auto [entry, is_new] = known.emplace(reached->pairs, static_cast<int>(graph.nodes.size()));
      if (is_new) {
        if (static_cast<int>(graph.nodes.size()) >= options.most_relations) {
          known.erase(entry);
          graph.notes = {"more than " + std::to_string(options.most_relations) +
                         " relations: not all are listed"};
          continue;
        }
        graph.nodes.push_back(std::move(*reached));
      }
      edges.emplace(static_cast<int>(at), entry->second);
    }
  }
  graph.edges.assign(edges.begin(), edges.end());
  return graph;
}

std::string RelationGraph::brief_report() const {
  std::string text =
      std::to_string(nodes.size()) + " contact relations, " + std::to_string(edges.size()) + " transitions\n";
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    text += "  " + std::to_string(i) + ":";
    for (const std::string& pair : nodes[i].pairs) text += " " + pair;
    text += " ->";
    for (const auto& [from, to] : edges)
      if (from == static_cast<int>(i)) text += " " + std::to_string(to);
    text += "\n";
  }
  for (const std::string& note : notes) text += note + "\n";
  return text;
}

}  // namespace prehend::observation
