#include "demonstration_arguments.h"

#include <cmath>
#include <filesystem>

#include <prehend/math/number_text.h>
#include <prehend/model/input_error.h>
#include <prehend/model/mesh_file.h>
#include <prehend/model/track_file.h>

namespace prehend::cli {
namespace {

geometry::Polyhedron body_of(const std::string& option, const std::string& path, double scale) {
  if (path.empty()) throw UsageError(option + " is missing: the mesh of a part, closed");
  if (!(scale > 0.0 && std::isfinite(scale)))
    throw UsageError("--mesh-scale is " + math::number_text(scale) +
                     "; it must be above 0 (0.001 for millimetres)");
  model::MeshFileOptions options;
  options.unit = scale;
  geometry::Polyhedron body = geometry::Polyhedron::from_mesh(model::read_mesh(path, options));
  if (body.faces().empty() || !body.is_closed())
    throw model::InputError(
        path, 0, "the mesh is not closed: inside and outside are undefined; close its holes first");
  return body;
}

}  // namespace

void DemonstrationArguments::declare(Arguments& arguments) {
  arguments.option("--moving", moving,
                   "Closed mesh of the part that is moved; its file's stem names its track");
  arguments.option("--fixed", fixed, "Closed mesh of the part that it is put to");
  arguments.option("--poses", poses,
                   "Tracked poses: CSV t,part,x,y,z,qw,qx,qy,qz, TUM trajectory or pose list");
  arguments.option("--with", with, "Further files; a TUM trajectory is one part, named after its file");
  arguments.option("--mesh-scale", mesh_scale, "[m] Unit of length of the meshes: 0.001 for millimetres");
  arguments.words("--noise", "M RAD", noise,
                  "Standard deviations of positions [m] and angles [rad] per axis; estimated if absent");
}

std::pair<double, double> length_and_angle(const std::string& option, const std::vector<std::string>& words) {
  if (words.empty()) return {0.0, 0.0};
  return {number_of(option, words[0]), number_of(option, words[1])};
}

std::optional<observation::TrackNoise> DemonstrationArguments::given_noise() const {
  if (noise.empty()) return std::nullopt;
  const auto [position, angle] = length_and_angle("--noise", noise);
  return observation::TrackNoise{position, angle};
}

observation::BodyPair DemonstrationArguments::pair() const {
  return {body_of("--moving", moving, mesh_scale), body_of("--fixed", fixed, mesh_scale)};
}

observation::Recording DemonstrationArguments::recording() const {
  if (poses.empty()) throw UsageError("--poses is missing: the tracked poses of both parts");
  const auto stem = [](const std::string& path) { return std::filesystem::path(path).stem().string(); };
  return observation::recording_of(model::read_poses(poses, with), poses, stem(moving), stem(fixed));
}

}  // namespace prehend::cli
