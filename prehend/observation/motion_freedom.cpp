#include <algorithm>
#include <iterator>
#include <stdexcept>

#include <prehend/math/enum_text.h>
#include <prehend/math/house/option_check.h>
#include <prehend/math/interrupt.h>
#include <prehend/math/number_text.h>
#include <prehend/model/files.h>
#include <prehend/model/house/csv.h>
#include <prehend/model/input_error.h>
#include <prehend/observation/cones/contact_planes.h>
#include <prehend/observation/cones/tolerant_rows.h>
#include <prehend/observation/motion_freedom.h>

namespace prehend::observation {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using math::Vector6d;

Rows chosen_rows(const Rows& rows, const std::vector<int>& which) {
  Rows chosen(static_cast<Index>(which.size()), rows.cols());
  for (std::size_t i = 0; i < which.size(); ++i) chosen.row(static_cast<Index>(i)) = rows.row(which[i]);
  return chosen;
}

// (2.3), (2.4) of the source. The cone spans what its implied equations leave.
Freedoms freedoms_of(const Rows& rows, const Rows& implied, double zero) {
  const int size = static_cast<int>(rows.cols());
  Freedoms count;
  count.maintaining = size - rank_within(rows, zero);
  count.constraining = rank_within(implied, zero);
  count.detaching = size - count.maintaining - count.constraining;
  return count;
}

// Directions of w of the screws with rows x = 0: of all these screws without those that only translate.
int axis_dimensions(const Rows& rows, double zero) {
  return 3 - rank_within(rows, zero) + rank_within(rows.rightCols<3>(), zero);
}

struct CountedFreedoms {
  Freedoms translation, all;
  RotationFreedoms rotation;
  std::vector<int> equations;  // of the ordinary planes
};

CountedFreedoms count_freedoms(const ContactPlanes& planes, double tolerance) {
  const Rows& rows = planes.ordinary;
  const Rows every = planes.all(), translation = rows.rightCols<3>();
  const double zero = zero_of(every.rows(), tolerance);
  CountedFreedoms count;
  count.equations = equations_within(rows, tolerance);
  const std::vector<int>& for_all = count.equations;
  std::vector<int> for_translation;
  // What holds for all motion holds for translations.
  std::ranges::set_union(for_all, equations_within(translation, tolerance),
                         std::back_inserter(for_translation));
  const Rows implied = chosen_rows(rows, for_all), held = chosen_rows(rows, for_translation);
  count.translation = freedoms_of(translation, held.rightCols<3>(), zero);
  count.all = freedoms_of(rows, implied, zero);
  count.rotation.maintaining = count.all.maintaining - count.translation.maintaining;
  // Axis directions of the cone span those of its span.
  count.rotation.constraining = 3 - axis_dimensions(implied, zero);
  count.rotation.detaching = 3 - count.rotation.maintaining - count.rotation.constraining;
  // The body can turn both ways about w where g.w = 0 for all g = A_w'y with y >= 0, A_v'y = 0 (duality: the set of axis directions is
  // {w : g.w >= 0 for all these g}). Such y have the rows that are implied equations of the translations, and all of those together: about w
  // with some v these rows vanish. Proposition 5 of the source takes the same way; (2.6) there describes the axis directions, not all motion as printed.
  count.rotation.detaching_type1 = axis_dimensions(held, zero) - count.rotation.maintaining;
  count.rotation.detaching_type2 = count.rotation.detaching - count.rotation.detaching_type1;
  count.translation.restricted = rank_within(every.rightCols<3>(), zero);
  count.all.restricted = rank_within(every, zero);
  count.rotation.restricted = count.all.restricted - count.translation.restricted;
  return count;
}

std::vector<Vector6d> maintaining_basis(const ContactPlanes& planes, double tolerance) {
  const Rows every = planes.all();
  const double zero = zero_of(every.rows(), tolerance);
  std::vector<Vector6d> basis;
  const MatrixXd translations = null_space_within(every.rightCols<3>(), zero),
                 all = null_space_within(every, zero);
  // Neither a shift nor a screw that opens a contact.
  Rows others(6 - all.cols() + translations.cols(), 6);
  others.topRows(6 - all.cols()) = null_space(all.transpose()).transpose();
  for (Index k = 0; k < translations.cols(); ++k) {
    Vector6d screw;
    screw << Eigen::Vector3d::Zero(), translations.col(k);
    others.row(6 - all.cols() + k) = screw.transpose();
    basis.push_back(planes.unscaled(screw));
  }
  const MatrixXd turning = null_space(others);
  for (Index k = 0; k < turning.cols(); ++k) basis.push_back(planes.unscaled(turning.col(k)));
  return basis;
}

struct Member {
  Rows rows;
  ConeRays rays;
};

// What suffices at each singular point: any one of its planes. Along a singular line the same plane at both ends: a motion that one plane saves here and
// another there may still be illegal between them, and the set of those that are legal is bounded by a quadric.
std::vector<std::vector<Rows>> choices_of(const ContactPlanes& planes) {
  std::vector<std::vector<Rows>> choices;
  std::vector<char> is_in_line(planes.singular.size(), 0);
  for (const auto& [a, b] : planes.singular_lines) {
    std::vector<Rows>& choice = choices.emplace_back();
    for (Index j = 0; j < planes.singular[a].rows(); ++j) {
      Rows& both = choice.emplace_back(2, 6);
      both << planes.singular[a].row(j), planes.singular[b].row(j);
    }
    is_in_line[a] = is_in_line[b] = 1;
  }
  for (std::size_t i = 0; i < planes.singular.size(); ++i) {
    if (is_in_line[i]) continue;
    std::vector<Rows>& choice = choices.emplace_back();
    for (Index j = 0; j < planes.singular[i].rows(); ++j) choice.push_back(planes.singular[i].row(j));
  }
  return choices;
}

// The union over one choice per singular point or line, one after the other: a member that one choice holds anyway is not split, and members that
// lie in others are dropped. False where there are too many.
// `equations`: of the ordinary planes.
bool list_union(const ContactPlanes& planes, const std::vector<int>& equations, const FreedomOptions& options,
                std::vector<Member>& members) {
  const double tolerance = options.tolerance;
  const auto rays_of_rows = [&](const Rows& rows) {
    return rays_with(rows, equations_within(rows, tolerance), tolerance);
  };
  const auto is_held_by = [&](const ConeRays& rays, const Rows& rows) {
    return is_contained(rays, rows, tolerance);
  };
  members = {{planes.ordinary, rays_with(planes.ordinary, equations, tolerance)}};
  for (const std::vector<Rows>& choices : choices_of(planes)) {
    std::vector<Member> next;
    for (Member& member : members) {
      math::check_interrupt();
      const bool is_held = std::any_of(choices.begin(), choices.end(),
                                       [&](const Rows& choice) { return is_held_by(member.rays, choice); });
      if (is_held) {
        next.push_back(std::move(member));
        continue;
      }
      for (const Rows& choice : choices) {
        Rows rows(member.rows.rows() + choice.rows(), 6);
        rows << member.rows, choice;
        ConeRays rays = rays_of_rows(rows);
        next.push_back({std::move(rows), std::move(rays)});
      }
    }
    members.clear();
    for (std::size_t i = 0; i < next.size(); ++i) {
      math::check_interrupt();
      bool is_inside_other = false;
      for (std::size_t j = 0; j < next.size() && !is_inside_other; ++j) {
        if (i == j || !is_held_by(next[i].rays, next[j].rows)) continue;
        // Of two that are equal the first stays.
        is_inside_other = j < i || !is_held_by(next[j].rays, next[i].rows);
      }
      if (!is_inside_other) members.push_back(next[i]);
    }
    if (static_cast<int>(members.size()) > options.most_cones) return false;
  }
  return true;
}

// The least, along a line, of what its best plane opens: speeds are linear along it, so their largest is least at an end or where two are equal.
double least_opening(const Eigen::VectorXd& here, const Eigen::VectorXd& there) {
  double least = std::min(here.maxCoeff(), there.maxCoeff());
  for (Index i = 0; i < here.size(); ++i) {
    for (Index j = 0; j < i; ++j) {
      const double at_here = here[i] - here[j], at_there = there[i] - there[j];
      if (at_here * at_there >= 0.0) continue;
      const double t = at_here / (at_here - at_there);
      least = std::min(least, ((1.0 - t) * here + t * there).maxCoeff());
    }
  }
  return least;
}

ScrewVerdict verdict_of(const ContactPlanes& planes, const Vector6d& screw_W, double tolerance) {
  const Vector6d screw = planes.scaled(screw_W);
  const double zero = tolerance * screw.norm();
  const Rows every = planes.all();
  if (every.rows() == 0 || (every * screw).cwiseAbs().maxCoeff() <= zero) return ScrewVerdict::maintaining;
  bool is_legal = planes.ordinary.rows() == 0 || (planes.ordinary * screw).minCoeff() >= -zero;
  for (const Rows& point : planes.singular) is_legal = is_legal && (point * screw).maxCoeff() >= -zero;
  for (const auto& [a, b] : planes.singular_lines)
    is_legal = is_legal && least_opening(planes.singular[a] * screw, planes.singular[b] * screw) >= -zero;
  return is_legal ? ScrewVerdict::detaching : ScrewVerdict::illegal;
}

// A sentence where an edge or a face cannot lie on the plane that is given for it; empty otherwise.
std::string off_their_plane(const ContactRelation& relation) {
  // [of the contact's extent] A twentieth of a degree: more than rounding.
  constexpr double kOff = 1e-3;
  for (std::size_t i = 0; i < relation.contacts.size(); ++i) {
    const Contact& contact = relation.contacts[i];
    if (contact.normals_W.size() != 1) continue;
    double extent = 0.0, off = 0.0;
    for (const Eigen::Vector3d& point : contact.points_W) {
      const Eigen::Vector3d away = point - contact.points_W[0];
      extent = std::max(extent, away.norm());
      off = std::max(off, std::abs(away.dot(contact.normals_W[0].normalized())));
    }
    if (off > kOff * extent)
      return "contact " + std::to_string(i) + ": its points are off a common plane across its normal by " +
             math::number_text(off) + " m; each counts with a plane of its own";
  }
  return "";
}

}  // namespace

