// Which knot a rope is, once its ends are joined.
//
// The rope is closed over (or under) everything, the closed diagram is reduced and taken apart into the summands it shows.
// Each is compared with the prime knots up to 10 crossings and their sums by Alexander and Jones polynomial and signature,
// and where those agree for several, by numbers of colourings by finite groups. Mirror images share a name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <prehend/knot/closure.h>
#include <prehend/knot/invariants.h>

namespace prehend::knot {

enum class Closure { over, under };
const char* to_string(Closure closure);

struct NamingOptions {
  Closure closure{Closure::over};
  // Crossings of a summand of the closed and reduced diagram above which no invariants are computed: 100 take about 50 ms,
  // and the cost grows as the fourth power, that of the Jones polynomial faster.
  int max_crossings{100};
  // Rounds in which the reduction lays strands along other ways of equal length, at random from the seed. A few dozen
  // untangle nearly all drawings of 30 crossings (naming_test.cpp); 0 keeps to steps that make the diagram smaller.
  int reduction_rounds{40};
  std::uint64_t seed{1};
  // Bounds the reduction, for each closure: passages looked at while strands are laid anew, about two seconds. What is left is
  // named if it is small enough; `reduction_stopped` says so.
  std::int64_t max_work{10'000'000};

  void validate() const;
};

enum class NamingStatus {
  not_computed,
  ok,         // one knot fits
  ambiguous,  // several fit
  outside,    // no prime knot up to 10 crossings and no sum of them
  too_large  // more crossings left than max_crossings (perhaps for lack of max_work), or numbers past 64 bits
};
const char* to_string(NamingStatus status);

// What is proved and what is only likely:
// - A diagram that gets down to a circle is the unknot. So is one with Jones polynomial 1 and at most 24 crossings
//   (Tuzun and Sikora 2020).
// - Every knot with a diagram of at most 10 crossings is in the table or a sum of its knots, and the invariants separate all
//   of these: with at most 10 crossings left, the name is proved.
// - An alternating diagram without summands has no smaller one: with more than 10 crossings it is outside the table.
// - Otherwise a name means that all invariants agree; knots of 11 crossings and more may share them. `proved` is false.
struct KnotName {
  NamingStatus status{NamingStatus::not_computed};
  std::string name;                           // "3_1", "3_1#4_1", "0_1"; empty when not named
  std::vector<std::string> names;             // all that fit
  std::vector<std::string> prime_components;  // of `name`, by crossings; none for the unknot
  bool proved{false};                         // the name does not rest on equal invariants of a large diagram
  std::string reason;                         // why, in a sentence
  Closure closure{Closure::over};
  int writhe{0};  // of the rope's own drawing, before closing
  int closed_crossings{0}, reduced_crossings{0};
  bool reduction_stopped{false};  // at max_work: fewer crossings may be possible
  bool has_invariants{false};
  Invariants values;  // of the closed rope, as handed (not of the table's mirror image)

  std::string brief_report() const;
  std::string to_json() const;
};

// The rope must be drawable: std::invalid_argument with find_problem's sentence otherwise.
KnotName name_knot(const PData& rope, const NamingOptions& options = {});
KnotName name_closed(const ClosedDiagram& diagram, const NamingOptions& options = {});

// Both closures of a rope; the one over everything is what a rope's name means here.
struct RopeName {
  KnotName over, under;
  // Which of the named knots (named_knots.h) the rope's own code is, "bowline"; often none. The closed loop does not say: a
  // bow and an overhand knot close to the same one.
  std::vector<std::string> rope_knots;
  // Reidemeister moves (R2, R3) from the rope's code to theirs; 0 where it is theirs.
  int rope_knot_moves{0};
  // Of a rope in space: why it may be another knot (naming_doubts() in rope_shape.h).
  std::vector<std::string> doubts{};

  // That of `over`; "doubtful" in the place of "ok" where there are doubts.
  std::string status() const;

  // In name or invariants.
  bool differ() const;
  // One knot fits the closure over everything, or several do.
  bool is_named() const;
  std::string brief_report() const;
  std::string to_json() const;  // the fields of `knot name`: those of `over`, and `under` where they differ
};
// `options.closure` is not used.
RopeName name_rope(const PData& rope, const NamingOptions& options = {});

}  // namespace prehend::knot
