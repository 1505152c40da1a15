#include "common/fec/reed_solomon.h"

#include "common/base/cache_lines.h"

#include <isa-l/erasure_code.h>

#include <algorithm>
#include <cassert>
#include <cstring>

namespace lw {
namespace {

constexpr std::size_t table_bytes = 32;   // per coefficient
constexpr std::size_t vector_bytes = 64;  // the library's unit of work

}  // namespace

ReedSolomon::ReedSolomon(FecStrength strength, std::size_t symbol_bytes)
    : strength_(strength),
      symbol_bytes_(symbol_bytes),
      given_stride_((strength.data + vector_bytes - 1) / vector_bytes * vector_bytes) {
  const std::size_t k = strength.data;
  const std::size_t m = strength.parity;
  assert(k >= 1 && m >= 1 && k + m <= 255);
  std::vector<Byte> all((k + m) * k);
  gf_gen_cauchy1_matrix(all.data(), static_cast<int>(k + m), static_cast<int>(k));
  matrix_.assign(all.begin() + static_cast<std::ptrdiff_t>(k * k), all.end());
  sources_.reserve(k);
  targets_.reserve(m);
  rows_.resize(m * k);
  tables_.resize(table_bytes * m * k);
  inverse_tables_.resize(table_bytes * m * m);
  given_.resize(2 * m * given_stride_);
  for (std::size_t row = 0; row < 2 * m; ++row) given_rows_.push_back(given_.data() + row * given_stride_);
  square_.resize(m * m);
  inverse_.resize(m * m);
  from_.resize(k);
  to_.resize(m);
  tails_.resize((k + m) * symbol_bytes);
  decode_loss_.missing.reserve(m);
  decode_loss_.rows.reserve(m);
}

void ReedSolomon::encode(std::span<const Symbol> data, std::span<std::byte* const> parity) {
  assert(!data.empty() && data.size() <= strength_.data && parity.size() == strength_.parity);
  // In a smaller group the last symbols are zeros: skips their columns.
  if (encode_symbols_ != data.size()) {
    for (std::size_t row = 0; row < parity.size(); ++row)
      std::copy_n(matrix_.data() + row * strength_.data, data.size(), rows_.data() + row * data.size());
    ec_init_tables(static_cast<int>(data.size()), static_cast<int>(parity.size()), rows_.data(), tables_.data());
    encode_symbols_ = data.size();
    decode_loss_.symbols = 0;
  }
  sources_.assign(data.begin(), data.end());
  targets_.clear();
  for (auto* symbol : parity) targets_.push_back({symbol, symbol_bytes_});
  apply();
}

// parity = P * present + M * missing, so missing = M^-1 * (parity + P * present) (in GF(2^8), minus is plus). M is as
// small as the loss, and every square part of a Cauchy matrix is invertible.
void ReedSolomon::prepare_decoding(std::size_t symbols, std::span<const unsigned> missing,
                                   std::span<const Parity> parity) {
  const std::size_t e = missing.size();
  const auto same_row = [](const Parity& symbol, unsigned row) { return symbol.row == row; };
  // A burst across many groups loses the same positions of each.
  if (decode_loss_.symbols == symbols && std::ranges::equal(decode_loss_.missing, missing) &&
      std::ranges::equal(parity.first(e), decode_loss_.rows, same_row))
    return;
  const auto coefficient = [&](std::size_t i, std::size_t column) {
    return matrix_[std::size_t{parity[i].row} * strength_.data + column];
  };
  for (std::size_t i = 0; i < e; ++i)
    for (std::size_t j = 0; j < e; ++j) square_[i * e + j] = coefficient(i, missing[j]);
  [[maybe_unused]] const int singular = gf_invert_matrix(square_.data(), inverse_.data(), static_cast<int>(e));
  assert(singular == 0);
  // M^-1 * (P, 1): computes missing symbols from present ones in one pass.
  const std::size_t present = symbols - e;
  for (std::size_t i = 0; i < e; ++i) {
    Byte* to = given_rows_[i];
    for (std::size_t column = 0; column < symbols; ++column)
      if (std::ranges::find(missing, column) == missing.end()) *to++ = coefficient(i, column);
  }
  ec_init_tables(static_cast<int>(e), static_cast<int>(e), inverse_.data(), inverse_tables_.data());
  ec_encode_data(static_cast<int>(given_stride_), static_cast<int>(e), static_cast<int>(e), inverse_tables_.data(),
                 given_rows_.data(), given_rows_.data() + strength_.parity);
  auto to = rows_.begin();
  for (std::size_t row = 0; row < e; ++row) {
    to = std::copy_n(given_rows_[strength_.parity + row], present, to);
    to = std::copy_n(inverse_.begin() + static_cast<std::ptrdiff_t>(row * e), e, to);
  }
  ec_init_tables(static_cast<int>(symbols), static_cast<int>(e), rows_.data(), tables_.data());

  encode_symbols_ = 0;
  decode_loss_.symbols = symbols;
  decode_loss_.missing.assign(missing.begin(), missing.end());
  decode_loss_.rows.clear();
  for (std::size_t i = 0; i < e; ++i) decode_loss_.rows.push_back(parity[i].row);
}

void ReedSolomon::decode(std::span<const Symbol> data, std::span<const unsigned> missing,
                         std::span<const Parity> parity) {
  assert(data.size() <= strength_.data && !missing.empty() && missing.size() <= parity.size());
  prepare_decoding(data.size(), missing, parity);
  sources_.clear();
  for (std::size_t column = 0; column < data.size(); ++column)
    if (std::ranges::find(missing, column) == missing.end()) sources_.push_back(data[column]);
  for (std::size_t j = 0; j < missing.size(); ++j) sources_.push_back({parity[j].data, symbol_bytes_});
  targets_.clear();
  for (const auto position : missing) targets_.push_back(data[position]);
  apply();
}

// The memory after this group's symbols is usually read next, because groups are interleaved (fec_groups.h).
void ReedSolomon::prefetch_next_group() const {
  for (const auto& symbol : sources_) prefetch_lines(symbol.data + symbol.bytes, symbol.bytes);
}

// targets_ = the matrix of tables_ * sources_. The part that all symbols have is processed in place; the tails of
// symbols longer than the shortest go through a copy padded with zeros.
void ReedSolomon::apply() {
  const auto as_bytes = [](std::byte* data) { return reinterpret_cast<Byte*>(data); };
  const int n = static_cast<int>(sources_.size());
  const std::size_t rows = targets_.size();
  prefetch_next_group();
  std::size_t common = symbol_bytes_;
  for (const auto& symbol : sources_) common = std::min(common, symbol.bytes);
  for (const auto& symbol : targets_) common = std::min(common, symbol.bytes);
  for (std::size_t i = 0; i < sources_.size(); ++i) from_[i] = as_bytes(sources_[i].data);
  for (std::size_t i = 0; i < rows; ++i) to_[i] = as_bytes(targets_[i].data);
  if (common > 0)
    ec_encode_data(static_cast<int>(common), n, static_cast<int>(rows), tables_.data(), from_.data(), to_.data());
  const std::size_t tail = symbol_bytes_ - common;
  if (tail == 0) return;
  Byte* room = tails_.data();
  for (std::size_t i = 0; i < sources_.size(); ++i, room += tail) {
    const std::size_t has = sources_[i].bytes - common;
    std::memcpy(room, from_[i] + common, has);
    std::memset(room + has, 0, tail - has);
    from_[i] = room;
  }
  for (std::size_t i = 0; i < rows; ++i) to_[i] = room + i * tail;
  ec_encode_data(static_cast<int>(tail), n, static_cast<int>(rows), tables_.data(), from_.data(), to_.data());
  for (std::size_t i = 0; i < rows; ++i) std::memcpy(targets_[i].data + common, to_[i], targets_[i].bytes - common);
}

}  // namespace lw
