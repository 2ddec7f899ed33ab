/**
 * An unsigned message never changes the fate of a signed one that is a part of it, or contains it: anybody who knows an app's
 * address can write a message that repeats another and adds "cancelled", or another amount. A signed message still takes the place
 * of an unsigned part. Pure.
 */
import type { AlertState } from '../../alerts/alert.ts'
import type { Minor } from '../../core/money.ts'
import type { ComparedParts, Parts } from '../rules/partial-messages.ts'

const spentStates: readonly AlertState[] = ['booked', 'matched']

/** The whole and the parts that count for an alert. A spent part always counts: the money must not be spent again. */
export const countedParts = (alert: { readonly trusted: boolean; readonly amount: Minor }, parts: Parts): Parts => {
  const { whole, pieces } = parts
  if (!alert.trusted)
    return { whole, pieces: pieces.filter((piece) => !piece.trusted || spentStates.includes(piece.state)) }
  return {
    whole: whole?.trusted === true ? whole : undefined,
    // An unsigned part that was read as other money waits for a member alone.
    pieces: pieces.filter(({ trusted, amount }) => trusted || amount === null || amount === alert.amount),
  }
}

/** Without the signed messages that an unsigned one must not send to review. */
export const changeableParts = (trusted: boolean, parts: ComparedParts): ComparedParts =>
  trusted ? parts : { ...parts, different: parts.different.filter((part) => !part.trusted) }
