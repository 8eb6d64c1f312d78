#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>
#include <tests/places.h>

#include "contact_scenes.h"
#include <prehend/model/scene_reader.h>
#include <prehend/stability/critical_friction.h>

namespace prehend::stability {
namespace {

using namespace box_scenes;

TEST(CriticalFriction, SlopeByHand) {
  const CriticalFriction result = critical_friction(build_contact_system(box_on_slope(0.3, 0.8)));
  ASSERT_EQ(result.status, CriticalFrictionStatus::ok);
  EXPECT_NEAR(result.coefficient_above, std::tan(0.3), 1e-4);
  EXPECT_LT(result.coefficient_below, std::tan(0.3) + 1e-7);
  EXPECT_GT(result.coefficient_above, std::tan(0.3) - 1e-7);
  EXPECT_EQ(critical_friction(build_contact_system(box_on_slope(0.0, 0.8))).status,
            CriticalFrictionStatus::holds_without);
  EXPECT_EQ(critical_friction(build_contact_system(box_on_slope(0.3, 0.8, {0.1, 0.1, 2.0}))).status,
            CriticalFrictionStatus::never_holds);  // it topples
  EXPECT_NE(result.brief_report().find("0.309"), std::string::npos) << result.brief_report();
}

// The verdicts that come with the assemblies say 0.872 to 0.875 for the two shelves, in three digits.
TEST(CriticalFriction, PublishedAssemblies) {
  const std::string folder = prehend::test::shared_data() + "/assemblies/";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no shared data at " << folder;
  for (const auto& [name, critical] : {std::pair{"shelf", 0.872}, std::pair{"shelf-s1", 0.875}}) {
    const model::Scene scene = model::read_scene(folder + std::string(name) + ".json");
    const CriticalFriction result = critical_friction(build_contact_system(scene));
    ASSERT_EQ(result.status, CriticalFrictionStatus::ok) << name;
    EXPECT_NEAR(result.coefficient_above, critical, 5e-4) << name;
    EXPECT_NEAR(result.coefficient_below, critical, 5e-4) << name;
  }
  const model::Scene squeezed = model::read_scene(folder + "H.json");
  const CriticalFriction result = critical_friction(build_contact_system(squeezed));
  // Any friction at all, by squeezing hard enough.
  EXPECT_LT(result.coefficient_above, 0.01) << result.brief_report();
}

}  // namespace
}  // namespace prehend::stability
