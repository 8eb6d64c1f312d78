// From patches to interfaces. Internal to the room.
#pragma once

#include <vector>

#include <prehend/geometry/contact_patch.h>

namespace prehend::geometry {

// Groups the patches of one pair of bodies (normals from a to b) by plane: the largest comes first and
// gathers what lies in its plane, so curved surfaces do not flow together. Faces of one interface that
// overlap or share a side are united. The bodies' indices are left to the caller.
std::vector<ContactInterface> merge_patches(std::vector<ContactPatch> patches, const ContactOptions& options);

}  // namespace prehend::geometry
