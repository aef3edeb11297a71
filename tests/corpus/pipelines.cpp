// SPDX-License-Identifier: MIT

// Maps every module of a folder with default options, and makes a pipeline of it with the
// validation layer on. See pipelines_try.h.
//
// usage: corpus_pipelines FOLDER EXPLAINED.json
//
// EXPLAINED.json lists the refusals that are understood. What it does not explain fails the run.

#include <algorithm>
#include <cstdio>
#include <thread>

#include "pipelines_report.h"
#include "pipelines_units.h"
#include "pipelines_workers.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: corpus_pipelines FOLDER EXPLAINED.json\n");
    return 2;
  }
  const corpus::Units units = corpus::find_units(argv[1]);
  if (units.units.empty()) {
    std::fprintf(stderr, "corpus_pipelines: no modules in %s\n", argv[1]);
    return 1;
  }
  std::vector<corpus::Outcome> outcomes;
  const size_t processes = std::max(1u, std::thread::hardware_concurrency());
  if (!corpus::try_units(units.units, processes, outcomes)) {
    std::fprintf(stderr, "corpus_pipelines: a process could not begin its work\n");
    return 1;
  }
  return corpus::report(units, outcomes, argv[2]) ? 0 : 1;
}
