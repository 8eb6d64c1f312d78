// The motions that contacts allow, and demonstrations, as pages of a report.
#pragma once

#include <vector>

#include <prehend/observation/execution.h>
#include <prehend/observation/grasp_stability.h>
#include <prehend/observation/motion_freedom.h>
#include <prehend/observation/second_order.h>
#include <prehend/observation/watch.h>
#include <prehend/report/page.h>

namespace prehend::observation {

// The separating planes, the moving body's contact points, the eight numbers, and every basic motion to be played.
report::Page freedom_page(const ContactRelation& relation, const MotionFreedom& freedom);

// The same with the forms of second order, and the screws asked about along their second-order paths.
report::Page second_order_page(const ContactRelation& relation, const SecondOrderFreedom& freedom,
                               const std::vector<math::Vector6d>& screws_W);

// Grasps of two fingers side by side: what rolls, what slides, what opens; forms and ranking.
report::Page grasp_page(const std::vector<GraspStability>& grasps, const std::vector<NamedGrasp>& named);
void add_grasps(report::Page& page, const std::vector<GraspStability>& grasps,
                const std::vector<NamedGrasp>& named);

// The recording in 3D as seen and as corrected with its contacts, a strip of states with their numbers, sub-skills, corrections.
report::Page watch_page(const BodyPair& pair, const Watched& watched);

// The first trial in 3D with its forces, steps over time and why they ended, all trials.
report::Page execution_page(const BodyPair& pair, const ExecutionTrials& trials);

}  // namespace prehend::observation
