// Reed-Solomon erasure code over GF(256) with a Cauchy matrix (the code of RFC 5510, with another matrix), by ISA-L.
// Symbols of unequal length are treated as padded with zeros. One thread; no allocation after construction.
#pragma once

#include "common/fec/fec_groups.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lw {

class ReedSolomon {
public:
  // Symbols have up to `symbol_bytes`.
  ReedSolomon(FecStrength strength, std::size_t symbol_bytes);

  struct Symbol {
    std::byte* data = nullptr;
    std::size_t bytes = 0;
  };
  // Fills `parity` (strength.parity symbols of symbol_bytes) from 1..strength.data symbols of data. Faster if each
  // symbol begins at a cache line (common/base/cache_lines.h).
  void encode(std::span<const Symbol> data, std::span<std::byte* const> parity);

  // A received parity symbol, and its number.
  struct Parity {
    unsigned row = 0;
    std::byte* data = nullptr;
  };
  // Rebuilds the symbols of `data` at the positions `missing`, from the others and as many parity symbols.
  void decode(std::span<const Symbol> data, std::span<const unsigned> missing, std::span<const Parity> parity);

private:
  using Byte = unsigned char;
  void prepare_decoding(std::size_t symbols, std::span<const unsigned> missing, std::span<const Parity> parity);
  void prefetch_next_group() const;
  void apply();

  const FecStrength strength_;
  const std::size_t symbol_bytes_;
  const std::size_t given_stride_;
  std::vector<Byte> matrix_;  // parity rows of strength_.data columns
  // For the current operation.
  std::vector<Symbol> sources_;
  std::vector<Symbol> targets_;
  std::vector<Byte> rows_;
  std::vector<Byte> tables_;
  std::vector<Byte> square_, inverse_, inverse_tables_;
  std::vector<Byte> given_;  // coefficients of the data that is present, a row for each missing symbol
  std::vector<Byte*> given_rows_;
  std::vector<Byte*> from_, to_;
  std::vector<Byte> tails_;
  // What tables_ are for: encoding this many symbols, or (0) rebuilding `missing` from parity `rows` and other data.
  std::size_t encode_symbols_ = 0;
  struct Loss {
    std::size_t symbols = 0;
    std::vector<unsigned> missing;
    std::vector<unsigned> rows;
  };
  Loss decode_loss_;
};

}  // namespace lw
