#include "allocation_count.h"

#include <cstdlib>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define PREHEND_NO_COUNT 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define PREHEND_NO_COUNT 1
#endif

#ifndef PREHEND_NO_COUNT

// glibc lets a program put its own functions before these names; what they count is what every library in the process asks for.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {
thread_local std::uint64_t asked = 0;
std::uint64_t asked_so_far() { return asked; }
}  // namespace

extern "C" {
void* malloc(std::size_t size) { return ++asked, __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) { return ++asked, __libc_calloc(count, size); }
void* realloc(void* memory, std::size_t size) { return ++asked, __libc_realloc(memory, size); }
void* memalign(std::size_t alignment, std::size_t size) { return ++asked, __libc_memalign(alignment, size); }
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return ++asked, __libc_memalign(alignment, size);
}
}

namespace prehend::cli {
std::uint64_t (*allocation_counter())() { return asked_so_far; }
}  // namespace prehend::cli

#else

namespace prehend::cli {
std::uint64_t (*allocation_counter())() { return nullptr; }
}  // namespace prehend::cli

#endif
