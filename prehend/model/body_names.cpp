#include <algorithm>

#include <prehend/model/body_names.h>

namespace prehend::model {

std::vector<std::string> body_names(const Scene& scene) {
  std::vector<std::string> names;
  names.reserve(scene.bodies.size());
  for (const Body& body : scene.bodies) names.push_back(body.name);
  return names;
}

std::string name_of(const std::vector<std::string>& body_names, BodyIndex body) {
  if (body.is_valid() && body < body_names.size()) return body_names[body];
  return "body " + std::to_string(body.value());
}

std::vector<std::string> names_of(const std::vector<std::string>& body_names,
                                  std::span<const BodyIndex> bodies) {
  std::vector<std::string> names;
  for (const BodyIndex body : bodies) names.push_back(name_of(body_names, body));
  return names;
}

std::string quoted_names(const std::vector<std::string>& body_names, std::span<const BodyIndex> bodies,
                         std::size_t most) {
  std::string text;
  const std::size_t shown = std::min(bodies.size(), most);
  for (std::size_t i = 0; i < shown; ++i)
    text += (i == 0 ? "'" : ", '") + name_of(body_names, bodies[i]) + "'";
  if (shown < bodies.size()) text += " and " + std::to_string(bodies.size() - shown) + " more";
  return text;
}

std::string no_such_body(const Scene& scene, const std::string& name) {
  constexpr std::size_t kMost = 12;  // fit on a screen
  std::vector<BodyIndex> all;
  for (BodyIndex b(0); b < scene.bodies.size(); ++b) all.push_back(b);
  return "the scene has no body '" + name + "'; it has: " + quoted_names(body_names(scene), all, kMost);
}

}  // namespace prehend::model
