#include <gtest/gtest.h>
#include <tests/places.h>

#include "expect_input_error.h"
#include <prehend/model/files.h>
#include <prehend/model/track_file.h>

namespace prehend::model {
namespace {

TEST(TrackFile, PositionsAndPoses) {
  const PoseLog positions = parse_track("  1 2 3\n\n4\t5 6\r\n", "dir/door.log");
  EXPECT_EQ(positions.parts[0], "door");
  ASSERT_EQ(positions.rows.size(), 2u);
  EXPECT_EQ(positions.rows[1].t, 1.0);
  EXPECT_EQ(positions.rows[1].p_WP, Eigen::Vector3d(4, 5, 6));
  EXPECT_FALSE(positions.rows[0].q_WP);
  const PoseLog poses = parse_track("0 0 0 0 0 0.6 0.8\n", "a.log");
  EXPECT_EQ(poses.rows[0].q_WP->w(), 0.8);  // the scalar stands last in the file
  EXPECT_EQ(poses.rows[0].q_WP->z(), 0.6);
}

TEST(TrackFile, TumTrajectoriesHaveTimes) {
  const PoseLog log = parse_track(
      "# timestamp tx ty tz qx qy qz qw\n1305031102.1758 1 2 3 0 0 0.6 0.8\n"
      "1305031102.2758 1 2 4 0 0 0 1\n",
      "groundtruth.txt");
  EXPECT_EQ(log.parts[0], "groundtruth");
  ASSERT_EQ(log.rows.size(), 2u);
  EXPECT_EQ(log.rows[0].t, 1305031102.1758);
  EXPECT_EQ(log.rows[0].p_WP, Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(log.rows[0].q_WP->w(), 0.8);
  EXPECT_TRUE(log.notes.empty());
  EXPECT_TRUE(looks_like_track("# comment\n0 1 2 3 0 0 0 1\n"));
  EXPECT_FALSE(looks_like_track("0 1 2 3 0 0 0 1 9\n"));
  expect_input_error([] { parse_track("1 0 0 0 0 0 0 1\n1 0 0 0 0 0 0 1\n", "a.txt"); }, 2,
                     "the time is not later than that of the line before");
}

TEST(TrackFile, BadTracksNameTheLine) {
  expect_input_error([] { parse_track("", "a.log"); }, 0, "the track is empty");
  expect_input_error([] { parse_track("1 2 3\n1 2\n", "a.log"); }, 2,
                     "3 (x y z), 7 (x y z qx qy qz qw) or 8 (t x y z qx qy qz qw) numbers per line, found 2");
  expect_input_error([] { parse_track("1 2 3 4 5 6 7 8 9\n", "a.log"); }, 1, "found more than 8");
  expect_input_error([] { parse_track("1 2 3\n0 0 0 0 0 0 1\n", "a.log"); }, 2,
                     "the lines before have 3 numbers, this one 7");
  expect_input_error([] { parse_track("1 2 x\n", "a.log"); }, 1, "expected a finite number, found 'x'");
  expect_input_error([] { parse_track("0 0 0 1 1 1 1\n", "a.log"); }, 1, "has norm 2");
  expect_input_error([] { parse_track(std::string("\0\1", 2), "a.log"); }, 0, "this is a binary file");
}

constexpr char kList[] =
    "No of Models: 2\n.\\peg.step\n.\\hole.step\n\nNo of Scenes: 1\n2 1000 0 0  0 0 1 1.5\n0 0 2000 0  1 0 0 "
    "0\n";

TEST(Poses, OfEveryForm) {
  const TemporaryFolder folder;
  const std::string csv = folder / "a.csv", tum = folder / "lid.txt", list = folder / "b.pose.list";
  write_file(csv, "t,part,x,y,z\n0,door,1,2,3\n1,door,1,2,4\n");
  write_file(tum, "# t x y z\n0 1 2 3 0 0 0 1\n0.5 1 2 4 0 0 0 1\n");
  write_file(list, kList);
  const PoseLog log = read_poses(csv, {tum, list});
  EXPECT_EQ(log.parts, (std::vector<std::string>{"door", "lid", "peg", "hole"}));
  ASSERT_EQ(log.rows.size(), 6u);
  EXPECT_EQ(log.rows[3].part, 1);
  EXPECT_EQ(log.rows[3].t, 0.5);
  EXPECT_EQ(log.rows[5].part, 3);
  EXPECT_EQ(log.notes.size(), 2u);  // of the pose list
  expect_input_error([&] { read_poses(tum, {csv, tum}); }, 0, "part 'lid' is in a file before as well");
}

TEST(PoseList, MillimetresAndAxisAngle) {
  const PoseList list = parse_pose_list(kList, "p.pose.list");
  EXPECT_EQ(list.log.parts, (std::vector<std::string>{"peg", "hole"}));
  EXPECT_EQ(list.states, (std::vector<int>{2, 0}));
  EXPECT_EQ(list.log.rows[0].p_WP, Eigen::Vector3d(1, 0, 0));
  EXPECT_NEAR(list.log.rows[0].q_WP->z(), std::sin(0.75), 1e-15);
  EXPECT_EQ(list.log.rows[1].q_WP->w(), 1.0);
}

TEST(PoseList, BadListsNameTheLine) {
  const std::string good = kList;
  const auto parse = [](const std::string& text) { return [text] { parse_pose_list(text, "p"); }; };
  expect_input_error(parse(""), 0, "expected the line 'No of Models: N'");
  expect_input_error(parse("No of Models: many\n"), 1,
                     "expected a positive count after 'No of Models:', found 'many'");
  expect_input_error(parse("No of Models: 4000000000\na\n"), 1, "claims 4000000000, but only 2 bytes follow");
  expect_input_error(parse(good.substr(0, good.size() - 22)), 6,
                     "the file ends within scene 1 of 1; it is truncated");
  expect_input_error(parse(good + "1 2 3\n"), 8, "more lines than 1 scenes of 2 models");
  expect_input_error(parse("No of Models: 2\na.step\nb/a.step\n"), 3, "two models are named 'a'");
  expect_input_error(parse("No of Models: 1\na\nNo of Scenes: 1\n2 0 0 0 0 0 1\n"), 4,
                     "expected 8 numbers (state, x y z, axis, angle), found 7");
  expect_input_error(parse("No of Models: 1\na\nNo of Scenes: 1\n2 0 0 0 0 0 2 1\n"), 4,
                     "the rotation axis has norm 2");
  expect_input_error(parse("No of Models: 1\na\nNo of Scenes: 1\n2.5 0 0 0 0 0 1 1\n"), 4,
                     "the state flag must be an integer");
}

TEST(TrackFile, RecordedTracks) {
  PREHEND_NEEDS_SHARED_DATA();
  std::size_t tracks = 0, oriented = 0, rows = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(prehend::test::shared_data() + "/articulation_tracks")) {
    if (entry.path().extension() != ".log") continue;
    const PoseLog log = read_track(entry.path().string());
    const bool kitchen = entry.path().parent_path().filename() == "kitchen";
    for (const PoseRow& row : log.rows) EXPECT_EQ(row.q_WP.has_value(), kitchen);
    ++tracks;
    oriented += kitchen ? log.rows.size() : 0;
    rows += log.rows.size();
  }
  // awk 'NF==7' and 'NF>0' count 7545 and 12851 lines in 65 files.
  EXPECT_EQ(tracks, 65u);
  EXPECT_EQ(oriented, 7545u);
  EXPECT_EQ(rows, 7545u + 1121 + 1260 + 887 + 1238 + 800);
}

TEST(PoseList, RecordedPegInHole) {
  PREHEND_NEEDS_SHARED_DATA();
  const PoseList list = read_pose_list(prehend::test::shared_data() + "/peg_in_hole/peg_in_hole.pose.list");
  EXPECT_EQ(list.log.parts, (std::vector<std::string>{"peg", "hole"}));
  EXPECT_EQ(list.log.rows.size(), 82u);
  EXPECT_EQ(list.log.duration(), 40.0);
  // The hole stays put, the peg comes to it.
  const auto peg = list.log.track(0), hole = list.log.track(1);
  for (const PoseRow* row : hole) EXPECT_LT((row->p_WP - hole[0]->p_WP).norm(), 0.003);
  EXPECT_GT((peg.front()->p_WP - hole.front()->p_WP).norm(), 0.1);
  EXPECT_LT((peg.back()->p_WP - hole.back()->p_WP).norm(), 0.003);
  EXPECT_NEAR(peg.front()->p_WP.z(), 1.429929565, 1e-12);
}

}  // namespace
}  // namespace prehend::model
