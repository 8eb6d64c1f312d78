#include <algorithm>
#include <cmath>
#include <map>

#include <Eigen/Geometry>

#include <prehend/stability/drawing/mechanism_view.h>
#include <prehend/stability/pages/robustness_page.h>

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

}  // namespace

void add_robustness_map(const model::Scene& scene, const MapPicture& picture, report::SceneView& view) {
  const auto [smallest, largest] = colour_range(picture);
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
      map.values.push_back(answer.status == AnswerStatus::ok ? answer.robustness : PushAnswer::kUnknown);
      const auto [entry, is_new] =
          label_of_text.try_emplace(label_text(scene, answer), static_cast<int>(map.labels.size()));
      if (is_new) map.labels.push_back(entry->first);
      map.label_of.push_back(entry->second);
    }
    report::ScalarMap caused = map;
    caused.name = "without prestress";
    bool has_caused = false;
    for (std::size_t i = 0; i < body.push.size(); ++i) {
      const PushAnswer& answer = picture.answers[static_cast<std::size_t>(body.push[i])];
      caused.values[i] = answer.without_prestress;
      has_caused = has_caused || !std::isnan(answer.without_prestress);
    }
    shown.maps.push_back(std::move(map));
    if (has_caused) shown.maps.push_back(std::move(caused));
  }
  view.scene.initial_map = "robustness";
}

}  // namespace prehend::stability
