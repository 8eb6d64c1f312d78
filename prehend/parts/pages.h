// A segmentation as a page of a report.
#pragma once

#include <prehend/geometry/mesh.h>
#include <prehend/parts/segmentation.h>
#include <prehend/report/page.h>

namespace prehend::parts {

// The object by part, exploded from its middle by a slider, the tree from coarse to fine by another, and a table of volumes.
// `shape`: the mesh, or points without triangles.
report::Page segmentation_page(const geometry::TriangleMesh& shape, const Segmentation& segmentation);

}  // namespace prehend::parts
