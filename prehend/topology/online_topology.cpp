#include <algorithm>
#include <utility>

#include <prehend/topology/online/online_estimator.h>
#include <prehend/topology/online_topology.h>

namespace prehend::topology {

OnlineTopology::OnlineTopology(ArticulatedObject object, const std::vector<int>& held,
                               const Eigen::Vector3d& gravity_W, bool base_is_fixed,
                               const OnlineTopologyOptions& options)
    : estimator_(
          std::make_unique<OnlineEstimator>(std::move(object), held, gravity_W, base_is_fixed, options)) {}
OnlineTopology::OnlineTopology(OnlineTopology&&) noexcept = default;
OnlineTopology& OnlineTopology::operator=(OnlineTopology&&) noexcept = default;
OnlineTopology::~OnlineTopology() = default;

void OnlineTopology::push(double t, std::span<const math::Pose> X_WL, std::span<const math::Wrench> F_L) {
  estimator_->push(t, X_WL, F_L);
}

std::size_t OnlineTopology::rows() const { return estimator_->rows(); }
const std::vector<FoundJoint>& OnlineTopology::beliefs() const { return estimator_->beliefs(); }
const std::vector<double>& OnlineTopology::identified_since() const { return estimator_->identified_since(); }
double OnlineTopology::balance() const { return estimator_->balance(); }
const RecordingNoise& OnlineTopology::noise() const { return estimator_->noise(); }

bool OnlineTopology::is_sure() const {
  return std::all_of(beliefs().begin(), beliefs().end(),
                     [](const FoundJoint& b) { return b.status == TopologyStatus::ok; });
}

PushSuggestion OnlineTopology::suggest_push(const PushOptions& options) const {
  const OnlineEstimator& e = *estimator_;
  return topology::suggest_push(e.object(), e.X_WL(), e.held(), e.base_is_fixed(), e.beliefs(),
                                e.options().topology, options);
}

}  // namespace prehend::topology
