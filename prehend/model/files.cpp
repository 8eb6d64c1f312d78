#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <prehend/model/files.h>
#include <prehend/model/input_error.h>

namespace prehend::model {
namespace {

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FileDescriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  int release() {
    const int fd = fd_;
    fd_ = -1;
    return fd;
  }

 private:
  int fd_;
};

std::string reason() { return std::strerror(errno); }

[[noreturn]] void too_large(const std::string& path, std::size_t limit) {
  throw InputError(path, 0,
                   "the file holds more than " + std::to_string(limit >> 20) + " MiB; refusing to read it");
}

std::string read_plain(const std::string& path, const ReadOptions& options) {
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) throw InputError(path, 0, "cannot open the file: " + reason());
  struct stat info{};
  if (::fstat(file.get(), &info) != 0) throw InputError(path, 0, "cannot read the file: " + reason());
  if (S_ISDIR(info.st_mode)) throw InputError(path, 0, "this is a folder; a file was expected");
  if (static_cast<std::size_t>(std::max<off_t>(info.st_size, 0)) > options.max_bytes)
    too_large(path, options.max_bytes);
  std::string bytes;
  // Pipes and devices report no size: read until the end in any case.
  std::size_t used = 0;
  bytes.resize(std::max<std::size_t>(info.st_size, 1) + 1);
  for (;;) {
    const ssize_t count = ::read(file.get(), bytes.data() + used, bytes.size() - used);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw InputError(path, 0, "cannot read the file: " + reason());
    if (count == 0) break;
    used += static_cast<std::size_t>(count);
    if (used > options.max_bytes) too_large(path, options.max_bytes);
    if (used == bytes.size()) bytes.resize(2 * bytes.size());
  }
  bytes.resize(used);
  return bytes;
}

std::string gunzip(const std::string& path, const std::string& packed, const ReadOptions& options) {
  z_stream stream{};
  if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK)
    throw std::runtime_error("zlib: cannot start decompression");
  struct End {
    z_stream* stream;
    ~End() { inflateEnd(stream); }
  } end{&stream};
  std::string bytes;
  std::vector<char> chunk(1 << 18);
  std::size_t position = 0;
  int status = Z_OK;
  do {
    if (stream.avail_in == 0 && position < packed.size()) {
      const std::size_t count = std::min<std::size_t>(packed.size() - position, 1u << 30);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + position));
      stream.avail_in = static_cast<uInt>(count);
      position += count;
    }
    stream.next_out = reinterpret_cast<Bytef*>(chunk.data());
    stream.avail_out = static_cast<uInt>(chunk.size());
    status = inflate(&stream, Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END) {
      const bool at_end = status == Z_BUF_ERROR && position == packed.size();
      throw InputError(path, 0,
                       at_end ? "the gzip file is truncated; copy or compress it again"
                              : "the gzip file is damaged (" +
                                    std::string(stream.msg ? stream.msg : "bad data") +
                                    "); copy or compress it again");
    }
    bytes.append(chunk.data(), chunk.size() - stream.avail_out);
    if (bytes.size() > options.max_bytes) too_large(path, options.max_bytes);
    // Several gzip members may follow each other in one file.
    if (status == Z_STREAM_END && (stream.avail_in > 0 || position < packed.size())) {
      inflateReset(&stream);
      status = Z_OK;
    }
  } while (status != Z_STREAM_END);
  return bytes;
}

// Held while a file has a passing name.
std::timed_mutex& passing_names() {
  static std::timed_mutex mutex;
  return mutex;
}

}  // namespace

std::string read_file(const std::string& path, const ReadOptions& options) {
  std::string bytes = read_plain(path, options);
  const bool is_gzip = bytes.size() >= 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b';
  return is_gzip ? gunzip(path, bytes, options) : bytes;
}

void write_file(const std::string& path, std::string_view bytes) {
  const auto fail = [&](const std::string& what) {
    const std::string why = reason();
    throw WriteError(path + ": error: " + what + ": " + why);
  };
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  std::string temporary = path + ".XXXXXX";
  std::unique_lock passing(passing_names(), std::defer_lock);
  // Where the file system knows no nameless files, a temporary one beside the target has to do.
  FileDescriptor file(::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0644));
  const bool is_nameless = file.get() >= 0;
  if (!is_nameless) passing.lock();
  if (!is_nameless) file = FileDescriptor(::mkstemp(temporary.data()));
  if (file.get() < 0) fail("cannot write here");
  const auto give_up = [&](const std::string& what) {
    const int error = errno;
    if (!is_nameless) ::unlink(temporary.c_str());
    errno = error;
    fail(what);
  };
  while (!bytes.empty()) {
    const ssize_t count = ::write(file.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) give_up("cannot write the file");
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  if (is_nameless) {
    // A name can be given only where none stands, so the whole file gets a passing one and then takes the target's place.
    passing.lock();
    const int reserved = ::mkstemp(temporary.data());
    if (reserved < 0) fail("cannot finish the file");
    ::close(reserved);
    ::unlink(temporary.c_str());
    const std::string itself = "/proc/self/fd/" + std::to_string(file.get());
    if (::linkat(AT_FDCWD, itself.c_str(), AT_FDCWD, temporary.c_str(), AT_SYMLINK_FOLLOW) != 0)
      fail("cannot finish the file");
  } else if (::fchmod(file.get(), 0644) != 0) {
    give_up("cannot set the file's permissions");
  }
  if (::close(file.release()) != 0 || ::rename(temporary.c_str(), path.c_str()) != 0) {
    const int error = errno;
    ::unlink(temporary.c_str());
    errno = error;
    fail("cannot finish the file");
  }
}

void end_file_writing() noexcept {
  const bool locked = passing_names().try_lock_for(std::chrono::milliseconds(200));
  static_cast<void>(locked);  // the process ends: nobody unlocks
}

}  // namespace prehend::model
