#include "file_server.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <tuple>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace prehend::cli {
namespace {

constexpr std::size_t kMaxRequest = 16384;  // bytes of request line and headers
constexpr int kMaxConnections = 32;         // at a time; a browser opens six

struct Request {
  std::string method, target, host, range;
};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::optional<Request> parse(std::string_view text) {
  Request request;
  const std::size_t end = text.find("\r\n");
  const std::string_view line = text.substr(0, end);
  const std::size_t first = line.find(' '), second = line.rfind(' ');
  if (end == std::string_view::npos || first == second || !line.substr(second).starts_with(" HTTP/1."))
    return std::nullopt;
  request.method = line.substr(0, first);
  request.target = line.substr(first + 1, second - first - 1);
  text.remove_prefix(end + 2);
  while (!text.empty()) {
    const std::size_t stop = text.find("\r\n");
    if (stop == std::string_view::npos || stop == 0) break;
    const std::string_view header = text.substr(0, stop);
    const std::size_t colon = header.find(':');
    if (colon != std::string_view::npos) {
      std::string name(header.substr(0, colon));
      std::transform(name.begin(), name.end(), name.begin(), lower);
      std::string_view value = header.substr(colon + 1);
      while (value.starts_with(' ')) value.remove_prefix(1);
      if (name == "host") request.host = value;
      if (name == "range") request.range = value;
    }
    text.remove_prefix(stop + 2);
  }
  return request;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    int value = 0;
    if (i + 3 > text.size()) return std::nullopt;
    const auto [end, error] = std::from_chars(text.data() + i + 1, text.data() + i + 3, value, 16);
    if (error != std::errc() || end != text.data() + i + 3 || value == 0) return std::nullopt;
    decoded += static_cast<char>(value);
    i += 2;
  }
  return decoded;
}

const char* content_type(std::string_view path) {
  const auto ends = [&](std::string_view suffix) { return path.ends_with(suffix); };
  if (ends(".html")) return "text/html; charset=utf-8";
  if (ends(".json")) return "application/json";
  if (ends(".js")) return "text/javascript";
  if (ends(".css")) return "text/css";
  if (ends(".svg")) return "image/svg+xml";
  if (ends(".png")) return "image/png";
  if (ends(".csv") || ends(".txt") || ends(".obj") || ends(".xml") || ends(".urdf"))
    return "text/plain; charset=utf-8";
  return "application/octet-stream";
}

bool send_all(int connection, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void send_error(int connection, const char* status) {
  const std::string body = std::string(status) + "\n";
  send_all(connection, std::string("HTTP/1.1 ") + status +
                           "\r\nContent-Type: text/plain\r\nContent-Length: " + std::to_string(body.size()) +
                           "\r\nConnection: close\r\n\r\n" + body);
}

// "bytes=a-b", "bytes=a-", "bytes=-n" within a file of `size` bytes, as first and one past last; nullopt when it cannot be met.
std::optional<std::pair<std::int64_t, std::int64_t>> byte_range(std::string_view text, std::int64_t size) {
  if (!text.starts_with("bytes=") || text.find(',') != std::string_view::npos) return std::nullopt;
  text.remove_prefix(6);
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto number = [](std::string_view digits) -> std::optional<std::int64_t> {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || value < 0) return std::nullopt;
    return value;
  };
  const std::string_view first = text.substr(0, dash), last = text.substr(dash + 1);
  if (first.empty()) {
    const auto count = number(last);
    if (!count || *count == 0) return std::nullopt;
    return std::pair{std::max<std::int64_t>(size - *count, 0), size};
  }
  const auto from = number(first);
  const auto to = last.empty() ? std::optional(size - 1) : number(last);
  if (!from || !to || *from >= size || *to < *from) return std::nullopt;
  return std::pair{*from, std::min(*to + 1, size)};
}

}  // namespace

