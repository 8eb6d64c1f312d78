#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>

#if defined(__linux__)
#include <sys/mman.h>
#endif
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <prehend/math/interrupt.h>
#include <prehend/math/progress.h>
#include <prehend/stability/limit/motion_set.h>

namespace prehend::stability {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

const Vector3d kReflection(1.0, -1.0, -1.0);

double determinant(const Vector3d& s) { return s[0] * s[0] - s[1] * s[1] - s[2] * s[2]; }

// Memory aligned for the widest lanes; where it is large, for large pages as well: a step of a wall of 400 bricks walks through 12 MB
// several times, which is more than small pages are remembered for.
class AlignedDoubles {
 public:
  explicit AlignedDoubles(std::size_t count)
      : data_(static_cast<double*>(std::aligned_alloc(
                  alignment(count),
                  (count * sizeof(double) + 64 + alignment(count)) / alignment(count) * alignment(count))),
              &std::free) {
    if (!data_) throw std::bad_alloc();
#if defined(__linux__)
    if (alignment(count) == kLargePage)
      madvise(data_.get(), count * sizeof(double), MADV_HUGEPAGE);  // or not
#endif
  }
  double* get() { return data_.get(); }

 private:
  static constexpr std::size_t kLargePage = std::size_t{1} << 21;  // [bytes]
  static std::size_t alignment(std::size_t count) {
    return count * sizeof(double) >= kLargePage ? kLargePage : 64;
  }
  std::unique_ptr<double, decltype(&std::free)> data_;
};

// Largest step along `direction` that keeps every contact inside, infinite when there is none.
double step_to_boundary(const VectorXd& s, const VectorXd& direction) {
  double inverse = 0.0;
  for (Eigen::Index k = 0; k < s.size(); k += 3) {
    const Vector3d x = s.segment<3>(k), d = direction.segment<3>(k);
    const double bend = determinant(d), slope = x[0] * d[0] - x[1] * d[1] - x[2] * d[2],
                 room = determinant(x);
    const double discriminant = std::max(slope * slope - bend * room, 0.0);  // below: see limit_kernel_impl.h
    inverse = std::max(inverse, (std::sqrt(discriminant) - slope) / room);
  }
  return inverse > 0.0 ? 1.0 / inverse : std::numeric_limits<double>::infinity();
}

}  // namespace

struct MotionSet::BatchMemory {
  std::size_t lanes;
  AlignedDoubles w, cap, z, f, low, high, scratch;
  std::vector<LaneStatus> status;
  std::vector<double> size;
  VectorXd load;
  SupportValue value;

  BatchMemory(const LimitKernelSystem& system, const LimitKernel& kernel)
      : lanes(static_cast<std::size_t>(kernel.lanes)),
        w(lanes * 6 * static_cast<std::size_t>(system.bodies)),
        cap(lanes),
        z(lanes * 6 * static_cast<std::size_t>(system.bodies)),
        f(lanes * 3 * static_cast<std::size_t>(system.contacts)),
        low(lanes),
        high(lanes),
        scratch(static_cast<std::size_t>(kernel.scratch(system))),
        status(lanes),
        size(lanes),
        load(6 * system.bodies) {
    value.motion.resize(6 * system.bodies);
    value.forces.resize(3 * system.contacts);
    std::fill_n(w.get(), lanes * 6 * static_cast<std::size_t>(system.bodies),
                0.0);  // of lanes without a question
  }
};

std::unique_ptr<MotionSet> MotionSet::create(const ScaledSystem& system, const VectorXd& inner_motion) {
  std::unique_ptr<MotionSet> set(new MotionSet);
  std::vector<std::pair<int, int>> edges;
  for (int k = 0; k < system.contacts(); ++k) {
    if (system.a[k] >= 0 && system.b[k] >= 0) edges.emplace_back(system.a[k], system.b[k]);
  }
  set->pattern_ = find_block_pattern(system.bodies, edges);
  if (!set->find_centre(system, inner_motion)) return nullptr;
  return set;
}

