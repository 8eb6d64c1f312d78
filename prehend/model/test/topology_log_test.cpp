#include <gtest/gtest.h>

#include "expect_input_error.h"
#include <prehend/model/topology_log.h>

namespace prehend::model {
namespace {

std::string link(int i) {
  std::string text;
  for (const char* suffix : {"x", "y", "z", "qw", "qx", "qy", "qz"})
    text += ",l" + std::to_string(i) + "_" + suffix;
  return text;
}
const std::string kLeft = ",fl_x,fl_y,fl_z,tl_x,tl_y,tl_z", kRight = ",fr_x,fr_y,fr_z,tr_x,tr_y,tr_z";

TopologyLog parsed_topology_log(const std::string& text) { return parse_topology_log(text, "t.csv"); }

TEST(TopologyLog, LinksFromZeroOrOneAndWrenches) {
  const std::string row = "0,1,2,3,1,0,0,0,4,5,6,0,1,0,0,7,8,9,10,11,12,17,18,19,20,21,22\n";
  for (int first : {0, 1}) {
    const TopologyLog log =
        parsed_topology_log("t" + link(first) + link(first + 1) + kLeft + kRight + "\n" + row);
    EXPECT_EQ(log.first_number, first);
    ASSERT_EQ(log.links(), 2u);
    EXPECT_EQ(log.X_WL[1][0].p(), Eigen::Vector3d(4, 5, 6));
    EXPECT_EQ(log.X_WL[1][0].q().x(), 1.0);
    EXPECT_EQ(log.f_left_L[0], Eigen::Vector3d(7, 8, 9));
    EXPECT_EQ(log.tau_left_L[0], Eigen::Vector3d(10, 11, 12));
    EXPECT_EQ(log.f_right_R[0], Eigen::Vector3d(17, 18, 19));
    EXPECT_EQ(log.tau_right_R[0], Eigen::Vector3d(20, 21, 22));
  }
}

TEST(TopologyLog, WideTablesTakeLinearTime) {
  // 140 000 columns: looking each up by walking over all would take minutes.
  std::string header = "t", row = "0";
  for (int i = 0; i < 20000; ++i) {
    header += link(i);
    row += ",1,2,3,1,0,0,0";
  }
  EXPECT_EQ(parsed_topology_log(header + kLeft + "\n" + row + ",1,2,3,4,5,6\n").links(), 20000u);
}

TEST(TopologyLog, BadLogsNameTheLine) {
  const std::string row = "\n0,1,2,3,1,0,0,0,4,5,6,0,1,0,0,7,8,9,10,11,12\n";
  expect_input_error([&] { parsed_topology_log("t" + link(0) + kLeft + row); }, 1, "at least two links");
  expect_input_error([&] { parsed_topology_log("t" + link(0) + link(1) + link(3) + kLeft + row); }, 1,
                     "link 3 is there, but link 2 is not");
  expect_input_error(
      [&] { parsed_topology_log("t" + link(0) + link(1) + "\n0,1,2,3,1,0,0,0,4,5,6,0,1,0,0\n"); }, 1,
      "a topology log needs the wrench on an end link");
  expect_input_error(
      [&] {
        parsed_topology_log("t" + link(0) + link(1) +
                            ",fl_x,fl_y,fl_z\n0,1,2,3,1,0,0,0,4,5,6,0,1,0,0,7,8,9\n");
      },
      1, "must be all there or all absent; missing: tl_x, tl_y, tl_z");
  expect_input_error([&] { parsed_topology_log("t" + link(0) + ",l1_x" + kLeft + row); }, 1,
                     "needs the columns l1_y, l1_z");
  expect_input_error(
      [&] {
        parsed_topology_log("t" + link(0) + link(1) + kLeft +
                            "\n0,1,2,3,1,0,0,0,4,5,6,3,1,0,0,7,8,9,10,11,12\n");
      },
      2, "has norm");
}

}  // namespace
}  // namespace prehend::model
