// The motions that contacts allow, and demonstrations, as pages of a report.
#pragma once

#include <prehend/observation/motion_freedom.h>
#include <prehend/observation/watch.h>
#include <prehend/report/page.h>

namespace prehend::observation {

// The separating planes, the moving body's contact points, the eight numbers, and every basic motion to be played.
report::Page freedom_page(const ContactRelation& relation, const MotionFreedom& freedom);

// The recording in 3D as seen and as corrected with its contacts, a strip of states with their numbers, sub-skills, corrections.
report::Page watch_page(const BodyPair& pair, const Watched& watched);

}  // namespace prehend::observation
