namespace prehend::stability {
namespace {
constexpr int kLanes = 4;
}
}  // namespace prehend::stability

#include <prehend/stability/limit/limit_kernel_impl.h>

namespace prehend::stability {
const LimitKernel& limit_kernel_avx2();
const LimitKernel& limit_kernel_avx2() {
  static const LimitKernel kernel{"avx2", kLanes, &scratch, &run};
  return kernel;
}
}  // namespace prehend::stability