FileServer::FileServer(const std::string& folder, int port) {
  std::error_code error;
  root_ = std::filesystem::canonical(folder, error).string();
  if (error || !std::filesystem::is_directory(root_)) {
    throw std::runtime_error("cannot serve '" + folder + "': it is not a folder");
  }
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener_ < 0) throw std::runtime_error(std::string("cannot open a socket: ") + std::strerror(errno));
  const int yes = 1;
  ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  socklen_t size = sizeof address;
  if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(listener_, 64) != 0 ||
      ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    const std::string reason = std::strerror(errno);
    ::close(listener_);
    throw std::runtime_error("cannot listen on port " + std::to_string(port) + ": " + reason +
                             "; choose another with --port, or 0 for any free one");
  }
  port_ = ntohs(address.sin_port);
}

FileServer::~FileServer() { ::close(listener_); }

void FileServer::run(const std::atomic<bool>& stop) {
  std::atomic<int> active{0};
  while (!stop) {
    pollfd waiting{listener_, POLLIN, 0};
    if (::poll(&waiting, 1, 100) <= 0) continue;
    const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) continue;
    const timeval patience{10, 0};
    ::setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (active >= kMaxConnections) {
      send_error(connection, "503 Service Unavailable");
      ::close(connection);
      continue;
    }
    ++active;
    std::thread([this, connection, &active] {
      answer(connection);
      ::shutdown(connection, SHUT_RDWR);
      ::close(connection);
      --active;
    }).detach();
  }
  while (active > 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

void FileServer::answer(int connection) const {
  std::string text;
  char chunk[4096];
  while (text.find("\r\n\r\n") == std::string::npos) {
    const ssize_t count = ::recv(connection, chunk, sizeof chunk, 0);
    if (count <= 0) return;
    text.append(chunk, static_cast<std::size_t>(count));
    if (text.size() > kMaxRequest) return send_error(connection, "431 Request Header Fields Too Large");
  }
  const std::optional<Request> request = parse(text);
  if (!request) return send_error(connection, "400 Bad Request");
  if (request->method != "GET" && request->method != "HEAD")
    return send_error(connection, "405 Method Not Allowed");
  const std::string port = ":" + std::to_string(port_);
  if (request->host != "127.0.0.1" + port && request->host != "localhost" + port) {
    return send_error(connection, "403 Forbidden");
  }
  const auto decoded =
      percent_decoded(std::string_view(request->target).substr(0, request->target.find_first_of("?#")));
  if (!decoded || !decoded->starts_with('/')) return send_error(connection, "400 Bad Request");
  std::error_code error;
  std::filesystem::path path = std::filesystem::canonical(root_ + *decoded, error);
  if (!error && std::filesystem::is_directory(path, error))
    path = std::filesystem::canonical(path / "report.html", error);
  if (error) return send_error(connection, "404 Not Found");
  const std::string inside = root_ == "/" ? root_ : root_ + "/";
  if (!path.string().starts_with(inside)) return send_error(connection, "403 Forbidden");
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat info{};
  if (file < 0 || ::fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) {
    if (file >= 0) ::close(file);
    return send_error(connection, "404 Not Found");
  }
  std::int64_t first = 0, end = info.st_size;
  std::string head = "HTTP/1.1 200 OK\r\n";
  if (!request->range.empty()) {
    const auto range = byte_range(request->range, info.st_size);
    if (!range) {
      ::close(file);
      return send_error(connection, "416 Range Not Satisfiable");
    }
    std::tie(first, end) = *range;
    head = "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes " + std::to_string(first) + "-" +
           std::to_string(end - 1) + "/" + std::to_string(info.st_size) + "\r\n";
  }
  head += std::string("Content-Type: ") + content_type(path.string()) +
          "\r\nContent-Length: " + std::to_string(end - first) +
          "\r\nAccept-Ranges: bytes\r\nCache-Control: no-store\r\nX-Content-Type-Options: "
          "nosniff\r\nConnection: close\r\n\r\n";
  bool alive = send_all(connection, head);
  off_t offset = first;
  while (alive && request->method == "GET" && offset < end) {
    alive = ::sendfile(connection, file, &offset,
                       static_cast<std::size_t>(std::min<std::int64_t>(end - offset, 1 << 20))) > 0;
  }
  ::close(file);
}

}  // namespace prehend::cli
