/**
 * The slots of a template: how each type looks in a normalised text, and its value.
 *
 * The expression of a slot is coarse on purpose: one run of characters, which `slotValue` checks exactly afterwards. That
 * keeps the automaton small, and lets `template.ts` decide whether a text can be read in two ways. Every expression begins
 * and ends with a character other than white space.
 *
 * A value at the edge of a text may be cut: one part of an SMS may arrive alone. At an edge a reference is read only with the
 * length that the template gives, and money only at the end of the text and with both decimals.
 */
import { type Minor, readDecimal } from '../../core/money.ts'

export const SLOT_TYPES = ['money', 'reference', 'phone', 'name', 'any'] as const
export type SlotType = (typeof SLOT_TYPES)[number]

/** The slots that matching uses, and the types that each may have. */
export const KNOWN_SLOTS: Readonly<Record<string, readonly SlotType[]>> = {
  amount: ['money'],
  balance: ['money'],
  fee: ['money'],
  reference: ['reference'],
  payer: ['name', 'phone', 'any'],
  phone: ['phone'],
}
/** The types of all other slots. */
export const OTHER_SLOTS: readonly SlotType[] = ['name', 'phone', 'any']

type Shape = {
  readonly expression: string
  readonly longest: number
  /** May have white space inside. */
  readonly spaced: boolean
}

// Not in a name: digits, colons, commas and others. So a payer cannot put an amount or a label into an alert by their name.
const notInName = '\\x21\\x22\\x24\\x25\\x2B\\x2C\\x30-\\x40\\x5B-\\x5E\\x60\\x7B-\\x7E\\x{FFFD}'

export const SHAPES: Readonly<Record<SlotType, Shape>> = {
  money: { expression: '[0-9](?:[0-9.,]*[0-9])?', longest: 18, spaced: false },
  // Wider than a reference, so that a placeholder (`N/A`, a long dash) is recognised as one.
  reference: {
    expression: '[A-Za-z0-9\\x{2010}-\\x{2015}\\x{2212}-]+(?:\\x2F[Aa])?',
    longest: 64,
    spaced: false,
  },
  phone: { expression: '[+0-9Xx*#•]+', longest: 24, spaced: false },
  name: { expression: `[^ ${notInName}](?:[^${notInName}]*[^ ${notInName}])?`, longest: 80, spaced: true },
  any: { expression: '[^ \\x{FFFD}](?:[^\\x{FFFD}]*[^ \\x{FFFD}])?', longest: 200, spaced: true },
}

// Western grouping or none: 1,500 and 12,345,678.9 and 30000. A comma anywhere else, a third decimal or a leading zero is
// not money: an unread alert only waits for a member, but a misread one could verify the wrong payment.
const MONEY = /^(?:0|[1-9][0-9]*|[1-9][0-9]{0,2}(?:,[0-9]{3})+)(?:\.[0-9]{1,2})?$/
const BOTH_DECIMALS = /\.[0-9]{2}$/
export const SHORTEST_REFERENCE = 4
export const LONGEST_REFERENCE = 64
const REFERENCE = /^[A-Za-z0-9-]{4,64}$/
const PHONE = /^\+?[0-9Xx*#•]{4,23}$/
const NAME = /^[\p{L}\p{M} .*#•_'’&()/-]+$/u
// A name has at least a letter, or a character that masks one.
const NAME_CHARACTER = /[\p{L}*#•]/u
const DIGIT = /[0-9]/

const readMoney = (text: string): Minor | undefined => {
  if (!MONEY.test(text)) return undefined
  const decimal = readDecimal(text.replaceAll(',', ''))
  return decimal.kind === 'ok' ? decimal.minor : undefined
}

/**
 * Whether a text is a placeholder instead of a reference: `----`, `null`, `None`, `N/A`, `0000`. A reference always has a
 * digit, and a letter or a digit other than zero.
 */
export const isPlaceholder = (text: string): boolean => !DIGIT.test(text) || !/[A-Za-z1-9]/.test(text)

/** The edge of the text at which a slot is. */
export type Edge = 'start' | 'end' | undefined
export type SlotPlace = {
  readonly type: SlotType
  readonly edge?: Edge
  /** The length of a reference, if the template gives it. */
  readonly length?: number | undefined
}

/** Null: the text is read, but this slot has no value. Undefined: the text does not fit the slot, so nothing is read. */
export type SlotValue = Minor | string | null | undefined

export const slotValue = ({ type, edge, length }: SlotPlace, text: string): SlotValue => {
  if (text.length > SHAPES[type].longest) return undefined
  switch (type) {
    case 'money':
      return moneyAt(edge, text)
    case 'reference':
      return referenceAt(edge, length, text)
    case 'phone':
      return PHONE.test(text) && DIGIT.test(text) ? text : undefined
    case 'name':
      return NAME.test(text) && NAME_CHARACTER.test(text) ? text : undefined
    case 'any':
      return text
  }
}

const moneyAt = (edge: Edge, text: string): SlotValue => {
  const amount = readMoney(text)
  if (amount === undefined || edge === undefined) return amount
  return edge === 'end' && BOTH_DECIMALS.test(text) ? amount : null
}

const referenceAt = (edge: Edge, length: number | undefined, text: string): SlotValue => {
  if (isPlaceholder(text)) return null
  // A reference of another length was cut, or is of a kind that is unknown to the template.
  if (edge !== undefined || length !== undefined) return text.length === length && REFERENCE.test(text) ? text : null
  return REFERENCE.test(text) ? text : undefined
}
