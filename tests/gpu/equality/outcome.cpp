// SPDX-License-Identifier: MIT
#include "outcome.h"

namespace equality {

void Outcome::hear(Event event, const std::string& text) {
  switch (event) {
    case Event::NotRunnable:
      notRunnable = text;
      break;
    case Event::Begins:
      forms.push_back({text, {}});
      break;
    case Event::Runs:
      runs = true;
      break;
    case Event::WroteNothing:
      wroteNothing = true;
      break;
    case Event::NotDeterministic:
      notDeterministic = true;
      break;
    default:
      forms.back().events.emplace_back(event, text);
  }
}

void Outcome::died(const std::string& how) {
  if (forms.empty()) forms.push_back({"reading", {}});
  forms.back().events.emplace_back(Event::Problem, "crash " + how);
}

}  // namespace equality
