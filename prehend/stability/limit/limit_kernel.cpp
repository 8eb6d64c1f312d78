#include <vector>

#include <prehend/stability/limit/limit_kernel.h>

namespace prehend::stability {

const LimitKernel& limit_kernel_baseline();
#if defined(__x86_64__)
const LimitKernel& limit_kernel_avx2();
const LimitKernel& limit_kernel_avx512_narrow();
const LimitKernel& limit_kernel_avx512();
#endif

namespace {

// Narrow to wide.
const std::vector<const LimitKernel*>& usable_kernels() {
  static const std::vector<const LimitKernel*> kernels = [] {
    std::vector<const LimitKernel*> usable{&limit_kernel_baseline()};
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
      usable.push_back(&limit_kernel_avx2());
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("fma")) {
      if (__builtin_cpu_supports("avx512vl")) usable.push_back(&limit_kernel_avx512_narrow());
      usable.push_back(&limit_kernel_avx512());
    }
#endif
    return usable;
  }();
  return kernels;
}

}  // namespace

const LimitKernel& limit_kernel(const LimitKernelSystem& system) {
  // [doubles] 3 MB. A step walks through the scratch memory several times; beyond what the cache holds, half the lanes take half of it. On cores with
  // 1 MB of second-level cache walls of 100 bricks (2.1 MB in eight lanes) are 5 to 9 % faster in eight lanes, of 200 (4.8 MB) 8 % and of 400 (11 MB) 7 to
  // 25 % faster in four.
  constexpr long kMostScratch = 3L << 17;
  const LimitKernel& widest = *usable_kernels().back();
  if (usable_kernels().size() < 2 || widest.scratch(system) <= kMostScratch) return widest;
  const LimitKernel& narrower = *usable_kernels()[usable_kernels().size() - 2];
  return widest.lanes > 4 && narrower.lanes >= 4 ? narrower : widest;
}
int limit_kernel_count() { return static_cast<int>(usable_kernels().size()); }
const LimitKernel& limit_kernel_at(int index) { return *usable_kernels()[static_cast<std::size_t>(index)]; }

}  // namespace prehend::stability
