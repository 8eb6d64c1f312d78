// scene -> file -> scene, compared number by number.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include <gtest/gtest.h>
#include <tests/places.h>

#include <prehend/geometry/primitives.h>
#include <prehend/math/random.h>
#include <prehend/model/files.h>
#include <prehend/model/scene_reader.h>
#include <prehend/model/scene_writer.h>
#include <prehend/model/scenes/scene_assembly.h>

namespace prehend::model {
namespace {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = std::filesystem::temp_directory_path() / "prehend_scene_XXXXXX";
    path_ = ::mkdtemp(pattern.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

math::Pose random_pose(math::RandomStream& random) { return {random.rotation(), random.normal3()}; }

math::SpatialInertia random_inertia(math::RandomStream& random, double scale) {
  const Eigen::Vector3d size =
      scale * Eigen::Vector3d(random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1));
  return math::SpatialInertia::solid_box(random.uniform(0.1, 3), size)
      .expressed_in({random.rotation(), scale * random.normal3()});
}

// One body per joint type and per shape, with random placement, limits, friction and pairs.
Scene rich_scene(std::uint64_t seed) {
  math::RandomStream random(seed);
  SceneOptions options;
  Scene scene;
  scene.name = "rich & <strange>";
  scene.gravity_W = {0.1, -0.2, -9.7};
  const Shape shapes[]{Shape::box({1, 2, 3}),
                       Shape::sphere(0.3),
                       Shape::ellipsoid({0.1, 0.2, 0.3}),
                       Shape::capsule(0.1, 0.5),
                       Shape::cylinder(0.2, 0.7),
                       Shape{},
                       Shape::plane()};
  const JointType types[]{JointType::prismatic,   JointType::revolute,  JointType::screw,
                          JointType::cylindrical, JointType::universal, JointType::spherical,
                          JointType::planar,      JointType::rigid,     JointType::free};
  for (int i = 0; i < 12; ++i) {
    Body body;
    body.name = "body " + std::to_string(i) + " \"x\"";
    body.inertia = random_inertia(random, i % 2 ? 1.0 : 1e-3);
    Geom geom;
    geom.name = "geom" + std::to_string(i);
    geom.shape = shapes[i % 6];
    geom.mesh = geom.shape.kind == ShapeKind::mesh ? geometry::make_cone(0.123456789, 0.3, 7)
                                                   : mesh_of_shape(geom.shape, options);
    geom.X_BG = random_pose(random);
    geom.friction = random.uniform();
    geom.priority = i % 3;
    geom.contype = 1 + i % 2;
    geom.condim = i % 4 == 0 ? 1 : 3;
    body.geoms.push_back(geom);
    const BodyIndex index(scene.bodies.size());
    const int kind = i - 1;  // body 0 stands on the world without a joint
    if (kind >= 0 && kind < 9) {
      Joint joint;
      joint.name = "joint" + std::to_string(i);
      joint.type = types[kind];
      // The free body hangs on the world; so do some others; the rest form a chain.
      joint.parent =
          joint.type == JointType::free || i % 3 == 0 ? scene.world() : BodyIndex(scene.bodies.size() - 1);
      joint.child = index;
      joint.X_PC = random_pose(random);
      if (joint.type != JointType::rigid && joint.type != JointType::free) joint.p_CJ = random.normal3();
      if (joint.type != JointType::rigid && joint.type != JointType::free &&
          joint.type != JointType::spherical) {
        joint.axis_C = i % 2 ? (-Eigen::Vector3d::UnitY()).eval() : random.unit_vector();
      }
      if (joint.type == JointType::universal || joint.type == JointType::planar) {
        joint.axis2_C = joint.axis_C.unitOrthogonal();
      }
      if (joint.type == JointType::revolute || joint.type == JointType::screw) {
        joint.lower = -0.5;
        joint.upper = 1.25;
        joint.reference = 0.25;
      }
      if (joint.type == JointType::screw) joint.pitch = -0.0021;
      body.movable = joint.type == JointType::free;
      body.X_WB = scene.bodies[joint.parent].X_WB * joint.X_PC;
      scene.joints.push_back(joint);
    } else {
      body.X_WB = random_pose(random);
      if (i == 11) body.inertia = {};
    }
    scene.bodies.push_back(body);
  }
  Geom floor;
  floor.name = "floor";
  floor.shape = shapes[6];
  scene.bodies[0].geoms.push_back(floor);
  scene.geom_pairs.push_back({{BodyIndex(10), GeomIndex(0)}, {BodyIndex(0), GeomIndex(0)}, 0.123, 3});
  scene.body_pairs.push_back({BodyIndex(10), BodyIndex(12), 0.37});
  scene.excluded_pairs.push_back({BodyIndex(10), BodyIndex(11)});
  finish_scene(scene, "rich", options);
  return scene;
}

void expect_same_pose(const math::Pose& a, const math::Pose& b, const std::string& where) {
  EXPECT_TRUE(a.is_approx(b, 2e-14)) << where;
}

void expect_same(const Scene& a, const Scene& b) {
  EXPECT_EQ(a.gravity_W, b.gravity_W);
  EXPECT_EQ(a.name, b.name);
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  for (const Body& body : a.bodies) {
    const BodyIndex index = b.find_body(body.name);
    ASSERT_TRUE(index.is_valid()) << body.name;
    const Body& other = b.bodies[index];
    EXPECT_EQ(body.movable, other.movable);
    expect_same_pose(body.X_WB, other.X_WB, body.name);
    EXPECT_EQ(body.inertia.mass, other.inertia.mass);
    EXPECT_LT((body.inertia.com - other.inertia.com).norm(), 1e-14);
    EXPECT_LE((body.inertia.I_com - other.inertia.I_com).norm(), 1e-13 * body.inertia.I_com.norm())
        << body.name;
    ASSERT_EQ(body.geoms.size(), other.geoms.size());
    for (std::size_t g = 0; g < body.geoms.size(); ++g) {
      const Geom &x = body.geoms[g], &y = other.geoms[g];
      EXPECT_EQ(x.name, y.name);
      EXPECT_EQ(x.shape.kind, y.shape.kind) << x.name;
      EXPECT_EQ(x.shape.size, y.shape.size) << x.name;
      expect_same_pose(x.X_BG, y.X_BG, x.name);
      EXPECT_EQ(x.friction, y.friction);
      EXPECT_EQ(x.priority, y.priority);
      EXPECT_EQ(x.contype, y.contype);
      EXPECT_EQ(x.conaffinity, y.conaffinity);
      EXPECT_EQ(x.condim, y.condim);
      if (x.shape.kind == ShapeKind::mesh) {
        EXPECT_EQ(x.mesh.vertices, y.mesh.vertices);
      }
      EXPECT_EQ(x.mesh.triangles, y.mesh.triangles);
    }
  }
  ASSERT_EQ(a.joints.size(), b.joints.size());
  for (const Joint& joint : a.joints) {
    const auto found =
        std::find_if(b.joints.begin(), b.joints.end(), [&](const Joint& j) { return j.name == joint.name; });
    ASSERT_NE(found, b.joints.end()) << joint.name;
    EXPECT_EQ(joint.type, found->type) << joint.name;
    EXPECT_EQ(a.bodies[joint.parent].name, b.bodies[found->parent].name);
    EXPECT_EQ(a.bodies[joint.child].name, b.bodies[found->child].name);
    expect_same_pose(joint.X_PC, found->X_PC, joint.name);
    EXPECT_LT((joint.axis_C - found->axis_C).norm(), 1e-15) << joint.name;
    EXPECT_LT((joint.axis2_C - found->axis2_C).norm(), 1e-15) << joint.name;
    EXPECT_LT((joint.p_CJ - found->p_CJ).norm(), 1e-15) << joint.name;
    EXPECT_EQ(joint.pitch, found->pitch) << joint.name;
    EXPECT_DOUBLE_EQ(joint.lower, found->lower) << joint.name;
    EXPECT_DOUBLE_EQ(joint.upper, found->upper) << joint.name;
    EXPECT_EQ(joint.reference, found->reference) << joint.name;
  }
  ASSERT_EQ(a.geom_pairs.size(), b.geom_pairs.size());
  for (std::size_t i = 0; i < a.geom_pairs.size(); ++i) {
    // The engine may swap the two.
    const std::set<std::string> mine{a.geom(a.geom_pairs[i].a).name, a.geom(a.geom_pairs[i].b).name};
    const std::set<std::string> other{b.geom(b.geom_pairs[i].a).name, b.geom(b.geom_pairs[i].b).name};
    EXPECT_EQ(mine, other);
    EXPECT_EQ(a.geom_pairs[i].friction, b.geom_pairs[i].friction);
    EXPECT_EQ(a.geom_pairs[i].condim, b.geom_pairs[i].condim);
  }
  ASSERT_EQ(a.body_pairs.size(), b.body_pairs.size());
  for (std::size_t i = 0; i < a.body_pairs.size(); ++i) {
    EXPECT_EQ(a.bodies[a.body_pairs[i].b].name, b.bodies[b.body_pairs[i].b].name);
    EXPECT_EQ(a.body_pairs[i].friction, b.body_pairs[i].friction);
  }
  EXPECT_EQ(a.excluded_pairs.size(), b.excluded_pairs.size());
}

class RoundTrip : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RoundTrip, ThroughMjcfLosesNothing) {
  const TemporaryFolder folder;
  const Scene scene = rich_scene(GetParam());
  write_mjcf(scene, folder / "scene.xml");
  expect_same(scene, read_scene(folder / "scene.xml"));
}

TEST_P(RoundTrip, ThroughUrdfLosesNothing) {
  const TemporaryFolder folder;
  const Scene scene = rich_scene(GetParam());
  write_urdf(scene, folder / "scene.urdf");
  expect_same(scene, read_scene(folder / "scene.urdf"));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RoundTrip, testing::Range<std::uint64_t>(1, 6));

// A scene made in memory: `movable` without a joint, and a body that was moved since its joint was read.
TEST(SceneRoundTrip, MovableBodiesStayMovableWhereTheyStand) {
  Scene scene = rich_scene(5);
  for (const char* name : {"made", "joint_names_may_be_taken"}) {
    Body body;
    body.name = name;
    body.movable = true;
    body.inertia = math::SpatialInertia::solid_box(1.0, {0.1, 0.2, 0.3});
    body.X_WB = {Eigen::Quaterniond(0.5, 0.5, -0.5, 0.5), {1.0, 2.0, 3.0}};
    scene.bodies.push_back(body);
  }
  scene.joints.front().name = "made_free";
  const auto is_free = [](const Joint& joint) { return joint.type == JointType::free; };
  const auto moved = std::ranges::find_if(scene.joints, is_free);
  ASSERT_NE(moved, scene.joints.end());
  ASSERT_EQ(moved->parent, scene.world());
  scene.bodies[moved->child].X_WB = math::Pose(Eigen::Quaterniond::Identity(), {7.0, 8.0, 9.0});
  const TemporaryFolder folder;
  write_mjcf(scene, folder / "a.xml");
  write_urdf(scene, folder / "a.urdf");
  for (const char* file : {"a.xml", "a.urdf"}) {
    const Scene back = read_scene(folder / file);
    for (const Body& body : scene.bodies) {
      const BodyIndex found = back.find_body(body.name);
      ASSERT_TRUE(found.is_valid()) << file << ' ' << body.name;
      EXPECT_EQ(back.bodies[found].movable, body.movable) << file << ' ' << body.name;
      if (body.movable) expect_same_pose(back.bodies[found].X_WB, body.X_WB, body.name);
    }
  }
}

TEST(RoundTripOfData, AssembliesAndArrangements) {
  const std::string shared = prehend::test::shared_data();
  if (!std::filesystem::exists(shared))
    GTEST_SKIP() << "no " << shared << ": the published scenes are not here";
  const TemporaryFolder folder;
  for (const char* name : {"/assemblies/bridge.json", "/assemblies/concave-long.json",
                           "/transport/arrangements.yaml#wedge", "/transport/arrangements.yaml#box_arch"}) {
    const Scene scene = read_scene(shared + name);
    write_mjcf(scene, folder / "scene.xml");
    Scene again = read_scene(folder / "scene.xml");
    again.name = scene.name;
    expect_same(scene, again);
    write_urdf(scene, folder / "scene.urdf");
    again = read_scene(folder / "scene.urdf");
    again.name = scene.name;
    expect_same(scene, again);
  }
}

TEST(SceneWriter, RefusesLoopsAndRepeatedNames) {
  Scene scene = rich_scene(1);
  scene.bodies[2].name = scene.bodies[1].name;
  EXPECT_THROW(mjcf_text(scene, "s"), std::invalid_argument);
  scene = rich_scene(1);
  scene.joints[1].parent = scene.joints[1].child;
  EXPECT_THROW(urdf_text(scene, "s"), std::invalid_argument);
}

TEST(SceneWriter, WritesNothingWhenTheFolderIsMissing) {
  EXPECT_THROW(write_mjcf(rich_scene(1), "/nonexistent/scene.xml"), std::runtime_error);
}

}  // namespace
}  // namespace prehend::model
