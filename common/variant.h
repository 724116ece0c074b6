// Variants as data. A variant is a struct of constants (one small file each); code asks for them at compile time and
// `with_variant` is the only way from a run-time id to such a struct.
//
// Fields every variant has:
//   id                    its VariantId
//   compulsory_capture    where a legal capture exists, only captures may be played
//   royal[2]              by Color: that side has exactly one king, which may not be left attacked
//   king_promotion        pawns may become kings
//   double_step_from[2]   squares from which a pawn may go two steps (a step that ends on rank 4 / 5 gives en passant)
//   castling              the rights (of CastlingRight) that may exist at all
//   no_men                what being without men means (Losers: being left with a bare king)
//   no_moves              what having no legal move means when not in check
//   mated_wins            whether the side that is mated wins (else it loses)
//   has_restricted_ep, has_stalemated_wins   which rule options exist
//   insufficient_material, closed_position   which dead draws exist
//   max_men[2]            more is refused
#pragma once
#include "common/antichess.h"
#include "common/chess.h"
#include "common/horde.h"
#include "common/losers.h"
#include "common/suicide.h"

namespace hecatomb::inline HECATOMB_TARGET {

/// Calls f(V{}) with the struct of the variant: the only switch from run time to compile time. (Host code: kernels are
/// templates on the variant and are launched from inside it.)
template <class F>
constexpr decltype(auto) with_variant(VariantId id, F&& f) {
  switch (id) {
    case VariantId::antichess:
      return f(Antichess{});
    case VariantId::suicide:
      return f(Suicide{});
    case VariantId::losers:
      return f(Losers{});
    case VariantId::horde:
      return f(Horde{});
    case VariantId::chess:
      break;
  }
  return f(Chess{});
}

}  // namespace hecatomb::inline HECATOMB_TARGET
