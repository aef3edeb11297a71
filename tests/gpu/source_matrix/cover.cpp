// SPDX-License-Identifier: MIT

// The families that cover all pairs: of kind and residence, residence and stage, array and kind ...
// The family of compute shaders also has every kind and array in every residence. A row is one
// resource; some rows of one stage make a case.

#include <algorithm>
#include <array>
#include <bitset>
#include <format>

#include "case.h"

namespace source_matrix {
namespace {

struct Variant {
  Kind kind;
  Dim dim = Dim::None;
};

constexpr Variant kVariants[] = {
    {Kind::UniformBuffer},
    {Kind::StorageBuffer},
    {Kind::SampledImage, Dim::D2},
    {Kind::SampledImage, Dim::D2Array},
    {Kind::SampledImage, Dim::Cube},
    {Kind::SampledImage, Dim::CubeArray},
    {Kind::SampledImage, Dim::D3},
    {Kind::SampledImage, Dim::Multisampled},
    {Kind::SampledImage, Dim::Shadow},
    {Kind::StorageImage, Dim::D2},
    {Kind::StorageImage, Dim::D2Array},
    {Kind::StorageImage, Dim::Cube},
    {Kind::StorageImage, Dim::CubeArray},
    {Kind::StorageImage, Dim::D3},
    {Kind::Sampler, Dim::D2},
    {Kind::Sampler, Dim::Shadow},
    {Kind::Combined, Dim::D2},
    {Kind::Combined, Dim::D2Array},
    {Kind::Combined, Dim::Cube},
    {Kind::Combined, Dim::CubeArray},
    {Kind::Combined, Dim::D3},
    {Kind::Combined, Dim::Shadow},
    {Kind::UniformTexelBuffer},
    {Kind::StorageTexelBuffer},
    {Kind::InputAttachment},
    {Kind::AccelerationStructure},
};
constexpr size_t kVariantCount = std::size(kVariants);

constexpr size_t kFactors = 5;
constexpr std::array<size_t, kFactors> kLevelsOf = {kVariantCount, kArrays, kResidences, kStages,
                                                    3};
constexpr size_t kMostLevels = 32;

// A level of each factor: variant, array, residence, stage, samplers.
using Row = std::array<size_t, kFactors>;

bool is_allowed(const Row& row) {
  const auto [variant, array, residence, stage, samplers] = row;
  const Kind kind = kVariants[variant].kind;
  const auto where = static_cast<Samplers>(samplers);
  if (!has_sampler(kind) && where != Samplers::Tuples) return false;
  if (where == Samplers::Embedded && array != 0) return false;
  // lavapipe (Mesa 26.2) crashes when a ray-tracing shader samples with an embedded sampler, unless
  // it is the ray-generation shader.
  const bool called = static_cast<Stage>(stage) > Stage::RayGeneration;
  if (where == Samplers::Embedded && called) return false;
  return is_allowed(kind, static_cast<Array>(array), static_cast<Residence>(residence),
                    static_cast<Stage>(stage));
}

class Covered {
 public:
  explicit Covered(bool triples) : triples_(triples) {}

  /// Pairs that the row would add, and adds.
  size_t gain(const Row& row) const {
    size_t gained = 0;
    each(row, [&](size_t bit) { gained += pairs_[bit] ? 0 : 1; });
    return gained;
  }
  void add(const Row& row) {
    each(row, [&](size_t bit) { pairs_.set(bit); });
  }

 private:
  void each(const Row& row, const auto& action) const {
    for (size_t a = 0; a < kFactors; ++a) {
      for (size_t b = a + 1; b < kFactors; ++b)
        action(((a * kFactors + b) * kMostLevels + row[a]) * kMostLevels + row[b]);
    }
    if (triples_) action(kPairs + (row[0] * kMostLevels + row[1]) * kMostLevels + row[2]);
  }

