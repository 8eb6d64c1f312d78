// From film to joints: how often do films of marked objects become the right tree with the right types?
//
// Arm (five parts, four hinges) and cupboard (a door, two drawers) before the virtual camera, by length of the film and by how obliquely the markers
// are seen; every joint travels at least 40 deg or 0.1 m in films of three seconds or more. Each film is tracked once and discovered twice: with
// the covariance of every pose, and with one noise for all poses and axes. What counts: right and said with confidence (status ok), right but
// `undetermined`, wrong but `undetermined`, and wrong with status ok, which must not be.
//
// --runs films per cell, with the seeds --seed, --seed + 1, ...; --threads cores share them. A film of five seconds takes about 15 s.
#ifdef PREHEND_WITH_OPENCV
#include <array>
#include <cstdio>
#include <vector>

#include "film_trials.h"
#include "parallel_runs.h"
#include "reproduction.h"
#include <prehend/model/json_writer.h>

namespace prehend::reproduce {
namespace {

using namespace articulation;

struct Outcome {
  int right_ok{0}, right_undetermined{0}, wrong_undetermined{0}, wrong_ok{0}, tree{0};
  void add(const Discovery& found, const TrackedFilm& film) {
    const FilmVerdict verdict = judge_film(found, film);
    const bool ok = found.status == DiscoveryStatus::ok;
    tree += verdict.tree;
    ++(verdict.right() ? (ok ? right_ok : right_undetermined) : (ok ? wrong_ok : wrong_undetermined));
  }
  void add(const Outcome& other) {
    right_ok += other.right_ok, right_undetermined += other.right_undetermined, tree += other.tree;
    wrong_undetermined += other.wrong_undetermined, wrong_ok += other.wrong_ok;
  }
  int right() const { return right_ok + right_undetermined; }
};
// With covariances, and without.
using Outcomes = std::array<Outcome, 2>;

Outcomes run_film(const FilmSpec& spec) {
  TrackedFilm film = track_film(spec);
  Outcomes outcomes;
  if (film.tracks.log.rows.empty()) return outcomes;
  outcomes[0].add(discover(film.tracks.log, "film"), film);
  film.tracks.log.covariances.clear();
  outcomes[1].add(discover(film.tracks.log, "film"), film);
  return outcomes;
}

void write(model::JsonWriter& json, const char* key, const Outcome& outcome) {
  json.key(key).object().field("right_ok", outcome.right_ok);
  json.field("right_undetermined", outcome.right_undetermined).field("tree", outcome.tree);
  json.field("wrong_undetermined", outcome.wrong_undetermined).field("wrong_ok", outcome.wrong_ok).end();
}

struct Cell {
  FilmSpec spec;
  Outcomes outcomes;
};

// Objects, lengths and places of the camera, each filmed options.runs times.
std::vector<Cell> film_cells(const ReproduceOptions& options) {
  std::vector<Cell> cells;
  std::vector<std::pair<std::size_t, FilmSpec>> work;
  for (const char* object : {"arm", "cupboard"}) {
    for (const double seconds : {2.0, 5.0, 8.0}) {
      for (const double azimuth : {0.15, 0.5}) {
        FilmSpec spec{object, seconds, azimuth, 0.2, 0};
        for (int k = 0; k < options.runs; ++k) {
          spec.seed = options.seed + static_cast<std::uint64_t>(k);
          work.emplace_back(cells.size(), spec);
        }
        cells.push_back({spec, {}});
      }
    }
  }
  std::vector<Outcomes> results(work.size());
  run_in_parallel(work.size(), options.threads,
                  [&](std::size_t k) { results[k] = run_film(work[k].second); });
  for (std::size_t k = 0; k < work.size(); ++k)
    for (std::size_t m = 0; m < 2; ++m) cells[work[k].first].outcomes[m].add(results[k][m]);
  return cells;
}

report::Table empty_table() {
  report::Table table;
  table.caption = "Films whose tree and types are all right";
  table.columns = {{"object", "", 0, "0: arm, 1: cupboard"},
                   {"length", "s", 2, ""},
                   {"camera aside", "rad", 2, ""},
                   {"films", "", 3, ""},
                   {"right", "", 3, "with each pose's covariance"},
                   {"of these undetermined", "", 3, ""},
                   {"wrong, undetermined", "", 3, ""},
                   {"wrong, ok", "", 3, ""},
                   {"right without covariances", "", 3, ""},
                   {"wrong, ok without", "", 3, ""}};
  return table;
}

// Sums over cells.
struct Totals {
  Outcomes all, long_films;
  int count{0}, long_count{0};
  void add(const Cell& cell, int runs) {
    constexpr double kLong = 5.0;  // [s]
    for (std::size_t m = 0; m < 2; ++m) {
      all[m].add(cell.outcomes[m]);
      if (cell.spec.seconds >= kLong) long_films[m].add(cell.outcomes[m]);
    }
    count += runs;
    long_count += cell.spec.seconds >= kLong ? runs : 0;
  }
};

}  // namespace

Reproduction films(const ReproduceOptions& options) {
  options.validate();
  Reproduction result;
  result.page = report::Page("From film to joints");
  result.page.set_subtitle("Films of the virtual camera");
  report::Table table = empty_table();
  result.text =
      "object    length  aside   films   right (undetermined)  wrong: undetermined  ok     without "
      "covariances: right  "
      "wrong, ok\n";
  model::JsonWriter json;
  json.object().field("id", "films").field("films_per_cell", options.runs).key("cells").array();
  Totals totals;
  for (const Cell& cell : film_cells(options)) {
    const auto& [with, without] = cell.outcomes;
    char line[200];
    std::snprintf(line, sizeof line, "%-9s %4.0f s  %4.2f  %6d  %6d (%d)  %21d  %8d  %28d  %9d\n",
                  cell.spec.object.c_str(), cell.spec.seconds, cell.spec.azimuth, options.runs, with.right(),
                  with.right_undetermined, with.wrong_undetermined, with.wrong_ok, without.right(),
                  without.wrong_ok);
    result.text += line;
    table.rows.push_back({cell.spec.object == "arm" ? 0.0 : 1.0, cell.spec.seconds, cell.spec.azimuth,
                          static_cast<double>(options.runs), static_cast<double>(with.right()),
                          static_cast<double>(with.right_undetermined),
                          static_cast<double>(with.wrong_undetermined), static_cast<double>(with.wrong_ok),
                          static_cast<double>(without.right()), static_cast<double>(without.wrong_ok)});
    json.object().field("object", cell.spec.object).field("seconds", cell.spec.seconds);
    json.field("azimuth_rad", cell.spec.azimuth);
    write(json, "with_covariances", with);
    write(json, "without", without);
    json.end();
    totals.add(cell, options.runs);
  }
  char line[300];
  std::snprintf(line, sizeof line,
                "films of five seconds and more: %d of %d right with covariances, %d without; wrong with "
                "status ok, all "
                "films: %d of %d, %d without\n",
                totals.long_films[0].right(), totals.long_count, totals.long_films[1].right(),
                totals.all[0].wrong_ok, totals.count, totals.all[1].wrong_ok);
  result.text += line;
  json.end().field("long_films", totals.long_count).field("long_right", totals.long_films[0].right());
  json.field("wrong_ok", totals.all[0].wrong_ok).end();
  result.json = json.text();
  result.page.set_verdict(report::Verdict::note, line);
  result.page.add(std::move(table));
  return result;
}

}  // namespace prehend::reproduce
#endif
