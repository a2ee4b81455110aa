#include "experiment/comparison.h"

#include <algorithm>

#include "experiment/sequential.h"

namespace sigwhy::experiment {

namespace {

struct Bets {
  Bet fewer = Bet::on_fewer();
  Bet more = Bet::on_more();
  Bet no_fewer = Bet::on_no_fewer();
  Bet no_more = Bet::on_no_more();

  void add(Pair pair) {
    for (Bet* bet : {&fewer, &more, &no_fewer, &no_more}) bet->add(pair);
  }
};

// What mostly dies can be moved to surviving, and the other way round.
double capital_for(const Bets& bets, Effect effect) {
  if (effect == Effect::survives) return bets.fewer.capital();
  if (effect == Effect::dies) return bets.more.capital();
  return (bets.fewer.capital() + bets.more.capital()) / 2;
}

double capital_against(const Bets& bets, Effect effect, bool mostly_dies) {
  const bool fewer = effect == Effect::survives || (effect == Effect::moves && mostly_dies);
  return fewer ? bets.no_fewer.capital() : bets.no_more.capital();
}

}  // namespace

std::optional<Settled> judged(Effect effect, const std::vector<bool>& as_it_was, const std::vector<bool>& changed,
                              double needed) {
  static const Bets fresh;  // the nearest points of the nulls are looked for once
  Bets bets = fresh;
  std::size_t deaths = 0;
  for (std::size_t i = 0; i < std::min(as_it_was.size(), changed.size()); ++i) {
    bets.add({as_it_was[i], changed[i]});
    deaths += as_it_was[i];
    if (capital_for(bets, effect) >= needed) return Settled::confirmed;
    if (capital_against(bets, effect, 2 * deaths > i + 1) >= needed) return Settled::refuted;
  }
  return std::nullopt;
}

std::optional<Settled> judged_catches(const std::vector<bool>& caught, double needed) {
  MissBet bet;
  for (const bool one : caught) {
    if (one) return Settled::confirmed;
    bet.add(false);
    if (bet.capital() >= needed) return Settled::refuted;
  }
  return std::nullopt;
}

std::size_t comparisons_of(Effect effect) { return effect == Effect::moves ? 2 : 1; }

}  // namespace sigwhy::experiment
