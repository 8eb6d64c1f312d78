// Random poses near the bodies wanted (N, 5.6.1, "Chance"). Touching within 1e-6 m by chance has no probability to speak of: with the source's
// loose contacts it found a few, here it is expected to find none.
#include <prehend/placement/planning/vicinity.h>
#include <prehend/placement/planning/candidate_source.h>
#include <prehend/placement/planning/trial_count.h>

namespace prehend::placement {
namespace {

constexpr long kMostRandomPoses = 500;  // the source's

class Chance final : public CandidateSource {
 public:
  explicit Chance(const Problem& problem)
      : vicinity_(problem), random_(problem.options.seed, 31), count_(problem.options.count, kMostRandomPoses * problem.options.count) {}

  std::optional<math::Pose> next() override {
    if (vicinity_.wanted_U().isEmpty() || !count_.begin()) return std::nullopt;
    const Eigen::Vector3d reach = Eigen::Vector3d::Constant(vicinity_.radius());
    const Eigen::Vector3d low = vicinity_.wanted_U().min() - reach, high = vicinity_.wanted_U().max() + reach;
    Eigen::Vector3d com_U;
    for (int k = 0; k < 3; ++k) com_U[k] = random_.uniform(low[k], high[k]);
    return vicinity_.pose(random_.rotation(), com_U);
  }
  void observe(const Verdict& verdict) override { count_.observe(verdict); }
  std::string tried() const override {
    return "none of " + std::to_string(count_.begun()) + " random poses is a placement";
  }

 private:
  Vicinity vicinity_;
  math::RandomStream random_;
  TrialCount count_;
};

}  // namespace

std::unique_ptr<CandidateSource> chance_source(const Problem& problem) { return std::make_unique<Chance>(problem); }

}  // namespace prehend::placement
