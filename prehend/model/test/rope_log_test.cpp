#include <gtest/gtest.h>

#include "expect_input_error.h"
#include <prehend/model/rope_log.h>

namespace prehend::model {
namespace {

RopeLog parsed_rope_log(const std::string& text) { return parse_rope_log(text, "r.csv"); }

TEST(RopeLog, FramesInOrder) {
  const RopeLog log =
      parsed_rope_log("frame,x,y,z,temperature\n3,0,0,0,1\n3,1,0,0,1\n7,0,0,1,1\n7,0,0,2,1\n7,0,0,3,1\n");
  ASSERT_EQ(log.frames.size(), 2u);
  EXPECT_EQ(log.rows, 5u);
  EXPECT_EQ(log.frames[1].frame, 7);
  EXPECT_EQ(log.frames[1].points_W, (std::vector<Eigen::Vector3d>{{0, 0, 1}, {0, 0, 2}, {0, 0, 3}}));
  EXPECT_EQ(log.notes, (std::vector<std::string>{"column 'temperature' was ignored"}));
}

TEST(RopeLog, WithoutFramesPointsOfOneTimeAreOne) {
  const RopeLog one = parsed_rope_log("x,y,z\n0,0,0\n1,0,0\n1,1,0\n");
  ASSERT_EQ(one.frames.size(), 1u);
  EXPECT_EQ(one.frames[0].frame, 0);
  EXPECT_EQ(one.frames[0].points_W.size(), 3u);
  const RopeLog film = parsed_rope_log("t,x,y,z\n0.5,0,0,0\n0.5,1,0,0\n0.75,0,0,1\n0.75,0,0,2\n");
  ASSERT_EQ(film.frames.size(), 2u);
  EXPECT_EQ(film.frames[1].frame, 1);
  EXPECT_EQ(film.frames[1].t, 0.75);
}

TEST(RopeLog, BadRopesNameTheLine) {
  const auto rows = [](const std::string& text) {
    return [text] { parsed_rope_log("frame,x,y,z\n" + text); };
  };
  expect_input_error(rows("0.5,0,0,0\n"), 2, "column 'frame' must be an integer, found 0.5");
  expect_input_error(rows("1,0,0,0\n1,1,0,0\n0,0,0,0\n0,1,1,1\n"), 4,
                     "frame 0 comes after frame 1; frames must increase");
  expect_input_error(rows("0,0,0,0\n1,1,0,0\n1,2,0,0\n"), 2,
                     "frame 0 has one point; a rope needs at least two");
  expect_input_error(rows("0,0,0,0\n"), 2, "frame 0 has one point");
}

TEST(RopeLog, TimesOfFrames) {
  const RopeLog log =
      parsed_rope_log("frame,t,x,y,z\n3,0.5,0,0,0\n3,0.5,1,0,0\n7,0.75,0,0,1\n7,0.75,0,0,2\n");
  EXPECT_TRUE(log.notes.empty());
  EXPECT_EQ(log.frames[0].t, 0.5);
  EXPECT_EQ(log.frames[1].t, 0.75);
  const TemporaryFolder folder;
  write_rope_log(folder / "t.csv", log);
  EXPECT_EQ(read_rope_log(folder / "t.csv").frames[1].t, 0.75);
  const auto rows = [](const std::string& text) {
    return [text] { parsed_rope_log("frame,t,x,y,z\n" + text); };
  };
  expect_input_error(rows("0,1,0,0,0\n0,2,1,0,0\n"), 3,
                     "frame 0 has the times 1 and 2; all points of a frame have one time");
  expect_input_error(rows("0,1,0,0,0\n0,1,1,0,0\n1,1,0,0,0\n1,1,1,0,0\n"), 4,
                     "frame 1 is at t = 1, the frame before it at 1; time must increase");
  RopeLog bare = parsed_rope_log("frame,x,y,z\n0,0,0,0\n0,1,0,0\n5,0,0,0\n5,1,0,0\n");
  EXPECT_FALSE(bare.frames[0].t.has_value());
  EXPECT_THROW(set_frame_rate(bare, 0.0), std::invalid_argument);
  set_frame_rate(bare, 10.0);
  EXPECT_EQ(bare.frames[1].t, 0.5);
  EXPECT_THROW(set_frame_rate(bare, 10.0), std::invalid_argument);
  bare.frames[1].t.reset();
  EXPECT_THROW(write_rope_log(folder / "bad.csv", bare), std::invalid_argument);
}

TEST(RopeLog, RoundTripIsExact) {
  const TemporaryFolder folder;
  RopeLog log;
  log.frames = {{0, {{1.0 / 3, 0, 0}, {1, 2, 3}}}, {2, {{0, 0, 1e-300}, {1, 2, 3}, {0.1, 0.2, 0.3}}}};
  write_rope_log(folder / "r.csv", log);
  const RopeLog again = read_rope_log(folder / "r.csv");
  ASSERT_EQ(again.frames.size(), 2u);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(again.frames[i].points_W, log.frames[i].points_W);
  std::swap(log.frames[0], log.frames[1]);
  EXPECT_THROW(write_rope_log(folder / "bad.csv", log), std::invalid_argument);
}

}  // namespace
}  // namespace prehend::model
