// PREHEND_WITH_ADDRESS_SANITIZER: whether this is compiled with the address sanitizer, which brings its own malloc.
#pragma once

#if defined(__SANITIZE_ADDRESS__)  // g++
#define PREHEND_WITH_ADDRESS_SANITIZER 1
#elif defined(__has_feature)  // clang
#if __has_feature(address_sanitizer)
#define PREHEND_WITH_ADDRESS_SANITIZER 1
#endif
#endif
