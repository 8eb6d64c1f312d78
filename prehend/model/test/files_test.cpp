#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "expect_input_error.h"
#include <prehend/model/files.h>

namespace prehend::model {
namespace {

std::string gzip(const std::string& text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

TEST(Files, PlainAndGzip) {
  const TemporaryFolder folder;
  std::string text(300000, 'a');
  for (std::size_t i = 0; i < text.size(); i += 7) text[i] = static_cast<char>(i * i);
  EXPECT_EQ(read_file(folder.write("plain", text)), text);
  EXPECT_EQ(read_file(folder.write("packed.gz", gzip(text))), text);
  EXPECT_EQ(read_file(folder.write("packed without extension", gzip(text))), text);
  EXPECT_EQ(read_file(folder.write("two", gzip(text) + gzip("end"))), text + "end");
  EXPECT_EQ(read_file(folder.write("empty", "")), "");
  EXPECT_EQ(read_file(folder.write("empty.gz", gzip(""))), "");
}

TEST(Files, BadFilesAreNamed) {
  const TemporaryFolder folder;
  const std::string packed = gzip(std::string(1000, 'x') + "yz");
  expect_input_error([&] { read_file(folder / "absent"); }, 0,
                     "cannot open the file: No such file or directory");
  expect_input_error([&] { read_file(folder / ""); }, 0, "this is a folder; a file was expected");
  expect_input_error([&] { read_file(folder.write("cut", packed.substr(0, packed.size() - 5))); }, 0,
                     "the gzip file is truncated; copy or compress it again");
  expect_input_error([&] { read_file(folder.write("head", packed.substr(0, 3))); }, 0,
                     "the gzip file is truncated");
  std::string damaged = packed;
  damaged[damaged.size() - 6] ^= 0x55;  // the checksum
  expect_input_error([&] { read_file(folder.write("damaged", damaged)); }, 0,
                     "the gzip file is damaged (incorrect data check)");
  expect_input_error([&] { read_file(folder.write("tail", packed + "no gzip")); }, 0,
                     "the gzip file is damaged");
  try {
    read_file(folder / "absent");
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()),
              (folder / "absent") + ": error: cannot open the file: No such file or directory");
    EXPECT_EQ(error.file(), folder / "absent");
  }
  if (::geteuid() != 0) {  // root may read everything
    ::chmod(folder.write("secret", "x").c_str(), 0);
    expect_input_error([&] { read_file(folder / "secret"); }, 0, "cannot open the file: Permission denied");
  }
}

TEST(Files, LimitsHoldForPlainAndPackedFiles) {
  const TemporaryFolder folder;
  const std::string zeros(8 << 20, '\0');
  const ReadOptions limit{.max_bytes = 1 << 20};
  expect_input_error([&] { read_file(folder.write("plain", zeros), limit); }, 0,
                     "the file holds more than 1 MiB; refusing to read it");
  const std::string bomb = gzip(zeros);
  EXPECT_LT(bomb.size(), 10000u);
  expect_input_error([&] { read_file(folder.write("bomb", bomb), limit); }, 0,
                     "the file holds more than 1 MiB");
  EXPECT_EQ(read_file(folder.write("fits", std::string(1 << 20, 'x')), limit).size(), 1u << 20);
}

TEST(Files, WritesAreCompleteOrAbsent) {
  const TemporaryFolder folder;
  const std::string path = folder / "out.txt";
  write_file(path, "first");
  write_file(path, "second");
  EXPECT_EQ(read_file(path), "second");
  try {
    write_file(folder / "absent/out.txt", "x");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(std::string(error.what()),
              (folder / "absent/out.txt") + ": error: cannot write here: No such file or directory");
  }
  EXPECT_THROW(write_file(folder / "", "x"), std::runtime_error);
  // Nothing temporary is left behind.
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder / "")) ++count;
  EXPECT_EQ(count, 1u);
}

TEST(Files, SentencesWithAndWithoutALine) {
  EXPECT_STREQ(InputError("a.csv", 7, "no").what(), "a.csv:7: error: no");
  EXPECT_STREQ(InputError("a.csv", 0, "no").what(), "a.csv: error: no");
  EXPECT_EQ(InputError("a.csv", 7, "no").message(), "no");
}

}  // namespace
}  // namespace prehend::model
