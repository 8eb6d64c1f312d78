#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include <Eigen/Geometry>

#include <prehend/observation/relations/contact_rows.h>
#include <prehend/observation/relations/least_motion.h>
#include <prehend/observation/sequence/candidates.h>

namespace prehend::observation {
namespace {

using Eigen::Vector3d;
using Kind = FeatureKind;

template <class T>
int count_of(const std::vector<T>& items) {
  return static_cast<int>(items.size());
}

// [squared noise units] A single contact is considered up to here; five standard deviations.
constexpr double kFarthest = 25.0;

// [nats] Sets of more contacts may still pay: those a little below zero are grown.
constexpr double kLeastScore = -2.0;

double segment_distance(const Vector3d& p, const Vector3d& a, const Vector3d& b) {
  const double t = std::clamp((p - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
  return (a + t * (b - a) - p).norm();
}

// All principal contacts that the noise could bring about.
class NearContacts {
 public:
  NearContacts(const PairFeatures& pair, const math::Pose& X_FM, const CandidateSearch& search)
      : pair_(pair), X_(X_FM), search_(search), placed_(pair, X_FM) {
    double radius = 0.0;
    for (const Vector3d& corner : pair.moving.corners)
      radius = std::max(radius, (corner - search.correction.reference_M).norm());
    const TrackNoise largest = largest_factors(search.correction.directions);
    const TrackNoise noise{largest.position * search.correction.noise.position,
                           largest.angle * search.correction.noise.angle};
    reach_ = std::sqrt(kFarthest) * std::hypot(noise.position, radius * noise.angle);
    sine_ = std::max(1e-4, 3.0 * noise.angle);
  }

  PrincipalContacts collect() {
    one_side(placed_.moving, true);
    one_side(placed_.fixed, false);
    both_sides();
    return found_;
  }

 private:
  void consider(const FeatureRef& moving, const FeatureRef& fixed, bool is_parallel = false) {
    const PrincipalContact contact{moving, fixed, is_parallel};
    rows_.clear();
    append_rows(pair_, contact, rows_);
    std::vector<RowVector6d> slopes;
    std::vector<double> wanted;
    const Eigen::Matrix3d R = X_.R();
    const Vector3d centre = X_ * search_.correction.reference_M;
    for (const ContactRow& row : rows_) {
      const RowValue value = evaluate(row, R, X_.p(), centre);
      slopes.push_back(per_noise_unit(value.slope, search_.correction));
      wanted.push_back(-value.gap);
    }
    if (shortest_step(slopes, wanted).x.squaredNorm() <= kFarthest) found_.push_back(contact);
  }

  // Corners, edges and faces of one body on faces of the other; corners on edges.
  void one_side(const PlacedSide& side, bool is_moving) {
    const auto add = [&](const FeatureRef& of, const FeatureRef& on) {
      is_moving ? consider(of, on) : consider(on, of);
    };
    for (int f = 0; f < count_of(side.on.faces); ++f) {
      const FaceFeature& face = side.on.faces[at(f)];
      for (int c = 0; c < count_of(side.corners); ++c)
        if (side.of.is_pointed[at(c)] && std::abs(side.heights(c, f)) <= reach_ &&
            face.depth_of(side.corners[at(c)]) >= -reach_)
          add({Kind::vertex, c}, {Kind::face, f});
      for (int e = 0; e < count_of(side.of.edges); ++e) {
        const EdgeFeature& edge = side.of.edges[at(e)];
        if (!edge.is_convex || !side.has_edge_in_plane(edge, f, 2.0 * reach_)) continue;
        if (inside_share(face, side.corners[at(edge.start)], side.corners[at(edge.end)], reach_).is_touching)
          add({Kind::edge, e}, {Kind::face, f});
      }
      if (!is_moving) continue;
      for (int a = 0; a < count_of(side.of.faces); ++a) {
        const FaceFeature& other = side.of.faces[at(a)];
        if ((side.R * other.normal).dot(face.normal) > -0.5) continue;
        const bool is_near = std::all_of(other.corners.begin(), other.corners.end(), [&](int c) {
          return std::abs(side.heights(c, f)) <= 3.0 * reach_;
        });
        if (is_near && face_overlap(side, a, f, reach_) != FaceOverlap::apart)
          add({Kind::face, a}, {Kind::face, f});
      }
    }
    for (int c = 0; c < count_of(side.corners); ++c) {
      if (!side.of.is_pointed[at(c)]) continue;
      for (int e = 0; e < count_of(side.on.edges); ++e) {
        const EdgeFeature& edge = side.on.edges[at(e)];
        if (edge.is_convex && segment_distance(side.corners[at(c)], side.on.corners[at(edge.start)],
                                               side.on.corners[at(edge.end)]) <= reach_)
          add({Kind::vertex, c}, {Kind::edge, e});
      }
    }
  }

  void both_sides() {
    const PlacedSide& side = placed_.moving;
    for (int a = 0; a < count_of(side.of.edges); ++a) {
      const EdgeFeature& edge = side.of.edges[at(a)];
      if (!edge.is_convex) continue;
      const Vector3d &a0 = side.corners[at(edge.start)], &a1 = side.corners[at(edge.end)];
      for (int b = 0; b < count_of(side.on.edges); ++b) {
        const EdgeFeature& other = side.on.edges[at(b)];
        if (!other.is_convex) continue;
        const Vector3d &b0 = side.on.corners[at(other.start)], &b1 = side.on.corners[at(other.end)];
        const double sine = (a1 - a0).normalized().cross((b1 - b0).normalized()).norm();
        const LineMeeting meeting = meeting_of(a0, a1, b0, b1);
        if (!meeting.is_parallel && sine > sine_ && meeting.distance <= reach_) {
          const double ma = reach_ / (a1 - a0).norm(), mb = reach_ / (b1 - b0).norm();
          if (meeting.s > -ma && meeting.s < 1.0 + ma && meeting.t > -mb && meeting.t < 1.0 + mb)
            consider({Kind::edge, a}, {Kind::edge, b});
        }
        if (sine < 2.0 * sine_) {
          const SharedLine line = shared_line(a0, a1, b0, b1, 2.0 * reach_);
          if (line.is_common && line.end - line.begin > -reach_) consider({Kind::edge, a}, {Kind::edge, b}, true);
        }
      }
    }
    for (int a = 0; a < count_of(side.corners); ++a)
      for (int b = 0; b < count_of(side.on.corners); ++b)
        if (side.of.is_pointed[at(a)] && side.on.is_pointed[at(b)] &&
            (side.corners[at(a)] - side.on.corners[at(b)]).norm() <= reach_)
          consider({Kind::vertex, a}, {Kind::vertex, b});
  }

  const PairFeatures& pair_;
  const math::Pose& X_;
  const CandidateSearch& search_;
  PlacedPair placed_;
  double reach_{0.0}, sine_{0.0};
  std::vector<ContactRow> rows_;
  PrincipalContacts found_;
};

// The equations of contacts made linear at the seen pose, in units of the noise: orthonormal rows and the shortest motion that meets them.
struct LinearSet {
  std::array<RowVector6d, 6> basis;
  Eigen::Matrix<double, 6, 1> x{Eigen::Matrix<double, 6, 1>::Zero()};
  int rank{0};

  // False where the rows contradict those before by more than `slack` [m].
  bool add(const RowVector6d& slope, double wanted, double slack) {
    RowVector6d rest = slope;
    for (int k = 0; k < rank; ++k) rest -= rest.dot(basis[at(k)]) * basis[at(k)];
    const double open = wanted - slope.dot(x.transpose());
    const double length = rest.norm();
    if (rank == 6 || !(length > 1e-2 * slope.norm())) return std::abs(open) <= slack;
    basis[at(rank)] = rest / length;
    x += open / length * basis[at(rank)].transpose();
    ++rank;
    return true;
  }
};

// A set of contacts, to first order and then solved for.
struct ContactSet {
  PrincipalContacts wanted, touching;
  LinearSet linear;
  double score{0.0};
};

struct LinearContact {
  std::vector<RowVector6d> slopes;
  std::vector<double> wanted;
};

class SetSearch {
 public:
  SetSearch(const BodyPair& pair, const math::Pose& seen, const CandidateSearch& search)
      : pair_(pair), seen_(seen), search_(search) {
    const TrackNoise& noise = search.correction.noise;
    // Second-order terms of motions of a few standard deviations.
    slack_ = 0.3 * noise.position + 10.0 * noise.angle * noise.angle * pair.size() + pair.touch_tolerance();
  }

  std::vector<Candidate> run() {
    near_ = NearContacts(pair_.features(), seen_, search_).collect();
    for (const PrincipalContact& contact : near_) linear_.push_back(linear_of(contact));
    std::vector<ContactSet> level = {ContactSet{}};
    for (int size = 1; size <= search_.most_contacts && !level.empty(); ++size) {
      std::vector<ContactSet> next;
      for (const ContactSet& set : level) grow(set, next);
      level = solved(next, size == 1 ? search_.first_width : search_.width);
    }
    for (int round = 0; round < 2; ++round) add_faces();
    std::vector<Candidate> candidates;
    for (auto& [contacts, candidate] : found_) candidates.push_back(std::move(candidate));
    return candidates;
  }

 private:
  LinearContact linear_of(const PrincipalContact& contact) const {
    LinearContact linear;
    std::vector<ContactRow> rows;
    append_rows(pair_.features(), contact, rows);
    const Eigen::Matrix3d R = seen_.R();
    const Vector3d centre = seen_ * search_.correction.reference_M;
    for (const ContactRow& row : rows) {
      const RowValue value = evaluate(row, R, seen_.p(), centre);
      linear.slopes.push_back(per_noise_unit(value.slope, search_.correction));
      linear.wanted.push_back(-value.gap);
    }
    return linear;
  }

  // All sets with one contact more that could pay, by their linear equations.
  void grow(const ContactSet& set, std::vector<ContactSet>& out) {
    for (std::size_t k = 0; k < near_.size(); ++k) {
      const PrincipalContact& contact = near_[k];
      const auto has = [&](const PrincipalContacts& list) {
        return std::find(list.begin(), list.end(), contact) != list.end();
      };
      if (has(set.touching) || has(set.wanted)) continue;
      ContactSet grown;
      grown.linear = set.linear;
      bool agrees = true;
      for (std::size_t i = 0; i < linear_[k].slopes.size() && agrees; ++i)
        agrees = grown.linear.add(linear_[k].slopes[i], linear_[k].wanted[i], slack_);
      grown.score = search_.reward * grown.linear.rank - 0.5 * grown.linear.x.squaredNorm();
      if (!agrees || grown.score < kLeastScore) continue;
      grown.wanted = set.wanted;
      grown.wanted.push_back(contact);
      std::sort(grown.wanted.begin(), grown.wanted.end());
      if (tried_.insert(grown.wanted).second) out.push_back(std::move(grown));
    }
  }

  // The best relations with one more face on a face. Near thin walls and rims, sets of edges and corners that the noise brings together are so many that
  // the best few of a size hold no such set.
  void add_faces() {
    constexpr std::size_t kTried = 6;
    std::vector<std::pair<double, PrincipalContacts>> best;
    for (const auto& [contacts, candidate] : found_) best.push_back({-candidate.score, contacts});
    std::sort(best.begin(), best.end());
    if (best.size() > kTried) best.resize(kTried);
    for (const auto& [score, contacts] : best) {
      ContactSet set;
      for (const PrincipalContact& contact : contacts) {
        const LinearContact linear = linear_of(contact);
        for (std::size_t i = 0; i < linear.slopes.size(); ++i)
          set.linear.add(linear.slopes[i], linear.wanted[i], slack_);
      }
      set.wanted = set.touching = contacts;
      std::vector<ContactSet> grown;
      grow(set, grown);
      for (ContactSet& more : grown)
        if (count_faces(more.wanted) > count_faces(contacts)) solve(more);
    }
  }

  static long count_faces(const PrincipalContacts& contacts) {
    return std::count_if(contacts.begin(), contacts.end(), [](const PrincipalContact& contact) {
      return contact.moving.kind == Kind::face && contact.fixed.kind == Kind::face;
    });
  }

  // The best ones, solved for; those that come to the same thing once.
  std::vector<ContactSet> solved(std::vector<ContactSet>& sets, int width) {
    std::vector<std::size_t> order(sets.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return sets[a].score != sets[b].score ? sets[a].score > sets[b].score : sets[a].wanted < sets[b].wanted;
    });
    std::vector<ContactSet> best;
    int tries = 0;
    for (const std::size_t i : order) {
      if (count_of(best) >= width || tries >= 3 * width) break;
      const bool is_known = std::any_of(best.begin(), best.end(), [&](const ContactSet& other) {
        return other.linear.rank == sets[i].linear.rank && (other.linear.x - sets[i].linear.x).norm() < 1e-6 &&
               is_same_span(other.linear, sets[i].linear);
      });
      if (is_known) continue;
      ++tries;
      if (solve(sets[i])) best.push_back(std::move(sets[i]));
    }
    return best;
  }

  static bool is_same_span(const LinearSet& a, const LinearSet& b) {
    for (int i = 0; i < a.rank; ++i) {
      RowVector6d rest = a.basis[at(i)];
      for (int k = 0; k < b.rank; ++k) rest -= rest.dot(b.basis[at(k)]) * b.basis[at(k)];
      if (rest.norm() > 1e-4) return false;
    }
    return true;
  }

  // False where the set cannot hold, whatever is added.
  bool solve(ContactSet& set) {
    const Correction solved = solve_least(rows_of(pair_.features(), set.wanted), seen_, search_.correction, search_.tolerance);
    if (solved.status != CorrectionStatus::ok) return false;
    set.score = search_.reward * solved.restricted - 0.5 * solved.cost;
    if (set.score < kLeastScore) return false;
    for (const PrincipalContact& wanted : set.wanted)
      if (!pair_.touches(wanted, solved.X_FM, pair_.touch_tolerance())) return false;
    // More contacts may take the overlap away.
    if (pair_.overlaps(solved.X_FM, pair_.overlap_tolerance())) return true;
    set.touching = pair_.contacts_at(solved.X_FM, pair_.touch_tolerance());
    if (!known_.insert(set.touching).second) return false;
    // What touches nearly is made to touch exactly; the relation is what its own equations bring about.
    const Correction exact =
        solve_least(rows_of(pair_.features(), set.touching), seen_, search_.correction, search_.tolerance);
    if (exact.status == CorrectionStatus::ok && exact.cost <= solved.cost + 1.0 &&
        pair_.is_possible(set.touching, exact.X_FM, pair_.touch_tolerance(), pair_.overlap_tolerance()) &&
        pair_.contacts_at(exact.X_FM, pair_.touch_tolerance()) == set.touching) {
      const double score = search_.reward * exact.restricted - 0.5 * exact.cost;
      found_.try_emplace(set.touching, Candidate{set.touching, exact.X_FM, score});
    }
    return true;
  }

  const BodyPair& pair_;
  const math::Pose& seen_;
  const CandidateSearch& search_;
  double slack_{0.0};
  PrincipalContacts near_;
  std::vector<LinearContact> linear_;
  std::set<PrincipalContacts> tried_, known_;
  std::map<PrincipalContacts, Candidate> found_;
};

}  // namespace

std::vector<Candidate> candidates_near(const BodyPair& pair, const math::Pose& X_FM_seen,
                                       const CandidateSearch& search) {
  return SetSearch(pair, X_FM_seen, search).run();
}

}  // namespace prehend::observation
