// The answer of contact_forces() as a page: arrows on the scene, a table, and how it falls when it does.
#pragma once

#include <prehend/report/page.h>
#include <prehend/stability/contact_forces.h>

namespace prehend::stability {

// `system`: the one that the result was computed from.
report::Page forces_page(const model::Scene& scene, const ContactSystem& system,
                         const ContactForcesResult& result);

}  // namespace prehend::stability
