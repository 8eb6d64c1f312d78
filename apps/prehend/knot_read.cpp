#include <algorithm>
#include <memory>

#include "knot_input.h"
#include "output_folder.h"
#include <prehend/knot/pages.h>
#include <prehend/knot/projection.h>
#include <prehend/model/rope_log.h>

namespace prehend::cli {
namespace {

struct KnotReadState {
  std::string file;
  std::vector<std::string> view;
  bool codes{false};
  bool closed{false};
  std::string rate, noise;  // [Hz], [m]; empty: not given
};

Answer answer(const KnotReadState& state, const Shared& shared) {
  knot::ProjectionOptions options;
  if (!state.view.empty()) options.view_W = vector_of("--view", state.view);
  options.closed_codes = state.codes;
  options.noise = noise_of(state.noise);
  model::RopeLog log = model::read_rope_log(state.file);
  if (!state.rate.empty()) model::set_frame_rate(log, number_of("--rate", state.rate));
  options.closed =
      state.closed || std::all_of(log.frames.begin(), log.frames.end(),
                                  [](const model::RopeFrame& f) { return knot::ends_meet(f.points_W); });
  const Stopwatch stopwatch;
  const knot::RecordingResult result = knot::project_recording(log, options);
  const double time_ms = stopwatch.milliseconds();
  if (!shared.out.empty()) write_page(knot::recording_page(log, result), shared.out, state.file);
  return answer_of(result, time_ms, result.reason);
}

}  // namespace

Verb knot_read_verb() {
  const auto state = std::make_shared<KnotReadState>();
  return {
      "read", "The P-data of a rope in every frame of a recording",
      "prehend knot read data/ropes/overhand.csv",
      [state](Arguments& arguments) {
        arguments.positional("ROPE", state->file,
                             "Rope recording (CSV: x,y,z and, for several frames, frame; for times, t)");
        arguments.words(
            "--view", "x y z", state->view,
            "Looking direction; never changed. Without it down -z, tilted a little if that is degenerate");
        arguments.flag(
            "--closed", state->closed,
            "The rope is a loop: its last point joins the first (known by itself where they are the same)");
        arguments.option("--rate", state->rate, "Frames per second of a recording without a column t [Hz]");
        declare_noise(state->noise, arguments);
        arguments.flag("--codes", state->codes,
                       "Also the Gauss, DT and PD codes of the rope closed over everything (with --json)");
      },
      [state](const Shared& shared) { return answer(*state, shared); }};
}

}  // namespace prehend::cli
