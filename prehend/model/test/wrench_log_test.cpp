#include <gtest/gtest.h>
#include <tests/places.h>

#include "expect_input_error.h"
#include <prehend/model/wrench_log.h>

namespace prehend::model {
namespace {

WrenchLog parsed_wrench_log(const std::string& text) { return parse_wrench_log(text, "w.csv"); }

constexpr char kWrenchHeader[] = "t,sx,sy,sz,sqw,sqx,sqy,sqz,fx,fy,fz,tx,ty,tz\n";

TEST(WrenchLog, OptionalGroupsAreCompleteOrAbsent) {
  const WrenchLog plain = parsed_wrench_log(std::string(kWrenchHeader) +
                                            "0,1,2,3,1,0,0,0,4,5,6,7,8,9\n2,1,2,3,0,1,0,0,4,5,6,7,8,9\n");
  EXPECT_EQ(plain.rows(), 2u);
  EXPECT_EQ(plain.duration(), 2.0);
  EXPECT_EQ(plain.X_WS[0].p(), Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(plain.X_WS[1].q().x(), 1.0);
  EXPECT_EQ(plain.f_S[0], Eigen::Vector3d(4, 5, 6));
  EXPECT_EQ(plain.tau_S[0], Eigen::Vector3d(7, 8, 9));
  EXPECT_FALSE(plain.has_twist() || plain.has_acceleration() || plain.has_object());
  const WrenchLog full = parsed_wrench_log(
      "t,sx,sy,sz,sqw,sqx,sqy,sqz,vx,vy,vz,wx,wy,wz,ax,ay,az,alx,aly,alz,fx,fy,fz,tx,ty,tz,ox,oy,oz,oqw,oqx,"
      "oqy,oqz\n"
      "0,1,2,3,1,0,0,0,11,12,13,14,15,16,21,22,23,24,25,26,4,5,6,7,8,9,31,32,33,0,0,1,0\n");
  EXPECT_EQ(full.v_WS_W[0], Eigen::Vector3d(11, 12, 13));
  EXPECT_EQ(full.w_WS_W[0], Eigen::Vector3d(14, 15, 16));
  EXPECT_EQ(full.a_WS_W[0], Eigen::Vector3d(21, 22, 23));
  EXPECT_EQ(full.al_WS_W[0], Eigen::Vector3d(24, 25, 26));
  EXPECT_EQ(full.X_WO[0].p(), Eigen::Vector3d(31, 32, 33));
  EXPECT_EQ(full.X_WO[0].q().y(), 1.0);
}

TEST(WrenchLog, BadLogsNameTheLine) {
  const auto rows = [](const std::string& text) {
    return [text] { parsed_wrench_log(kWrenchHeader + text); };
  };
  expect_input_error(rows("0,1,2,3,2,0,0,0,4,5,6,7,8,9\n"), 2, "has norm 2");
  expect_input_error(rows("1,1,2,3,1,0,0,0,4,5,6,7,8,9\n0,1,2,3,1,0,0,0,4,5,6,7,8,9\n"), 3,
                     "time runs backwards: t = 0 after 1");
  expect_input_error(rows("1,1,2,3,1,0,0,0,4,5,6,7,8,9\n1,1,2,3,1,0,0,0,4,5,6,7,8,9\n"), 3,
                     "a second row at t = 1");
  expect_input_error(rows("0,1,2,3,1,0,0,0,4,5,6,7,8,nan\n"), 2,
                     "column 'tz' must be a finite number, found 'nan'");
  expect_input_error(
      [] {
        parsed_wrench_log("t,sx,sy,sz,sqw,sqx,sqy,sqz,vx,fx,fy,fz,tx,ty,tz\n0,1,2,3,1,0,0,0,9,4,5,6,7,8,9\n");
      },
      1, "the columns vx, vy, vz, wx, wy, wz must be all there or all absent; missing: vy, vz, wx, wy, wz");
  expect_input_error([] { parsed_wrench_log("t,fx,fy,fz\n0,1,2,3\n"); }, 1,
                     "a wrench log needs the columns sx, sy, sz, sqw, sqx, sqy, sqz, tx, ty, tz;");
}

TEST(WrenchLog, RoundTripIsExact) {
  const TemporaryFolder folder;
  WrenchLog log;
  const math::Pose X(Eigen::Quaterniond(0.1, 0.2, -0.3, 0.4).normalized(), {0.1, 1.0 / 3, -7});
  log.t = {0, 1.0 / 3};
  log.X_WS = {X, X.inverse()};
  log.X_WO = {X.inverse(), X};
  log.f_S = log.tau_S = log.a_WS_W = log.al_WS_W = {{0.1, 0.2, 0.3}, {1e-300, 1e300, -0.5}};
  write_wrench_log(folder / "w.csv", log);
  const WrenchLog again = read_wrench_log(folder / "w.csv");
  EXPECT_EQ(again.t, log.t);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(again.X_WS[i].q().coeffs(), log.X_WS[i].q().coeffs());
    EXPECT_EQ(again.X_WO[i].p(), log.X_WO[i].p());
  }
  EXPECT_EQ(again.al_WS_W, log.al_WS_W);
  EXPECT_FALSE(again.has_twist());
  log.f_S.pop_back();
  EXPECT_THROW(write_wrench_log(folder / "bad.csv", log), std::invalid_argument);
}

TEST(WrenchLog, RecordedMotionsObeyNewton) {
  PREHEND_NEEDS_SHARED_DATA();
  // inertia.yaml says 0.71895 kg; gravity in these logs acts along +z, so f = m (a_com - g).
  const WrenchLog log =
      read_wrench_log(prehend::test::shared_data() + "/tools/adjustable_wrench/motion.csv.gz");
  EXPECT_EQ(log.rows(), 1000u);
  EXPECT_EQ(log.columns.size(), 33u);
  EXPECT_NEAR(log.duration(), 9.99, 1e-9);
  EXPECT_TRUE(log.has_twist() && log.has_acceleration() && log.has_object());
  EXPECT_NEAR(log.f_S[0].z(), -0.71895 * 9.81, 1e-3);  // at rest in the first row
  // Positions and velocities belong together: central differences of one give the other.
  for (std::size_t i = 1; i + 1 < log.rows(); i += 50) {
    const Eigen::Vector3d difference =
        (log.X_WS[i + 1].p() - log.X_WS[i - 1].p()) / (log.t[i + 1] - log.t[i - 1]);
    EXPECT_LT((difference - log.v_WS_W[i]).norm(), 2e-3);
  }
  for (const auto& folder : std::filesystem::directory_iterator(prehend::test::shared_data() + "/tools")) {
    EXPECT_GE(read_wrench_log((folder.path() / "motion.csv.gz").string()).rows(), 900u);
  }
}

}  // namespace
}  // namespace prehend::model
