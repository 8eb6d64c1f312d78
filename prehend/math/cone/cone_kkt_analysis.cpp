// Which way each cone takes, and where its numbers go: the part of ConeKkt that runs once per pattern.
#include <algorithm>
#include <map>
#include <set>

#include <prehend/math/cone/cone_kkt.h>

namespace prehend::math {
namespace {
// Elimination of a cone couples all it touches; beyond this many, leaving it in place is cheaper.
constexpr int kLargestClique = 60;
// Larger blocks are not inverted; a second-order cone of that size stays sparse when kept.
constexpr int kLargestOwned = 16;
// From here on a second-order cone's two rank-one terms are sparser than its dense block.
constexpr int kExpandFrom = 9;
// Unknowns without diagonal of their own that are ordered last, where elimination of the others has given
// them one.
constexpr std::size_t kMostLast = 24;
// Static regularisation in equilibrated units. Equalities that carry owned cones, and unknowns ordered last,
// need a trace of it. Columns of x may be undetermined although they have a diagonal (fewer cone rows than
// columns); and where many unknowns start with a zero diagonal, elimination divides by this. Refinement takes
// it out again.
constexpr double kShift = 1e-13, kShiftColumn = 1e-9, kShiftZeroDiagonal = 1e-8;
}  // namespace

ConeKkt::ConeKkt(const ConeLayout& layout, const SparseColumns& A, const SparseColumns& G,
                 int max_refinements)
    : layout_(layout),
      A_(A),
      G_(G),
      max_refinements_(max_refinements),
      n_(G.columns),
      p_(A.rows),
      m_(G.rows) {
  may_own_.assign(list_cones().size(), 1);
  analyse();
}

std::vector<ConeKkt::Cone> ConeKkt::list_cones() const {
  std::vector<Cone> cones;
  for (int i = 0; i < layout_.nonnegative; ++i) cones.push_back({Kind::orthant, i, i, 1});
  for (std::size_t i = 0; i < layout_.second_order.size(); ++i) {
    const auto [offset, dimension] = layout_.second_order[i];
    cones.push_back({Kind::second_order, static_cast<int>(i), offset, dimension});
  }
  for (std::size_t i = 0; i < layout_.psd4.size(); ++i) {
    cones.push_back({Kind::psd, static_cast<int>(i), layout_.psd4[i], kPsd4Rows});
  }
  return cones;
}

// Owned cones: exclusive columns, as many as rows, in few equalities.
bool ConeKkt::try_own(const Cone& cone, const std::vector<int>& columns,
                      const std::vector<int>& cones_of_column) {
  if (cone.dimension > kLargestOwned || static_cast<int>(columns.size()) != cone.dimension) return false;
  std::set<int> equalities;
  for (int column : columns) {
    if (cones_of_column[column] != 1) return false;
    equalities.insert(A_.row.begin() + A_.start[column], A_.row.begin() + A_.start[column + 1]);
  }
  if (static_cast<int>(equalities.size()) > kLargestClique) return false;
  Owned owned;
  owned.cone = cone;
  owned.columns = static_cast<int>(owned_columns_.size());
  owned_columns_.insert(owned_columns_.end(), columns.begin(), columns.end());
  owned_.push_back(owned);
  for (int column : columns) reduced_of_column_[column] = -1;
  return true;
}

// Cones with the same equalities stand together, so that their sum is formed in a small dense matrix.
void ConeKkt::sort_into_groups() {
  std::map<std::vector<int>, std::vector<Owned>> by_rows;
  for (const Owned& owned : owned_) {
    std::set<int> rows;
    for (int k = 0; k < owned.cone.dimension; ++k) {
      const int column = owned_columns_[owned.columns + k];
      rows.insert(A_.row.begin() + A_.start[column], A_.row.begin() + A_.start[column + 1]);
    }
    by_rows[{rows.begin(), rows.end()}].push_back(owned);
  }
  owned_.clear();
  std::vector<int> place(p_, 0);
  for (auto& [rows, members] : by_rows) {
    Group group;
    group.rows = static_cast<int>(group_rows_.size());
    group.row_count = static_cast<int>(rows.size());
    group.first = static_cast<int>(owned_.size());
    group.count = static_cast<int>(members.size());
    group_rows_.insert(group_rows_.end(), rows.begin(), rows.end());
    for (int i = 0; i < group.row_count; ++i) place[rows[i]] = i;
    for (Owned& owned : members) {
      const int d = owned.cone.dimension;
      owned.inverse = static_cast<int>(blocks_.size());
      owned.B = owned.inverse + d * d;
      blocks_.resize(blocks_.size() + d * d + d * group.row_count, 0.0);
      for (int k = 0; k < d; ++k) {
        const int column = owned_columns_[owned.columns + k];
        for (int e = G_.start[column]; e < G_.start[column + 1]; ++e) {
          gathered_G_.push_back({owned.inverse + k * d + G_.row[e] - owned.cone.offset, e});
        }
        for (int e = A_.start[column]; e < A_.start[column + 1]; ++e) {
          gathered_A_.push_back({owned.B + k * group.row_count + place[A_.row[e]], e});
        }
      }
      owned_.push_back(owned);
    }
    groups_.push_back(group);
  }
}

// What the steps of the analysis hand on to one another.
struct ConeKkt::Analysis {
  std::vector<Cone> cones;
  std::vector<std::vector<int>> columns_of_cone;
  std::vector<int> cones_of_column;
  std::vector<std::size_t> not_owned;
  int x_count{0};                  // columns of x that stay; the equalities follow, then kept rows
  std::vector<signed char> signs;  // of each unknown
  std::vector<char> has_diagonal;  // of each unknown, before elimination
  std::vector<QuasidefiniteLdl::Entry> entries;

