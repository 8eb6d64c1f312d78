// Eigen's memory in programs that are compiled for wider instructions than the library.
//
// Matrices cross the border between a program and the library, so both must agree on how Eigen lays out fixed-size types
// (EIGEN_MAX_ALIGN_BYTES=16) and on who frees heap memory (std::free, EIGEN_MALLOC_ALREADY_ALIGNED=1). Both definitions come
// with the targets prehend::ROOM. With -mavx2 or -march=native that leaves one gap: Eigen loads the packed blocks of
// matrix products with instructions that need 32 or 64 bytes, and std::malloc promises 16. Here Eigen's allocations get 64
// bytes, in a form that std::free takes back. The targets include this file before anything else (-include); without AVX
// it is empty. docs/linking.md says what to do without CMake.
#pragma once

#ifdef __AVX__

#if defined(EIGEN_CORE_H) || defined(EIGEN_CORE_MODULE_H)
#error \
    "prehend/math/eigen_memory.h must come before Eigen: link a target prehend::ROOM, or compile with -include prehend/math/eigen_memory.h"
#endif
#ifndef EIGEN_MAX_ALIGN_BYTES
#define EIGEN_MAX_ALIGN_BYTES 16
#endif
#ifndef EIGEN_MALLOC_ALREADY_ALIGNED
#define EIGEN_MALLOC_ALREADY_ALIGNED 1
#endif

// What Eigen/Core includes, so that the name below is replaced in Eigen alone.
#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <climits>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iosfwd>
#include <iostream>
#include <limits>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

// Name and use of std::malloc in Eigen/src/Core/util/Memory.h (3.4): `using std::malloc; malloc(size)`.
#define malloc(size) ::aligned_alloc(64, ((size) + 63) / 64 * 64)
#include <Eigen/Core>
#undef malloc

#endif  // __AVX__
