#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include <prehend/model/files.h>
#include <prehend/model/input_error.h>
#include <prehend/model/scene_reader.h>
#include <prehend/model/scene_writer.h>

namespace prehend::model {
namespace {

math::SpatialInertia some_body() {
  math::SpatialInertia body = math::SpatialInertia::solid_box(0.7, {0.1, 0.2, 0.05});
  return body.expressed_in(
      math::Pose(Eigen::Quaterniond(0.9, 0.1, -0.3, 0.2).normalized(), {0.01, -0.04, 0.002}));
}

std::string file_with(const std::string& name, const std::string& text) {
  const std::string path = (std::filesystem::temp_directory_path() / name).string();
  write_file(path, text);
  return path;
}

std::string message_of(const std::string& path, const std::string& body) {
  try {
    with_inertial(path, body, some_body());
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

void expect_read_back(const std::string& text, const std::string& name) {
  const Scene scene = read_scene(file_with(name, text));
  const Body& body = scene.bodies[scene.find_body("tool")];
  const math::Vector10d expected = some_body().parameters();
  // MuJoCo keeps principal axes as a quaternion: the products of inertia come back to about 1e-9 of the largest.
  EXPECT_LT((body.inertia.parameters() - expected).norm(), 1e-8 * expected.norm()) << text;
}

TEST(InertialElement, UrdfGetsWhatItHadNot) {
  const std::string path =
      file_with("inertial_a.urdf",
                "<robot name='r'><!-- kept --><link name='base'/><link name='tool'/>"
                "<joint name='j' type='floating'><parent link='base'/><child link='tool'/></joint>"
                "<gazebo reference='tool'/></robot>");
  const std::string text = with_inertial(path, "tool", some_body());
  EXPECT_NE(text.find("<!-- kept -->"), std::string::npos);
  EXPECT_NE(text.find("<gazebo"), std::string::npos);
  expect_read_back(text, "inertial_a_out.urdf");
}

TEST(InertialElement, MjcfOldInertialIsReplaced) {
  const std::string path = file_with(
      "inertial_b.xml",
      "<mujoco><worldbody><body name='tool'><freejoint/><inertial pos='1 2 3' mass='9' diaginertia='1 1 1'/>"
      "<geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>");
  const std::string text = with_inertial(path, "", some_body());
  EXPECT_EQ(text.find("diaginertia"), std::string::npos);
  expect_read_back(text, "inertial_b_out.xml");
}

TEST(InertialElement, SaysWhatIsWrong) {
  const std::string two =
      file_with("inertial_c.urdf", "<robot name='r'><link name='base'/><link name='tool'/></robot>");
  EXPECT_NE(message_of(two, "toool").find("no link named 'toool'; there are 'base', 'tool'"),
            std::string::npos);
  EXPECT_NE(message_of(two, "").find("which link gets the inertia must be said"), std::string::npos);
  EXPECT_NE(message_of(file_with("inertial_d.sdf", "<sdf/>"), "").find("expected URDF"), std::string::npos);
  EXPECT_NE(message_of(file_with("inertial_e.xml",
                                 "<mujoco><compiler inertiafromgeom='true'/><worldbody><body name='tool'/>"
                                 "</worldbody></mujoco>"),
                       "tool")
                .find("would ignore <inertial>"),
            std::string::npos);
  math::SpatialInertia impossible = some_body();
  impossible.mass = -1.0;
  EXPECT_THROW(with_inertial(two, "tool", impossible), std::invalid_argument);
}

}  // namespace
}  // namespace prehend::model
