// segment: what is it made of? Parts of a mesh or a coloured cloud, with volumes.
#include <cmath>
#include <memory>

#include "output_folder.h"
#include "verb.h"
#include <prehend/model/file_kind.h>
#include <prehend/model/input_error.h>
#include <prehend/model/json_writer.h>
#include <prehend/model/mesh_file.h>
#include <prehend/model/point_cloud.h>
#include <prehend/parts/pages.h>
#include <prehend/parts/segmentation.h>
#include <prehend/parts/segmentation_files.h>

namespace prehend::cli {
namespace {

struct State {
  std::string file, unit{"m"}, parts, method{"ours"};
  std::vector<std::string> support;
};

parts::SegmentOptions options_of(const State& state) {
  parts::SegmentOptions options;
  if (!state.parts.empty()) {
    const double count = number_of("--parts", state.parts);
    if (count != std::floor(count) || count < 1.0 || count > 1e9)
      throw UsageError("--parts is " + state.parts +
                       "; it must be a whole number from 1 to the leaves of the tree");
    options.parts = static_cast<int>(count);
  }
  if (state.method == "htc") {
    options.method = parts::SegmentMethod::htc;
  } else if (state.method == "htc-cold") {
    options.method = parts::SegmentMethod::htc_cold;
  } else if (state.method != "ours") {
    throw UsageError("--method is '" + state.method + "'; it must be ours, htc or htc-cold");
  }
  if (!state.support.empty()) {
    const Eigen::Vector3d n = vector_of("--support", state.support);
    options.support = Eigen::Vector4d(n.x(), n.y(), n.z(), number_of("--support", state.support[3]));
  }
  options.validate();
  return options;
}

// What was read: a mesh, or points.
struct Input {
  geometry::TriangleMesh mesh;  // without triangles: points
  std::vector<Eigen::Vector3d> colours;
  std::vector<std::string> notes;
};

Input read_input(const State& state) {
  const model::MeshFileOptions options{.unit = model::length_unit(state.unit)};
  const model::FileKind kind = model::detect_file_type(state.file).kind;
  if (kind == model::FileKind::mesh) {
    model::MeshFile file = model::read_mesh_file(state.file, options);
    if (file.triangle_colors.empty() && !file.vertex_colors.empty())
      for (const Eigen::Vector3i& t : file.mesh.triangles)
        file.triangle_colors.push_back(
            (file.vertex_colors[t[0]] + file.vertex_colors[t[1]] + file.vertex_colors[t[2]]) / 3.0);
    return {std::move(file.mesh), std::move(file.triangle_colors), std::move(file.notes)};
  }
  if (kind != model::FileKind::cloud)
    throw model::InputError(state.file, 0,
                            std::string("this is a file of kind '") + model::to_string(kind) +
                                "'; expected a mesh (STL, OBJ, PLY, glTF) or a cloud (PLY)");
  model::PointCloud cloud = model::read_cloud(state.file, options);
  return {{std::move(cloud.points), {}}, std::move(cloud.colors), std::move(cloud.notes)};
}

void write_files(const Input& input, const parts::Segmentation& result, const std::string& folder,
                 const std::string& source, Answer& answer) {
  prepare_output_folder(folder);
  const std::string labels = folder + "/labels.ply", samples = folder + "/parts.ply",
                    hierarchy = folder + "/hierarchy.json";
  if (result.is_mesh) {
    parts::write_labels(labels, input.mesh, result);
  } else {
    parts::write_labels(labels, input.mesh.vertices, result);
  }
  parts::write_parts(samples, result);
  parts::write_hierarchy(hierarchy, result);
  write_page(parts::segmentation_page(input.mesh, result), folder, source);
  model::JsonWriter json;
  json.object().members(answer.document).key("files").object();
  json.field("labels", labels).field("parts", samples).field("hierarchy", hierarchy).end().end();
  answer.document = json.text();
}

Answer answer(const State& state, const Shared& shared) {
  const parts::SegmentOptions options = options_of(state);
  const Input input = read_input(state);
  const Stopwatch stopwatch;
  const parts::Segmentation result = input.mesh.triangles.empty()
                                         ? parts::segment_cloud(input.mesh.vertices, input.colours, options)
                                         : parts::segment_mesh(input.mesh, input.colours, options);
  const double time_ms = stopwatch.milliseconds();
  Answer answer{ExitCode::answer, to_string(result.status), time_ms, result.to_json(), result.brief_report()};
  if (result.status != parts::SegmentStatus::ok) {
    answer.code = ExitCode::no_answer;
    answer.error = result.reason;
    return answer;
  }
  if (!shared.out.empty()) write_files(input, result, shared.out, state.file, answer);
  return answer;
}

}  // namespace

Verb segment_verb() {
  const auto state = std::make_shared<State>();
  return {"segment", "What is it made of? Parts of a mesh or a cloud, with volumes, for identify --parts",
          "prehend segment data/objects/nut.obj --parts 2",
          [state](Arguments& arguments) {
            arguments.positional("FILE", state->file,
                                 "Mesh (STL, OBJ, PLY, glTF) or cloud (PLY), with colours where it has them");
            arguments.option(
                "--parts", state->parts,
                "Exactly so many; without: one per shell of a mesh of several, else as the tree suggests");
            arguments.option("--method", state->method, "ours, or htc, htc-cold: Nadeau 2026, algorithm 1");
            arguments.words(
                "--support", "x y z d", state->support,
                "Plane x y z . p = d [m] it stands on, normal up: closes a cloud seen from above");
            arguments.option("--unit", state->unit, "Unit of the file's coordinates: m, cm, mm or in");
          },
          [state](const Shared& shared) { return answer(*state, shared); }};
}

}  // namespace prehend::cli
