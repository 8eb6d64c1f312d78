// The motions that contacts allow, as a page of a report.
#pragma once

#include <prehend/observation/motion_freedom.h>
#include <prehend/report/page.h>

namespace prehend::observation {

// The separating planes, the moving body's contact points, the eight numbers, and every basic motion to be played.
report::Page freedom_page(const ContactRelation& relation, const MotionFreedom& freedom);

}  // namespace prehend::observation
