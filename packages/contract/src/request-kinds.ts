/** The kinds of what is over the limit of a role and waits for a manager or an owner (docs/decisions/0088). */

/** What of an act is over the limit of a member's role. */
export const limitKinds = [
  /** It falls short of its order. */
  'short',
  /** The amount is booked by hand in one step. */
  'booked',
  /** A cashier cancels. */
  'cancel',
  /** A cashier takes walk-in money as a sale. */
  'take_sale',
] as const
export type LimitKind = (typeof limitKinds)[number]

/** What a member can ask a manager or owner to confirm, because it is over the limit of the member's role. */
export const requestActs = [
  'book',
  'book_copy',
  'accept_paid',
  'collect_rest',
  'take_sale',
  'cancel_intent',
  'cancel_checkout',
] as const
export type RequestAct = (typeof requestActs)[number]

/** `expired`: nobody decided in time. `over`: it is no longer possible, or who asked may no longer ask. */
export const requestStates = ['open', 'confirmed', 'refused', 'withdrawn', 'expired', 'over'] as const
export type RequestState = (typeof requestStates)[number]

/** The entries that a request makes in the timeline of its intent. */
export const requestMoves = [
  'request_asked',
  'request_confirmed',
  'request_refused',
  'request_withdrawn',
  'request_expired',
  'request_over',
] as const
export type RequestMove = (typeof requestMoves)[number]
