#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <Eigen/SVD>

#include <prehend/articulation/fit/likelihood_engine.h>
#include <prehend/articulation/fit/residual_functions.h>
#include <prehend/articulation/fit/start_search.h>
#include <prehend/math/random.h>

namespace prehend::articulation {
namespace {

using model::JointType;

bool same_axes(const Joint& a, const Joint& b) {
  const auto near = [](const Eigen::Vector3d& u, const Eigen::Vector3d& v) {
    return std::abs(u.dot(v)) > 0.98;
  };
  return near(*a.axis_F(), *b.axis_F()) && near(*a.axis2_M(), *b.axis2_M());
}

// Median squared residuals of a joint over some of the frames, position and angle together as a log of volume: what half of
// the frames say.
double median_misfit(const JointKind& kind, const Frames& frames, const Joint& joint) {
  constexpr std::size_t kFrames = 48;  // a median of as many varies by a fifth
  const std::size_t stride = std::max<std::size_t>(1, frames.X.size() / kFrames);
  std::vector<double> a2, b2;
  const Motion FJ = engine::motion_of(joint.X_FJ), MJ = engine::motion_of(joint.X_MJ);
  const Eigen::Vector3d m = MJ.R.transpose() * MJ.p;
  for (std::size_t i = 0; i < frames.X.size(); i += stride) {
    const Motion& X = frames.X[i];
    const Motion Y{FJ.R.transpose() * (X.R * MJ.R), FJ.R.transpose() * (X.R * MJ.p + X.p - FJ.p)};
    const Motion E = kind.motion(kind.state(Y, joint.pitch), joint.pitch);
    const Eigen::Vector3d a = engine::rotation_vector<double>(E.R.transpose() * Y.R);
    a2.push_back(a.squaredNorm());
    b2.push_back((E.R.transpose() * (Y.p - E.p) + m.cross(a)).squaredNorm());
  }
  const auto median = [](std::vector<double>& v) {
    std::nth_element(v.begin(), v.begin() + v.size() / 2, v.end());
    return v[v.size() / 2];
  };
  return std::log(median(a2) + 1e-12) + std::log(median(b2) / (frames.length * frames.length) + 1e-12);
}

// Closed form of few frames at a time, some of which hold no outlier; the one that suits half of the frames best.
struct SubsetStart {
  Joint joint;
  double misfit{std::numeric_limits<double>::infinity()};
};
SubsetStart subset_start(const JointKind& kind, const Frames& frames) {
  // Subsets without any outlier: 53 % where a tenth of the frames are, 18 % where a fourth.
  constexpr int kSubsets = 20, kSize = 6;
  SubsetStart best;
  Frames few = frames;
  for (int k = 0; k < kSubsets; ++k) {
    math::RandomStream random(0, k);
    few.X.clear();
    for (int i = 0; i < kSize; ++i)
      few.X.push_back(frames.X[random.below(static_cast<std::uint32_t>(frames.X.size()))]);
    few.weights.assign(few.X.size(), 1.0);
    const Joint joint = kind.closed_form(few).front();
    const double misfit = median_misfit(kind, frames, joint);
    if (misfit < best.misfit) best = {joint, misfit};
  }
  return best;
}

// Two joints that both explain the motion differ by what the noise does in directions that only one of them follows: a sum over
// frames, judged by its own scatter (Vuong's test) and by 3 nats at least.
bool is_as_good(const LikelihoodResult& other, const LikelihoodResult& best) {
  const auto cost = [](const FrameTerms& term) {  // states integrated out
    return 0.5 * (term.squared + term.log_determinant - std::log(term.state_covariance.determinant()));
  };
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < best.terms.size(); ++i) {
    const double d = cost(other.terms[i]) - cost(best.terms[i]);
    sum += d;
    squares += d * d;
  }
  squares -= sum * sum / static_cast<double>(best.terms.size());
  return sum < std::max(3.0, 3 * std::sqrt(squares));
}

void sort_by_cost(std::vector<LikelihoodResult>& results) {
  std::stable_sort(results.begin(), results.end(),
                   [](const auto& a, const auto& b) { return a.cost < b.cost; });
}

// Starts refined on few frames, best first, each once. More than one is left only where the few cannot tell.
std::vector<Joint> raced(const JointKind& kind, const Frames& frames, std::vector<Joint> starts,
                         const LikelihoodSettings& settings) {
  if (starts.size() < 2) return starts;
  constexpr std::size_t kFrames = 96;  // enough to rank starts
  const std::size_t stride = (frames.X.size() + kFrames - 1) / kFrames;
  Frames few;
  few.fixed_share = frames.fixed_share;
  few.length = frames.length;
  few.least_position = frames.least_position, few.least_angle = frames.least_angle;
  for (std::size_t i = 0; i < frames.X.size(); i += stride) {
    few.X.push_back(frames.X[i]);
    few.weights.push_back(frames.weights[i]);
    if (!frames.pose_weights.empty()) few.pose_weights.push_back(frames.pose_weights[i]);
  }
  LikelihoodSettings quick = settings;
  quick.wants_terms = false;
  quick.max_iterations = std::min(settings.max_iterations, 12);
  quick.tolerance = std::max(settings.tolerance, 0.1);
  std::vector<LikelihoodResult> results;
  for (const Joint& start : starts) results.push_back(refine(kind, few, start, quick));
  sort_by_cost(results);
  // Costs of two joints differ by a sum over frames whose scatter grows with the root of their number; they hold the noise's size three times
  // where one direction is left to tell it.
  const double n = static_cast<double>(few.X.size());
  const bool universal = kind.type() == JointType::universal;
  const double tie = universal ? 3.0 + 8.0 * std::sqrt(n) : stride > 1 ? 3.0 : 0.0;
  std::vector<Joint> kept;
  for (const LikelihoodResult& result : results) {
    if (kept.size() == 3 || result.cost > results.front().cost + tie) break;
    if (universal &&
        std::any_of(kept.begin(), kept.end(), [&](const Joint& k) { return same_axes(k, result.joint); }))
      continue;
    kept.push_back(result.joint);
  }
  return kept.empty() ? starts : kept;
}

std::vector<LikelihoodResult> refined(const JointKind& kind, const Frames& frames,
                                      const LikelihoodSettings& settings, const std::vector<Joint>& starts) {
  std::vector<LikelihoodResult> results;
  for (const Joint& start : raced(kind, frames, starts, settings))
    results.push_back(refine(kind, frames, start, settings));
  return results;
}

// Several frames in a row: a motion, or a part that was lost for a while; flips come one by one.
bool leaves_out_a_run(const std::vector<double>& weights) {
  constexpr int kRun = 3;  // frames
  int run = 0;
  for (const double w : weights) {
    run = w < 0.5 ? run + 1 : 0;
    if (run >= kRun) return true;
  }
  return false;
}

// Whether squared distances are spread as those of Gaussian noise are: their median over their mean.
bool looks_like_noise(const JointKind& kind, const LikelihoodResult& result) {
  if (result.terms.empty()) return false;
  std::vector<double> squared;
  const std::size_t stride = result.terms.size() / 256 + 1;
  double mean = 0;
  for (std::size_t i = 0; i < result.terms.size(); i += stride) {
    squared.push_back(result.terms[i].squared);
    mean += squared.back();
  }
  mean /= static_cast<double>(squared.size());
  std::nth_element(squared.begin(), squared.begin() + squared.size() / 2, squared.end());
  const double k = 6 - kind.freedoms();
  const double expected = std::pow(1 - 2 / (9 * k), 3);  // Wilson and Hilferty
  // The quotient scatters by about 1.3 / sqrt(k n).
  const double scatter = 1.3 / std::sqrt(k * static_cast<double>(squared.size()));
  return std::abs(squared[squared.size() / 2] / mean - expected) < 0.05 + 3 * scatter;
}

// Outliers may pass for the motion and the motion for noise: about the axis that a marker flips about, every frame is a fair one. Then the
// noise is much of all the turning or shifting that there is.
bool noise_is_much_of_the_motion(const Frames& frames, const LikelihoodResult& result) {
  // Share of the motion's size. Where it is more, further starts are tried and the best is taken: a smaller number costs time alone.
  constexpr double kMuch = 0.2;
  const double n = static_cast<double>(frames.X.size());
  Eigen::Matrix3d R = Eigen::Matrix3d::Zero();
  Eigen::Vector3d p = Eigen::Vector3d::Zero();
  double squares = 0;
  for (const Motion& X : frames.X) {
    R += X.R;
    p += X.p;
    squares += X.p.squaredNorm();
  }
  // Twice the mean of 1 - cos of the angle from the mean orientation.
  const double turning2 = 3 - Eigen::JacobiSVD<Eigen::Matrix3d>(R / n).singularValues().sum();
  const double shifting2 = std::max(squares / n - (p / n).squaredNorm(), 0.0);
  return 3 * result.noise.angle * result.noise.angle > kMuch * kMuch * turning2 ||
         3 * result.noise.position * result.noise.position > kMuch * kMuch * shifting2;
}

}  // namespace

