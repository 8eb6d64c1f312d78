namespace prehend::stability {
namespace {
constexpr int kLanes = 2;
}
}  // namespace prehend::stability

#include <prehend/stability/limit/limit_kernel_impl.h>

namespace prehend::stability {
const LimitKernel& limit_kernel_baseline();
const LimitKernel& limit_kernel_baseline() {
  static const LimitKernel kernel{"baseline", kLanes, &scratch, &run};
  return kernel;
}
}  // namespace prehend::stability