  static constexpr size_t kPairs = kFactors * kFactors * kMostLevels * kMostLevels;
  std::bitset<kPairs + kMostLevels * kMostLevels * kMostLevels> pairs_;
  bool triples_;
};

std::vector<Row> candidates(const std::vector<Stage>& stages) {
  std::vector<Row> rows;
  for (size_t variant = 0; variant < kLevelsOf[0]; ++variant) {
    for (size_t array = 0; array < kLevelsOf[1]; ++array) {
      for (size_t residence = 0; residence < kLevelsOf[2]; ++residence) {
        for (const Stage stage : stages) {
          for (size_t samplers = 0; samplers < kLevelsOf[4]; ++samplers) {
            const Row row = {variant, array, residence, static_cast<size_t>(stage), samplers};
            if (is_allowed(row)) rows.push_back(row);
          }
        }
      }
    }
  }
  return rows;
}

// Greedy: each row adds as many pairs as any could. The search goes on where it stopped, so that
// rows differ from those before them.
std::vector<Row> covering_rows(const std::vector<Stage>& stages) {
  const std::vector<Row> all = candidates(stages);
  std::vector<Row> rows;
  Covered covered(stages.size() == 1);
  size_t start = 0;
  for (;;) {
    size_t best = 0;
    size_t best_gain = 0;
    for (size_t i = 0; i < all.size(); ++i) {
      const size_t at = (start + i) % all.size();
      const size_t gain = covered.gain(all[at]);
      if (gain <= best_gain) continue;
      best = at;
      best_gain = gain;
    }
    if (best_gain == 0) return rows;
    covered.add(all[best]);
    rows.push_back(all[best]);
    start = best + 1;
  }
}

// Numbers that differ from those before: both steps and the count are coprime.
class Numbers {
 public:
  explicit Numbers(size_t seed) : next_(static_cast<uint32_t>(seed * 5 % kNumberCount)) {}
  uint32_t take() {
    const uint32_t number = next_;
    next_ = (next_ + 4) % kNumberCount;
    return number;
  }

 private:
  uint32_t next_;
};

constexpr size_t kRowsOfCase = 4;
constexpr uint32_t kSubjectSets = 2;  // and one more for what is no subject

class CaseMaker {
 public:
  CaseMaker(std::string_view family, Stage stage, size_t serial) : serial_(serial), sets_(serial) {
    case_.name = std::format("{}_{}", family, serial);
    case_.overridden = serial % 4 == 1;
    if (serial % 3 == 2) {
      case_.policy = R"("externalRanges": [{ "name": "ui", "class": "image", "slots": 5 },)"
                     R"( { "name": "own", "class": "buffer", "slots": 3 },)"
                     R"( { "name": "more", "class": "sampler", "slots": 2 }])";
    }
    case_.stage = stage;
    for (uint32_t set = 0; set <= kSubjectSets; ++set) {
      case_.sets.push_back({.number = sets_.take()});
      bindings_.emplace_back(serial + set);
    }
  }

  Case make(const std::vector<Row>& rows) {
    add_results();
    for (const Row& row : rows)
      add_subject(row);
    if (case_.stage == Stage::Miss || case_.stage == Stage::ClosestHit) {
      add({.role = Role::Scene,
           .kind = Kind::AccelerationStructure,
           .residence = Residence::Static,
           .set = kSubjectSets});
    }
    for (uint32_t set = 0; set < kSubjectSets; ++set)
      finish(set);
    return std::move(case_);
  }

 private:
  uint32_t add(Resource resource) {
    resource.number = bindings_[resource.set].take();
    case_.resources.push_back(resource);
    return static_cast<uint32_t>(case_.resources.size() - 1);
  }

  void add_results() {
    constexpr std::array kWays = {Residence::Static, Residence::PushAddress,
                                  Residence::IndirectAddress, Residence::Indexed,
                                  Residence::RecordAddress};
    const size_t ways = is_ray_stage(case_.stage) ? kWays.size() : kWays.size() - 1;
    const Residence residence = kWays[serial_ % ways];
    add({.role = Role::Results,
         .kind = Kind::StorageBuffer,
         .residence = residence,
         .instances = residence == Residence::Indexed ? 2u : 1u,
         .written = true,
         .set = kSubjectSets});
  }

