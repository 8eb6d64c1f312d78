#include <prehend/model/text_scan.h>

namespace prehend::model {

std::string_view take_character(std::string_view& bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char lead = byte(0);
  std::size_t length = 1;
  unsigned char low = 0x80, high = 0xBF;  // allowed range of the second byte
  bool valid = lead < 0x80;
  if (lead >= 0xC2 && lead <= 0xF4) {
    valid = true;
    length = lead <= 0xDF ? 2 : lead <= 0xEF ? 3 : 4;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  }
  for (std::size_t i = 1; i < length; ++i) {
    if (i >= bytes.size() || byte(i) < low || byte(i) > high) {
      length = i;
      valid = false;
    }
    low = 0x80;
    high = 0xBF;
  }
  const std::string_view character = valid ? bytes.substr(0, length) : kReplacementCharacter;
  bytes.remove_prefix(length);
  return character;
}

std::string cleaned_utf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) text += take_character(bytes);
  return text;
}

}  // namespace prehend::model
