#include "tests/simulate/paths.h"

namespace lw::simulate {
namespace {

void harm(LinkState& link, Fault fault, Random& chance) {
  switch (fault) {
    case Fault::lossy_link:
      link.loss = chance.once_in(3) ? 0.2 : 0.02;
      link.burst = chance.once_in(2) ? 0.01 : 0;
      link.doubled = chance.once_in(2) ? 0.05 : 0;
      link.reordered = chance.once_in(2) ? 0.1 : 0;
      link.changed = chance.once_in(2) ? 0.02 : 0;
      break;
    case Fault::slow_link:
      link.delay = std::chrono::milliseconds{chance.between(1, 40)};
      link.jitter = std::chrono::milliseconds{chance.between(1, 20)};
      link.bytes_per_s = chance.once_in(2) ? static_cast<double>(chance.between(20'000, 2'000'000)) : 0;
      break;
    case Fault::refusing_path:
      link.refuses_segments = true;
      break;
    default:
      link.cut = true;
  }
}

}  // namespace

// The second network may be longer than the first.
Paths::Paths(Network& network, const Wall& wall, Random& random)
    : network_(network), wall_(wall), random_(random), usual_(2 * wall.nodes.size()) {
  for (std::size_t node = 0; node < wall_.nodes.size(); ++node) {
    network_.place(Address::parse(wall_.nodes[node].address, 0).value(), node);
    if (!has_two(node)) continue;
    network_.place(Address::parse(wall_.nodes[node].second_address, 0).value(), second(node));
    if (random_.once_in(2)) usual_[second(node)].delay = std::chrono::microseconds{random_.between(50, 3000)};
  }
  heal();
}

std::vector<std::size_t> Paths::all_of_one_network(std::uint64_t chance) const {
  std::vector<std::size_t> links;
  for (std::size_t node = 0; node < wall_.nodes.size(); ++node)
    if (chance % 2 == 0)
      links.push_back(node);
    else if (has_two(node))
      links.push_back(second(node));
  return links;
}

// Of two paths, the first, the second or both.
std::vector<std::size_t> Paths::of(const Happening& one) const {
  if (one.fault == Fault::cut_network) return all_of_one_network(one.chance);
  if (!has_two(one.where) || one.chance % 3 == 0) return {one.where};
  if (one.chance % 3 == 1) return {second(one.where)};
  return {one.where, second(one.where)};
}

void Paths::begin(const Happening& one, Random& chance) {
  for (const auto link : of(one)) harm(network_.links[link], one.fault, chance);
}

void Paths::end(const Happening& one) {
  for (const auto link : of(one)) network_.links[link] = usual_[link];
}

void Paths::set_delay(Nanoseconds delay) {
  for (auto& link : network_.links) link.delay = delay;
}

void Paths::set_loss(double loss) {
  for (auto& link : network_.links) link.loss = loss;
}

std::string Paths::harm_one_path() {
  std::vector<std::size_t> nodes;
  for (std::size_t node = 0; node < wall_.nodes.size(); ++node)
    if (has_two(node)) nodes.push_back(node);
  if (nodes.empty()) return {};
  // The first or the second network is cut; else one path of each node is harmed.
  const auto of_all = random_.below(4);
  for (const auto node : nodes) {
    const auto link = of_all == 0 || (of_all > 1 && random_.once_in(2)) ? node : second(node);
    const auto fault = of_all <= 1 || random_.once_in(3) ? Fault::cut_link : Fault::lossy_link;
    harm(network_.links[link], fault, random_);
  }
  return of_all <= 1 ? "though only one of two networks is cut" : "though each node has one good path";
}

}  // namespace lw::simulate
