#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <prehend/model/input_error.h>
#include <prehend/model/mesh_file.h>
#include <prehend/placement/grasp_file.h>
#include <prehend/placement/placed_object.h>
#include <prehend/placement/test/placement_scenes.h>

namespace prehend::placement {
namespace {

std::string message_of(const std::string& text) {
  try {
    parse_grasps(text, "g.json");
  } catch (const model::InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(GraspFile, ReadsBoxesAndPoses) {
  const Grasps grasps = parse_grasps(
      R"({"gripper":[{"half_m":[0.01,0.02,0.03],"X_G":{"p":[0,0,0.1],"q":[1,0,0,0]}}],"grasps":[{"p":[1,2,3],"q":[0,1,0,0]}]})", "g.json");
  ASSERT_EQ(grasps.gripper.size(), 1u);
  EXPECT_EQ(grasps.gripper[0].half, Eigen::Vector3d(0.01, 0.02, 0.03));
  ASSERT_EQ(grasps.X_OG.size(), 1u);
  EXPECT_EQ(grasps.X_OG[0].p(), Eigen::Vector3d(1, 2, 3));
}

TEST(GraspFile, NamesWhatIsWrong) {
  const std::string box = R"({"half_m":[0.1,0.1,0.1],"X_G":{"p":[0,0,0],"q":[1,0,0,0]}})";
  const std::string pose = R"({"p":[0,0,0],"q":[1,0,0,0]})";
  EXPECT_NE(message_of("[]").find("expected an object"), std::string::npos);
  EXPECT_NE(message_of(R"({"gripper":[)" + box + "]}").find("'grasps' is missing"), std::string::npos);
  EXPECT_NE(message_of(R"({"gripper":[],"grasps":[)" + pose + "]}").find("at least one entry"), std::string::npos);
  EXPECT_NE(message_of(R"({"gripper":[{"half_m":[0.1,0,0.1],"X_G":)" + pose + R"(}],"grasps":[)" + pose + "]}").find("above 0"),
            std::string::npos);
  EXPECT_NE(message_of(R"({"gripper":[)" + box + R"(],"grasps":[{"p":[0,0,0],"q":[1,1,0,0]}]})").find("unit length"), std::string::npos);
  EXPECT_NE(message_of(R"({"gripper":[)" + box + R"(],"grasps":[{"p":[0,0],"q":[1,0,0,0]}]})").find("3 numbers"), std::string::npos);
  EXPECT_NE(message_of(R"({"grippers":[],"grasps":[]})").find("unknown key 'grippers'"), std::string::npos);
  EXPECT_NE(message_of("{\n\"gripper\":").find("g.json:2"), std::string::npos);
}

class ObjectFile : public ::testing::Test {
 protected:
  std::string write(const geometry::TriangleMesh& mesh) const {
    const std::string path = (std::filesystem::path(::testing::TempDir()) / "prehend_placed_object.obj").string();
    model::write_obj(path, mesh);
    return path;
  }
  std::string refusal(const geometry::TriangleMesh& mesh) const {
    model::Scene scene = floor_scene();
    try {
      add_object(scene, write(mesh));
    } catch (const model::InputError& error) {
      return error.what();
    }
    return "accepted";
  }
};

TEST_F(ObjectFile, AMeshGetsItsMass) {
  model::Scene scene = floor_scene();
  ObjectFileOptions options;
  options.mass = 3.0;
  const auto body = add_object(scene, write(geometry::make_box({0.1, 0.2, 0.3})), options);
  EXPECT_NEAR(scene.bodies[body].inertia.mass, 3.0, 1e-12);
  EXPECT_NEAR(scene.bodies[body].inertia.I_com(0, 0), 3.0 / 12.0 * (0.04 + 0.09), 1e-12);
  EXPECT_TRUE(scene.bodies[body].movable);
}

TEST_F(ObjectFile, MeshesThatBoundNothingAreRefused) {
  geometry::TriangleMesh box = geometry::make_box({0.1, 0.1, 0.1});
  geometry::TriangleMesh open = box, turned = box;
  open.triangles.pop_back();
  for (auto& t : turned.triangles) std::swap(t[0], t[1]);
  EXPECT_NE(refusal(open).find("open"), std::string::npos);
  EXPECT_NE(refusal(turned).find("inside out"), std::string::npos);
  EXPECT_NE(refusal(geometry::make_plane_patch({1, 1})).find("open"), std::string::npos);
}

}  // namespace
}  // namespace prehend::placement
