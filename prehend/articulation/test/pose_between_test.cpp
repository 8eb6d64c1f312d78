#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <prehend/articulation/evidence/pose_between.h>
#include <prehend/math/so3.h>

namespace prehend::articulation {
namespace {

// A swing about a tilted axis and a shift, both of known form.
TimedPose swing(double t) {
  const Eigen::Vector3d axis = Eigen::Vector3d(1, 2, -1).normalized();
  return {t, Eigen::Vector3d(0.2 * std::sin(4 * t), 0.1 * std::cos(3 * t), 0.05 * t),
          math::exp_so3(Eigen::Vector3d(0.7 * std::sin(3 * t) * axis))};
}

std::vector<TimedPose> rows_of_swing(int count, double period) {
  std::vector<TimedPose> rows;
  for (int i = 0; i < count; ++i) rows.push_back(swing(period * i));
  return rows;
}

double turn_between(const TimedPose& a, const TimedPose& b) {
  return math::log_so3(a.q_WP->conjugate() * *b.q_WP).norm();
}

TEST(PosesBetween, FollowsTheBend) {
  const PosesBetween between(rows_of_swing(60, 1.0 / 30));
  double position = 0, angle = 0;
  for (double t = 0.1; t < 1.8; t += 0.0123) {
    const auto place = between.place(t);
    ASSERT_TRUE(place);
    const TimedPose made = between.at(t, *place), truth = swing(t);
    position = std::max(position, (made.p_WP - truth.p_WP).norm());
    angle = std::max(angle, turn_between(made, truth));
  }
  // Chords lie behind by up to 3.2 m/s^2 and 6.3 rad/s^2 times (1/30 s)^2 / 8: 0.44 mm and 0.9 mrad. What is left is of fourth order.
  EXPECT_LT(position, 0.02e-3);
  EXPECT_LT(angle, 0.05e-3);
}

TEST(PosesBetween, RowsThemselvesStay) {
  const PosesBetween between(rows_of_swing(10, 0.03));
  const auto place = between.place(between.rows()[4].t);
  ASSERT_TRUE(place);
  EXPECT_EQ(between.at(between.rows()[4].t, *place).p_WP, between.rows()[4].p_WP);
}

TEST(PosesBetween, NothingOutsideOrInLongGaps) {
  std::vector<TimedPose> rows = rows_of_swing(20, 0.03);
  rows.erase(rows.begin() + 8, rows.begin() + 12);  // a gap of 0.15 s
  const PosesBetween between(rows);
  EXPECT_FALSE(between.place(-0.001));
  EXPECT_FALSE(between.place(rows.back().t + 0.001));
  EXPECT_FALSE(between.place(0.5 * (rows[7].t + rows[8].t)));
  EXPECT_TRUE(between.place(rows[7].t + 0.01));
}

TEST(PosesBetween, AFlippedNeighbourDoesNotBendTheWay) {
  std::vector<TimedPose> rows = rows_of_swing(60, 1.0 / 30);
  rows[20].q_WP = *rows[20].q_WP * math::exp_so3(Eigen::Vector3d(0.6, 0, 0));
  rows[20].p_WP.x() += 0.05;
  const PosesBetween between(rows);
  const double t = rows[18].t + 0.4 / 30;  // between two good rows, the flipped one is next
  const auto place = between.place(t);
  ASSERT_TRUE(place);
  // A fourth-order cubic would take a sixteenth of the flip: 3 mm and 38 mrad.
  EXPECT_LT((between.at(t, *place).p_WP - swing(t).p_WP).norm(), 0.5e-3);
  EXPECT_LT(turn_between(between.at(t, *place), swing(t)), 1e-3);
}

TEST(PosesBetween, PositionsAlone) {
  std::vector<TimedPose> rows = rows_of_swing(20, 0.03);
  for (TimedPose& row : rows) row.q_WP.reset();
  const PosesBetween between(rows);
  const auto place = between.place(0.301);
  ASSERT_TRUE(place);
  EXPECT_FALSE(between.at(0.301, *place).q_WP);
  EXPECT_LT((between.at(0.301, *place).p_WP - swing(0.301).p_WP).norm(), 0.02e-3);
}

}  // namespace
}  // namespace prehend::articulation
