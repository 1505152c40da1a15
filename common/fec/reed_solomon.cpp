#include "common/fec/reed_solomon.h"

#include <isa-l/erasure_code.h>

#include <algorithm>
#include <cassert>
#include <cstring>

namespace lw {
namespace {

constexpr std::size_t table_bytes = 32;  // of each coefficient

}  // namespace

ReedSolomon::ReedSolomon(FecStrength strength, std::size_t symbol_bytes)
    : strength_(strength), symbol_bytes_(symbol_bytes) {
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
  // A smaller group is one whose last symbols are zeros: their columns are left out.
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
  apply(parity.size());
}

// parity = P * present + M * missing, so missing = M^-1 * parity + (M^-1 * P) * present (in GF(2^8) minus is plus).
// Only M must be inverted, which is as small as the loss; of a Cauchy matrix every square part can be. The coefficients
// of the present symbols come first, then those of the parity.
void ReedSolomon::prepare_decoding(std::size_t symbols, std::span<const unsigned> missing,
                                   std::span<const Parity> parity) {
  const std::size_t e = missing.size();
  const auto same_row = [](const Parity& symbol, unsigned row) { return symbol.row == row; };
  // A burst that goes over many groups loses the same places of each.
  if (decode_loss_.symbols == symbols && std::ranges::equal(decode_loss_.missing, missing) &&
      std::ranges::equal(parity.first(e), decode_loss_.rows, same_row))
    return;
  const auto coefficient = [&](std::size_t i, std::size_t column) {
    return matrix_[parity[i].row * strength_.data + column];
  };
  for (std::size_t i = 0; i < e; ++i)
    for (std::size_t j = 0; j < e; ++j) square_[i * e + j] = coefficient(i, missing[j]);
  [[maybe_unused]] const int singular = gf_invert_matrix(square_.data(), inverse_.data(), static_cast<int>(e));
  assert(singular == 0);

  std::size_t source = 0;
  for (std::size_t column = 0; column < symbols; ++column) {
    if (std::ranges::find(missing, column) != missing.end()) continue;
    for (std::size_t i = 0; i < e; ++i) {
      Byte sum = 0;
      for (std::size_t j = 0; j < e; ++j) sum ^= gf_mul(inverse_[i * e + j], coefficient(j, column));
      rows_[i * symbols + source] = sum;
    }
    ++source;
  }
  for (std::size_t j = 0; j < e; ++j, ++source)
    for (std::size_t i = 0; i < e; ++i) rows_[i * symbols + source] = inverse_[i * e + j];
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
  apply(missing.size());
}

// targets_ = rows * sources_. What all symbols have goes straight from and to their memory; the tails, of the symbols
// that are longer than the shortest, by way of a copy that is filled up with zeros.
void ReedSolomon::apply(std::size_t rows) {
  const auto as_bytes = [](std::byte* data) { return reinterpret_cast<Byte*>(data); };
  const int n = static_cast<int>(sources_.size());
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
