// The numbers of a page: many arrays packed into one block of bytes that a browser unpacks piece by piece.
//
// An array is a table of 32-bit integers. It is stored as differences to the row above (smooth motion,
// neighbouring vertices and rising indices become small numbers; a body at rest becomes zeros), zigzag-coded,
// split into four byte planes (the high ones then hold zeros) and deflated (zlib format). Real numbers take
// one of two ways in:
// - quantised: offset + step * integer. For positions, rotations and times, which must be finite.
// - float32: the bits of the number as they are. For scalars and plotted values; NaN and infinities survive.
// Every array starts at a multiple of three bytes, so that its base64 text can be cut out and decoded alone.
// Cost: linear; about 60 MB/s of integers on one core (deflate dominates).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <prehend/model/json_writer.h>

namespace prehend::report {

// Column c of a row reads offset[c % n] + step[c % n] * integer, with n entries in offset and step.
struct Quantisation {
  std::vector<double> offset;
  std::vector<double> step;
};

// One offset and step for all values: steps of range * 2^-30, so that a time axis of a day still resolves 0.1
// ms.
Quantisation quantisation_over(std::span<const double> values);

class BufferStore {
 public:
  // Each returns the number of the buffer. `values` holds whole rows of `columns` entries, row by row.
  int add_integers(std::span<const std::int32_t> values, int columns);
  // Throws std::invalid_argument when a value is not finite or does not fit.
  int add_quantised(std::span<const double> values, int columns, const Quantisation& quantisation);
  int add_float32(std::span<const double> values, int columns);
  // Any bytes, deflated.
  int add_bytes(std::string_view bytes);

  const std::string& bytes() const { return bytes_; }
  int size() const { return static_cast<int>(entries_.size()); }
  // [[offset, packed size, unpacked size], ...]
  void write_index(model::JsonWriter& json) const;

 private:
  struct Entry {
    std::size_t offset;         // [byte] a multiple of three
    std::size_t packed_size;    // [byte]
    std::size_t unpacked_size;  // [byte]
  };
  int append(std::span<const unsigned char> unpacked);

  std::string bytes_;
  std::vector<Entry> entries_;
};

std::string base64(std::string_view bytes);

}  // namespace prehend::report
