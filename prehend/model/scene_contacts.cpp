#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>

#include <prehend/geometry/contact.h>
#include <prehend/geometry/polyhedron.h>
#include <prehend/geometry/proximity.h>
#include <prehend/geometry/round_shape.h>
#include <prehend/math/enum_text.h>
#include <prehend/math/number_text.h>
#include <prehend/model/body_names.h>
#include <prehend/model/friction.h>
#include <prehend/model/house/resting_points.h>
#include <prehend/model/house/rolling_groups.h>
#include <prehend/model/house/round_surface.h>
#include <prehend/model/json_writer.h>
#include <prehend/model/scene_contacts.h>
#include <prehend/model/text_table.h>

namespace prehend::model {
namespace {

using geometry::ContactBodyIndex;

// Geoms of a body that every rule treats alike. Geoms named by an explicit pair stand alone.
std::vector<std::vector<GeomRef>> surfaces_of(const Scene& scene) {
  const auto is_paired = [&](GeomRef geom) {
    return std::any_of(scene.geom_pairs.begin(), scene.geom_pairs.end(),
                       [&](const GeomPair& pair) { return pair.a == geom || pair.b == geom; });
  };
  std::vector<std::vector<GeomRef>> surfaces;
  for (BodyIndex b(0); b < scene.bodies.size(); ++b) {
    std::map<std::tuple<double, int, int, int, int, int>, std::size_t> alike;
    for (GeomIndex g(0); g < scene.bodies[b].geoms.size(); ++g) {
      const Geom& geom = scene.bodies[b].geoms[g];
      const GeomRef ref{b, g};
      const int own = is_paired(ref) ? g.value() : -1;
      const auto [entry, is_new] = alike.try_emplace(
          {geom.friction, geom.priority, geom.contype, geom.conaffinity, geom.condim, own}, surfaces.size());
      if (is_new) surfaces.emplace_back();
      surfaces[entry->second].push_back(ref);
    }
  }
  return surfaces;
}

std::string millimetres(double metres) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g mm", 1e3 * metres);
  return text;
}

// [m] Balls and cans may have been drawn as meshes, lying on their facets.
double depth_of_facets(const Geom& geom, const std::optional<geometry::RoundShape>& round) {
  const bool is_drawn = geom.shape.kind == ShapeKind::sphere || geom.shape.kind == ShapeKind::cylinder;
  return is_drawn && round ? geometry::facet_depth(geom.mesh, *round) : 0.0;
}

// Pairs of geoms whose overlap is measured; beyond, the contact search's own estimate stands.
constexpr std::size_t kMostMeasured = 64;

// How far surfaces reach into each other: the deepest pair of their geoms, where a depth can be had.
class OverlapMeasure {
 public:
  explicit OverlapMeasure(const Scene& scene) : scene_(scene) {}

  // [m] `found` where none can be had.
  geometry::Penetration measured(const std::vector<GeomRef>& a, const std::vector<GeomRef>& b,
                                 const geometry::Penetration& found) {
    if (a.size() * b.size() > kMostMeasured) return found;
    const auto is_round = [&](GeomRef ref) { return round_shape(scene_.geom(ref).shape).has_value(); };
    // Against a true surface the search has measured already; meshes of it are a little smaller.
    if (std::any_of(a.begin(), a.end(), is_round) || std::any_of(b.begin(), b.end(), is_round)) return found;
    geometry::Penetration deepest = found;
    deepest.depth_m = 0.0;
    try {
      for (const GeomRef i : a) {
        for (const GeomRef j : b) {
          const geometry::Proximity near = geometry::proximity(shape(i), pose(i), shape(j), pose(j));
          if (-near.distance <= deepest.depth_m) continue;
          deepest.depth_m = -near.distance;
          if (found.depth_m == 0.0) deepest.p_W = 0.5 * (near.p_WA + near.p_WB);
        }
      }
    } catch (const std::invalid_argument&) {  // a mesh that proximity refuses
      return found;
    }
    return deepest.depth_m > 0.0 ? deepest : found;
  }

 private:
  math::Pose pose(GeomRef ref) const { return scene_.bodies[ref.body].X_WB * scene_.geom(ref).X_BG; }
  const geometry::ProximityShape& shape(GeomRef ref) {
    const std::pair key(ref.body.value(), ref.geom.value());
    const auto known = shapes_.find(key);
    if (known != shapes_.end()) return known->second;
    return shapes_.emplace(key, geometry::ProximityShape(scene_.geom(ref).mesh)).first->second;
  }

