// The answer of identify() as a page: the object with its mass in 3D, the wrench it explains, how sure that is.
#pragma once

#include <string>

#include <prehend/geometry/mesh.h>
#include <prehend/inertia/identification.h>
#include <prehend/report/page.h>

namespace prehend::inertia {

struct IdentificationView {
  std::string subtitle;         // what was weighed
  const Shape* shape{nullptr};  // in O
  const geometry::TriangleMesh* mesh_O{
      nullptr};  // the object's surface; its points' hull is drawn without one
};

report::Page identification_page(const model::WrenchLog& log, const Identification& result,
                                 const IdentificationView& view);

}  // namespace prehend::inertia
