#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <optional>

#include <prehend/model/files.h>
#include <prehend/model/input_error.h>
#include <prehend/model/meshes/gltf_container.h>
#include <prehend/model/text_scan.h>

namespace prehend::model {
namespace {

std::optional<std::string> decode_base64(std::string_view text) {
  static const std::array<int, 256> kDigit = [] {
    std::array<int, 256> digit;
    digit.fill(-1);
    const std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (std::size_t i = 0; i < digits.size(); ++i)
      digit[static_cast<unsigned char>(digits[i])] = static_cast<int>(i);
    return digit;
  }();
  std::string out;
  out.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  int have = 0;
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  for (char c : text) {
    const int digit = kDigit[static_cast<unsigned char>(c)];
    if (digit < 0) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    have += 6;
    if (have >= 8) {
      have -= 8;
      out += static_cast<char>(bits >> have & 0xff);
    }
  }
  return out;
}

std::string decode_percent(std::string_view uri) {
  std::string out;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    unsigned value = 0;
    const char* const digits = uri.data() + i + 1;
    if (uri[i] == '%' && i + 2 < uri.size() &&
        std::from_chars(digits, digits + 2, value, 16).ptr == digits + 2) {
      out += static_cast<char>(value);
      i += 2;
    } else {
      out += uri[i];
    }
  }
  return out;
}

}  // namespace

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
  const auto* b = reinterpret_cast<const unsigned char*>(bytes.data()) + at;
  return b[0] | b[1] << 8 | b[2] << 16 | static_cast<std::uint32_t>(b[3]) << 24;
}

GlbChunks open_glb(std::string_view bytes, const std::string& name) {
  const auto fail = [&](const std::string& what) { throw InputError(name, 0, "glTF: " + what); };
  if (bytes.size() < 20) fail("the .glb is truncated within its header");
  if (word_at(bytes, 4) != 2)
    fail(".glb version " + std::to_string(word_at(bytes, 4)) + " is not read; expected 2");
  const std::size_t length = word_at(bytes, 8);
  if (length > bytes.size()) {
    fail("the .glb header claims " + std::to_string(length) + " bytes, the file has " +
         std::to_string(bytes.size()) + "; it is truncated");
  }
  bytes = bytes.substr(0, length);
  GlbChunks chunks;
  std::size_t at = 12;
  for (int index = 0; at + 8 <= bytes.size(); ++index) {
    const std::size_t size = word_at(bytes, at), type = word_at(bytes, at + 4);
    if (size > bytes.size() - at - 8) fail("chunk " + std::to_string(index) + " of the .glb is truncated");
    const std::string_view data = bytes.substr(at + 8, size);
    if (index == 0 && type != 0x4E4F534A) fail("the first chunk of the .glb must be JSON");
    if (index == 0) chunks.json = data;
    if (index == 1 && type == 0x004E4942) chunks.binary = data;
    at += 8 + size;
  }
  return chunks;
}

std::string fetch_gltf_buffer(const std::string& uri, const std::string& name) {
  const auto fail = [&](const std::string& what) { throw InputError(name, 0, "glTF: " + what); };
  if (uri.starts_with("data:")) {
    const std::size_t mark = uri.find(";base64,");
    if (mark == std::string::npos || mark > 200) fail("a data: address must be base64");
    auto bytes = decode_base64(std::string_view(uri).substr(mark + 8));
    if (!bytes) fail("a data: address holds characters that are not base64");
    return *std::move(bytes);
  }
  namespace fs = std::filesystem;
  const fs::path relative = decode_percent(uri);
  const bool escapes =
      uri.find(':') != std::string::npos || relative.empty() || relative.is_absolute() ||
      uri.find('\\') != std::string::npos || relative.string().find('\0') != std::string::npos ||
      std::any_of(relative.begin(), relative.end(), [](const fs::path& part) { return part == ".."; });
  if (escapes)
    fail("buffer file " + in_quotes(uri) + " is not in the folder of the .gltf; only files there are read");
  if (name.empty() || !fs::exists(fs::path(name))) {
    fail("buffer file " + in_quotes(uri) + " cannot be found without the .gltf's folder");
  }
  const fs::path folder = fs::weakly_canonical(fs::absolute(name)).parent_path();
  const fs::path file = fs::weakly_canonical(folder / relative);
  // A link may lead elsewhere.
  const auto [in_folder, ignored] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  if (in_folder != folder.end()) {
    fail("buffer file " + in_quotes(uri) +
         " leads out of the folder of the .gltf; only files there are read");
  }
  return read_file(file.string());
}

}  // namespace prehend::model