  const Scene& scene_;
  std::map<std::pair<int, int>, geometry::ProximityShape> shapes_;
};

std::string overlap_sentence(const Scene& scene, const ScenePenetration& overlap) {
  return "bodies '" + scene.bodies[overlap.body_a].name + "' and '" + scene.bodies[overlap.body_b].name +
         "' overlap by " + millimetres(overlap.depth);
}

void add_overlaps(const Scene& scene, const std::vector<std::vector<GeomRef>>& surfaces,
                  const geometry::ContactResult& found, std::vector<bool>& touches, SceneContacts& result) {
  // The search's own depth is an estimate, where it sees one: what is printed is what is tested.
  OverlapMeasure measure(scene);
  for (const auto* overlaps : {&found.penetrations, &found.unsettled}) {
    for (const geometry::Penetration& seen : *overlaps) {
      const geometry::Penetration overlap =
          measure.measured(surfaces[seen.body_a], surfaces[seen.body_b], seen);
      if (overlap.depth_m == 0.0) continue;
      const BodyIndex a = surfaces[overlap.body_a].front().body, b = surfaces[overlap.body_b].front().body;
      touches[a] = touches[b] = true;
      if (overlap.depth_m > overlap.tolerance_m)
        result.penetrations.push_back({a, b, overlap.depth_m, overlap.p_W});
    }
  }
  std::stable_sort(result.penetrations.begin(), result.penetrations.end(),
                   [](const ScenePenetration& x, const ScenePenetration& y) {
                     return std::pair(x.body_a, x.body_b) < std::pair(y.body_a, y.body_b);
                   });
  std::vector<ScenePenetration> deepest_first = result.penetrations;
  std::stable_sort(deepest_first.begin(), deepest_first.end(),
                   [](const ScenePenetration& x, const ScenePenetration& y) { return x.depth > y.depth; });
  for (const ScenePenetration& overlap : deepest_first)
    result.problems.push_back(overlap_sentence(scene, overlap));
  if (deepest_first.empty()) return;
  // Once, however many there are; a tolerance that would do.
  result.problems.front() +=
      " (mend the scene with --mend, let it settle, or allow as much: --contact-tolerance " +
      math::number_text(1.05 * deepest_first.front().depth, 3) + ")";
}

// A body that touches nothing itself does not float where a joint holds it to one that does, or to the world.
void spread_along_joints(const Scene& scene, std::vector<bool>& touches) {
  touches[scene.world()] = true;
  bool changes = true;
  const auto spread = [&](const std::vector<Joint>& joints) {
    for (const Joint& joint : joints) {
      if (joint.type == JointType::free || touches[joint.parent] == touches[joint.child]) continue;
      touches[joint.parent] = touches[joint.child] = changes = true;
    }
  };
  while (changes) {
    changes = false;
    spread(scene.joints);
    spread(scene.loop_joints);
    for (const JointCoupling& rope : scene.couplings) {
      const auto is_held = [&](const JointCoupling::Point& point) { return touches[point.body]; };
      if (std::none_of(rope.points.begin(), rope.points.end(), is_held)) continue;
      for (const JointCoupling::Point& point : rope.points) {
        if (!touches[point.body]) touches[point.body] = changes = true;
      }
    }
  }
}

}  // namespace

const char* to_string(SceneContactsStatus status) { return enum_text(status); }

