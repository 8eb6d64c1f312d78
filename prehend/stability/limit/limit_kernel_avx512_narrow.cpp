namespace prehend::stability {
namespace {
constexpr int kLanes = 4;
}
}  // namespace prehend::stability

#include <prehend/stability/limit/limit_kernel_impl.h>

namespace prehend::stability {
const LimitKernel& limit_kernel_avx512_narrow();
const LimitKernel& limit_kernel_avx512_narrow() {
  static const LimitKernel kernel{"avx512_narrow", kLanes, &scratch, &run};
  return kernel;
}
}  // namespace prehend::stability
