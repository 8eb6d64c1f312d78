#include <stdexcept>

#include <gtest/gtest.h>
#include <tests/places.h>

#include <prehend/geometry/mesh_check.h>
#include <prehend/model/embedded_data.h>
#include <prehend/model/files.h>
#include <prehend/model/mesh_file.h>
#include <prehend/model/scene_contacts.h>
#include <prehend/model/scene_reader.h>

namespace prehend::model {
namespace {

TEST(EmbeddedData, IsWhatStandsInTheFolder) {
  EXPECT_GE(embedded_files().size(), 5u);
  for (const EmbeddedFile& file : embedded_files()) {
    EXPECT_EQ(file.text, read_file(prehend::test::source_folder() + "/data/" + std::string(file.name)));
  }
}

TEST(EmbeddedData, ObjectsAreSolidAndScenesStandTogether) {
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.name.ends_with(".obj")) {
      const MeshFile mesh = parse_mesh(file.text, MeshFormat::obj, std::string(file.name));
      EXPECT_EQ(geometry::check_mesh(mesh.mesh).status, geometry::MeshStatus::solid) << file.name;
    } else if (file.name.ends_with(".xml")) {
      const Scene scene = read_scene_text(std::string(file.text), SceneFormat::mjcf, std::string(file.name));
      // Scenes as a camera sees them overlap or float: something to mend.
      const bool is_seen = file.name.starts_with("scenes/seen_");
      EXPECT_EQ(find_scene_contacts(scene).problems.empty(), !is_seen) << file.name;
    }
  }
}

TEST(EmbeddedData, UnknownNamesAreAnswered) {
  try {
    embedded_file("scenes/none.xml");
    FAIL();
  } catch (const std::out_of_range& error) {
    EXPECT_NE(std::string(error.what()).find("scenes/stack.xml"), std::string::npos);
  }
}

}  // namespace
}  // namespace prehend::model