const char* to_string(FreedomStatus status) { return enum_text(status); }
const char* to_string(ScrewVerdict verdict) { return enum_text(verdict); }

void FreedomOptions::validate() const {
  const math::OptionCheck check("FreedomOptions");
  check.at_least("most_cones", most_cones, 1);
  check.above("tolerance", tolerance, 0.0);
}

MotionFreedom motion_freedom(const ContactRelation& relation, const std::vector<Vector6d>& screws_W,
                             const FreedomOptions& options) {
  relation.validate();
  options.validate();
  const ContactPlanes planes(relation);
  MotionFreedom result;
  result.singular = !planes.singular.empty();
  const CountedFreedoms count = count_freedoms(planes, options.tolerance);
  result.translation = count.translation;
  result.rotation = count.rotation;
  result.all = count.all;
  result.maintaining_W = maintaining_basis(planes, options.tolerance);
  if (!planes.singular_lines.empty())
    result.note =
        "along a line with several planes the cones list motions with one plane for the whole line; others "
        "are judged as screws";
  std::vector<Member> members;
  if (list_union(planes, count.equations, options, members)) {
    result.status = FreedomStatus::ok;
    for (const Member& member : members) {
      LegalCone& cone = result.legal.emplace_back();
      for (Index k = 0; k < member.rays.lineality.cols(); ++k)
        cone.lineality_W.push_back(planes.unscaled(member.rays.lineality.col(k)));
      for (Index k = 0; k < member.rays.rays.cols(); ++k)
        cone.rays_W.push_back(planes.unscaled(member.rays.rays.col(k)));
    }
  } else {
    result.status = FreedomStatus::undetermined;
    result.note = "the legal motions are a union of more than " + std::to_string(options.most_cones) +
                  " cones, which are not listed; the counts and verdicts stand";
  }
  if (const std::string off = off_their_plane(relation); !off.empty())
    result.note += (result.note.empty() ? "" : "; ") + off;
  for (std::size_t i = 0; i < screws_W.size(); ++i) {
    if (!screws_W[i].allFinite() || screws_W[i].isZero(0.0))
      throw std::invalid_argument("screw " + std::to_string(i) + " is zero or not finite");
    result.screws.push_back(verdict_of(planes, screws_W[i], options.tolerance));
  }
  return result;
}

std::vector<Vector6d> read_screws(const std::string& path) {
  const char* const names[] = {"wx", "wy", "wz", "vx", "vy", "vz"};
  std::vector<model::CsvColumn> columns;
  for (const char* name : names) columns.push_back({name});
  const model::CsvTable table = model::parse_csv(model::read_file(path), path, columns, "a list of screws");
  std::vector<Vector6d> screws(table.rows());
  for (int k = 0; k < 6; ++k) {
    const std::vector<double>& numbers = table.numbers(names[k]);
    for (std::size_t i = 0; i < numbers.size(); ++i) screws[i][k] = numbers[i];
  }
  for (std::size_t i = 0; i < screws.size(); ++i)
    if (screws[i].isZero(0.0))
      throw model::InputError(path, table.line(i), "the screw is zero: it is no motion");
  return screws;
}

}  // namespace prehend::observation
