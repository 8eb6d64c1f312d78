#include <algorithm>
#include <map>
#include <optional>

#include <Eigen/Geometry>

#include <prehend/geometry/proximity.h>
#include <prehend/placement/verify/object_contacts.h>

namespace prehend::placement {

using geometry::ContactBodyIndex;
using model::BodyIndex;

struct ObjectContactSearch::Shapes {
  std::vector<const PreparedGeom*> geoms;        // others first, then the object's
  std::vector<geometry::PosedPolyhedron> posed;  // alike
  std::vector<const PreparedGeom*> of_surface;   // one geom of each
  std::vector<Eigen::AlignedBox3d> boxes_W;      // of the others
  mutable std::map<const PreparedGeom*, geometry::ProximityShape> proximity;

  const geometry::ProximityShape& shape(const PreparedGeom& geom) const {
    const auto known = proximity.find(&geom);
    if (known != proximity.end()) return known->second;
    return proximity.emplace(&geom, geometry::ProximityShape(geom.polyhedron.mesh())).first->second;
  }
};

namespace {

Eigen::AlignedBox3d box_at(const PreparedGeom& geom, const math::Pose& X_WG) {
  Eigen::AlignedBox3d box;
  const Eigen::Matrix3d R = X_WG.R();
  for (const Eigen::Vector3d& v : geom.polyhedron.vertices()) box.extend(R * v + X_WG.p());
  return box;
}

}  // namespace

ObjectContactSearch::ObjectContactSearch(const Problem& problem)
    : problem_(problem), shapes_(std::make_shared<Shapes>()) {
  Shapes& shapes = *shapes_;
  int surfaces = 0;
  for (const auto* list : {&problem.others, &problem.own}) {
    for (const PreparedGeom& geom : *list) {
      shapes.geoms.push_back(&geom);
      shapes.posed.push_back(
          {&geom.polyhedron, geom.X_WG, ContactBodyIndex(geom.surface), geom.round.get(), 0.0});
      surfaces = std::max(surfaces, geom.surface + 1);
      if (list == &problem.others) shapes.boxes_W.push_back(box_at(geom, geom.X_WG));
    }
  }
  shapes.of_surface.assign(static_cast<std::size_t>(surfaces), nullptr);
  for (const PreparedGeom* geom : shapes.geoms)
    shapes.of_surface[static_cast<std::size_t>(geom->surface)] = geom;
}

namespace {

double facet_depth_of(const PreparedGeom& geom) {
  return geom.round ? geometry::facet_depth(geom.polyhedron.mesh(), *geom.round) : 0.0;
}

}  // namespace

ObjectContacts ObjectContactSearch::at(const math::Pose& X_WO, double tolerance) const {
  const Shapes& shapes = *shapes_;
  std::vector<geometry::PosedPolyhedron> posed = shapes.posed;
  for (std::size_t i = 0; i < posed.size(); ++i) {
    if (shapes.geoms[i]->ref.body == problem_.object) posed[i].X_WS = X_WO * shapes.geoms[i]->X_BG;
  }
  geometry::ContactOptions options;
  options.set_tolerance(tolerance);
  const auto skip = [&](ContactBodyIndex a, ContactBodyIndex b) {
    const PreparedGeom& first = *shapes.of_surface[a];
    const PreparedGeom& second = *shapes.of_surface[b];
    const bool own_a = first.ref.body == problem_.object, own_b = second.ref.body == problem_.object;
    if (own_a == own_b) return true;
    return problem_.friction(own_a ? first : second, own_a ? second : first) < 0.0;
  };
  const geometry::ContactResult found = geometry::find_contacts(posed, options, skip);
  ObjectContacts result;
  for (const geometry::ContactInterface& patch : found.interfaces) {
    const PreparedGeom& a = *shapes.of_surface[patch.body_a];
    const PreparedGeom& b = *shapes.of_surface[patch.body_b];
    const bool own_a = a.ref.body == problem_.object;
    result.interfaces.push_back(
        {a.ref.body, b.ref.body, problem_.friction(own_a ? a : b, own_a ? b : a), patch});
  }
  const auto measured = [&](const geometry::Penetration& seen) {
    double depth = seen.depth_m;
    bool any_round = false;
    double deepest = 0.0;
    for (std::size_t i = 0; i < posed.size(); ++i) {
      if (posed[i].body != seen.body_a) continue;
      for (std::size_t j = 0; j < posed.size(); ++j) {
        if (posed[j].body != seen.body_b) continue;
        any_round = any_round || posed[i].round != nullptr || posed[j].round != nullptr;
        if (any_round) return depth;
        const geometry::Proximity near = geometry::proximity(shapes.shape(*shapes.geoms[i]), posed[i].X_WS,
                                                             shapes.shape(*shapes.geoms[j]), posed[j].X_WS);
        deepest = std::max(deepest, -near.distance);
      }
    }
    return deepest;
  };
  for (const auto* overlaps : {&found.penetrations, &found.unsettled}) {
    for (const geometry::Penetration& seen : *overlaps) {
      const double depth = measured(seen);
      if (depth <= std::max(tolerance, result.depth)) continue;
      const BodyIndex a = shapes.of_surface[seen.body_a]->ref.body,
                      b = shapes.of_surface[seen.body_b]->ref.body;
      result.depth = depth;
      result.deepest = a == problem_.object ? b : a;
    }
  }
  if (!result.deepest.is_valid()) find_nested(X_WO, tolerance, result);
  return result;
}

namespace {

// Whether the plane of a contact lies between two geoms: then neither reaches into the other.
bool is_parted(const model::SceneInterface& contact, const PreparedGeom& a, const math::Pose& X_WA,
               const PreparedGeom& b, const math::Pose& X_WB, double tolerance) {
  if (contact.patch.points_W.empty()) return false;
  const Eigen::Vector3d n = contact.patch.n_W,
                        p = contact.patch.points_W.front();  // out of body a of the contact
  const auto lowest = [&](const PreparedGeom& geom, const math::Pose& X_WG, const Eigen::Vector3d& d_W) {
    const Eigen::Vector3d d_G = X_WG.q().conjugate() * d_W;
    double least = std::numeric_limits<double>::infinity();
    for (const Eigen::Vector3d& v : geom.polyhedron.vertices()) least = std::min(least, d_G.dot(v));
    return least + d_W.dot(X_WG.p() - p);
  };
  const bool a_is_first = contact.body_a == a.ref.body;
  return lowest(a_is_first ? b : a, a_is_first ? X_WB : X_WA, n) >= -0.5 * tolerance &&
         lowest(a_is_first ? a : b, a_is_first ? X_WA : X_WB, -n) >= -0.5 * tolerance;
}

}  // namespace

// Surfaces of a body that lies wholly inside another do not cross; flush faces make it look like a contact.
void ObjectContactSearch::find_nested(const math::Pose& X_WO, double tolerance,
                                      ObjectContacts& result) const {
  const Shapes& shapes = *shapes_;
  for (const PreparedGeom& own : problem_.own) {
    const math::Pose X_WG = X_WO * own.X_BG;
    const Eigen::AlignedBox3d box = box_at(own, X_WG);
    for (std::size_t k = 0; k < problem_.others.size(); ++k) {
      const PreparedGeom& other = problem_.others[k];
      const Eigen::Vector3d shared =
          box.max().cwiseMin(shapes.boxes_W[k].max()) - box.min().cwiseMax(shapes.boxes_W[k].min());
      if (shared.minCoeff() <= tolerance || problem_.friction(own, other) < 0.0) continue;
      if (std::any_of(result.interfaces.begin(), result.interfaces.end(),
                      [&](const model::SceneInterface& i) {
                        return (i.body_a == other.ref.body || i.body_b == other.ref.body) &&
                               is_parted(i, other, other.X_WG, own, X_WG, tolerance);
                      }))
        continue;
      const double depth =
          -geometry::proximity(shapes.shape(other), other.X_WG, shapes.shape(own), X_WG).distance;
      if (depth <= std::max(tolerance, result.depth)) continue;
      result.depth = depth;
      result.deepest = other.ref.body;
    }
  }
}

double ObjectContactSearch::distance(const math::Pose& X_WO, BodyIndex body) const {
  const Shapes& shapes = *shapes_;
  double least = std::numeric_limits<double>::infinity();
  for (const PreparedGeom& other : problem_.others) {
    if (other.ref.body != body) continue;
    for (const PreparedGeom& own : problem_.own) {
      if (problem_.friction(own, other) < 0.0) continue;
      const geometry::Proximity near =
          geometry::proximity(shapes.shape(other), other.X_WG, shapes.shape(own), X_WO * own.X_BG);
      least = std::min(least, near.distance - facet_depth_of(own) - facet_depth_of(other));
    }
  }
  return least;
}

model::SceneContacts ObjectContactSearch::together(const ObjectContacts& own) const {
  model::SceneContacts all = problem_.contacts;
  all.interfaces.insert(all.interfaces.end(), own.interfaces.begin(), own.interfaces.end());
  all.floating.clear();
  return all;
}

}  // namespace prehend::placement
