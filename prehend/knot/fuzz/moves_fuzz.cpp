// Any bytes as a move; what is accepted must come back the same, and a state either allows it or says why not.
// Instrumented: moves_json.cpp json/moves_json_reader.cpp p_data.cpp
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <prehend/knot/moves_json.h>
#include <prehend/model/input_error.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace prehend::knot;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const PData trefoil{{4, 5, 6, 1, 2, 3}, {3, 4, 3, 4, 3, 4}};
  try {
    const Move move = parse_move(bytes, "fuzz.json");
    prehend::model::JsonWriter json;
    write_json(json, move);
    if (parse_move(json.text(), "again") != move) std::abort();
    if (find_problem(trefoil, move).empty() && !find_problem(apply(trefoil, move)).empty()) std::abort();
  } catch (const prehend::model::InputError&) {
    // The only way out that a file may take.
  }
  try {
    parse_moves(bytes, "fuzz.json");
  } catch (const prehend::model::InputError&) {
  }
  return 0;
}
