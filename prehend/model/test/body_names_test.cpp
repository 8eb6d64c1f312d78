#include <gtest/gtest.h>

#include <prehend/model/body_names.h>

namespace prehend::model {
namespace {

TEST(BodyNames, AreThoseOfTheScene) {
  Scene scene;
  scene.bodies.resize(3);
  scene.bodies[1].name = "cup";
  scene.bodies[2].name = "plate";
  const std::vector<std::string> names = body_names(scene);
  EXPECT_EQ(names, (std::vector<std::string>{"world", "cup", "plate"}));
  const std::vector<BodyIndex> both{BodyIndex(2), BodyIndex(1)};
  EXPECT_EQ(names_of(names, both), (std::vector<std::string>{"plate", "cup"}));
  EXPECT_EQ(quoted_names(names, both), "'plate', 'cup'");
  EXPECT_EQ(quoted_names(names, both, 1), "'plate' and 1 more");
  EXPECT_EQ(quoted_names(names, {}), "");
}

TEST(BodyNames, ABodyWithoutNameHasItsNumber) {
  EXPECT_EQ(name_of({}, BodyIndex(7)), "body 7");
  EXPECT_EQ(name_of({"world"}, BodyIndex()), "body -1");
}

}  // namespace
}  // namespace prehend::model
