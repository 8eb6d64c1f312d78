// The interfaces that a COMPAS assembly stores at data.graph.data.edge: plane polygons between two blocks. Their normals are those of the
// polygons, turned so that they leave body a: as the face of a nearest to the polygon does.
#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>
#include <nlohmann/json.hpp>

#include <prehend/geometry/polygon2.h>
#include <prehend/model/body_names.h>
#include <prehend/model/friction.h>
#include <prehend/model/input_error.h>
#include <prehend/model/scene_contacts.h>
#include <prehend/model/scenes/scene_formats.h>

namespace prehend::model {
namespace {

using Eigen::Vector3d;
using nlohmann::json;

class StoredInterfaces {
 public:
  StoredInterfaces(const std::string& file, const Scene& scene) : file_(file), scene_(scene) {}

  SceneContacts read(const json& document) {
    contacts_.body_names = body_names(scene_);
    const json* edges = member(member(member(member(&document, "data"), "graph"), "data"), "edge");
    if (edges != nullptr && edges->is_object()) {
      for (const auto& from : edges->items()) {
        if (!from.value().is_object()) continue;
        for (const auto& to : from.value().items()) read_edge(from.key(), to.key(), to.value());
      }
    }
    if (contacts_.interfaces.empty())
      throw InputError(file_, 0,
                       "the assembly stores no interfaces; leave --interfaces away to compute them");
    std::stable_sort(contacts_.interfaces.begin(), contacts_.interfaces.end(),
                     [](const SceneInterface& x, const SceneInterface& y) {
                       if (x.body_a != y.body_a) return x.body_a < y.body_a;
                       return x.body_b != y.body_b ? x.body_b < y.body_b : x.patch.area_m2 > y.patch.area_m2;
                     });
    for (BodyIndex b(0); b < scene_.bodies.size(); ++b) {
      const bool touches =
          std::any_of(contacts_.interfaces.begin(), contacts_.interfaces.end(),
                      [&](const SceneInterface& i) { return i.body_a == b || i.body_b == b; });
      if (!scene_.bodies[b].movable || touches) continue;
      contacts_.floating.push_back(b);
      contacts_.problems.push_back("body '" + scene_.bodies[b].name + "' has no stored interface");
    }
    contacts_.status = SceneContactsStatus::ok;
    return std::move(contacts_);
  }

 private:
  static const json* member(const json* object, const char* key) {
    if (object == nullptr || !object->is_object()) return nullptr;
    const auto found = object->find(key);
    return found == object->end() ? nullptr : &*found;
  }

  void read_edge(const std::string& from, const std::string& to, const json& attributes) {
    const BodyIndex u = scene_.find_body(from), v = scene_.find_body(to);
    if (!u.is_valid() || !v.is_valid() || u == v) {
      throw InputError(
          file_, 0, "an interface between '" + from + "' and '" + to + "' names a block that is not there");
    }
    if (!scene_.bodies[u].movable && !scene_.bodies[v].movable) return;
    const json* list = member(&attributes, "interfaces");
    if (list != nullptr && list->is_array()) {
      for (const json& one : *list) add(std::min(u, v), std::max(u, v), one);
    }
    if (list == nullptr || !list->is_array() || list->empty()) {
      const json* one = member(&attributes, "interface");
      if (one != nullptr && one->is_object()) add(std::min(u, v), std::max(u, v), *one);
    }
  }

  std::vector<Vector3d> points_of(const json& one, const std::string& where) const {
    const json* data = member(&one, "data");
    const json* points = member(data != nullptr ? data : &one, "points");
    if (points == nullptr || !points->is_array())
      throw InputError(file_, 0, where + " has no points; expected a list of corners");
    std::vector<Vector3d> corners;
    for (const json& point : *points) {
      Vector3d p;
      for (int k = 0; k < 3; ++k) {
        if (!point.is_array() || point.size() != 3 || !point[static_cast<std::size_t>(k)].is_number())
          throw InputError(file_, 0, where + " has a corner that is not three numbers");
        p[k] = point[static_cast<std::size_t>(k)].get<double>();
      }
      if (!(p.cwiseAbs().maxCoeff() < 1e9))
        throw InputError(file_, 0, where + " has a corner that is out of range");
      corners.push_back(p);
    }
    return corners;
  }

