#include <limits>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include <prehend/topology/recording.h>

namespace prehend::topology {
namespace {

ArticulatedObject two_boxes() {
  ArticulatedObject object{"boxes", {}};
  object.links.push_back({"base", math::SpatialInertia::solid_box(4.5, {0.3, 0.1, 0.1}), -1, ""});
  object.links.push_back({"lid", math::SpatialInertia::solid_box(2.0, {0.3, 0.1, 0.1}), 0, "hinge"});
  return object;
}

Recording at_rest() {
  Recording recording;
  recording.t = {0.0, 0.1, 0.2};
  recording.X_WL.assign(2, std::vector<math::Pose>(3));
  recording.held.push_back({1, std::vector<math::Wrench>(3)});
  return recording;
}

std::string complaint(const ArticulatedObject& object, const Recording& recording) {
  try {
    validate(object, recording);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Recording, WhatFitsPassesAndWhatDoesNotIsNamed) {
  const ArticulatedObject object = two_boxes();
  EXPECT_EQ(complaint(object, at_rest()), "");

  ArticulatedObject wrong = object;
  wrong.links[1].parent = 1;
  EXPECT_NE(complaint(wrong, at_rest()).find("'lid' must hang on a link before it"), std::string::npos);
  wrong = object;
  wrong.links[0].inertia.mass = -1.0;
  EXPECT_NE(complaint(wrong, at_rest()).find("inertia of link 'base'"), std::string::npos);

  Recording recording = at_rest();
  recording.t[2] = 0.1;
  EXPECT_NE(complaint(object, recording).find("time must increase: row 3"), std::string::npos);
  recording = at_rest();
  recording.X_WL.pop_back();
  EXPECT_NE(complaint(object, recording).find("2 links, the recording has poses of 1"), std::string::npos);
  recording = at_rest();
  recording.held.clear();
  EXPECT_NE(complaint(object, recording).find("no wrench"), std::string::npos);
  recording = at_rest();
  recording.held.push_back(recording.held.front());
  EXPECT_NE(complaint(object, recording).find("held twice"), std::string::npos);
  recording = at_rest();
  recording.held[0].F_L[1].force.x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(complaint(object, recording).find("wrench on link 'lid'"), std::string::npos);
}

}  // namespace
}  // namespace prehend::topology
