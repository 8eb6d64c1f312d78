#include <algorithm>
#include <map>
#include <optional>

#include <prehend/knot/invariants/colourings.h>
#include <prehend/knot/invariants/reduction.h>
#include <prehend/knot/invariants/table_search.h>

namespace prehend::knot {
namespace {

// Jones polynomial and signature fit for some choice of mirror images of the knots from `next` on.
bool fits_some_mirror(const Sum& sum, std::size_t next, const Invariants& so_far, const Invariants& wanted) {
  if (next == sum.size()) {
    return so_far.signature == wanted.signature && (!wanted.jones_known || so_far.jones == wanted.jones);
  }
  const Invariants& values = knot_table()[sum[next]].values;
  return fits_some_mirror(sum, next + 1, so_far * values, wanted) ||
         fits_some_mirror(sum, next + 1, so_far * values.mirrored(), wanted);
}

struct Search {
  const Invariants& wanted;
  std::vector<Sum> found;

  // Adds knots of at most `crossings` crossings together; the determinants multiply, so few branches survive.
  void extend(Sum& sum, std::size_t first, int crossings, std::int64_t determinant) {
    if (determinant == 1) accept(sum);
    const auto& table = knot_table();
    for (std::size_t i = std::max<std::size_t>(first, 1); i < table.size(); ++i) {
      if (table[i].crossings > crossings) break;
      if (determinant % table[i].values.determinant != 0) continue;
      sum.push_back(i);
      extend(sum, i, crossings - table[i].crossings, determinant / table[i].values.determinant);
      sum.pop_back();
    }
  }

  void accept(const Sum& sum) {
    Laurent alexander = Laurent::monomial(1, 0);
    for (const std::size_t i : sum) alexander = alexander * knot_table()[i].values.alexander;
    if (alexander != wanted.alexander) return;
    Invariants nothing = knot_table()[0].values;
    if (fits_some_mirror(sum, 0, nothing, wanted)) found.push_back(sum);
  }
};

}  // namespace

std::vector<Sum> fitting_sums(const ClosedDiagram& diagram, const Invariants& values) {
  const bool alternating = is_alternating(diagram);
  Search search{values, {}};
  Sum sum;
  search.extend(sum, 0, diagram.crossings(), values.determinant);
  std::vector<Sum>& found = search.found;
  if (alternating) {
    std::erase_if(found, [&](const Sum& s) {
      return s.size() != 1 || knot_table()[s[0]].crossings != diagram.crossings() ||
             !knot_table()[s[0]].alternating;
    });
  }
  // Up to 10 crossings the table is complete, and one candidate is the knot; a larger diagram may be of none of them, so
  // a single candidate has to pass all tests.
  const std::size_t enough = alternating || diagram.crossings() <= 10 ? 1 : 0;
  for (const ColourClass& colours : colour_classes()) {
    if (found.size() <= enough) break;
    const std::optional<std::int64_t> wanted = count_colourings(diagram, colours);
    if (!wanted) continue;  // too many to count: the class says nothing
    std::map<std::size_t, std::int64_t> known;
    std::erase_if(found, [&](const Sum& s) {
      std::int64_t product = 1;
      for (const std::size_t i : s) {
        const auto [at, fresh] = known.try_emplace(i, 0);
        if (fresh) at->second = count_colourings(knot_table()[i].diagram, colours).value();
        product = checked_product(product, at->second);
      }
      return product != *wanted;
    });
  }
  return std::move(search.found);
}

}  // namespace prehend::knot