// Damped Newton on -sum log det s_k over -g.z = 1 (self-concordant: it converges from any inner point, or the set is
// unbounded). At the centre S' s^-1 = -m g for m contacts, so that f0 = s^-1 / m balances the weights.
bool MotionSet::find_centre(const ScaledSystem& system, const VectorXd& inner_motion) {
  constexpr int kMaxSteps = 200;        // damped Newton steps; what needs more goes to the general solver
  constexpr double kConverged = 1e-11;  // Newton decrement, relative: rounding level
  constexpr double kTooFar = 1e7;       // times as large as the start: unbounded
  const int m = system.contacts(), n = system.unknowns();
  const auto ordered = [&](const VectorXd& x) {
    VectorXd y(n);
    for (int i = 0; i < system.bodies; ++i) y.segment<6>(6 * pattern_.position[i]) = x.segment<6>(6 * i);
    return y;
  };
  const auto restored = [&](const VectorXd& y) {
    VectorXd x(n);
    for (int i = 0; i < system.bodies; ++i) x.segment<6>(6 * i) = y.segment<6>(6 * pattern_.position[i]);
    return x;
  };
  VectorXd z = inner_motion / -system.g.dot(inner_motion);
  VectorXd s = system.velocities(z);
  for (int k = 0; k < m; ++k) {
    if (!(s[3 * k] > 0.0) || !(determinant(s.segment<3>(3 * k)) > 0.0)) return false;
  }
  const double start_size = z.norm();
  BlockMatrix M(pattern_);
  VectorXd inverse(3 * m);
  for (int step = 0; step < kMaxSteps; ++step) {
    M.set_zero();
    for (int k = 0; k < m; ++k) {
      const Vector3d reflected = kReflection.cwiseProduct(s.segment<3>(3 * k));
      const double det = determinant(s.segment<3>(3 * k));
      inverse.segment<3>(3 * k) = reflected / det;
      const Eigen::Matrix3d H = 2.0 / (det * det) * reflected * reflected.transpose() -
                                Eigen::Matrix3d((kReflection / det).asDiagonal());
      const auto position = [&](int body) { return body < 0 ? -1 : pattern_.position[body]; };
      M.add_contact({position(system.a[k]), system.T_a[k]}, {position(system.b[k]), system.T_b[k]}, H);
    }
    if (!M.factor()) return false;
    VectorXd gradient = ordered(system.wrenches(inverse)), v = ordered(system.g);
    M.solve(gradient);
    M.solve(v);
    VectorXd dz = restored(gradient), along = restored(v);
    dz -= system.g.dot(dz) / system.g.dot(along) * along;
    const VectorXd ds = system.velocities(dz);
    const double decrement = std::sqrt(std::max(0.0, inverse.dot(ds)));
    if (!(decrement < 1e30)) return false;
    const double limit = step_to_boundary(s, ds);
    const double length =
        decrement < 0.25
            ? 1.0
            : std::min(0.9 * limit, std::max(1.0 / (1.0 + decrement), 0.5 * std::min(limit, 1.0)));
    z += length * dz;
    z /= -system.g.dot(z);
    s = system.velocities(z);
    if (z.norm() > kTooFar * start_size) return false;
    if (decrement * length > kConverged * std::sqrt(static_cast<double>(m)) && step + 1 < kMaxSteps) continue;
    if (decrement > 1e-6) return false;
    f0_ = inverse / m;
    centre_z_.resize(static_cast<std::size_t>(n));
    VectorXd::Map(centre_z_.data(), n) = ordered(z);
    // The last factor belongs to the point before the last step, which differs by rounding only. With forces f0 the
    // matrix is M / m.
    centre_factor_ = M.packed(1.0 / m);
    pack(system);
    return true;
  }
  return false;
}

