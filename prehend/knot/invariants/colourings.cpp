#include <algorithm>
#include <map>
#include <set>

#include <prehend/knot/invariants/colourings.h>
#include <prehend/knot/layout/closed_faces.h>
#include <prehend/math/interrupt.h>

namespace prehend::knot {
namespace {

using Permutation = std::vector<int>;

// First p, then q.
Permutation then(const Permutation& p, const Permutation& q) {
  Permutation result(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) result[i] = q[static_cast<std::size_t>(p[i])];
  return result;
}

Permutation inverse(const Permutation& p) {
  Permutation result(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) result[static_cast<std::size_t>(p[i])] = static_cast<int>(i);
  return result;
}

// One step of colouring: the crossing gives a colour to an arc, or compares.
struct ColouringStep {
  enum class Kind { choose, out_follows, in_follows, compare } kind;
  int arc_or_crossing;
};

class Plan {
 public:
  explicit Plan(std::vector<UnderPassage> passages) : passages_(std::move(passages)) {
    known_.assign(passages_.size(), false);
    used_.assign(passages_.size(), false);
    // Greedy: next the arc from which most others follow.
    while (std::find(known_.begin(), known_.end(), false) != known_.end()) {
      std::size_t best = 0, most = 0;
      for (std::size_t arc = 0; arc < passages_.size(); ++arc) {
        if (known_[arc]) continue;
        Plan trial = *this;
        trial.choose(arc);
        const std::size_t reached =
            static_cast<std::size_t>(std::count(trial.known_.begin(), trial.known_.end(), true)) * 1000 +
            trial.steps_.size();
        if (reached > most) {
          most = reached;
          best = arc;
        }
      }
      choose(best);
    }
  }
  const std::vector<ColouringStep>& steps() const { return steps_; }
  const std::vector<UnderPassage>& passages() const { return passages_; }

 private:
  void choose(std::size_t arc) {
    known_[arc] = true;
    steps_.push_back({ColouringStep::Kind::choose, static_cast<int>(arc)});
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t x = 0; x < passages_.size(); ++x) {
        const UnderPassage& u = passages_[x];
        const auto known = [&](int a) { return static_cast<bool>(known_[static_cast<std::size_t>(a)]); };
        if (used_[x] || !known(u.over) || (!known(u.in) && !known(u.out))) continue;
        const ColouringStep::Kind kind = known(u.in) && known(u.out) ? ColouringStep::Kind::compare
                                         : known(u.in)               ? ColouringStep::Kind::out_follows
                                                                     : ColouringStep::Kind::in_follows;
        used_[x] = changed = true;
        known_[static_cast<std::size_t>(u.in)] = known_[static_cast<std::size_t>(u.out)] = true;
        steps_.push_back({kind, static_cast<int>(x)});
      }
    }
  }

  std::vector<UnderPassage> passages_;
  std::vector<bool> known_, used_;
  std::vector<ColouringStep> steps_;
};

class Counter {
 public:
  Counter(const Plan& plan, const ColourClass& colours, std::int64_t max_choices)
      : plan_(plan), colours_(colours), choices_left_(max_choices), colour_(plan.passages().size(), 0) {}

  std::int64_t count_from(std::size_t at) {
    for (; at < plan_.steps().size(); ++at) {
      const ColouringStep& step = plan_.steps()[at];
      if (step.kind == ColouringStep::Kind::choose) return sum_over_choices(at);
      const UnderPassage& u = plan_.passages()[static_cast<std::size_t>(step.arc_or_crossing)];
      int& in = colour_[static_cast<std::size_t>(u.in)];
      int& out = colour_[static_cast<std::size_t>(u.out)];
      const int over = colour_[static_cast<std::size_t>(u.over)];
      const bool plus = u.sign > 0;
      if (step.kind == ColouringStep::Kind::in_follows) {
        in = plus ? colours_.backward(out, over) : colours_.forward(out, over);
        continue;
      }
      const int wanted = plus ? colours_.forward(in, over) : colours_.backward(in, over);
      if (step.kind == ColouringStep::Kind::out_follows)
        out = wanted;
      else if (out != wanted)
        return 0;
    }
    return 1;
  }
  bool gave_up() const { return choices_left_ < 0; }

