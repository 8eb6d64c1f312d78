namespace prehend::stability {
namespace {
constexpr int kLanes = 8;
}
}  // namespace prehend::stability

#include <prehend/stability/limit/limit_kernel_impl.h>

namespace prehend::stability {
const LimitKernel& limit_kernel_avx512();
const LimitKernel& limit_kernel_avx512() {
  static const LimitKernel kernel{"avx512", kLanes, &scratch, &run};
  return kernel;
}
}  // namespace prehend::stability