  int add_unknown(int sign, bool diagonal) {
    signs.push_back(static_cast<signed char>(sign));
    has_diagonal.push_back(diagonal);
    return static_cast<int>(signs.size()) - 1;
  }
  void couple(const std::vector<int>& clique) {
    for (std::size_t j = 0; j < clique.size(); ++j) {
      has_diagonal[clique[j]] = 1;
      for (std::size_t i = j; i < clique.size(); ++i) entries.emplace_back(clique[i], clique[j]);
    }
  }
};

void ConeKkt::analyse() {
  forget_analysis();
  Analysis a;
  list_columns(a);
  choose_owned(a);
  for (const Group& group : groups_) a.couple(unknowns_of(group));
  for (std::size_t c : a.not_owned) {
    const int count = static_cast<int>(a.columns_of_cone[c].size());
    const Cone& cone = a.cones[c];
    const bool few_columns = count <= std::max(1, std::min(kLargestClique, 4 * cone.dimension + 12));
    if (cone.kind != Kind::psd && few_columns) {
      eliminate(cone, a.columns_of_cone[c], a);
    } else {
      keep(cone, a);
    }
  }
  for (int j = 0; j < n_; ++j) {
    const int reduced = reduced_of_column_[j];
    if (reduced < 0) continue;
    for (int e = A_.start[j]; e < A_.start[j + 1]; ++e)
      a.entries.emplace_back(a.x_count + A_.row[e], reduced);
    for (int e = G_.start[j]; e < G_.start[j + 1]; ++e) {
      if (reduced_of_row_[G_.row[e]] >= 0) a.entries.emplace_back(reduced_of_row_[G_.row[e]], reduced);
    }
  }
  std::vector<int> last;
  for (std::size_t i = 0; i < a.signs.size(); ++i) {
    if (!a.has_diagonal[i]) last.push_back(static_cast<int>(i));
  }
  const bool order_last = last.size() <= kMostLast;
  if (!order_last) last.clear();
  ldl_.analyse(a.signs, a.entries, last);
  locate_cones();
  locate_copies(a.x_count);
  set_shifts(a, order_last ? kShift : kShiftZeroDiagonal);
  take_memory();
}

void ConeKkt::forget_analysis() {
  owned_.clear();
  groups_.clear();
  eliminated_.clear();
  kept_.clear();
  copied_.clear();
  gathered_G_.clear();
  gathered_A_.clear();
  blocks_.clear();
  for (std::vector<int>* list : {&owned_columns_, &group_rows_, &eliminated_columns_, &locations_}) {
    list->clear();
  }
  reduced_of_column_.assign(n_, 0);
  reduced_of_row_.assign(m_, -1);
}

void ConeKkt::list_columns(Analysis& a) const {
  a.cones = list_cones();
  std::vector<int> cone_of_row(m_, 0);
  for (std::size_t c = 0; c < a.cones.size(); ++c) {
    for (int i = 0; i < a.cones[c].dimension; ++i) cone_of_row[a.cones[c].offset + i] = static_cast<int>(c);
  }
  a.cones_of_column.assign(n_, 0);
  a.columns_of_cone.resize(a.cones.size());
  for (int j = 0; j < n_; ++j) {
    for (int e = G_.start[j]; e < G_.start[j + 1]; ++e) {
      auto& columns = a.columns_of_cone[cone_of_row[G_.row[e]]];
      if (!columns.empty() && columns.back() == j) continue;
      columns.push_back(j);
      ++a.cones_of_column[j];
    }
  }
}

// Owned cones, and the unknowns that are left: other columns of x, then the equalities.
void ConeKkt::choose_owned(Analysis& a) {
  for (std::size_t c = 0; c < a.cones.size(); ++c) {
    const bool owned = may_own_[c] && try_own(a.cones[c], a.columns_of_cone[c], a.cones_of_column);
    if (!owned) a.not_owned.push_back(c);
  }
  for (int& reduced : reduced_of_column_) {
    if (reduced == 0) reduced = a.add_unknown(1, false);
  }
  a.x_count = static_cast<int>(a.signs.size());
  for (int i = 0; i < p_; ++i) a.add_unknown(-1, false);
  sort_into_groups();
}

void ConeKkt::eliminate(const Cone& cone, const std::vector<int>& columns, Analysis& a) {
  const int count = static_cast<int>(columns.size());
  Eliminated eliminated{cone, static_cast<int>(eliminated_columns_.size()), count,
                        static_cast<int>(blocks_.size()), 0};
  eliminated_columns_.insert(eliminated_columns_.end(), columns.begin(), columns.end());
  blocks_.resize(blocks_.size() + static_cast<std::size_t>(count) * cone.dimension, 0.0);
  for (int k = 0; k < count; ++k) {
    for (int e = G_.start[columns[k]]; e < G_.start[columns[k] + 1]; ++e) {
      const int local = G_.row[e] - cone.offset;
      if (local < 0 || local >= cone.dimension) continue;
      gathered_G_.push_back({eliminated.G + k * cone.dimension + local, e});
    }
  }
  eliminated_.push_back(eliminated);
  a.couple(unknowns_of(eliminated));
}

void ConeKkt::keep(const Cone& cone, Analysis& a) {
  Kept kept{cone, 0, cone.kind == Kind::second_order && cone.dimension >= kExpandFrom, -1};
  for (int i = 0; i < cone.dimension; ++i) reduced_of_row_[cone.offset + i] = a.add_unknown(-1, true);
  const std::vector<int> rows = unknowns_of(kept);
  if (kept.expanded) {
    kept.extra = a.add_unknown(-1, true);
    a.add_unknown(1, true);
    for (int row : rows) {
      a.entries.emplace_back(kept.extra, row);
      a.entries.emplace_back(kept.extra + 1, row);
    }
  } else {
    a.couple(rows);
  }
  kept_.push_back(kept);
}

std::vector<int> ConeKkt::unknowns_of(const Group& group) const {
  const int x_count = n_ - static_cast<int>(owned_columns_.size());
  std::vector<int> unknowns;
  for (int i = 0; i < group.row_count; ++i) unknowns.push_back(x_count + group_rows_[group.rows + i]);
  return unknowns;
}

std::vector<int> ConeKkt::unknowns_of(const Eliminated& eliminated) const {
  std::vector<int> unknowns;
  for (int k = 0; k < eliminated.column_count; ++k) {
    unknowns.push_back(reduced_of_column_[eliminated_columns_[eliminated.columns + k]]);
  }
  return unknowns;
}

std::vector<int> ConeKkt::unknowns_of(const Kept& kept) const {
  const auto first = reduced_of_row_.begin() + kept.cone.offset;
  return {first, first + kept.cone.dimension};
}

// Places of the lower triangle, by columns; returns where in locations_ they start.
int ConeKkt::locate(const std::vector<int>& clique) {
  const int start = static_cast<int>(locations_.size());
  for (std::size_t j = 0; j < clique.size(); ++j) {
    for (std::size_t i = j; i < clique.size(); ++i) locations_.push_back(ldl_.location(clique[i], clique[j]));
  }
  return start;
}

void ConeKkt::locate_cones() {
  for (Group& group : groups_) group.locations = locate(unknowns_of(group));
  for (Eliminated& eliminated : eliminated_) eliminated.locations = locate(unknowns_of(eliminated));
  for (Kept& kept : kept_) {
    if (!kept.expanded) {
      kept.locations = locate(unknowns_of(kept));
      continue;
    }
    kept.locations = static_cast<int>(locations_.size());
    for (int row : unknowns_of(kept)) {
      locations_.push_back(ldl_.location(row, row));
      locations_.push_back(ldl_.location(kept.extra, row));
      locations_.push_back(ldl_.location(kept.extra + 1, row));
    }
    locations_.push_back(ldl_.location(kept.extra, kept.extra));
    locations_.push_back(ldl_.location(kept.extra + 1, kept.extra + 1));
  }
}

void ConeKkt::locate_copies(int x_count) {
  for (int j = 0; j < n_; ++j) {
    const int reduced = reduced_of_column_[j];
    if (reduced < 0) continue;
    for (int e = A_.start[j]; e < A_.start[j + 1]; ++e) {
      copied_.push_back({ldl_.location(x_count + A_.row[e], reduced), e, true});
    }
    for (int e = G_.start[j]; e < G_.start[j + 1]; ++e) {
      const int row = reduced_of_row_[G_.row[e]];
      if (row >= 0) copied_.push_back({ldl_.location(row, reduced), e, false});
    }
  }
}

void ConeKkt::set_shifts(const Analysis& a, double without_diagonal) {
  diagonal_location_.resize(a.signs.size());
  diagonal_shift_.resize(a.signs.size());
  for (int i = 0; i < static_cast<int>(a.signs.size()); ++i) {
    diagonal_location_[i] = ldl_.location(i, i);
    double shift = i < a.x_count ? kShiftColumn : kShift;
    if (!a.has_diagonal[i]) shift = without_diagonal;
    diagonal_shift_[i] = a.signs[i] * shift;
  }
}

void ConeKkt::take_memory() {
  int largest_clique = 1, largest_block = 1;
  for (const Group& group : groups_) {
    largest_clique = std::max(largest_clique, group.row_count);
    for (int c = group.first; c < group.first + group.count; ++c) {
      largest_block = std::max(largest_block, group.row_count * owned_[c].cone.dimension);
    }
  }
  for (const Eliminated& e : eliminated_) {
    largest_block = std::max(largest_block, e.cone.dimension * e.column_count);
  }
  base_values_.assign(ldl_.values().size(), 0.0);
  reduced_.assign(diagonal_location_.size(), 0.0);
  group_sum_.assign(static_cast<std::size_t>(largest_clique) * largest_clique, 0.0);
  product_.assign(largest_block, 0.0);
  group_vector_.assign(largest_clique, 0.0);
  cone_work_.assign(m_, 0.0);
  cone_work2_.assign(m_, 0.0);
  const std::size_t total = static_cast<std::size_t>(n_) + p_ + m_;
  residual_.assign(total, 0.0);
  correction_.assign(total, 0.0);
  trial_.assign(total, 0.0);
}

}  // namespace prehend::math
