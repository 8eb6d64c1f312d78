#include <vector>

#include <prehend/stability/limit/limit_kernel.h>

namespace prehend::stability {

const LimitKernel& limit_kernel_baseline();
#if defined(__x86_64__)
const LimitKernel& limit_kernel_avx2();
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
        __builtin_cpu_supports("fma"))
      usable.push_back(&limit_kernel_avx512());
#endif
    return usable;
  }();
  return kernels;
}

}  // namespace

const LimitKernel& limit_kernel() { return *usable_kernels().back(); }
int limit_kernel_count() { return static_cast<int>(usable_kernels().size()); }
const LimitKernel& limit_kernel_at(int index) { return *usable_kernels()[static_cast<std::size_t>(index)]; }

}  // namespace prehend::stability
