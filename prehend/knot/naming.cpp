#include <algorithm>
#include <iterator>
#include <stdexcept>

#include <prehend/knot/invariants/reduction.h>
#include <prehend/knot/invariants/table_search.h>
#include <prehend/knot/layout/closed_faces.h>
#include <prehend/knot/named_knots.h>
#include <prehend/knot/naming.h>
#include <prehend/knot/search/near_named.h>
#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>

namespace prehend::knot {
namespace {

constexpr int kTableCrossings = 10;  // of the largest knots in the table
// Up to here no knot but the unknot has Jones polynomial 1: Tuzun and Sikora, "Verification of the Jones unknot
// conjecture up to 24 crossings", 2020.
constexpr int kJonesDetectsUnknot = 24;

std::string name_of(const Sum& sum) {
  if (sum.empty()) return "0_1";
  std::string name;
  for (const std::size_t i : sum) name += (name.empty() ? "" : "#") + knot_table()[i].name;
  return name;
}

// Summands that do not get smaller and show no further summands.
std::vector<ClosedDiagram> prime_looking_parts(const ClosedDiagram& diagram, const ReductionOptions& options,
                                               std::int64_t& work) {
  std::vector<ClosedDiagram> parts;
  for (const ClosedDiagram& part : summands(reduced(diagram, options, work))) {
    ClosedDiagram smaller = reduced(part, options, work);
    // Strands may have moved without gain; only fewer crossings or further summands are worth another round.
    if (work <= 0 || (smaller.crossings() == part.crossings() && summands(smaller).size() <= 1)) {
      parts.push_back(std::move(smaller));
      continue;
    }
    for (ClosedDiagram& piece : prime_looking_parts(smaller, options, work))
      parts.push_back(std::move(piece));
  }
  return parts;
}

constexpr const char* kOutside = "none of the prime knots up to 10 crossings and their sums";
constexpr const char* kAlternating =
    ": an alternating diagram without smaller ones has more than 10 crossings";

bool is_certainly_outside(const ClosedDiagram& part) {
  return is_alternating(part) && part.crossings() > kTableCrossings;
}

struct Part {
  std::vector<Sum> fitting;
  bool proved;
  bool certainly_outside;
};

Part identify(const ClosedDiagram& diagram, const Invariants& values) {
  Part part{fitting_sums(diagram, values), false, false};
  const int crossings = diagram.crossings();
  part.certainly_outside = is_certainly_outside(diagram);
  const bool no_knot = values.jones_known && values.jones.is_one() && crossings <= kJonesDetectsUnknot;
  if (no_knot) part.fitting = {Sum{}};
  part.proved = part.fitting.size() == 1 && (no_knot || crossings <= kTableCrossings);
  return part;
}

// No invariants; a large alternating diagram still says that it is outside the table.
void give_up(const std::vector<ClosedDiagram>& parts, const std::string& why, KnotName& result) {
  result.proved = std::any_of(parts.begin(), parts.end(), is_certainly_outside);
  result.status = result.proved ? NamingStatus::outside : NamingStatus::too_large;
  result.reason = result.proved ? std::string(kOutside) + kAlternating : why;
  if (!result.proved && result.reduction_stopped)
    result.reason += "; the reduction was stopped at its bound (max_work)";
}

// Every choice of one candidate per part.
std::vector<Sum> combined(const std::vector<Part>& parts) {
  std::vector<Sum> sums{{}};
  for (const Part& part : parts) {
    std::vector<Sum> longer;
    for (const Sum& sum : sums) {
      for (const Sum& choice : part.fitting) {
        Sum& next = longer.emplace_back(sum);
        next.insert(next.end(), choice.begin(), choice.end());
        std::sort(next.begin(), next.end());
      }
    }
    sums = std::move(longer);
  }
  std::sort(sums.begin(), sums.end());
  sums.erase(std::unique(sums.begin(), sums.end()), sums.end());
  return sums;
}

void decide(const std::vector<Part>& parts, KnotName& result) {
  const std::vector<Sum> sums = combined(parts);
  for (const Sum& sum : sums) result.names.push_back(name_of(sum));
  const bool proved = std::all_of(parts.begin(), parts.end(), [](const Part& part) { return part.proved; });
  if (sums.size() == 1) {
    result.status = NamingStatus::ok;
    result.name = result.names[0];
    for (const std::size_t i : sums[0]) result.prime_components.push_back(knot_table()[i].name);
    result.proved = proved;
    if (result.reduced_crossings == 0)
      result.reason = "the diagram can be undone to a circle";
    else if (proved)
      result.reason = "the invariants of the reduced diagram fit one knot with so few crossings";
    else
      result.reason =
          "the invariants fit this knot alone among the prime knots up to 10 crossings and their sums; knots "
          "with 11 crossings and more may share them";
    return;
  }
  result.status = sums.empty() ? NamingStatus::outside : NamingStatus::ambiguous;
  if (!sums.empty()) {
    result.reason = "the invariants fit several knots";
    return;
  }
  // No candidate for one part is enough: its invariants differ from all that the table offers.
  result.proved = true;
  result.reason = kOutside;
  if (std::any_of(parts.begin(), parts.end(), [](const Part& part) { return part.certainly_outside; }))
    result.reason += kAlternating;
}

}  // namespace

const char* to_string(Closure closure) { return enum_text(closure); }
const char* to_string(NamingStatus status) { return enum_text(status); }

void NamingOptions::validate() const {
  const math::OptionCheck check("NamingOptions");
  check.at_least("max_crossings", max_crossings, 0);
  check.at_least("reduction_rounds", reduction_rounds, 0);
  check.holds(max_work >= 0, "max_work", std::to_string(max_work), "at least 0");
}

KnotName name_closed(const ClosedDiagram& diagram, const NamingOptions& options) {
  options.validate();
  if (const std::string problem = find_problem(diagram); !problem.empty())
    throw std::invalid_argument(problem);
  KnotName result;
  result.closure = options.closure;
  result.writhe = writhe(diagram.loop);
  result.closed_crossings = diagram.crossings();
  std::int64_t work = options.max_work;
  const std::vector<ClosedDiagram> pieces =
      prime_looking_parts(diagram, {options.reduction_rounds, options.seed, options.max_work}, work);
  result.reduction_stopped = work <= 0;
  int largest = 0;
  for (const ClosedDiagram& piece : pieces) {
    result.reduced_crossings += piece.crossings();
    largest = std::max(largest, piece.crossings());
  }
  if (largest > options.max_crossings) {
    give_up(pieces,
            "a summand of the reduced diagram has " + std::to_string(largest) + " crossings; at most " +
                std::to_string(options.max_crossings) + " are looked at (max_crossings)",
            result);
    return result;
  }
  try {
    Invariants values = invariants({});
    std::vector<Part> parts;
    for (const ClosedDiagram& piece : pieces) {
      const Invariants of_piece = invariants(piece);
      parts.push_back(identify(piece, of_piece));
      values = values * of_piece;
    }
    result.values = values;
    result.has_invariants = true;
    decide(parts, result);
  } catch (const std::overflow_error& error) {
    give_up(pieces, error.what(), result);
  }
  return result;
}

KnotName name_knot(const PData& rope, const NamingOptions& options) {
  if (const std::string problem = find_problem(rope); !problem.empty()) throw std::invalid_argument(problem);
  KnotName result =
      name_closed(options.closure == Closure::over ? closed_over(rope) : closed_under(rope), options);
  result.writhe = writhe(rope);
  return result;
}

RopeName name_rope(const PData& rope, const NamingOptions& options) {
  NamingOptions one = options;
  RopeName both;
  one.closure = Closure::over;
  both.over = name_knot(rope, one);
  one.closure = Closure::under;
  both.under = name_knot(rope, one);
  const NearNamed near = near_named(rope);
  both.rope_knots = near.names;
  both.rope_knot_moves = near.moves;
  return both;
}

std::string RopeName::status() const {
  return over.status == NamingStatus::ok && !doubts.empty() ? "doubtful" : to_string(over.status);
}

bool RopeName::is_named() const {
  return over.status == NamingStatus::ok || over.status == NamingStatus::ambiguous;
}

bool RopeName::differ() const {
  return over.status != under.status || over.names != under.names || over.values != under.values;
}

}  // namespace prehend::knot
