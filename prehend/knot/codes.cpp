#include <algorithm>
#include <cstdlib>
#include <map>
#include <stdexcept>

#include <prehend/knot/codes.h>
#include <prehend/knot/curve/plane_signs.h>

namespace prehend::knot {
namespace {

std::string text(long long number) { return std::to_string(number); }

ClosedDiagram checked(ClosedDiagram diagram, const char* kind) {
  if (const std::string problem = find_problem(diagram); !problem.empty())
    throw std::invalid_argument(std::string("the ") + kind + " code has no drawing: " + problem);
  return diagram;
}

// Signs for a loop of which only the meetings and over or under are known.
ClosedDiagram drawn(const std::vector<int>& sigma, const std::vector<bool>& over, const char* kind) {
  const std::size_t n = sigma.size();
  for (std::size_t i = 0; i < n; ++i) {
    if ((static_cast<std::size_t>(sigma[i]) - 1 - i) % 2 == 0) {
      throw std::invalid_argument(std::string("the ") + kind + " code has no drawing: passages " +
                                  text(static_cast<long long>(i) + 1) + " and " + text(sigma[i]) +
                                  " meet, but in a plane one must be odd and one even");
    }
  }
  const std::vector<int> odd_by_even = plane_signs(sigma);
  ClosedDiagram diagram;
  diagram.loop.sigma = sigma;
  for (std::size_t i = 0; i < n; ++i) {
    const bool odd = i % 2 == 0;  // passages are numbered from 1
    diagram.loop.attr.push_back(attribute_of(over[i], odd == over[i] ? odd_by_even[i] : -odd_by_even[i]));
  }
  return diagram;
}

}  // namespace

GaussCode gauss_code(const ClosedDiagram& diagram) {
  GaussCode code;
  std::vector<int> number(static_cast<std::size_t>(diagram.passages()) + 1, 0);
  for (int i = 1; i <= diagram.passages(); ++i) {
    int& mine = number[static_cast<std::size_t>(i)];
    mine = number[static_cast<std::size_t>(diagram.loop.other(i))];
    if (mine == 0) {
      code.signs.push_back(diagram.loop.sign(i));
      mine = static_cast<int>(code.signs.size());
    }
    code.passages.push_back(diagram.loop.is_over(i) ? mine : -mine);
  }
  return code;
}

ClosedDiagram from_gauss(const GaussCode& code) {
  const std::size_t n = code.passages.size();
  std::map<int, std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < n; ++i) places[std::abs(code.passages[i])].push_back(i);
  std::vector<int> sigma(n);
  std::vector<bool> over(n);
  for (const auto& [crossing, at] : places) {
    if (crossing < 1 || static_cast<std::size_t>(crossing) > n / 2 || at.size() != 2 ||
        (code.passages[at[0]] > 0) == (code.passages[at[1]] > 0)) {
      throw std::invalid_argument("the Gauss code is not one: crossing " + text(crossing) +
                                  " must be one of 1 to " + text(static_cast<long long>(n / 2)) +
                                  ", passed once over and once under");
    }
    sigma[at[0]] = static_cast<int>(at[1]) + 1;
    sigma[at[1]] = static_cast<int>(at[0]) + 1;
    for (const std::size_t i : at) over[i] = code.passages[i] > 0;
  }
  if (code.signs.empty()) return checked(drawn(sigma, over, "Gauss"), "Gauss");
  if (code.signs.size() != n / 2) {
    throw std::invalid_argument("the Gauss code has " + text(static_cast<long long>(code.signs.size())) +
                                " signs for " + text(static_cast<long long>(n / 2)) + " crossings");
  }
  if (std::any_of(code.signs.begin(), code.signs.end(), [](int sign) { return sign != 1 && sign != -1; }))
    throw std::invalid_argument("the Gauss code has a sign that is neither +1 nor -1");
  ClosedDiagram diagram;
  diagram.loop.sigma = sigma;
  for (std::size_t i = 0; i < n; ++i)
    diagram.loop.attr.push_back(
        attribute_of(over[i], code.signs[static_cast<std::size_t>(std::abs(code.passages[i])) - 1]));
  return checked(std::move(diagram), "Gauss");
}

std::vector<int> dt_code(const ClosedDiagram& diagram) {
  std::vector<int> code;
  for (int i = 1; i <= diagram.passages(); i += 2) {
    const int even = diagram.loop.other(i);
    code.push_back(diagram.loop.is_over(even) ? -even : even);
  }
  return code;
}

