/**
 * Compares the claimed payer of an intent with the payer that an alert shows. The result is evidence, never proof: it ranks
 * candidates, and a payer who differs keeps the service from matching by amount (docs/decisions/0043). Pure.
 */
import { normalise } from '../../alerts/texts/normalise.ts'
import { asciiDigits } from '../../core/digits.ts'
import { type ClaimedPayer, isClaimed } from '../records/claimed-payer.ts'
import { compareNames } from './payer-name.ts'
import { comparePhones, isPhone, maskSigns } from './payer-phone.ts'

export type PayerReason =
  | 'same_phone'
  | 'same_phone_shown'
  | 'same_name'
  | 'same_name_shown'
  | 'other_phone'
  | 'other_name'
  /** No payer was claimed, or the alert shows none. */
  | 'not_claimed'
  | 'not_shown'
  /** A phone and a name; two scripts; too few digits or letters; names with only some parts in common; or visible digits that
   *  fit together with a name that does not. */
  | 'not_comparable'

export type PayerLikeness = {
  readonly likeness: 'same' | 'differs' | 'unknown'
  readonly reason: PayerReason
}

const longest = 200
const longestText = 2_000
/** A number inside a text: `علي المثال 770000000`. */
const numberInText = new RegExp(`[+\\d][\\d${maskSigns}()-]{5,}`)

type Shown = { readonly name: string; readonly phone: string }

/** Name and phone in the payer of an alert. */
export const shownPayer = (shown: string): Shown => {
  if (isPhone(shown)) return { name: '', phone: shown }
  const text = asciiDigits(shown)
  const [phone = ''] = numberInText.exec(text) ?? []
  return { name: text.replace(phone, ' '), phone: isPhone(phone) ? phone : '' }
}

/** The number after the payer's name in a message: `من علي المثال-770000000`. Only the name is stored. */
const numberAfter = new RegExp(`^[\\s(:\\u2010-\\u2015-]{0,4}([+\\d][\\d${maskSigns}]{5,23})`)

/** Where the payer stands in the text as words of its own, the last place first; -1: nowhere. A cut name may be a single letter,
 *  which other words have too: the ع of `بمرجع 777100000001` is no payer, and the number after it no phone. */
const placeOf = (payer: string, text: string): number => {
  for (let at = text.lastIndexOf(payer); at >= 0; at = at === 0 ? -1 : text.lastIndexOf(payer, at - 1)) {
    const [before, after] = [text[at - 1] ?? ' ', text[at + payer.length] ?? ' ']
    if (!/[\p{L}\p{N}]/u.test(before) && !/\p{L}/u.test(after)) return at
  }
  return -1
}

/** The payer of an alert, with the number that follows the name in the text. */
export const payerWithNumber = (payer: string | null, text: string): string | null => {
  if (payer === null || payer === '' || isPhone(payer)) return payer
  const plain = normalise(text.slice(0, longestText))
  const at = placeOf(payer, plain)
  const [, number] = (at < 0 ? undefined : numberAfter.exec(plain.slice(at + payer.length))) ?? []
  return number === undefined ? payer : `${payer} ${number}`
}

/**
 * Phone numbers decide if they differ, or if both are whole and the same; otherwise the names are compared too. `shown`: the
 * payer of the alert, a phone, a name, or both.
 */
export const comparePayer = (claimed: ClaimedPayer, shown: string | null): PayerLikeness => {
  if (!isClaimed(claimed)) return { likeness: 'unknown', reason: 'not_claimed' }
  const text = (shown ?? '').slice(0, longest).trim()
  if (text === '') return { likeness: 'unknown', reason: 'not_shown' }
  const { name, phone } = shownPayer(text)
  const phones = comparePhones(claimed.phone, phone)
  if (phones === 'same') return { likeness: 'same', reason: 'same_phone' }
  if (phones === 'differs') return { likeness: 'differs', reason: 'other_phone' }
  const names = compareNames(claimed.name, name)
  // Many numbers have the same few visible digits: together with another name they prove nothing.
  if (phones === 'same_as_far_as_shown')
    return names === 'differs'
      ? { likeness: 'unknown', reason: 'not_comparable' }
      : { likeness: 'same', reason: 'same_phone_shown' }
  if (names === 'same') return { likeness: 'same', reason: 'same_name' }
  if (names === 'same_as_far_as_shown') return { likeness: 'same', reason: 'same_name_shown' }
  if (names === 'differs') return { likeness: 'differs', reason: 'other_name' }
  return { likeness: 'unknown', reason: 'not_comparable' }
}

/** 0 is best: the same phone, the same name, unknown, another payer. */
export const payerRank = ({ likeness, reason }: PayerLikeness): number => {
  if (likeness === 'differs') return 3
  if (likeness === 'unknown') return 2
  return reason === 'same_phone' || reason === 'same_phone_shown' ? 0 : 1
}
