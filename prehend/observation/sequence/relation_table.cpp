#include <algorithm>
#include <cmath>
#include <map>

#include <prehend/math/progress.h>
#include <prehend/observation/motion_freedom.h>
#include <prehend/observation/polyhedron_contacts.h>
#include <prehend/observation/relations/least_motion.h>
#include <prehend/observation/sequence/relation_table.h>

namespace prehend::observation {
namespace {

// [squared noise units] Beyond this a relation explains nothing: its score is below that of freedom whatever it takes.
constexpr double kHopeless = 120.0;

// Cost on the equations made linear at the seen pose.
double linear_cost(const std::vector<ContactRow>& rows, const math::Pose& X,
                   const CorrectionOptions& options) {
  std::vector<RowVector6d> slopes;
  std::vector<double> wanted;
  const Eigen::Matrix3d R = X.R();
  const Eigen::Vector3d centre = X * options.reference_M;
  for (const ContactRow& row : rows) {
    const RowValue value = evaluate(row, R, X.p(), centre);
    slopes.push_back(per_noise_unit(value.slope, options));
    wanted.push_back(-value.gap);
  }
  return shortest_step(slopes, wanted, 1e-3).x.squaredNorm();
}

// Where a relation's own pose is impossible, the nearest relation inside it bounds it.
void fall_back(const RelationTable& table, std::vector<FrameFit>& fits) {
  const std::vector<FrameFit> own = fits;
  for (std::size_t a = 0; a < fits.size(); ++a) {
    if (fits[a].is_possible) continue;
    for (std::size_t b = 1; b < fits.size(); ++b) {
      if (!own[b].is_possible || (a != 0 && !table.is_inside[a][b])) continue;
      if (fits[a].is_possible && !(own[b].cost < fits[a].cost)) continue;
      fits[a] = own[b];
      fits[a].log_spread = own[a].log_spread;
    }
  }
}

CandidateSearch search_at(const TableOptions& options, std::size_t frame) {
  CandidateSearch search = options.search;
  if (frame < options.directions.size()) search.correction.directions = options.directions[frame];
  return search;
}

std::vector<std::size_t> spread_frames(std::size_t count, int most) {
  std::vector<std::size_t> frames;
  const std::size_t wanted = std::min(count, static_cast<std::size_t>(most));
  for (std::size_t i = 0; i < wanted; ++i) frames.push_back((2 * i + 1) * count / (2 * wanted));
  return frames;
}

}  // namespace

FrameFit fit_frame(const BodyPair& pair, const Relation& relation, const math::Pose& seen,
                   const CandidateSearch& search) {
  FrameFit fit;
  fit.log_spread = log_spread(relation.rows, seen, search.correction);
  fit.cost = linear_cost(relation.rows, seen, search.correction);
  if (fit.cost > kHopeless) return fit;
  const Correction solved = solve_least(relation.rows, seen, search.correction, search.tolerance);
  fit.cost = solved.cost;
  fit.X_FM = solved.X_FM;
  if (solved.status != CorrectionStatus::ok || solved.cost > kHopeless) return fit;
  fit.is_possible =
      pair.is_possible(relation.contacts, fit.X_FM, pair.touch_tolerance(), pair.overlap_tolerance());
  return fit;
}

Relation make_relation(const BodyPair& pair, const PrincipalContacts& contacts, const math::Pose& example) {
  Relation relation;
  relation.contacts = contacts;
  relation.rows = rows_of(pair.features(), contacts);
  relation.X_FM = example;
  relation.is_singular = std::any_of(contacts.begin(), contacts.end(),
                                     [](const PrincipalContact& contact) { return contact.is_singular(); });
  CorrectionOptions options;
  options.noise = {1.0, 1.0 / pair.size()};
  if (!contacts.empty())
    relation.restricted = solve_least(relation.rows, example, options, 1e-6 * pair.size()).restricted;
  return relation;
}

bool lies_inside(const BodyPair& pair, const Relation& a, const Relation& b, double tolerance) {
  return a.restricted < b.restricted &&
         std::all_of(
             a.contacts.begin(), a.contacts.end(),
             [&](const PrincipalContact& contact) { return pair.touches(contact, b.X_FM, tolerance); });
}

std::string numbers_at(const BodyPair& pair, const Relation& relation) {
  if (relation.contacts.empty()) return motion_freedom({}).eight_numbers();
  try {
    return motion_freedom(find_contacts(pair.moving(), relation.X_FM, pair.fixed(), math::Pose()).relation)
        .eight_numbers();
  } catch (const std::exception&) {
    return "";
  }
}

RelationTable make_table(const BodyPair& pair, const std::vector<math::Pose>& seen,
                         const TableOptions& options) {
  struct Support {
    double score{0.0};
    math::Pose X_FM;
    double best{-1e300};
  };
  std::map<PrincipalContacts, Support> found;
  const std::vector<std::size_t> searched = spread_frames(seen.size(), options.most_searched);
  math::Progress progress("contacts of the frames", searched.size() + seen.size());
  for (const std::size_t i : searched) {
    progress.advance();
    for (const Candidate& candidate : candidates_near(pair, seen[i], search_at(options, i))) {
      Support& support = found[candidate.contacts];
      support.score += std::max(0.0, candidate.score);
      if (candidate.score > support.best) {
        support.best = candidate.score;
        support.X_FM = candidate.X_FM;
      }
    }
  }
  std::vector<std::pair<double, const PrincipalContacts*>> ranked;
  for (const auto& [contacts, support] : found) ranked.push_back({-support.score, &contacts});
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  if (ranked.size() > static_cast<std::size_t>(options.most_relations))
    ranked.resize(static_cast<std::size_t>(options.most_relations));
  RelationTable table;
  table.relations.push_back({});
  for (const auto& [score, contacts] : ranked) {
    if (contacts->empty()) continue;
    table.relations.push_back(make_relation(pair, *contacts, found[*contacts].X_FM));
  }
  const std::size_t count = table.relations.size();
  table.is_inside.assign(count, std::vector<char>(count, 0));
  const double tolerance = pair.touch_tolerance();
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = 1; b < count; ++b)
      table.is_inside[a][b] = a != b && lies_inside(pair, table.relations[a], table.relations[b], tolerance);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    progress.advance();
    const math::Pose& X = seen[i];
    const CandidateSearch search = search_at(options, i);
    std::vector<FrameFit> fits(count);
    table.is_overlapping.push_back(pair.overlaps(X, pair.overlap_tolerance()));
    if (!table.is_overlapping.back()) fits[0] = {true, 0.0, 0.0, X};
    for (std::size_t k = 1; k < count; ++k) fits[k] = fit_frame(pair, table.relations[k], X, search);
    fall_back(table, fits);
    table.weight.push_back(1.0);
    table.is_astray.push_back(0);
    table.is_lost.push_back(
        std::none_of(fits.begin(), fits.end(), [](const FrameFit& fit) { return fit.is_possible; }));
    if (table.is_lost.back()) fits.assign(count, {true, 0.0, 0.0, X});
    table.fits.push_back(std::move(fits));
  }
  return table;
}

}  // namespace prehend::observation
