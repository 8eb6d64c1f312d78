#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include <prehend/math/random.h>
#include <prehend/report/html/buffer_store.h>

namespace prehend::report {
namespace {

// The way back, as the viewer goes it (viewer/src/buffers.ts).
std::vector<std::int32_t> unpacked(const BufferStore& store, int buffer, int columns) {
  model::JsonWriter writer;
  store.write_index(writer);
  const auto entry = nlohmann::json::parse(writer.text())[static_cast<std::size_t>(buffer)];
  const std::size_t offset = entry[0], packed = entry[1], size = entry[2];
  EXPECT_EQ(offset % 3, 0u);
  std::vector<unsigned char> planes(size);
  uLongf length = size;
  EXPECT_EQ(uncompress(planes.data(), &length, reinterpret_cast<const Bytef*>(store.bytes().data()) + offset,
                       packed),
            Z_OK);
  EXPECT_EQ(length, size);
  const std::size_t count = size / 4;
  std::vector<std::int32_t> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t zigzag = 0;
    for (std::size_t plane = 0; plane < 4; ++plane)
      zigzag |= static_cast<std::uint32_t>(planes[plane * count + i]) << (8 * plane);
    const std::uint32_t difference = (zigzag >> 1) ^ (0u - (zigzag & 1u));
    const std::uint32_t above =
        i >= static_cast<std::size_t>(columns) ? static_cast<std::uint32_t>(values[i - columns]) : 0u;
    values[i] = static_cast<std::int32_t>(above + difference);
  }
  return values;
}

TEST(BufferStore, IntegersComeBack) {
  constexpr std::int32_t kLow = std::numeric_limits<std::int32_t>::min(),
                         kHigh = std::numeric_limits<std::int32_t>::max();
  const std::vector<std::int32_t> extremes{0, kLow, kHigh, -1, kHigh, kLow, 5, 6, 7};
  math::RandomStream random(1);
  std::vector<std::int32_t> many(3000);
  for (auto& value : many) value = static_cast<std::int32_t>(random());
  BufferStore store;
  EXPECT_EQ(store.add_integers(extremes, 3), 0);
  EXPECT_EQ(store.add_integers({}, 3), 1);
  EXPECT_EQ(store.add_integers(many, 10), 2);
  EXPECT_EQ(unpacked(store, 0, 3), extremes);
  EXPECT_TRUE(unpacked(store, 1, 3).empty());
  EXPECT_EQ(unpacked(store, 2, 10), many);
  EXPECT_THROW(store.add_integers(extremes, 2), std::invalid_argument);
}

TEST(BufferStore, QuantisedValuesAreWithinHalfAStep) {
  math::RandomStream random(2);
  std::vector<double> values(600);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = i % 2 ? random.uniform(-3.0, 3.0) : random.uniform(1e6, 1e6 + 1.0);
  const Quantisation quantisation{{1e6, 0.0}, {1e-8, 1e-6}};
  BufferStore store;
  const std::vector<std::int32_t> integers = unpacked(store, store.add_quantised(values, 2, quantisation), 2);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double step = quantisation.step[i % 2];
    // Half a step, and the rounding of the double itself at 1e6.
    EXPECT_NEAR(quantisation.offset[i % 2] + step * integers[i], values[i], 0.5 * step + 2.4e-10);
  }
}

TEST(BufferStore, QuantisedValuesMustBeFiniteAndFit) {
  BufferStore store;
  const Quantisation unit{{0.0}, {1.0}};
  EXPECT_THROW(store.add_quantised(std::vector{std::nan("")}, 1, unit), std::invalid_argument);
  EXPECT_THROW(store.add_quantised(std::vector{1e10}, 1, unit), std::invalid_argument);
  EXPECT_EQ(store.size(), 0);
}

TEST(BufferStore, Float32KeepsSpecialValuesAndOnlyThose) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  BufferStore store;
  const auto bits = unpacked(
      store, store.add_float32(std::vector{0.1, kInfinity, -kInfinity, std::nan(""), 1e300, -0.0}, 1), 1);
  const auto number = [&](std::size_t i) { return std::bit_cast<float>(bits[i]); };
  EXPECT_EQ(number(0), 0.1f);
  EXPECT_EQ(number(1), std::numeric_limits<float>::infinity());
  EXPECT_EQ(number(2), -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(number(3)));
  EXPECT_EQ(number(4), std::numeric_limits<float>::max());
  EXPECT_TRUE(std::signbit(number(5)));
}

TEST(BufferStore, ADayOfTimeResolvesATenthOfAMillisecond) {
  const std::vector<double> times{1.7e9, 1.7e9 + 86400.0};
  EXPECT_LT(quantisation_over(times).step[0], 1e-4);
  EXPECT_EQ(quantisation_over(std::vector{2.0, 2.0}).step[0], 1.0);
}

TEST(Base64, MatchesKnownText) {
  // RFC 4648, section 10.
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xef\xbe"), "/+++");
}

}  // namespace
}  // namespace prehend::report