  void add(BodyIndex a, BodyIndex b, const json& one) {
    const std::string where =
        "the interface between '" + scene_.bodies[a].name + "' and '" + scene_.bodies[b].name + "'";
    std::vector<Vector3d> corners = points_of(one, where);
    if (corners.size() < 3) {
      contacts_.problems.push_back(where + " has fewer than 3 corners and is left out");
      return;
    }
    Vector3d middle = Vector3d::Zero(), twice_area = Vector3d::Zero();
    for (const Vector3d& p : corners) middle += p / static_cast<double>(corners.size());
    for (std::size_t k = 0; k < corners.size(); ++k)
      twice_area += (corners[k] - middle).cross(corners[(k + 1) % corners.size()] - middle);
    if (!(twice_area.norm() > 1e-14)) {
      contacts_.problems.push_back(where + " has no area and is left out");
      return;
    }
    Vector3d n = twice_area.normalized();
    if (n.dot(normal_near(a, middle, n)) < 0.0) {
      n = -n;
      std::reverse(corners.begin(), corners.end());
    }
    SceneInterface made;
    made.body_a = a;
    made.body_b = b;
    made.friction = pair_friction(scene_, {a, GeomIndex(0)}, {b, GeomIndex(0)});
    made.patch.kind = geometry::ContactKind::face;
    made.patch.n_W = n;
    made.patch.area_m2 = 0.5 * twice_area.norm();
    made.patch.points_W = corners;
    const Vector3d u = n.unitOrthogonal(), v = n.cross(u);
    std::vector<Eigen::Vector2d> flat;
    for (const Vector3d& p : corners) flat.emplace_back(u.dot(p - middle), v.dot(p - middle));
    made.patch.hull = geometry::convex_hull(flat, 1e-9);
    made.patch.loops_W.push_back(std::move(corners));
    contacts_.interfaces.push_back(std::move(made));
  }

  // Of the facet of a body, about parallel to n, that is nearest to a point: by the distance of its middle plane and its corners.
  Vector3d normal_near(BodyIndex body, const Vector3d& p, const Vector3d& n) const {
    Vector3d best = n;
    double least = HUGE_VAL;
    for (const Geom& geom : scene_.bodies[body].geoms) {
      const math::Pose X = scene_.bodies[body].X_WB * geom.X_BG;
      for (const Eigen::Vector3i& t : geom.mesh.triangles) {
        const Vector3d q = X * geom.mesh.vertices[t[0]], r = X * geom.mesh.vertices[t[1]],
                       s = X * geom.mesh.vertices[t[2]];
        const Vector3d normal = (r - q).cross(s - q).normalized();
        if (!(std::abs(normal.dot(n)) > 0.5)) continue;
        const double corner =
            std::min({(p - q).norm(), (p - r).norm(), (p - s).norm(), (p - (q + r + s) / 3.0).norm()});
        const double distance = std::abs(normal.dot(p - q)) + 1e-3 * corner;
        if (distance >= least) continue;
        least = distance;
        best = normal;
      }
    }
    return best;
  }

  const std::string& file_;
  const Scene& scene_;
  SceneContacts contacts_;
};

}  // namespace

SceneContacts read_compas_interfaces(const std::string& text, const std::string& file, const Scene& scene,
                                     const SceneOptions&) {
  const json document = json::parse(text, nullptr, false);
  if (document.is_discarded()) throw InputError(file, 0, "this is not well-formed JSON");
  return StoredInterfaces(file, scene).read(document);
}

}  // namespace prehend::model
