/** What speaks against an alert, whatever was decided about it: a person should look twice. Pure. */
import type { Minor } from '../../core/money.ts'

export type DoubtCode = 'unsigned' | 'balance' | 'phone_new' | 'seen_before' | 'many_references'

/** So many different references on one intent look like somebody who counts. */
export const manyReferences = 5

export type Doubtful = {
  /** Whether the phone proved that these are its words. */
  readonly trusted: boolean
  readonly chain: 'fits' | 'break' | 'unknown' | null
  readonly chainMissing: Minor | null
  readonly phoneNew: boolean
  readonly similarTo: string | null
}

/** `tried`: how many different references the intent that it resolves has had. */
export const doubtsOf = (alert: Doubtful, tried = 0): DoubtCode[] => {
  const doubts: DoubtCode[] = []
  if (!alert.trusted) doubts.push('unsigned')
  if (alert.chain === 'break' || (alert.chain === 'fits' && alert.chainMissing !== null)) doubts.push('balance')
  if (alert.phoneNew) doubts.push('phone_new')
  if (alert.similarTo !== null) doubts.push('seen_before')
  if (tried >= manyReferences) doubts.push('many_references')
  return doubts
}

/** The facts of a line in the timeline, as JSON. */
export const doubtFacts = (doubts: readonly DoubtCode[]): string =>
  doubts.length === 0 ? '{}' : JSON.stringify({ doubts: doubts.join(',') })
