// What was tied, and how is it tied again?
#include <cstdio>

#include <prehend/knot/moves.h>
#include <prehend/knot/naming.h>
#include <prehend/knot/plan.h>
#include <prehend/knot/projection.h>
#include <prehend/model/rope_log.h>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s ROPE\n", argv[0]);
    return 2;
  }
  namespace knot = prehend::knot;
  // The last frame of a recording of the rope's centre line.
  const knot::RecordingResult recording = knot::project_recording(prehend::model::read_rope_log(argv[1]));
  std::printf("status %s, %zu frames\n", to_string(recording.status), recording.frames.size());
  if (recording.frames.empty()) return 3;
  const knot::PData& rope = recording.frames.back().p_data;

  const knot::KnotName name = knot::name_knot(rope);
  std::printf("%s, %d crossings, determinant %lld\n", name.name.c_str(), rope.crossings(),
              static_cast<long long>(name.values.determinant));
  const knot::KnotPlan plan = knot::plan_knot(rope);
  std::printf("%zu moves%s\n", plan.moves.size(), plan.proven_shortest ? ", no fewer suffice" : "");
  for (const knot::Move& move : plan.moves) std::printf("  %s\n", knot::to_text(move).c_str());
}
