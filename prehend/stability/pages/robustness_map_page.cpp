#include <algorithm>
#include <cmath>
#include <map>

#include <Eigen/Geometry>

#include <prehend/math/number_text.h>
#include <prehend/stability/drawing/load_caused.h>
#include <prehend/stability/drawing/mechanism_view.h>
#include <prehend/stability/drawing/surface_cuts.h>
#include <prehend/stability/pages.h>

namespace prehend::stability {
namespace {

// Values over more than this ratio are distinguished only on a logarithmic scale.
constexpr double kLogarithmicFrom = 8.0;
// Robustness grows without bound towards pushes that only press: the scale ends where this part of the values lies below.
constexpr double kShown = 0.97;

std::string label_text(const model::Scene& scene, const PushAnswer& answer) {
  if (answer.status != AnswerStatus::ok) return answer.note.empty() ? "no answer" : answer.note;
  if (answer.unbounded) return "nothing moves, however hard";
  std::string text = to_string(answer.mode);
  if (!answer.moving.empty())
    text += ": " + short_list(scene, answer.moving) + (answer.moving.size() == 1 ? " moves" : " move");
  if (answer.without_prestress < kSameWithoutPrestress * answer.robustness)
    return text + " (" + math::number_text(answer.without_prestress, 3) + " N without prestress)";
  return answer.needs_prestress ? text + " (holds by prestress)" : text;
}

// The smallest value, and the one that kShown of the bounded surface lies below: vertices crowd where values change.
std::pair<double, double> colour_range(const MapPicture& picture) {
  std::vector<std::pair<double, double>> values;  // with their share of the surface
  double total = 0.0;
  for (const MapBody& body : picture.bodies) {
    for (const Eigen::Vector3i& t : body.mesh_B.triangles) {
      const auto corner = [&](int k) -> const Eigen::Vector3d& {
        return body.mesh_B.vertices[static_cast<std::size_t>(t[k])];
      };
      const double share = (corner(1) - corner(0)).cross(corner(2) - corner(0)).norm();
      for (int k = 0; k < 3; ++k) {
        const PushAnswer& answer =
            picture.answers[static_cast<std::size_t>(body.push[static_cast<std::size_t>(t[k])])];
        if (answer.status != AnswerStatus::ok || answer.unbounded) continue;
        values.emplace_back(answer.robustness, share);
        total += share;
      }
    }
  }
  if (values.empty()) return {0.0, 1.0};
  std::sort(values.begin(), values.end());
  double below = 0.0;
  std::size_t i = 0;
  while (i + 1 < values.size() && (below += values[i].second) < kShown * total) ++i;
  return {values.front().first, values[i].first};
}

// [N] What holds at a vertex; a value that is zero but for rounding is zero.
double shown_value(double value, double weight) { return std::abs(value) < 1e-9 * weight ? 0.0 : value; }

double weight_of(const model::Scene& scene) {
  double weight = 0.0;
  for (const model::Body& body : scene.bodies)
    if (body.movable) weight += body.inertia.mass * scene.gravity_W.norm();
  return weight;
}

std::vector<report::ScalarMap*> maps_of(report::SceneBody& body) {
  std::vector<report::ScalarMap*> maps;
  for (report::ScalarMap& map : body.maps) maps.push_back(&map);
  return maps;
}

// Round geoms finer than they were asked: vertices on the true surface, values between those of the ends of their edge. An edge is cut
// where its middle lies deeper than this part of the body's size.
void round_off(const model::Body& model_body, const MapBody& asked, report::SceneBody& body) {
  constexpr double kSeen = 2e-4;
  constexpr int kMostRounds = 3, kMostVertices = 30000;
  CutSurface surface;
  surface.points = body.mesh_B.vertices;
  surface.normals.assign(surface.points.size(), Eigen::Vector3d::UnitZ());
  surface.triangles = body.mesh_B.triangles;
  surface.geom = asked.geom;
  surface.round = round_geoms(model_body);
  if (std::none_of(surface.round.begin(), surface.round.end(),
                   [](const auto& round) { return round.has_value(); }))
    return;
  const double deep = kSeen * geometry::bounding_box(surface.points).diagonal();
  for (int round = 0; round < kMostRounds && static_cast<int>(surface.points.size()) < kMostVertices;
       ++round) {
    cut_edges(
        [&](int a, int b) {
          const Eigen::Vector3d flat = 0.5 * (surface.points[static_cast<std::size_t>(a)] +
                                              surface.points[static_cast<std::size_t>(b)]);
          return (surface.middle(a, b).first - flat).norm() > deep;
        },
        surface);
  }
  for (const auto& [a, b] : surface.parents) {
    for (report::ScalarMap* map : maps_of(body)) {
      const double left = map->values[static_cast<std::size_t>(a)],
                   right = map->values[static_cast<std::size_t>(b)];
      const bool is_between = std::isfinite(left) && std::isfinite(right);
      map->values.push_back(!is_between        ? left
                            : map->logarithmic ? std::sqrt(left * right)
                                               : 0.5 * (left + right));
      map->label_of.push_back(map->label_of[static_cast<std::size_t>(a)]);
    }
  }
  body.mesh_B.vertices = surface.points;
  body.mesh_B.triangles = surface.triangles;
}

}  // namespace

void add_robustness_map(const model::Scene& scene, const MapPicture& picture, report::SceneView& view) {
  const double weight = weight_of(scene);
  const auto [first, last] = colour_range(picture);
  const double smallest = shown_value(first, weight), largest = shown_value(last, weight);
  const bool has_load_caused =
      std::any_of(picture.answers.begin(), picture.answers.end(),
                  [](const PushAnswer& answer) { return !std::isnan(answer.without_prestress); });
  for (const MapBody& body : picture.bodies) {
    report::SceneBody& shown = view.scene.bodies[view.bodies[body.body]];
    shown.mesh_B = body.mesh_B;
    report::ScalarMap map;
    map.name = "robustness";
    map.unit = "N";
    map.logarithmic = smallest > 0.0 && largest > kLogarithmicFrom * smallest;
    map.lower = smallest;
    map.upper = largest;
    std::map<std::string, int> label_of_text;
    for (const int push : body.push) {
      const PushAnswer& answer = picture.answers[static_cast<std::size_t>(push)];
      map.values.push_back(answer.status == AnswerStatus::ok ? shown_value(answer.robustness, weight)
                                                             : PushAnswer::kUnknown);
      const auto [entry, is_new] =
          label_of_text.try_emplace(label_text(scene, answer), static_cast<int>(map.labels.size()));
      if (is_new) map.labels.push_back(entry->first);
      map.label_of.push_back(entry->second);
    }
    if (has_load_caused) {
      report::ScalarMap caused = map;
      caused.name = kWithoutPrestress;
      caused.lower.reset();
      caused.logarithmic = false;
      for (std::size_t v = 0; v < body.push.size(); ++v) {
        const PushAnswer& answer = picture.answers[static_cast<std::size_t>(body.push[v])];
        caused.values[v] = shown_value(answer.without_prestress, weight);
      }
      shown.maps.push_back(std::move(caused));
    }
    shown.maps.insert(shown.maps.begin(), std::move(map));
    round_off(scene.bodies[body.body], body, shown);
  }
  view.scene.initial_map = "robustness";
}

}  // namespace prehend::stability
