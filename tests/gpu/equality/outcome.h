// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "try.h"

namespace equality {

/// What one form of a module came to.
struct FormOutcome {
  std::string form;
  std::vector<std::pair<Event, std::string>> events;
};

/// What became of a module.
struct Outcome {
  std::string module;
  std::string notRunnable;  ///< why; empty: it is
  bool runs = false;
  bool wroteNothing = false;
  bool notDeterministic = false;
  std::vector<FormOutcome> forms;

  void hear(Event event, const std::string& text);
  /// The process that tried it ended.
  void died(const std::string& how);
};

}  // namespace equality
