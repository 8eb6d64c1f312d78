// Test support: an InputError is read, not only caught.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <tests/places.h>

#include <prehend/model/input_error.h>

namespace prehend::model {

// Runs `action` and expects an InputError at `line` (0: none) whose sentence holds `part`.
template <class Action>
void expect_input_error(Action&& action, int line, const std::string& part) {
  try {
    action();
  } catch (const InputError& error) {
    EXPECT_EQ(error.line(), line) << error.what();
    EXPECT_NE(error.message().find(part), std::string::npos) << error.what() << "\nwants: " << part;
    return;
  } catch (const std::exception& error) {
    FAIL() << "another exception: " << error.what();
  }
  FAIL() << "no error; wanted: " << part;
}

// A folder for one test, removed afterwards.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "prehend-test-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    path_ = pattern;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return *this / name;
  }

 private:
  std::filesystem::path path_;
};

// The shared recordings, or nothing: then the test says so and is skipped.
#define PREHEND_NEEDS_SHARED_DATA()                           \
  if (!std::filesystem::exists(prehend::test::shared_data())) \
  GTEST_SKIP() << "no folder " << prehend::test::shared_data() << ": the shared recordings are not here"

}  // namespace prehend::model
