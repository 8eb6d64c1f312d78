// Any bytes as P-data, one code or a sequence; what is accepted must be sound and come back the same.
// Instrumented: p_data_json.cpp p_data.cpp closure.cpp
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <prehend/knot/closure.h>
#include <prehend/knot/p_data_json.h>
#include <prehend/model/input_error.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace prehend::knot;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const PData code = parse_p_data(bytes, "fuzz.json");
    if (!find_problem(closed_over(code)).empty() || parse_p_data(to_json(code), "again") != code)
      std::abort();
  } catch (const prehend::model::InputError&) {
    // The only way out that a file may take.
  }
  try {
    const std::vector<PData> states = parse_p_data_sequence(bytes, "fuzz.json");
    if (parse_p_data_sequence(to_json(states), "again") != states) std::abort();
  } catch (const prehend::model::InputError&) {
  }
  return 0;
}
