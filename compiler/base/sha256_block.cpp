// SPDX-License-Identifier: MIT
#include "base/sha256_block.h"

#include <bit>

#include "base/check.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>
#include <immintrin.h>
#define HEAPSMITH_SHA_INSTRUCTIONS 1
#endif

namespace heapsmith::sha256 {
namespace {

// FIPS 180-4, 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64
// primes.
constexpr std::array<uint32_t, 64> kRound = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

}  // namespace

void add_block(State& state, const std::byte* block) {
  std::array<uint32_t, 64> w;
  for (size_t i = 0; i < 16; ++i) {
    w[i] = 0;
    for (size_t k = 0; k < 4; ++k) {
      w[i] = w[i] << 8 | std::to_integer<uint32_t>(block[4 * i + k]);
    }
  }
  for (size_t i = 16; i < 64; ++i) {
    const uint32_t s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
    const uint32_t s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (size_t i = 0; i < 64; ++i) {
    const uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + kRound[i] + w[i];
    const uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  const State sum = {a, b, c, d, e, f, g, h};
  for (size_t i = 0; i < 8; ++i)
    state[i] += sum[i];
}

#ifdef HEAPSMITH_SHA_INSTRUCTIONS

bool has_instructions() {
  constexpr unsigned kSha = 1u << 29;  // of leaf 7; who has that has SSE 4.1
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & kSha) != 0;
}

/// The instructions want the state as (a, b, e, f) and (c, d, g, h), the last one lowest, and take
/// four words of the message at a time.
[[gnu::target("sha,sse4.1")]] void add_block_by_instructions(State& state, const std::byte* block) {
  const auto load = [](const void* from) {
    return _mm_loadu_si128(static_cast<const __m128i*>(from));
  };
  const __m128i bigEndian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  const __m128i badc = _mm_shuffle_epi32(load(&state[0]), 0xB1);
  const __m128i hgfe = _mm_shuffle_epi32(load(&state[4]), 0x1B);
  const __m128i oldAbef = _mm_alignr_epi8(badc, hgfe, 8);
  const __m128i oldCdgh = _mm_blend_epi16(hgfe, badc, 0xF0);
  __m128i abef = oldAbef;
  __m128i cdgh = oldCdgh;
  __m128i w[4];
  for (size_t i = 0; i < 4; ++i)
    w[i] = _mm_shuffle_epi8(load(block + 16 * i), bigEndian);
  for (size_t i = 0; i < 16; ++i) {
    __m128i& now = w[i % 4];
    const __m128i sum = _mm_add_epi32(now, load(&kRound[4 * i]));
    cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
    abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
    const __m128i last = w[(i + 3) % 4];
    const __m128i seventhBefore = _mm_alignr_epi8(last, w[(i + 2) % 4], 4);
    now = _mm_add_epi32(_mm_sha256msg1_epu32(now, w[(i + 1) % 4]), seventhBefore);
    now = _mm_sha256msg2_epu32(now, last);
  }
  abef = _mm_add_epi32(abef, oldAbef);
  cdgh = _mm_add_epi32(cdgh, oldCdgh);
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1B);
  const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xB1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(&state[0]), _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(&state[4]), _mm_alignr_epi8(dchg, feba, 8));
}

#else

bool has_instructions() {
  return false;
}

void add_block_by_instructions(State&, const std::byte*) {
  HEAPSMITH_UNREACHABLE();
}

#endif

}  // namespace heapsmith::sha256
