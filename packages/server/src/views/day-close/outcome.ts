/** What became of money, by the state of its alert. Every sum by outcome asks here: day close, shifts. Pure. */
import type { MoneyOutcome } from '@sanad/contract/kinds'
import type { AlertState } from '../../alerts/alert.ts'

const outcomes: Partial<Record<AlertState, MoneyOutcome>> = {
  matched: 'matched',
  booked: 'booked',
  waiting: 'unmatched',
  review: 'unmatched',
  held: 'unmatched',
  wrong_amount: 'wrong_amount',
  dismissed: 'dismissed',
}

/** `sale`: it was taken as a sale. It counts as one from the touch on; undone, it is unmatched again. Undefined: no money. */
export const outcomeOf = ({ state, sale }: { readonly state: AlertState; readonly sale: boolean }) =>
  state === 'booked' && sale ? 'sale' : outcomes[state]

/** The outcomes of money that was spent: it paid an order or is a sale. */
export const isSpentOutcome = (outcome: MoneyOutcome): boolean =>
  outcome === 'matched' || outcome === 'sale' || outcome === 'booked'