void MotionSet::pack(const ScaledSystem& system) {
  const int m = system.contacts(), n = system.unknowns();
  std::map<std::pair<int, int>, std::vector<int>> pairs;
  const auto position = [&](int body) { return body >= 0 ? pattern_.position[body] : -1; };
  for (int k = 0; k < m; ++k) pairs[{position(system.a[k]), position(system.b[k])}].push_back(k);
  pair_first_.push_back(0);
  std::vector<int> body_at(static_cast<std::size_t>(system.bodies));
  for (int i = 0; i < system.bodies; ++i) body_at[static_cast<std::size_t>(pattern_.position[i])] = i;
  std::vector<Vector3d> origin_of(static_cast<std::size_t>(m));
  for (const auto& [sides, contacts] : pairs) {
    const auto [a, b] = sides;
    Vector3d origin = Vector3d::Zero();
    for (const int k : contacts) origin += system.point[k] / static_cast<double>(contacts.size());
    for (const int k : contacts) origin_of[static_cast<std::size_t>(k)] = origin;
    for (const int side : {a, b}) {
      const Vector3d shift =
          side < 0 ? Vector3d::Zero().eval() : (origin - system.reference[body_at[side]]).eval();
      pair_shift_.insert(pair_shift_.end(), shift.data(), shift.data() + 3);
    }
    pair_a_.push_back(a);
    pair_b_.push_back(b);
    pair_block_.push_back(a >= 0 && b >= 0 ? pattern_.block(std::max(a, b), std::min(a, b)) : -1);
    contact_order_.insert(contact_order_.end(), contacts.begin(), contacts.end());
    pair_first_.push_back(static_cast<int>(contact_order_.size()));
  }
  VectorXd z(n);
  for (int i = 0; i < system.bodies; ++i) {
    z.segment<6>(6 * i) = VectorXd::Map(centre_z_.data() + 6 * pattern_.position[i], 6);
  }
  const VectorXd s = system.velocities(z);
  for (const int k : contact_order_) {
    const Matrix36d T = system.T(k, origin_of[static_cast<std::size_t>(k)]);
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 6; ++c) T_.push_back(T(r, c));
    }
    const math::Matrix6d C = T.transpose() * kReflection.asDiagonal() * T;
    for (int r = 0; r < 6; ++r) {
      for (int c = 0; c <= r; ++c) C_.push_back(C(r, c));
    }
    for (int i = 0; i < 3; ++i) {
      centre_s_.push_back(s[3 * k + i]);
      centre_f_.push_back(f0_[3 * k + i]);
    }
  }
  g_.resize(static_cast<std::size_t>(n));
  for (int i = 0; i < system.bodies; ++i)
    VectorXd::Map(g_.data() + 6 * pattern_.position[i], 6) = system.g.segment<6>(6 * i);

  view_.bodies = system.bodies;
  view_.contacts = m;
  view_.pairs = static_cast<int>(pair_a_.size());
  view_.blocks = pattern_.blocks();
  view_.pair_first = pair_first_.data();
  view_.pair_a = pair_a_.data();
  view_.pair_b = pair_b_.data();
  view_.pair_block = pair_block_.data();
  view_.pair_shift = pair_shift_.data();
  view_.T = T_.data();
  view_.C = C_.data();
  view_.g = g_.data();
  view_.column_first = pattern_.column_first.data();
  view_.column_row = pattern_.column_row.data();
  view_.panels = static_cast<int>(pattern_.panel_first.size()) - 1;
  view_.panel_first = pattern_.panel_first.data();
  view_.outer_first = pattern_.outer_first.data();
  view_.outer_target = pattern_.outer_target.data();
  view_.centre_motion = centre_z_.data();
  view_.centre_velocity = centre_s_.data();
  view_.centre_force = centre_f_.data();
  view_.centre_factor = centre_factor_.data();
}

std::size_t MotionSet::bytes() const {
  const LimitKernel& kernel = limit_kernel();
  return sizeof(double) *
         (static_cast<std::size_t>(kernel.scratch(view_)) +
          static_cast<std::size_t>(kernel.lanes) *
              (12u * static_cast<std::size_t>(view_.bodies) + 3u * static_cast<std::size_t>(view_.contacts)));
}

VectorXd MotionSet::centre_motion() const {
  VectorXd motion(6 * view_.bodies);
  for (std::size_t i = 0; i < pattern_.position.size(); ++i) {
    motion.segment<6>(6 * static_cast<Eigen::Index>(i)) =
        VectorXd::Map(centre_z_.data() + 6 * pattern_.position[i], 6);
  }
  return motion;
}

void MotionSet::support(std::size_t questions, const Options& options, const WriteLoad& write,
                        const ReadValue& read) const {
  solve(
      questions, options, false,
      [&](std::size_t question, Eigen::Ref<VectorXd> w, SupportValue&) { write(question, w); }, read);
}

void MotionSet::prove(std::size_t questions, const Options& options, const WriteKnown& write,
                      const ReadValue& read) const {
  solve(questions, options, true, write, read);
}

// What one thread asks of the kernel: every lane takes the next question that nobody has.
struct MotionSet::Stream {
  const MotionSet& set;
  const Options& options;
  bool only_prove;
  const WriteKnown& write;
  const ReadValue& read;
  std::size_t questions;
  std::atomic<std::size_t>& asked;
  math::Progress& progress;
  BatchMemory memory;
  std::vector<std::optional<std::size_t>> in_lane;

  static bool next(void* host, int lane) {
    return static_cast<Stream*>(host)->next(static_cast<std::size_t>(lane));
  }
  bool next(std::size_t lane) {
    if (in_lane[lane]) {
      set.get_lane(memory, lane);
      read(*in_lane[lane], memory.value);
      in_lane[lane].reset();
      progress.advance();
    }
    const std::size_t question = asked.fetch_add(1);
    if (question >= questions) return false;
    in_lane[lane] = question;
    memory.load.setZero();
    write(question, memory.load, memory.value);
    set.set_lane(memory, lane, options);
    if (only_prove) set.set_known(memory, lane);
    return true;
  }
};