  void add_subject(const Row& row) {
    const auto [variant, array, residence, stage, samplers] = row;
    Resource subject = {.kind = kVariants[variant].kind,
                        .dim = kVariants[variant].dim,
                        .array = static_cast<Array>(array),
                        .residence = static_cast<Residence>(residence),
                        .samplers = static_cast<Samplers>(samplers),
                        .set = subjects_ % kSubjectSets};
    if (subject.residence != Residence::Static) subject.instances = 2 + (subjects_ + 1) % 2;
    const bool writable = subject.kind == Kind::StorageBuffer ||
                          subject.kind == Kind::StorageImage ||
                          subject.kind == Kind::StorageTexelBuffer;
    subject.written = writable && (serial_ + subjects_) % 3 != 0;
    const bool alone =
        subject.kind == Kind::SampledImage &&
        (subject.dim == Dim::Cube || subject.dim == Dim::CubeArray || subject.dim == Dim::Shadow);
    const Dim plain = subject.dim == Dim::Shadow ? Dim::Shadow : Dim::D2;
    if (alone || subject.kind == Kind::Sampler) {
      subject.partner = add({.role = Role::Partner,
                             .kind = alone ? Kind::Sampler : Kind::SampledImage,
                             .dim = plain,
                             .residence = Residence::Static,
                             .set = kSubjectSets});
    }
    add(subject);
    ++subjects_;
  }

  // What the policy says of the set as a whole: the residence of its first subject, every other
  // time.
  void finish(uint32_t index) {
    Set& set = case_.sets[index];
    const auto inside = [&](const Resource& resource) { return resource.set == index; };
    const auto first = std::ranges::find_if(case_.resources, inside);
    if (first == case_.resources.end()) return;
    if ((serial_ + index) % 2 == 0 && is_table_residence(first->residence)) {
      set.residence = first->residence;
      set.instances = first->instances;
      for (Resource& resource : case_.resources) {
        if (inside(resource) && resource.residence == *set.residence)
          resource.instances = set.instances;
      }
      const bool one_word = set.residence == Residence::Indexed ||
                            set.residence == Residence::Indirect ||
                            set.residence == Residence::Record;
      set.packed = one_word && std::ranges::all_of(case_.resources, [&](const Resource& resource) {
                     return !inside(resource) || resource.residence != *set.residence ||
                            resource.kind == Kind::Combined;
                   });
    }
    if (serial_ % 3 == 0) set.samplerInstances = 2;
    if (set.residence == Residence::Static) set.samplerInstances = 0;
    if (serial_ % 4 < 2) set.indirectBlock = "words";
  }

  Case case_;
  size_t serial_;
  Numbers sets_;
  std::vector<Numbers> bindings_;
  uint32_t subjects_ = 0;
};

}  // namespace

std::vector<Stage> stages_of(std::string_view family) {
  if (family == "graphics") return {Stage::Vertex, Stage::Fragment, Stage::Task, Stage::Mesh};
  if (family == "ray")
    return {Stage::RayGeneration, Stage::Miss, Stage::ClosestHit, Stage::Callable};
  return {Stage::Compute};
}

std::vector<Case> cases_of(std::string_view family) {
  if (family == "special") return special_cases();
  const std::vector<Stage> stages = stages_of(family);
  const std::vector<Row> rows = covering_rows(stages);
  std::vector<Case> cases;
  for (const Stage stage : stages) {
    std::vector<Row> of_stage;
    std::ranges::copy_if(rows, std::back_inserter(of_stage),
                         [&](const Row& row) { return row[3] == static_cast<size_t>(stage); });
    for (size_t first = 0; first < of_stage.size(); first += kRowsOfCase) {
      const size_t last = std::min(first + kRowsOfCase, of_stage.size());
      CaseMaker maker(family, stage, cases.size());
      cases.push_back(maker.make({of_stage.begin() + static_cast<std::ptrdiff_t>(first),
                                  of_stage.begin() + static_cast<std::ptrdiff_t>(last)}));
    }
  }
  return cases;
}

}  // namespace source_matrix
