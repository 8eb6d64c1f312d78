#include <gtest/gtest.h>
#include <tests/places.h>

#include "expect_input_error.h"
#include <prehend/model/file_kind.h>

namespace prehend::model {
namespace {

std::string recognised(const std::string& bytes, const std::string& path) {
  const FileType type = detect_file_type(bytes, path);
  return std::string(to_string(type.kind)) + " " + type.format;
}

TEST(FileKind, ByContentAndExtension) {
  EXPECT_EQ(recognised("v 0 0 0\n", "a.obj"), "mesh OBJ");
  EXPECT_EQ(recognised("solid x\nfacet normal 0 0 1", "a.STL"), "mesh STL");
  EXPECT_EQ(recognised("solid x\nfacet normal 0 0 1", "noname"), "mesh STL");
  EXPECT_EQ(recognised(std::string(80, 'x') + std::string("\1\0\0\0", 4) + std::string(50, '\0'), "noname"),
            "mesh STL");
  EXPECT_EQ(
      recognised("ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nelement face 3\nproperty list "
                 "uchar int i\nend_header\n",
                 "a"),
      "mesh PLY");
  EXPECT_EQ(
      recognised("ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nelement face 0\nproperty list "
                 "uchar int i\nend_header\n",
                 "a"),
      "cloud PLY");
  EXPECT_EQ(recognised("glTF....", "a"), "mesh glTF");
  EXPECT_EQ(recognised("{\"scene\":0,\"asset\":{\"version\":\"2.0\"}}", "a.json"), "mesh glTF");
  EXPECT_EQ(recognised("<?xml version='1.0'?>\n<!-- <robot> -->\n<!DOCTYPE x>\n<mujoco model='m'/>", "a.xml"),
            "scene MJCF");
  EXPECT_EQ(recognised("\xef\xbb\xbf<robot name='r'>", "a.urdf"), "scene URDF");
  EXPECT_EQ(recognised("<sdf>", "a.world"), "scene SDF");
  EXPECT_EQ(recognised("{\"dtype\": \"compas_cra.datastructures/CRA_Assembly\", \"data\": {", "a.json"),
            "scene COMPAS assembly");
  EXPECT_EQ(recognised("t,part,x,y,z\n", "a.csv"), "poses CSV");
  EXPECT_EQ(recognised("# head\nt,x,y,z\n", "a.csv.gz"), "poses CSV");
  EXPECT_EQ(recognised("t,sx,fx\n", "a.csv"), "wrench_log CSV");
  EXPECT_EQ(recognised("frame,x,y,z\n", "a.txt"), "rope CSV");
  EXPECT_EQ(recognised("t,l1_x\n", "a.csv"), "topology_log CSV");
  EXPECT_EQ(recognised("1 2 3\n", "a.log"), "poses track");
  EXPECT_EQ(recognised("No of Models: 2\n", "a.pose.list"), "poses pose list");
}

TEST(FileKind, UnknownFilesAreToldWhatWasExpected) {
  const auto detect = [](const std::string& bytes, const std::string& path) {
    return [=] { detect_file_type(bytes, path); };
  };
  expect_input_error(
      detect("", "a.csv"), 0,
      "the file is empty; expected a mesh (STL, OBJ, PLY, glTF), a point cloud (PLY, PCD, XYZ), a scene");
  expect_input_error(detect(" \n", "a.csv"), 0, "the file is empty");
  expect_input_error(detect("ISO-10303-21;\nHEADER;", "a.txt"), 0,
                     "STEP files are not read; convert the file to STL or OBJ first");
  expect_input_error(detect("x", "a.stp"), 0, "STEP files are not read");
  expect_input_error(detect("x", "a.igs"), 0, "IGES files are not read");
  expect_input_error(detect(std::string("\x7f"
                                        "ELF\0\1",
                                        6),
                            "prog"),
                     0, "a binary file of no known kind; expected a mesh");
  expect_input_error(detect(std::string("\x7f"
                                        "ELF\0\1",
                                        6),
                            "a.csv"),
                     0, "a binary file of no known kind");
  expect_input_error(detect("hello world", "a.txt"), 0, "a text of no known kind; expected a mesh");
  expect_input_error(detect("<html>", "a.xml"), 0,
                     "the XML root element is 'html'; expected mujoco (MJCF), robot (URDF) or sdf (SDF)");
  expect_input_error(detect("<!-- endless", "a.xml"), 0, "the XML file has no root element");
  expect_input_error(detect("{\"a\": 1}", "a.json"), 0,
                     "neither a COMPAS assembly ('dtype') nor a glTF mesh ('asset')");
  expect_input_error(detect("{\"a\": ", "a.json"), 0, "the JSON is damaged or truncated");
  expect_input_error(detect("{\"dtype\": \"compas.geometry/Box\"}", "a.json"), 0,
                     "the JSON holds a COMPAS 'compas.geometry/Box'; expected an assembly");
  expect_input_error(detect("{\"sigma\": []}", "a.json"), 0, "the JSON holds a knot's P-data");
  expect_input_error(detect("[1, 2]", "a.json"), 0, "neither a COMPAS assembly");
  expect_input_error(detect("a,b,c\n1,2,3\n", "a.csv"), 0,
                     "no log has the column 'a' first; expected the header of poses");
  // Deep nesting and endless prologues take no stack.
  EXPECT_THROW(detect_file_type(std::string(1000000, '['), "a.json"), InputError);
  std::string comments;
  for (int i = 0; i < 100000; ++i) comments += "<!---->";
  EXPECT_THROW(detect_file_type(comments, "a.xml"), InputError);
}

TEST(FileKind, AByteOrderMarkAloneIsAnEmptyFile) {
  try {
    detect_file_type(std::string_view("\xef\xbb\xbf \n"), "x.csv");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_TRUE(error.message().starts_with("the file is empty; ")) << error.message();
  }
}

TEST(FileKind, SharedData) {
  PREHEND_NEEDS_SHARED_DATA();
  const std::string data = prehend::test::shared_data();
  const auto kind = [&](const std::string& path) {
    const FileType type = detect_file_type(data + "/" + path);
    return std::string(to_string(type.kind)) + " " + type.format;
  };
  EXPECT_EQ(kind("tools/hammer/mesh.ply"), "mesh PLY");
  EXPECT_EQ(kind("tools/hammer/cloud.ply"), "cloud PLY");
  EXPECT_EQ(kind("tools/hammer/motion.csv.gz"), "wrench_log CSV");
  EXPECT_EQ(kind("articulation_tracks/kitchen/M2U00389.log"), "poses track");
  EXPECT_EQ(kind("articulation_tracks/window-synth/window-noise1.log"), "poses track");
  EXPECT_EQ(kind("assemblies/A.json"), "scene COMPAS assembly");
  EXPECT_EQ(kind("peg_in_hole/peg.stl"), "mesh STL");
  EXPECT_EQ(kind("peg_in_hole/peg_in_hole.pose.list"), "poses pose list");
  expect_input_error([&] { kind("peg_in_hole/peg.step"); }, 0,
                     "STEP files are not read; convert the file to STL or OBJ first");
}

}  // namespace
}  // namespace prehend::model
