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

TEST(SeenStates, FramesThatCannotBeReadAreLeftOut) {
  RecordingResult most = recording(true);
  for (ProjectionResult& frame : most.frames) frame.status = ProjectionStatus::ok;
  most.status = most.frames[1].status = ProjectionStatus::too_coarse;
  most.reason = "frame 4: which strand is over is not clear";
  most.notes = {"noise of 0.001 m in the points is smoothed away"};
  const Recognition moves = recognise_recording(most);
  ASSERT_EQ(moves.seen.size(), 2U);
  EXPECT_EQ(when_text(moves.seen[0], moves.seen[1]), "frames 3 to 5, 0.3 s to 0.5 s");
  EXPECT_EQ(moves.notes,
            (std::vector<std::string>{
                "noise of 0.001 m in the points is smoothed away",
                "1 frame cannot be read and is left out; frame 4: which strand is over is not clear"}));
  most.frames[0].status = most.frames[2].status = ProjectionStatus::touching;
  EXPECT_FALSE(is_mostly_read(most));
  EXPECT_THROW(recognise_recording(most), std::invalid_argument);
}

TEST(SeenStates, AStateOfOneFrameIsNoted) {
  RecordingResult film;
  film.status = ProjectionStatus::ok;
  for (int k = 0; k < 12; ++k) {
    film.numbers.push_back(k);
    film.frames.emplace_back();
    if (k == 5) film.frames.back().p_data = kSeenLoop;
  }
  EXPECT_EQ(recognise_recording(film).notes,
            std::vector<std::string>{"state 2 is seen in frame 5 alone, and may be noise"});
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
