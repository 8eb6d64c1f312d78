#include <stdexcept>

#include <gtest/gtest.h>

#include <prehend/knot/moves_json.h>
#include <prehend/knot/seen_states.h>

namespace prehend::knot {
namespace {

const PData kSeenLoop{{2, 1}, {4, 3}};

// Frames 3, 4, 5 and 8; a straight rope, and then a loop, once read from its other end.
RecordingResult recording(bool timed) {
  RecordingResult result;
  result.status = ProjectionStatus::ok;
  result.numbers = {3, 4, 5, 8};
  if (timed) result.times = {0.3, 0.4, 0.5, 0.8};
  for (const PData& data : {PData{}, PData{}, kSeenLoop, swapped_ends(kSeenLoop)}) {
    result.frames.emplace_back();
    result.frames.back().p_data = data;
  }
  return result;
}

TEST(SeenStates, AMoveLiesBetweenTwoFrames) {
  const std::vector<SeenState> seen = seen_states(recording(true));
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0].first_frame, 3);
  EXPECT_EQ(seen[0].last_frame, 4);
  EXPECT_EQ(seen[1].first_frame, 5);
  EXPECT_EQ(seen[1].t_last, 0.8);
  EXPECT_EQ(when_text(seen[0], seen[1]), "frames 4 to 5, 0.4 s to 0.5 s");
  const Recognition moves = recognise_recording(recording(true));
  ASSERT_EQ(moves.seen.size(), moves.transitions.size() + 1);
  const std::string text = moves.brief_report();
  EXPECT_EQ(text.find("2 states in frames 3 to 8\nframes 4 to 5, 0.4 s to 0.5 s: R1 adds"), 0U) << text;
  EXPECT_NE(moves.to_json().find(R"("last_frame_before":4,"frame":5,"t0_s":0.4,"t1_s":0.5)"),
            std::string::npos);
}

TEST(SeenStates, WithoutTimesThereAreFrames) {
  const std::vector<SeenState> seen = seen_states(recording(false));
  EXPECT_EQ(when_text(seen[0], seen[1]), "frames 4 to 5");
  EXPECT_EQ(recognise_recording(recording(false)).to_json().find("t0_s"), std::string::npos);
  RecordingResult unread = recording(false);
  unread.status = ProjectionStatus::touching;
  unread.reason = "strands touch";
  EXPECT_THROW(seen_states(unread), std::invalid_argument);
}

}  // namespace
}  // namespace prehend::knot