void MotionSet::solve(std::size_t questions, const Options& options, bool only_prove, const WriteKnown& write,
                      const ReadValue& read) const {
  if (questions == 0) return;
  const LimitKernel& kernel = options.kernel ? *options.kernel : limit_kernel();
  const auto lanes = static_cast<std::size_t>(kernel.lanes);
  math::Progress progress("robustness", questions);
  std::atomic<std::size_t> asked{0};
  const auto work = [&] {
    Stream stream{*this,
                  options,
                  only_prove,
                  write,
                  read,
                  questions,
                  asked,
                  progress,
                  BatchMemory(view_, kernel),
                  std::vector<std::optional<std::size_t>>(lanes)};
    run(kernel, stream);
  };
  const std::size_t batches = (questions + lanes - 1) / lanes;
  if (options.threads == 1 || batches <= 1) return work();
  tbb::task_arena arena(options.threads == 0 ? tbb::task_arena::automatic : options.threads);
  const std::size_t workers = std::min(batches, static_cast<std::size_t>(arena.max_concurrency()));
  arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, workers, 1),
        [&](const tbb::blocked_range<std::size_t>&) { work(); }, tbb::simple_partitioner());
  });
}

void MotionSet::set_lane(BatchMemory& memory, std::size_t lane, const Options& options) const {
  // Loads of size one, whatever the unit: 1 N is next to nothing in a scene measured in grams and millimetres.
  const std::size_t lanes = memory.lanes;
  memory.size[lane] = memory.load.cwiseAbs().maxCoeff();
  const double inverse = memory.size[lane] > 0.0 ? 1.0 / memory.size[lane] : 0.0;
  for (std::size_t i = 0; i < pattern_.position.size(); ++i) {
    double* const w = memory.w.get() + 6 * static_cast<std::size_t>(pattern_.position[i]) * lanes + lane;
    for (std::size_t c = 0; c < 6; ++c)
      w[c * lanes] = inverse * memory.load[static_cast<Eigen::Index>(6 * i + c)];
  }
  memory.cap.get()[lane] = 1.0 / options.unbounded_above;
}

// The reverse of get_lane().
void MotionSet::set_known(BatchMemory& memory, std::size_t lane) const {
  const std::size_t lanes = memory.lanes;
  const SupportValue& value = memory.value;
  const double inverse = memory.size[lane] > 0.0 ? 1.0 / memory.size[lane] : 0.0;
  memory.high.get()[lane] = inverse * value.high;
  for (std::size_t i = 0; i < pattern_.position.size(); ++i) {
    double* const z = memory.z.get() + 6 * static_cast<std::size_t>(pattern_.position[i]) * lanes + lane;
    for (std::size_t c = 0; c < 6; ++c) z[c * lanes] = value.motion[static_cast<Eigen::Index>(6 * i + c)];
  }
  for (std::size_t k = 0; k < contact_order_.size(); ++k) {
    double* const f = memory.f.get() + 3 * k * lanes + lane;
    for (int i = 0; i < 3; ++i)
      f[static_cast<std::size_t>(i) * lanes] = inverse * value.forces[3 * contact_order_[k] + i];
  }
}

void MotionSet::run(const LimitKernel& kernel, Stream& stream) const {
  BatchMemory& memory = stream.memory;
  LimitKernelBatch batch;
  batch.w = memory.w.get();
  batch.cap = memory.cap.get();
  batch.accuracy = stream.options.accuracy;
  batch.only_prove = stream.only_prove;
  batch.z = memory.z.get();
  batch.f = memory.f.get();
  batch.low = memory.low.get();
  batch.high = memory.high.get();
  batch.status = memory.status.data();
  batch.next = &Stream::next;
  batch.host = &stream;
  kernel.run(view_, batch, memory.scratch.get());
}

void MotionSet::get_lane(BatchMemory& memory, std::size_t lane) const {
  const std::size_t lanes = memory.lanes;
  SupportValue& value = memory.value;
  value.status = memory.status[lane];
  const double size = memory.size[lane];
  value.low = size * memory.low.get()[lane];
  value.high = size * memory.high.get()[lane];
  for (std::size_t i = 0; i < pattern_.position.size(); ++i) {
    const double* const z =
        memory.z.get() + 6 * static_cast<std::size_t>(pattern_.position[i]) * lanes + lane;
    for (std::size_t c = 0; c < 6; ++c) value.motion[static_cast<Eigen::Index>(6 * i + c)] = z[c * lanes];
  }
  for (std::size_t k = 0; k < contact_order_.size(); ++k) {
    const double* const f = memory.f.get() + 3 * k * lanes + lane;
    for (int i = 0; i < 3; ++i)
      value.forces[3 * contact_order_[k] + i] = size * f[static_cast<std::size_t>(i) * lanes];
  }
}

}  // namespace prehend::stability
