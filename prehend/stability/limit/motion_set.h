// The set of virtual motions of a stable system, Z = {z : S z in K, -g.z = 1}: its analytic centre, and what the kernel
// needs to follow the path from there for any load. Does not depend on the load.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include <Eigen/Core>

#include <prehend/stability/limit/block_pattern.h>
#include <prehend/stability/limit/limit_kernel.h>
#include <prehend/stability/limit/scaled_system.h>

namespace prehend::stability {

// One answer of the kernel, in scaled units: low <= h <= high, with the motion and the forces that prove it.
struct SupportValue {
  LaneStatus status{LaneStatus::failed};
  double low{0.0}, high{0.0};
  Eigen::VectorXd motion;  // S z in K, -g.z = 1, w.z = low
  Eigen::VectorXd forces;  // w + high g + S'f = 0, f in K
};

class MotionSet {
 public:
  // Starts from a motion strictly inside (S z in the interior of K, -g.z = 1); null when the centre does not exist: the
  // set is unbounded because the system is only just stable.
  static std::unique_ptr<MotionSet> create(const ScaledSystem& system, const Eigen::VectorXd& inner_motion);

  struct Options {
    double accuracy{1e-4};
    double unbounded_above{1e5};  // in weights
    int threads{1};
    const LimitKernel* kernel{nullptr};  // null: the fastest for this size
  };
  // `write` sets the scaled load of a question (6 per body, zero before); `read` gets its value, which lives for the
  // call alone. Both may be called by several threads at a time, each question once.
  using WriteLoad = std::function<void(std::size_t question, Eigen::Ref<Eigen::VectorXd> w)>;
  using ReadValue = std::function<void(std::size_t question, const SupportValue& value)>;
  void support(std::size_t questions, const Options& options, const WriteLoad& write,
               const ReadValue& read) const;
  // The same for values that were found in a system with more bodies, and may hold here as they are: `write` also sets `high`, motion
  // (S z in K, -g.z = 1) and forces. Converged where motion and forces, balanced again, prove the limit; else failed.
  using WriteKnown =
      std::function<void(std::size_t question, Eigen::Ref<Eigen::VectorXd> w, SupportValue& value)>;
  void prove(std::size_t questions, const Options& options, const WriteKnown& write,
             const ReadValue& read) const;
  Eigen::VectorXd centre_motion() const;  // S z in the interior of K, -g.z = 1
  const BlockPattern& pattern() const { return pattern_; }
  std::size_t bytes() const;  // of memory for one batch

 private:
  struct BatchMemory;
  MotionSet() = default;
  struct Stream;
  void solve(std::size_t questions, const Options& options, bool only_prove, const WriteKnown& write,
             const ReadValue& read) const;
  void set_lane(BatchMemory& memory, std::size_t lane, const Options& options) const;
  void set_known(BatchMemory& memory, std::size_t lane) const;
  void run(const LimitKernel& kernel, Stream& stream) const;
  void get_lane(BatchMemory& memory, std::size_t lane) const;
  bool find_centre(const ScaledSystem& system, const Eigen::VectorXd& inner_motion);
  void pack(const ScaledSystem& system);

  BlockPattern pattern_;
  LimitKernelSystem view_;
  std::vector<int> contact_order_;  // contact of the system at each place of the kernel
  std::vector<int> pair_first_, pair_a_, pair_b_, pair_block_;
  std::vector<double> pair_shift_, T_, C_, g_, centre_z_, centre_s_, centre_f_, centre_factor_;
  Eigen::VectorXd f0_;
};

}  // namespace prehend::stability
