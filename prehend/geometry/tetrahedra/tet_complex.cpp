#include <algorithm>

#include <prehend/geometry/exact/predicates.h>
#include <prehend/geometry/tetrahedra/tet_complex.h>

namespace prehend::geometry {

namespace {

// Local index of a vertex that the cell has; without branches, which guess wrong every other time.
int index_of(const TetCell& cell, int vertex) {
  return (cell.vertex[1] == vertex) + 2 * (cell.vertex[2] == vertex) + 3 * (cell.vertex[3] == vertex);
}

}  // namespace

int TetComplex::local_index(int cell, int vertex) const {
  const auto& v = cells[cell].vertex;
  for (int i = 0; i < 4; ++i) {
    if (v[i] == vertex) return i;
  }
  return -1;
}

std::array<int, 3> TetComplex::face(int face_code) const {
  const auto& v = cells[face_code / 4].vertex;
  const int* f = kTetFace[face_code % 4];
  return {v[f[0]], v[f[1]], v[f[2]]};
}

int TetComplex::orient_face(int face_code, const Eigen::Vector3d& p) const {
  const auto f = face(face_code);
  return orient3d(points[f[0]], points[f[1]], points[f[2]], p);
}

bool TetComplex::in_conflict(int cell, const Eigen::Vector3d& p) const {
  const auto& v = cells[cell].vertex;
  const int ghost = local_index(cell, kGhost);
  if (ghost >= 0) {
    const int side = orient_face(4 * cell + ghost, p);
    if (side != 0) return side > 0;
    // In the plane of the hull face, the disc is the section of the inner neighbour's sphere.
    return in_conflict(cells[cell].adjacent[ghost] / 4, p);
  }
  return insphere(points[v[0]], points[v[1]], points[v[2]], points[v[3]], p) > 0;
}

std::uint32_t TetComplex::next_stamp() const {
  if (mark_.size() < cells.size()) mark_.resize(cells.capacity(), 0);
  return ++stamp_;
}

int TetComplex::new_cell() {
  if (!free_.empty()) {
    last_cell_ = free_.back();
    free_.pop_back();
    cells[last_cell_].region = 0;
  } else {
    last_cell_ = static_cast<int>(cells.size());
    cells.emplace_back();
  }
  return last_cell_;
}

void TetComplex::kill(int cell) {
  cells[cell].vertex[0] = kDead;
  free_.push_back(cell);
}

int TetComplex::add_point(const Eigen::Vector3d& p) {
  points.push_back(p);
  return static_cast<int>(points.size()) - 1;
}

void TetComplex::start(int a, int b, int c, int d) {
  vertex_cell_.resize(points.size(), -1);
  const int core = new_cell();
  cells[core].vertex = {a, b, c, d};
  std::array<int, 4> ghost;
  for (int i = 0; i < 4; ++i) {
    ghost[i] = new_cell();
    const auto f = face(4 * core + i);
    // Seen from outside the face turns the other way round.
    cells[ghost[i]].vertex = {f[0], f[2], f[1], kGhost};
    cells[core].adjacent[i] = 4 * ghost[i] + 3;
    cells[ghost[i]].adjacent[3] = 4 * core + i;
  }
  // Ghosts i and j meet at the face of the infinite vertex and the edge without i and j.
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      if (i == j) continue;
      cells[ghost[i]].adjacent[local_index(ghost[i], cells[core].vertex[j])] =
          4 * ghost[j] + local_index(ghost[j], cells[core].vertex[i]);
    }
  }
  for (int v : {a, b, c, d}) vertex_cell_[v] = core;
  last_cell_ = core;
}

int TetComplex::locate(const Eigen::Vector3d& p, int hint) const {
  int cell = hint;
  const int ghost = local_index(cell, kGhost);
  if (ghost >= 0) cell = cells[cell].adjacent[ghost] / 4;
  int entered = -1;
  // The visibility walk ends in a Delaunay complex; elsewhere it may circle, so the start of each turn is
  // varied and the steps are bounded.
  const std::size_t most_steps = 1000 + cells.size();
  std::uint32_t turn = 1;
  for (std::size_t step = 0; step < most_steps; ++step) {
    int exit = -1;
    turn = turn * 1664525u + 1013904223u;
    const int first = static_cast<int>(turn >> 30);
    for (int k = 0; k < 4 && exit < 0; ++k) {
      const int i = (first + k) % 4;
      if (i != entered && orient_face(4 * cell + i, p) < 0) exit = i;
    }
    if (exit < 0) return cell;
    const int next = cells[cell].adjacent[exit];
    cell = next / 4;
    entered = next % 4;
    if (is_ghost(cell)) return cell;
  }
  return -1;
}