 private:
  std::int64_t sum_over_choices(std::size_t at) {
    std::int64_t sum = 0;
    for (int c = 0; c < (at == 0 ? 1 : colours_.size()) && --choices_left_ >= 0; ++c) {
      math::check_interrupt();
      colour_[static_cast<std::size_t>(plan_.steps()[at].arc_or_crossing)] = c;
      sum += count_from(at + 1);
    }
    return sum;
  }

  const Plan& plan_;
  const ColourClass& colours_;
  std::int64_t choices_left_;
  std::vector<int> colour_;
};

}  // namespace

ColourClass::ColourClass(std::string name, std::vector<std::vector<int>> generators, std::vector<int> element)
    : name_(std::move(name)) {
  std::vector<Permutation> members{element};
  std::map<Permutation, int> number{{element, 0}};
  for (std::size_t i = 0; i < members.size(); ++i) {
    for (const Permutation& g : generators) {
      const Permutation conjugate = then(then(inverse(g), members[i]), g);
      if (number.emplace(conjugate, static_cast<int>(members.size())).second) members.push_back(conjugate);
    }
  }
  size_ = static_cast<int>(members.size());
  for (const Permutation& in : members) {
    for (const Permutation& over : members) {
      forward_.push_back(number.at(then(then(inverse(over), in), over)));
      backward_.push_back(number.at(then(then(over, in), inverse(over))));
    }
  }
}

const std::vector<ColourClass>& colour_classes() {
  static const std::vector<ColourClass> classes = [] {
    const std::vector<Permutation> s4{{1, 0, 2, 3}, {1, 2, 3, 0}};
    const std::vector<Permutation> a5{{1, 2, 0, 3, 4}, {1, 2, 3, 4, 0}};
    const std::vector<Permutation> s5{{1, 0, 2, 3, 4}, {1, 2, 3, 4, 0}};
    // Moebius maps of the projective line over seven elements, 7 for infinity: z + 1 and -1/z.
    const std::vector<Permutation> l7{{1, 2, 3, 4, 5, 6, 0, 7}, {7, 6, 3, 2, 5, 4, 1, 0}};
    const Permutation order_3 = then(l7[0], l7[1]);                            // trace 1
    const Permutation order_4 = then(l7[0], then(l7[0], then(l7[0], l7[1])));  // trace 3, a root of 2
    const std::vector<Permutation> a6{{1, 2, 0, 3, 4, 5}, {0, 2, 3, 4, 5, 1}};
    std::vector<ColourClass> all;
    all.emplace_back("4-cycles of S4", s4, Permutation{1, 2, 3, 0});
    all.emplace_back("5-cycles of A5", a5, Permutation{1, 2, 3, 4, 0});
    all.emplace_back("3-cycles of A5", a5, Permutation{1, 2, 0, 3, 4});
    all.emplace_back("double transpositions of A5", a5, Permutation{1, 0, 3, 2, 4});
    all.emplace_back("4-cycles of S5", s5, Permutation{1, 2, 3, 0, 4});
    all.emplace_back("elements of order 6 of S5", s5, Permutation{1, 2, 0, 4, 3});
    all.emplace_back("involutions of PSL(2,7)", l7, l7[1]);
    all.emplace_back("elements of order 3 of PSL(2,7)", l7, order_3);
    all.emplace_back("elements of order 4 of PSL(2,7)", l7, order_4);
    all.emplace_back("elements of order 4 of A6", a6, Permutation{1, 2, 3, 0, 5, 4});
    return all;
  }();
  return classes;
}

std::optional<std::int64_t> count_colourings(const ClosedDiagram& diagram, const ColourClass& colours,
                                             std::int64_t max_choices) {
  if (diagram.crossings() == 0) return 1;
  const Plan plan(under_passages(diagram));
  Counter counter(plan, colours, max_choices);
  const std::int64_t number = counter.count_from(0);
  if (counter.gave_up()) return std::nullopt;
  return number;
}

}  // namespace prehend::knot