SceneContacts find_scene_contacts(const Scene& scene, const geometry::ContactOptions& options) {
  const std::vector<std::vector<GeomRef>> surfaces = surfaces_of(scene);
  std::vector<geometry::Polyhedron> polyhedra;
  std::vector<geometry::PosedPolyhedron> shapes;
  std::size_t count = 0;
  for (const auto& surface : surfaces) {
    for (const GeomRef ref : surface) count += 1 + turned_parts(scene.geom(ref)).size();
  }
  std::vector<std::optional<geometry::RoundShape>> rounds;
  polyhedra.reserve(count);  // shapes point into both
  rounds.reserve(count);
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    const auto add = [&](const geometry::TriangleMesh& mesh, const math::Pose& X_WS,
                         const std::optional<geometry::RoundShape>& round, double facet_depth,
                         double margin) {
      polyhedra.push_back(geometry::Polyhedron::from_mesh(mesh));
      rounds.push_back(round);
      shapes.push_back({&polyhedra.back(), X_WS, ContactBodyIndex(s), round ? &*rounds.back() : nullptr,
                        facet_depth, margin});
    };
    for (const GeomRef ref : surfaces[s]) {
      const Geom& geom = scene.geom(ref);
      const math::Pose X_WG = scene.bodies[ref.body].X_WB * geom.X_BG;
      for (const geometry::TurnedMesh::Part& part : turned_parts(geom))
        add(part.mesh, X_WG * part.round.X_MS, part.round.shape, drawn_within(part.round), geom.margin);
      const std::optional<geometry::RoundShape> round = round_shape(geom.shape);
      if (!geom.turned) {
        add(geom.mesh, X_WG, round, depth_of_facets(geom, round), geom.margin);
      } else if (!geom.turned->rest.triangles.empty()) {
        add(geom.turned->rest, X_WG, std::nullopt, 0.0, geom.margin);
      }
    }
  }
  const ContactFilter filter(scene);
  const auto skip = [&](ContactBodyIndex a, ContactBodyIndex b) {
    return !filter.may_touch(surfaces[a].front(), surfaces[b].front());
  };
  const geometry::ContactResult found = geometry::find_contacts(shapes, options, skip);

  SceneContacts result;
  result.status = SceneContactsStatus::ok;
  result.body_names = body_names(scene);
  std::vector<bool> touches(scene.bodies.size(), false);
  for (const geometry::ContactInterface& patch : found.interfaces) {
    const GeomRef a = surfaces[patch.body_a].front(), b = surfaces[patch.body_b].front();
    result.interfaces.push_back({a.body, b.body, pair_friction(scene, a, b), patch});
    touches[a.body] = touches[b.body] = true;
  }
  rest_on_points(scene, options.gap_tolerance, result.interfaces);
  balance_rolling_groups(scene, options.gap_tolerance, result.interfaces);
  add_overlaps(scene, surfaces, found, touches, result);
  const std::vector<int> groups = scene.rigid_groups();
  if (std::all_of(groups.begin(), groups.end(), [](int group) { return group == 0; }))
    result.problems.emplace_back("no body of the scene is movable; name one with --movable");
  spread_along_joints(scene, touches);
  for (BodyIndex b(0); b < scene.bodies.size(); ++b) {
    // Not what a weld holds in place.
    if (!scene.bodies[b].movable || touches[b] || groups[b] == 0) continue;
    result.floating.push_back(b);
    result.problems.push_back("body '" + scene.bodies[b].name + "' touches nothing within " +
                              millimetres(options.gap_tolerance));
  }
  return result;
}

std::string SceneContacts::brief_report() const {
  TextTable table({{"body a", Align::left},
                   {"body b", Align::left},
                   {"kind", Align::left},
                   {"area [cm2]"},
                   {"points"},
                   {"mu"},
                   {"normal a->b", Align::left},
                   {"gap [mm]", Align::left}});
  for (const SceneInterface& i : interfaces) {
    char area[32], mu[32], normal[64], gap[32];
    std::snprintf(area, sizeof area, "%.4f", 1e4 * i.patch.area_m2);
    std::snprintf(mu, sizeof mu, "%.3g", i.friction);
    std::snprintf(normal, sizeof normal, "(%6.3f,%6.3f,%6.3f)", i.patch.n_W.x(), i.patch.n_W.y(),
                  i.patch.n_W.z());
    std::snprintf(gap, sizeof gap, "%.3g",
                  std::abs(i.patch.gap_max_m) < 1e-12 ? 0.0 : 1e3 * i.patch.gap_max_m);
    table.row({name_of(body_names, i.body_a), name_of(body_names, i.body_b), to_string(i.patch.kind), area,
               std::to_string(i.patch.points_W.size()), mu, normal, gap});
  }
  std::string text =
      std::to_string(interfaces.size()) + " contact interface" + (interfaces.size() == 1 ? "" : "s") + "\n";
  if (!table.empty()) text += table.text();
  text += problem_lines(problems, "  problem: ");
  return text;
}

std::string SceneContacts::to_json() const {
  JsonWriter json;
  json.object().field("status", to_string(status)).key("interfaces").array();
  for (const SceneInterface& i : interfaces) {
    json.object()
        .field("body_a", name_of(body_names, i.body_a))
        .field("body_b", name_of(body_names, i.body_b))
        .field("kind", to_string(i.patch.kind))
        .field("n_W", i.patch.n_W)
        .field("area_m2", i.patch.area_m2)
        .field("points_W_m", i.patch.points_W)
        .field("friction", i.friction)
        .field("gap_min_m", i.patch.gap_min_m)
        .field("gap_max_m", i.patch.gap_max_m)
        .end();
  }
  json.end().key("penetrations").array();
  for (const ScenePenetration& p : penetrations) {
    json.object()
        .field("body_a", name_of(body_names, p.body_a))
        .field("body_b", name_of(body_names, p.body_b))
        .field("depth_m", p.depth)
        .field("p_W_m", p.p_W)
        .end();
  }
  return json.end().field("problems", problems).end().text();
}

}  // namespace prehend::model
