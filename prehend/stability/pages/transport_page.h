// The answer of transport() as a page: largest accelerations as a polar plot, and what moves first.
#pragma once

#include <prehend/report/page.h>
#include <prehend/stability/transport.h>

namespace prehend::stability {

report::Page transport_page(const model::Scene& scene, const TransportResult& result,
                            const TransportOptions& options);

}  // namespace prehend::stability
