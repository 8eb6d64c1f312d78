// COLLADA: hand-written documents of known volume.
#include <string>

#include <gtest/gtest.h>

#include <prehend/geometry/mass_properties.h>
#include <prehend/model/input_error.h>
#include <prehend/model/mesh_file.h>

namespace prehend::model {
namespace {

// A box of 1 x 2 x 3 units with one corner at the origin, as quadrangles or triangles, with normals beside the vertices.
std::string document(const std::string& asset, const std::string& faces, const std::string& nodes) {
  return "<?xml version='1.0'?><COLLADA version='1.4.1'><asset>" + asset +
         "</asset><library_geometries><geometry id='g' name='box'><mesh><source id='s'><float_array id='f' "
         "count='24'>0 0 0 1 0 0 1 2 0 0 2 0 0 0 3 1 0 3 1 2 3 0 2 "
         "3</float_array><technique_common><accessor "
         "source='#f' count='8' stride='3'/></technique_common></source><vertices id='v'><input "
         "semantic='POSITION' source='#s'/></vertices>" +
         faces + "</mesh></geometry></library_geometries><library_visual_scenes><visual_scene id='scene'>" +
         nodes +
         "</visual_scene></library_visual_scenes><scene><instance_visual_scene "
         "url='#scene'/></scene></COLLADA>";
}

const std::string kQuads =
    "<polylist count='6'><input semantic='VERTEX' source='#v' offset='0'/><input semantic='NORMAL' "
    "source='#s' "
    "offset='1'/><vcount>4 4 4 4 4 4</vcount><p>0 0 3 0 2 0 1 0  4 0 5 0 6 0 7 0  0 0 1 0 5 0 4 0  1 0 2 0 6 "
    "0 5 0  "
    "2 0 3 0 7 0 6 0  3 0 0 0 4 0 7 0</p></polylist>";
const std::string kTriangles =
    "<triangles count='12'><input semantic='VERTEX' source='#v' offset='0'/><p>0 3 2 0 2 1 4 5 6 4 6 7 0 1 5 "
    "0 5 4 "
    "1 2 6 1 6 5 2 3 7 2 7 6 3 0 4 3 4 7</p></triangles>";
const std::string kNode = "<node><instance_geometry url='#g'/></node>";
const std::string kUp = "<up_axis>Z_UP</up_axis>";

geometry::MassProperties solid(const std::string& text) {
  return geometry::mass_properties(parse_mesh(text, MeshFormat::dae, "box.dae").mesh);
}

TEST(DaeFile, PolygonsAndTrianglesAreTheSameBox) {
  for (const std::string& faces : {kQuads, kTriangles}) {
    const MeshFile file = parse_mesh(document(kUp, faces, kNode), MeshFormat::dae, "box.dae");
    EXPECT_EQ(file.mesh.triangles.size(), 12u);
    EXPECT_EQ(file.groups, std::vector<std::string>{"box"});
    const geometry::MassProperties found = geometry::mass_properties(file.mesh);
    EXPECT_NEAR(found.volume, 6.0, 1e-12);
    EXPECT_LT((found.centroid - Eigen::Vector3d(0.5, 1.0, 1.5)).norm(), 1e-12);
  }
}

TEST(DaeFile, UnitAndUpAxisAreApplied) {
  const auto millimetres = solid(document("<unit meter='0.001'/>" + kUp, kQuads, kNode));
  EXPECT_NEAR(millimetres.volume, 6e-9, 1e-20);
  const auto y_up = solid(document("<up_axis>Y_UP</up_axis>", kQuads, kNode));
  EXPECT_NEAR(y_up.volume, 6.0, 1e-12);
  EXPECT_LT((y_up.centroid - Eigen::Vector3d(0.5, -1.5, 1.0)).norm(), 1e-12);
  const auto x_up = solid(document("<up_axis>X_UP</up_axis>", kQuads, kNode));
  EXPECT_NEAR(x_up.volume, 6.0, 1e-12);
  EXPECT_LT((x_up.centroid - Eigen::Vector3d(-1.0, -1.5, 0.5)).norm(), 1e-12);
}

TEST(DaeFile, NodesMoveTurnScaleAndMirror) {
  // Twice: once moved and turned by 90 degrees about z, once mirrored at x = 0 (outside must stay outside).
  const std::string nodes =
      "<node><translate>10 0 0</translate><node><rotate>0 0 1 90</rotate><instance_geometry "
      "url='#g'/></node></node>"
      "<node><matrix>-1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix><instance_geometry url='#g'/></node>";
  const auto both = solid(document(kUp, kQuads, nodes));
  EXPECT_NEAR(both.volume, 12.0, 1e-11);
  EXPECT_LT((both.centroid - 0.5 * (Eigen::Vector3d(9.0, 0.5, 1.5) + Eigen::Vector3d(-0.5, 1.0, 1.5))).norm(),
            1e-11);
}

TEST(DaeFile, ALibraryWithoutASceneIsReadAsItLies) {
  EXPECT_NEAR(solid(document(kUp, kTriangles, "")).volume, 6.0, 1e-12);
}

TEST(DaeFile, ErrorsSayWhatIsWrong) {
  const auto refused = [](const std::string& text) -> std::string {
    try {
      parse_mesh(text, MeshFormat::dae, "box.dae");
    } catch (const InputError& error) {
      return error.message();
    }
    return "read";
  };
  const std::string input = "<input semantic='VERTEX' source='#v' offset='0'/>";
  EXPECT_EQ(refused("<mujoco/>"), "the root element is <mujoco>; a .dae file starts with <COLLADA>");
  EXPECT_NE(refused(document(kUp, "<triangles>" + input + "<p>0 1 8</p></triangles>", kNode))
                .find("a face uses vertex 8, but there are 8 (counted from 0)"),
            std::string::npos);
  EXPECT_NE(
      refused(document(kUp, "<triangles>" + input + "<p>0 1</p></triangles>", kNode)).find("multiple of 3"),
      std::string::npos);
  EXPECT_NE(refused(document(kUp, "<polylist>" + input + "<vcount>4</vcount><p>0 1 2</p></polylist>", kNode))
                .find("<vcount> asks for more corners"),
            std::string::npos);
  EXPECT_NE(
      refused(document(kUp, kQuads, "<node id='n'><instance_node url='#n'/></node>")).find("nested too deep"),
      std::string::npos);
  EXPECT_NE(refused(document(kUp, kQuads, "<node><instance_geometry url='#x'/></node>"))
                .find("'#x' does not exist"),
            std::string::npos);
  EXPECT_NE(refused(document(kUp, "", kNode)).find("shows no triangles"), std::string::npos);
}

}  // namespace
}  // namespace prehend::model
