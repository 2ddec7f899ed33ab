/** The acts that a member can ask for: how they are stored, and how each is done, by the function that the member's own call uses. */
import { minor } from '../../../core/money.ts'
import { isRefusal, type Refusal } from '../../../core/refusal.ts'
import type { JoinedDb } from '../../../postgres/query/joined.ts'
import { type CancelCheckoutAct, type CollectAct, cancelCheckoutAct, collectAct } from '../checkouts/checkout-acts.ts'
import type { CheckoutRouteDeps } from '../checkouts/checkouts.ts'
import { type SaleAct, saleAct } from '../counter/sale-act.ts'
import { type AcceptAct, acceptAct, type CancelAct, cancelAct } from '../intents/intent-acts.ts'
import type { IntentRouteDeps } from '../intents/intent-deps.ts'
import type { Acting, Done } from '../limited-act.ts'
import { type BookAct, bookAct } from '../money/book-act.ts'
import type { DashboardRefusal } from '../refusals.ts'

export type RequestedAct = BookAct | AcceptAct | CollectAct | SaleAct | CancelAct | CancelCheckoutAct

export type ActDeps = IntentRouteDeps & CheckoutRouteDeps

/** Money as text: JSON has no whole numbers of this size. */
export const storedAct = (act: RequestedAct): string =>
  JSON.stringify(act, (_, value) => (typeof value === 'bigint' ? { minor: String(value) } : value))

export const actFrom = (stored: string): RequestedAct =>
  JSON.parse(stored, (_, value) =>
    typeof value === 'object' && value !== null && typeof value.minor === 'string' ? minor(BigInt(value.minor)) : value,
  ) as RequestedAct

export const performAct = async (
  deps: ActDeps,
  acting: Acting,
  act: RequestedAct,
): Promise<Done | Refusal<DashboardRefusal>> => {
  switch (act.act) {
    case 'book':
    case 'book_copy':
      return bookAct(deps, acting, act)
    case 'accept_paid':
      return acceptAct(deps, acting, act)
    case 'collect_rest':
      return collectAct(deps, acting, act)
    case 'take_sale':
      return saleAct(deps, acting, act)
    case 'cancel_intent':
      return cancelAct(deps, acting, act)
    case 'cancel_checkout':
      return cancelCheckoutAct(deps, acting, act)
  }
}

/** Thrown to undo an act. */
class Undo {
  readonly result: Done | Refusal<DashboardRefusal>
  constructor(result: Done | Refusal<DashboardRefusal>) {
    this.result = result
  }
}

/** Does the act and undoes it: says whether it could be done now. */
export const tryAct = async (
  deps: ActDeps,
  { db, doer, now }: Omit<Acting, 'audit'>,
  act: RequestedAct,
): Promise<Done | Refusal<DashboardRefusal>> => {
  try {
    return await db.attempt(async () => {
      throw new Undo(await performAct(deps, { db, doer, now, audit: () => {} }, act))
    })
  } catch (fault) {
    if (fault instanceof Undo) return fault.result
    throw fault
  }
}

/** Does the act. A refusal undoes what was written before it. */
export const doAct = async (
  deps: ActDeps,
  acting: Acting & { readonly db: JoinedDb },
  act: RequestedAct,
): Promise<Done | Refusal<DashboardRefusal>> => {
  try {
    return await acting.db.attempt(async () => {
      const done = await performAct(deps, acting, act)
      if (isRefusal(done)) throw new Undo(done)
      return done
    })
  } catch (fault) {
    if (fault instanceof Undo) return fault.result
    throw fault
  }
}
