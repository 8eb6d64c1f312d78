#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <zlib.h>

#include <prehend/report/html/buffer_store.h>

namespace prehend::report {
namespace {

// Higher levels cost three times the time for two per cent of size on poses.
constexpr int kDeflateLevel = 5;

// A finite number stays finite: an infinity means "unbounded" to the viewer.
float nearest_float(double value) {
  constexpr double kLargest = std::numeric_limits<float>::max();
  return static_cast<float>(std::isfinite(value) ? std::clamp(value, -kLargest, kLargest) : value);
}

}  // namespace

Quantisation quantisation_over(std::span<const double> values) {
  if (values.empty()) return {{0.0}, {1.0}};
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double range = *high - *low;
  return {{*low}, {range > 0.0 ? range * std::ldexp(1.0, -30) : 1.0}};
}

int BufferStore::add_integers(std::span<const std::int32_t> values, int columns) {
  if (columns < 1 || values.size() % static_cast<std::size_t>(columns) != 0)
    throw std::invalid_argument("BufferStore: " + std::to_string(values.size()) +
                                " values are no whole rows of " + std::to_string(columns));
  const std::size_t count = values.size();
  std::vector<unsigned char> planes(4 * count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t above =
        i >= static_cast<std::size_t>(columns) ? static_cast<std::uint32_t>(values[i - columns]) : 0u;
    const std::uint32_t difference = static_cast<std::uint32_t>(values[i]) - above;
    const std::uint32_t zigzag = (difference << 1) ^ (0u - (difference >> 31));
    for (std::size_t plane = 0; plane < 4; ++plane)
      planes[plane * count + i] = static_cast<unsigned char>(zigzag >> (8 * plane));
  }
  return append(planes);
}

int BufferStore::add_quantised(std::span<const double> values, int columns,
                               const Quantisation& quantisation) {
  const std::size_t period = quantisation.offset.size();
  if (period == 0 || quantisation.step.size() != period || columns % static_cast<int>(period) != 0)
    throw std::invalid_argument("BufferStore: the quantisation does not fit the columns");
  std::vector<std::int32_t> integers(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t c = i % static_cast<std::size_t>(columns) % period;
    const double scaled = std::nearbyint((values[i] - quantisation.offset[c]) / quantisation.step[c]);
    if (!(std::abs(scaled) <= 2147483000.0))
      throw std::invalid_argument("BufferStore: the number " + std::to_string(values[i]) +
                                  " cannot be stored");
    integers[i] = static_cast<std::int32_t>(scaled);
  }
  return add_integers(integers, columns);
}

int BufferStore::add_float32(std::span<const double> values, int columns) {
  std::vector<std::int32_t> bits(values.size());
  std::transform(values.begin(), values.end(), bits.begin(),
                 [](double value) { return std::bit_cast<std::int32_t>(nearest_float(value)); });
  return add_integers(bits, columns);
}

int BufferStore::add_bytes(std::string_view bytes) {
  return append({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()});
}

int BufferStore::append(std::span<const unsigned char> unpacked) {
  uLongf size = compressBound(static_cast<uLong>(unpacked.size()));
  const std::size_t offset = bytes_.size();
  bytes_.resize(offset + size);
  const int status = compress2(reinterpret_cast<Bytef*>(bytes_.data() + offset), &size, unpacked.data(),
                               static_cast<uLong>(unpacked.size()), kDeflateLevel);
  if (status != Z_OK) throw std::runtime_error("zlib: cannot compress (" + std::to_string(status) + ")");
  bytes_.resize(offset + (size + 2) / 3 * 3, '\0');
  entries_.push_back({offset, size, unpacked.size()});
  return static_cast<int>(entries_.size()) - 1;
}

void BufferStore::write_index(model::JsonWriter& json) const {
  json.array();
  for (const Entry& entry : entries_)
    json.array().value(entry.offset).value(entry.packed_size).value(entry.unpacked_size).end();
  json.end();
}

std::string base64(std::string_view bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text((bytes.size() + 2) / 3 * 4, '=');
  std::size_t out = 0;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t k) {
      return i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u;
    };
    const unsigned triple = byte(0) << 16 | byte(1) << 8 | byte(2);
    text[out++] = kDigits[triple >> 18];
    text[out++] = kDigits[triple >> 12 & 63];
    if (i + 1 < bytes.size()) text[out] = kDigits[triple >> 6 & 63];
    ++out;
    if (i + 2 < bytes.size()) text[out] = kDigits[triple & 63];
    ++out;
  }
  return text;
}

}  // namespace prehend::report