ClosedDiagram from_dt(std::span<const int> code) {
  const std::size_t n = 2 * code.size();
  std::vector<int> sigma(n, 0);
  std::vector<bool> over(n);
  for (std::size_t i = 0; i < code.size(); ++i) {
    const std::size_t odd = 2 * i, even = static_cast<std::size_t>(std::abs(static_cast<long long>(code[i])));
    if (even < 2 || even > n || even % 2 != 0 || sigma[even - 1] != 0) {
      throw std::invalid_argument("the DT code is not one: entry " + text(static_cast<long long>(i) + 1) +
                                  " is " + text(code[i]) + "; it must be one of the even numbers 2 to " +
                                  text(static_cast<long long>(n)) + ", each once, with or without a minus");
    }
    sigma[odd] = static_cast<int>(even);
    sigma[even - 1] = static_cast<int>(odd) + 1;
    over[even - 1] = code[i] < 0;
    over[odd] = code[i] > 0;
  }
  return checked(drawn(sigma, over, "DT"), "DT");
}

PdCode pd_code(const ClosedDiagram& diagram) {
  const int n = diagram.passages();
  PdCode code;
  const auto after = [n](int passage) {
    return passage % n + 1;
  };  // passage p lies between segments p and p + 1
  for (int under = 1; under <= n; ++under) {
    if (diagram.loop.is_over(under)) continue;
    const int over = diagram.loop.other(under);
    // Plus: the under strand goes up, the over strand to the right.
    if (diagram.loop.sign(under) > 0) {
      code.push_back({under, after(over), after(under), over});
    } else {
      code.push_back({under, over, after(under), after(over)});
    }
  }
  return code;
}

ClosedDiagram from_pd(const PdCode& code) {
  std::map<int, std::vector<std::pair<std::size_t, int>>> places;  // of every label: crossing and corner
  for (std::size_t c = 0; c < code.size(); ++c) {
    for (int k = 0; k < 4; ++k) places[code[c][static_cast<std::size_t>(k)]].push_back({c, k});
  }
  for (const auto& [label, at] : places) {
    if (at.size() != 2)
      throw std::invalid_argument("the PD code is not one: label " + text(label) + " appears " +
                                  text(static_cast<long long>(at.size())) + " times instead of twice");
  }
  if (code.empty()) return {};
  // Follow the loop through the crossings' corners: in by corner k, out by the opposite one.
  struct Step {
    std::size_t crossing;
    int in;
  };
  const auto from_start = [&](std::pair<std::size_t, int> start) {
    std::vector<Step> steps;
    std::pair<std::size_t, int> at = start;
    do {
      steps.push_back({at.first, at.second});
      const std::pair<std::size_t, int> out{at.first, (at.second + 2) % 4};
      const auto& both = places[code[out.first][static_cast<std::size_t>(out.second)]];
      at = both[0] == out ? both[1] : both[0];
    } while (at != start && steps.size() <= 2 * code.size());
    return steps;
  };
  const auto& ends = places.begin()->second;
  std::vector<Step> steps = from_start(ends[0]);
  const auto against = [](const std::vector<Step>& way) {
    return std::any_of(way.begin(), way.end(), [](const Step& s) { return s.in == 2; });
  };
  if (against(steps)) steps = from_start(ends[1]);
  if (steps.size() != 2 * code.size())
    throw std::invalid_argument("the PD code has more than one loop; a rope closes to one");
  if (against(steps))
    throw std::invalid_argument(
        "the PD code is not one: its under strands do not all run the same way round the loop");
  ClosedDiagram diagram;
  std::vector<int> seen(code.size(), 0), over_in(code.size(), 0);
  diagram.loop.sigma.resize(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].in != 0) over_in[steps[i].crossing] = steps[i].in;
    int& first = seen[steps[i].crossing];
    if (first == 0) {
      first = static_cast<int>(i) + 1;
      continue;
    }
    diagram.loop.sigma[i] = first;
    diagram.loop.sigma[static_cast<std::size_t>(first) - 1] = static_cast<int>(i) + 1;
  }
  for (const Step& step : steps)  // the over strand comes in by corner 3, from the left: plus
    diagram.loop.attr.push_back(attribute_of(step.in != 0, over_in[step.crossing] == 3 ? 1 : -1));
  return checked(std::move(diagram), "PD");
}

}  // namespace prehend::knot
