// One SDF <joint> in our words.
#pragma once

#include <string>

#include <prehend/model/joint.h>
#include <prehend/model/scenes/sdf_frames.h>

namespace prehend::model {

struct SdfJointLinks {
  BodyIndex parent, child;
};

// The name of the link at the `end` ("parent" or "child") of a joint; throws InputError when missing.
std::string sdf_joint_link(const XmlNode& joint, const char* end);

// Screws: <screw_thread_pitch> is metres per turn of a right-handed thread; the older <thread_pitch> is
// radians per metre of a left-handed one. Limits of 1e16 and beyond, SDF's default, mean none.
Joint read_sdf_joint(const XmlNode& node, FrameIndex frame, FrameIndex scope, const SdfJointLinks& ends,
                     SdfFrames& frames);

}  // namespace prehend::model
