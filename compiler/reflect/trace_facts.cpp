// SPDX-License-Identifier: MIT
#include "reflect/trace_facts.h"

#include <utility>

namespace heapsmith::reflect {
namespace {

struct State {
  const ModuleUses& uses;
  std::vector<uint16_t> facts;       // by id
  std::vector<uint32_t> heads = {};  // by id: index of its first flow, plus one
  std::vector<uint32_t> chain = {};  // by flow: index of the next one with the same `to`, plus one
  std::vector<uint32_t> open = {};   // ids whose facts changed

  void add_non_uniform(const Context& context);
  void add_flows(const FunctionUses& function);
  void add_seeds(const FunctionUses& function);
  void run();

 private:
  void add(uint32_t id, uint16_t bits);
};

void State::add_flows(const FunctionUses& function) {
  for (uint32_t i = function.flows.begin; i < function.flows.end; ++i)
    chain[i] = std::exchange(heads[uses.flows[i].to], i + 1);
}

void State::add_seeds(const FunctionUses& function) {
  for (uint32_t i = function.seeds.begin; i < function.seeds.end; ++i)
    add(uses.seeds[i].id, uses.seeds[i].facts);
}

void State::add(uint32_t id, uint16_t bits) {
  if ((facts[id] | bits) == facts[id]) return;
  facts[id] |= bits;
  open.push_back(id);
}

uint16_t carried(const Flow& flow, uint16_t bits) {
  if (!flow.picksElement || (bits & kNonUniform) == 0) return bits;
  bits &= static_cast<uint16_t>(~kNonUniform);
  return flow.picksDynamically ? static_cast<uint16_t>(bits | kNonUniformIndex) : bits;
}

void State::run() {
  while (!open.empty()) {
    const uint32_t id = open.back();
    open.pop_back();
    for (uint32_t i = heads[id]; i != 0; i = chain[i - 1]) {
      const Flow& flow = uses.flows[i - 1];
      add(flow.from, carried(flow, facts[id]));
    }
  }
}

/// Most modules have none, and are spared a look at every id.
bool has_non_uniform(const Context& context) {
  for (const spirv::Instruction instruction : context.module.declarations())
    if (instruction.op() == spv::Op::OpDecorate &&
        static_cast<spv::Decoration>(instruction.word(2)) == spv::Decoration::NonUniform)
      return true;
  return false;
}

/// Adds kNonUniform where an id is decorated so.
void State::add_non_uniform(const Context& context) {
  if (!has_non_uniform(context)) return;
  for (uint32_t id = 1; id < facts.size(); ++id)
    if (context.annotations.has(id, spv::Decoration::NonUniform)) add(id, kNonUniform);
}

}  // namespace

std::vector<uint16_t> trace_facts(const Context& context, const ModuleUses& uses,
                                  const std::vector<bool>& reachable) {
  State state{.uses = uses, .facts = std::vector<uint16_t>(context.module.bound())};
  state.heads.resize(context.module.bound());
  state.chain.resize(uses.flows.size());
  state.add_non_uniform(context);
  for (size_t i = 0; i < uses.functions.size(); ++i) {
    if (!reachable[i]) continue;
    state.add_flows(uses.functions[i]);
    state.add_seeds(uses.functions[i]);
  }
  state.run();
  return std::move(state.facts);
}

}  // namespace heapsmith::reflect