LikelihoodResult most_likely(const JointKind& kind, Frames& frames, const LikelihoodSettings& settings,
                             std::vector<Joint>& alternatives) {
  std::vector<LikelihoodResult> results = refined(kind, frames, settings, kind.closed_form(frames));
  sort_by_cost(results);
  if (settings.robust && settings.max_iterations > 0) {
    double total = 0;
    for (const double w : results.front().weights) total += w;
    const double n = static_cast<double>(frames.X.size());
    const bool outliers = total < n - 0.5;
    // Once more without outliers, and with all frames back in the likelihood.
    if (outliers && total > 0.3 * n) {
      frames.weights = results.front().weights;
      const std::vector<Joint> starts = kind.closed_form(frames);
      frames.weights.assign(frames.X.size(), 1.0);
      for (LikelihoodResult& result : refined(kind, frames, settings, starts))
        results.push_back(std::move(result));
      sort_by_cost(results);
    }
    if (outliers && leaves_out_a_run(results.front().weights)) {
      // Motion is no outlier because it is rare: once with every frame, and from there on as usual.
      LikelihoodSettings all = settings;
      all.robust = false;
      all.wants_terms = false;
      for (const LikelihoodResult& whole : refined(kind, frames, all, kind.closed_form(frames)))
        results.push_back(refine(kind, frames, whole.joint, settings));
      sort_by_cost(results);
    }
    if (frames.X.size() >= 20 && kind.freedoms() < 3 &&
        (outliers || !looks_like_noise(kind, results.front()) ||
         (kind.radius_directions() == 2 && noise_is_much_of_the_motion(frames, results.front())))) {
      const SubsetStart start = subset_start(kind, frames);
      // Two medians by a quarter each: far more than the luck of the best of twenty.
      if (start.misfit < median_misfit(kind, frames, results.front().joint) - 1.4) {
        results.push_back(refine(kind, frames, start.joint, settings));
        sort_by_cost(results);
      }
    }
  }
  if (kind.type() == JointType::universal) {
    for (std::size_t k = 1; k < results.size(); ++k) {
      const Joint& other = results[k].joint;
      const bool known = same_axes(other, results.front().joint) ||
                         std::any_of(alternatives.begin(), alternatives.end(),
                                     [&](const Joint& a) { return same_axes(a, other); });
      if (!known && is_as_good(results[k], results.front())) alternatives.push_back(other);
    }
  }
  return std::move(results.front());
}

}  // namespace prehend::articulation