bool TetComplex::insert_delaunay(int vertex, int hint) {
  const Eigen::Vector3d p = points[vertex];
  if (vertex_cell_.size() < points.size()) vertex_cell_.resize(points.size(), -1);
  const int seed = locate(p, hint);
  for (int v : cells[seed].vertex) {
    if (v != kGhost && points[v] == p) return false;
  }
  const std::uint32_t stamp = next_stamp();
  std::vector<int> cavity{seed};
  mark_[seed] = stamp;
  for (std::size_t k = 0; k < cavity.size(); ++k) {
    for (int code : cells[cavity[k]].adjacent) {
      const int next = code / 4;
      if (mark_[next] == stamp || !in_conflict(next, p)) continue;
      mark_[next] = stamp;
      cavity.push_back(next);
    }
  }
  fill_cavity(cavity, vertex);
  return true;
}

void TetComplex::fill_cavity(const std::vector<int>& cavity, int vertex) {
  if (vertex_cell_.size() < points.size()) vertex_cell_.resize(points.size(), -1);
  const std::uint32_t stamp = next_stamp();
  for (int cell : cavity) mark_[cell] = stamp;
  struct Wall {
    int cell, face, fresh;
  };
  std::vector<Wall> walls;
  for (int cell : cavity) {
    for (int i = 0; i < 4; ++i) {
      if (mark_[cells[cell].adjacent[i] / 4] != stamp) walls.push_back({cell, i, -1});
    }
  }
  for (Wall& wall : walls) {
    wall.fresh = new_cell();
    if (mark_.size() < cells.size()) mark_.resize(cells.capacity(), 0);
    mark_[wall.fresh] = 0;
    const auto f = face(4 * wall.cell + wall.face);
    const int outer = cells[wall.cell].adjacent[wall.face];
    cells[wall.fresh].vertex = {f[0], f[1], f[2], vertex};
    cells[wall.fresh].region = cells[wall.cell].region;
    cells[wall.fresh].adjacent[3] = outer;
    cells[outer / 4].adjacent[outer % 4] = 4 * wall.fresh + 3;
    cells[wall.cell].adjacent[wall.face] = -wall.fresh - 1;  // the way to the new cell, for the search below
  }
  for (const Wall& wall : walls) {
    TetCell& fresh = cells[wall.fresh];
    for (int m = 0; m < 3; ++m) {
      // Turn around the edge opposite vertex m of the wall, inside the cavity, until the next wall.
      const TetCell& old = cells[wall.cell];
      int out = fresh.vertex[m], in = old.vertex[wall.face];
      int code = old.adjacent[index_of(old, out)];
      while (code >= 0) {
        const TetCell& next = cells[code >> 2];
        out = in;
        in = next.vertex[code & 3];
        code = next.adjacent[index_of(next, out)];
      }
      const int mate = -code - 1;
      fresh.adjacent[m] = 4 * mate + index_of(cells[mate], in);
    }
  }
  for (const Wall& wall : walls) {
    for (int v : cells[wall.fresh].vertex) {
      if (v != kGhost) vertex_cell_[v] = wall.fresh;
    }
  }
  for (int cell : cavity) kill(cell);
}

std::vector<int> TetComplex::star(int vertex) const {
  const std::uint32_t stamp = next_stamp();
  std::vector<int> found{vertex_cell_[vertex]};
  mark_[found[0]] = stamp;
  for (std::size_t k = 0; k < found.size(); ++k) {
    const TetCell& cell = cells[found[k]];
    for (int i = 0; i < 4; ++i) {
      const int next = cell.adjacent[i] / 4;
      if (cell.vertex[i] == vertex || mark_[next] == stamp) continue;
      mark_[next] = stamp;
      found.push_back(next);
    }
  }
  return found;
}

int TetComplex::find_edge(int u, int v) const {
  const std::uint32_t stamp = next_stamp();
  std::vector<int> queue{vertex_cell_[u]};
  mark_[queue[0]] = stamp;
  for (std::size_t k = 0; k < queue.size(); ++k) {
    const TetCell& cell = cells[queue[k]];
    if (local_index(queue[k], v) >= 0) return queue[k];
    for (int i = 0; i < 4; ++i) {
      const int next = cell.adjacent[i] / 4;
      if (cell.vertex[i] == u || mark_[next] == stamp) continue;
      mark_[next] = stamp;
      queue.push_back(next);
    }
  }
  return -1;
}

}  // namespace prehend::geometry
