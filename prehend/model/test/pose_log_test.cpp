#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "expect_input_error.h"
#include <prehend/model/files.h>
#include <prehend/model/pose_log.h>

namespace prehend::model {
namespace {

PoseLog parsed_pose_log(const std::string& text) { return parse_pose_log(text, "p.csv"); }
constexpr char kHeader[] = "t,part,x,y,z,qw,qx,qy,qz\n";

TEST(PoseLog, PartsTimesAndLostRows) {
  const PoseLog log = parsed_pose_log(
      std::string(kHeader) +
      "0,peg,1,2,3,1,0,0,0\n0,hole,0,0,0,0,0,0,-1\n1,hole,0,0,0,0,1,0,0\n3,peg,1,2,4,1,0,0,0\n");
  EXPECT_EQ(log.parts, (std::vector<std::string>{"peg", "hole"}));
  EXPECT_EQ(log.duration(), 3.0);
  const auto peg = log.track(0);
  ASSERT_EQ(peg.size(), 2u);
  EXPECT_EQ(peg[1]->t, 3.0);
  EXPECT_EQ(peg[1]->p_WP, Eigen::Vector3d(1, 2, 4));
  EXPECT_EQ(log.track(1)[0]->q_WP->z(), -1.0);
  EXPECT_EQ(log.tracks(), (std::vector{log.track(0), log.track(1)}));
  EXPECT_EQ(log.find_part("hole"), 1);
  EXPECT_FALSE(log.find_part("lid"));
}

TEST(PoseLog, PositionsOnlyByAbsentColumnsOrEmptyCells) {
  const PoseLog absent = parsed_pose_log("t,x,y,z,battery\n0,1,2,3,high\n1,1,2,3,low\n");
  EXPECT_EQ(absent.parts, (std::vector<std::string>{"part"}));
  EXPECT_FALSE(absent.rows[0].q_WP);
  EXPECT_EQ(absent.notes, (std::vector<std::string>{"column 'battery' was ignored"}));
  const PoseLog mixed = parsed_pose_log(std::string(kHeader) + "0,a,1,2,3,,,,\n1,a,1,2,3,1,0,0,0\n");
  EXPECT_FALSE(mixed.rows[0].q_WP);
  EXPECT_TRUE(mixed.rows[1].q_WP);
}

TEST(PoseLog, QuaternionsNearlyUnitAreNormalised) {
  const PoseLog log =
      parsed_pose_log(std::string(kHeader) + "0,a,0,0,0,1.0099,0,0,0\n1,a,0,0,0,0,0.9901,0,0\n");
  EXPECT_EQ(log.rows[0].q_WP->w(), 1.0);
  EXPECT_EQ(log.rows[1].q_WP->x(), 1.0);
}

TEST(PoseLog, BadLogsNameTheLine) {
  const auto rows = [](const std::string& text) { return [text] { parsed_pose_log(kHeader + text); }; };
  expect_input_error(rows("0,a,0,0,0,1.011,0,0,0\n"), 2,
                     "has norm 1.011; expected 1 within 0.01, in the order w, x, y, z");
  expect_input_error(rows("0,a,0,0,0,0,0,0,0\n"), 2, "the quaternion (0, 0, 0, 0) has norm 0");
  expect_input_error(rows("0,a,0,0,0,1,,0,0\n"), 2, "some of qw, qx, qy, qz are empty");
  expect_input_error(rows("1,a,0,0,0,1,0,0,0\n1,b,0,0,0,1,0,0,0\n0.5,a,0,0,0,1,0,0,0\n"), 4,
                     "time runs backwards for part 'a' at t = 0.5, after 1 on line 2");
  expect_input_error(rows("1,a,0,0,0,1,0,0,0\n1,a,0,0,0,1,0,0,0\n"), 3,
                     "a second row for part 'a' at t = 1 (the first is line 2)");
  expect_input_error(rows("0,,0,0,0,1,0,0,0\n"), 2, "column 'part' is empty");
  expect_input_error(rows("-1e308,a,0,0,0,1,0,0,0\n1e308,a,0,0,0,1,0,0,0\n"), 0,
                     "the times span more than a number holds");
  expect_input_error([] { parsed_pose_log("t,x,y,z\n0,0,0,0\n0,1,1,1\n"); }, 3,
                     "several parts need a column 'part'");
  expect_input_error([] { parsed_pose_log("t,part,x,y,z,qw,qx,qy\n0,a,0,0,0,1,0,0\n"); }, 1,
                     "the columns qw, qx, qy, qz must be all there or all absent; missing: qz");
  expect_input_error([] { parsed_pose_log("t,part,x_mm,y_mm,z_mm\n0,a,0,0,0\n"); }, 1,
                     "a pose log needs the columns x, y, z; the header has t, part, x_mm");
}

// Trackers write rows for markers that they do not see.
TEST(PoseLog, RowsWithoutAPoseAreLeftOut) {
  const std::string seen = "0,a,1,2,3,1,0,0,0\n0,b,1,2,4,1,0,0,0\n";
  const PoseLog log =
      parsed_pose_log(kHeader + seen + "1,a,nan,NaN,nan,nan,nan,nan,nan\n1,b,,,,,,,\n2,a,1,2,3,1,0,0,0\n");
  ASSERT_EQ(log.rows.size(), 3U);
  EXPECT_EQ(log.rows[2].t, 2.0);
  EXPECT_EQ(log.rows[2].line, 6);
  ASSERT_EQ(log.notes.size(), 1U);
  EXPECT_EQ(log.notes[0], "2 rows without a pose (empty or nan) were left out");
  const auto rows = [&](const std::string& text) { return [=] { parsed_pose_log(kHeader + seen + text); }; };
  expect_input_error(rows("1,a,1,nan,3,1,0,0,0\n"), 4,
                     "column 'y' is empty or nan; a row has all of x, y, z");
  expect_input_error(rows("1,a,nan,nan,nan,1,0,0,0\n"), 4, "an orientation, but no position");
  expect_input_error(rows("1,c,,,,,,,\n"), 0, "part 'c' is never seen");
  expect_input_error([] { parsed_pose_log("t,x,y,z\nnan,0,0,0\n"); }, 2, "must be a finite number");
  expect_input_error([] { parsed_pose_log("t,x,y,z\n0,inf,0,0\n"); }, 2, "must be a finite number");
}

TEST(PoseLog, RoundTripIsExact) {
  const TemporaryFolder folder;
  PoseLog log;
  log.parts = {"lid", "box 2"};
  const Eigen::Quaterniond q = Eigen::Quaterniond(0.1, -0.7, 0.3, 0.2).normalized();
  log.rows = {{0.1, 0, {1.0 / 3, -0.0, 1e-300}, q, 0},
              {1.0 / 7, 1, {1, 2, 3}, std::nullopt, 0},
              {0.2, 0, {1, 2, 3}, q.conjugate(), 0}};
  write_pose_log(folder / "p.csv", log);
  const PoseLog again = read_pose_log(folder / "p.csv");
  EXPECT_EQ(again.parts, log.parts);
  ASSERT_EQ(again.rows.size(), 3u);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(again.rows[i].t, log.rows[i].t);
    EXPECT_EQ(again.rows[i].part, log.rows[i].part);
    EXPECT_EQ(std::memcmp(again.rows[i].p_WP.data(), log.rows[i].p_WP.data(), 24), 0);
    ASSERT_EQ(again.rows[i].q_WP.has_value(), log.rows[i].q_WP.has_value());
    if (log.rows[i].q_WP) {
      EXPECT_EQ(again.rows[i].q_WP->coeffs(), log.rows[i].q_WP->coeffs());
    }
  }
  log.parts[0] = "a,b";
  EXPECT_THROW(write_pose_log(folder / "bad.csv", log), std::invalid_argument);
  log.parts[0] = "a";
  std::swap(log.rows[0], log.rows[2]);
  EXPECT_THROW(write_pose_log(folder / "bad.csv", log), std::invalid_argument);
  EXPECT_FALSE(std::filesystem::exists(folder / "bad.csv"));
}

// The upper triangle of a covariance, row by row.
std::string covariance_header() {
  std::string names = "t,part,x,y,z,qw,qx,qy,qz";
  const char* axes[6] = {"rx", "ry", "rz", "x", "y", "z"};
  for (int i = 0; i < 6; ++i)
    for (int j = i; j < 6; ++j) names += std::string(",cov_") + axes[i] + "_" + axes[j];
  return names + "\n";
}
std::string covariance_cells(double off) {
  std::string cells;
  for (int i = 0; i < 6; ++i)
    for (int j = i; j < 6; ++j)
      cells += "," + (i == j ? std::to_string(i + 1) : i == 0 && j == 5 ? std::to_string(off) : "0");
  return cells + "\n";
}

TEST(PoseLog, CovariancesAreReadAndWritten) {
  const PoseLog log = parsed_pose_log(covariance_header() + "0,a,1,2,3,1,0,0,0" + covariance_cells(0.5) +
                                      "1,a,1,2,3,1,0,0,0" + covariance_cells(-0.25));
  ASSERT_EQ(log.covariances.size(), 2u);
  EXPECT_EQ(log.covariances[0](5, 5), 6.0);
  EXPECT_EQ(log.covariances[0](0, 5), 0.5);
  EXPECT_EQ(log.covariances[0](5, 0), 0.5);
  EXPECT_EQ(log.covariances[1](5, 0), -0.25);
  EXPECT_TRUE(log.notes.empty());
  const std::string path = ::testing::TempDir() + "covariances.csv";
  write_pose_log(path, log);
  EXPECT_EQ(read_pose_log(path).covariances, log.covariances);
}

TEST(PoseLog, CovariancesThatAreNoneAreNamed) {
  expect_input_error(
      [] { parsed_pose_log(covariance_header() + "0,a,1,2,3,1,0,0,0" + covariance_cells(3.0)); }, 2,
      "the covariance cov_rx_rx ... cov_z_z is not positive definite");
  expect_input_error([] { parsed_pose_log("t,part,x,y,z,qw,qx,qy,qz,cov_rx_rx\n0,a,1,2,3,1,0,0,0,1\n"); }, 1,
                     "must be all there or all absent");
}

}  // namespace
}  // namespace prehend::model
