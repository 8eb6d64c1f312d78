// segment: what is it made of? Parts of a mesh or a coloured cloud, with volumes.
#include <cmath>
#include <memory>

#include "output_folder.h"
#include "verb.h"
#include <prehend/parts/pages.h>
#include <prehend/parts/segmentation_files.h>

namespace prehend::cli {
namespace {

struct SegmentState {
  std::string file, unit{"m"}, parts, method{"ours"};
  std::vector<std::string> support;
};

parts::SegmentOptions options_of(const SegmentState& state) {
  parts::SegmentOptions options;
  if (!state.parts.empty()) {
    const double count = number_of("--parts", state.parts);
    if (count != std::floor(count) || count < 1.0 || count > 1e9)
      throw UsageError("--parts is " + state.parts +
                       "; it must be a whole number from 1 to the leaves of the tree");
    options.parts = static_cast<int>(count);
  }
  options.method = parts::segment_method(state.method);
  if (!state.support.empty()) {
    const Eigen::Vector3d n = vector_of("--support", state.support);
    options.support = Eigen::Vector4d(n.x(), n.y(), n.z(), number_of("--support", state.support[3]));
  }
  options.validate();
  return options;
}

void write_files(const parts::SegmentInput& input, const parts::Segmentation& result,
                 const std::string& folder, const std::string& source, Answer& answer) {
  prepare_output_folder(folder);
  const parts::SegmentFiles files = parts::write_segmentation(folder, input, result);
  write_page(parts::segmentation_page(input.mesh, result), folder, source);
  add_files(answer, {{"labels", files.labels},
                     {"parts", files.parts},
                     {"hierarchy", files.hierarchy},
                     {"surface", files.surface}});
}

Answer answer(const SegmentState& state, const Shared& shared) {
  const parts::SegmentOptions options = options_of(state);
  const parts::SegmentInput input = parts::read_segment_input(state.file, metres_of("--unit", state.unit));
  const Stopwatch stopwatch;
  const parts::Segmentation result = parts::segment(input, options);
  const double time_ms = stopwatch.milliseconds();
  Answer answer = answer_of(result, time_ms, result.reason);
  if (!shared.out.empty() && answer.code == ExitCode::answer)
    write_files(input, result, shared.out, state.file, answer);
  return answer;
}

}  // namespace

Verb segment_verb() {
  const auto state = std::make_shared<SegmentState>();
  return {"segment", "What is it made of? Parts of a mesh or a cloud, with volumes, for identify --parts",
          "prehend segment data/objects/nut.obj --parts 2",
          [state](Arguments& arguments) {
            arguments.positional(
                "FILE", state->file,
                "Mesh (STL, OBJ, PLY, glTF) or cloud (PLY, PCD, XYZ), with colours where it has them");
            arguments.option(
                "--parts", state->parts,
                "Exactly so many; without: one per shell of a mesh of several, else as the tree suggests");
            arguments.option("--method", state->method, "ours, or htc, htc-cold: Nadeau 2026, algorithm 1");
            arguments.words(
                "--support", "x y z d", state->support,
                "Plane x y z . p = d [m] it stands on, normal up: closes a cloud seen from above");
            arguments.option("--unit", state->unit,
                             "Unit of the file's coordinates: m, cm, mm, in or metres as a number");
          },
          [state](const Shared& shared) { return answer(*state, shared); }};
}

}  // namespace prehend::cli
