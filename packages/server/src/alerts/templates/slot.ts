/**
 * The slots of a template: how each type looks in a normalised text, and its value.
 *
 * The expression of a slot is coarse on purpose, one run of characters, and `slotValue` checks it exactly afterwards. That
 * keeps the automaton small, and makes it decidable whether a text can be read in two ways (see `template.ts`). Every
 * expression begins and ends with something other than white space.
 *
 * A value at the edge of a text may have lost a part (an SMS of two parts, of which one came). There a reference is read only
 * with the length that the template gives, and money only at the end and with both decimals.
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

// No digit, no colon, no comma: a payer cannot put an amount or a label into an alert through their name.
const inName = '\\x21\\x22\\x24\\x25\\x2B\\x2C\\x30-\\x40\\x5B-\\x5E\\x60\\x7B-\\x7E\\x{FFFD}'

export const SHAPES: Readonly<Record<SlotType, Shape>> = {
  money: { expression: '[0-9](?:[0-9.,]*[0-9])?', longest: 18, spaced: false },
  // Wider than a reference, so that a placeholder (`N/A`, a long dash) is recognised as one.
  reference: {
    expression: '[A-Za-z0-9\\x{2010}-\\x{2015}\\x{2212}-]+(?:\\x2F[Aa])?',
    longest: 64,
    spaced: false,
  },
  phone: { expression: '[+0-9Xx*#•]+', longest: 24, spaced: false },
  name: { expression: `[^ ${inName}](?:[^${inName}]*[^ ${inName}])?`, longest: 80, spaced: true },
  any: { expression: '[^ \\x{FFFD}](?:[^\\x{FFFD}]*[^ \\x{FFFD}])?', longest: 200, spaced: true },
}

// Western grouping or none: 1,500 and 12,345,678.9 and 30000. A comma anywhere else, a third decimal or a leading zero is
// not money: an unread alert waits for a member, but a misread one would verify the wrong payment.
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

const readMoney = (spelled: string): Minor | undefined => {
  if (!MONEY.test(spelled)) return undefined
  const decimal = readDecimal(spelled.replaceAll(',', ''))
  return decimal.kind === 'ok' ? decimal.minor : undefined
}

/**
 * Whether the text in the place of a reference is a placeholder: `----`, `null`, `None`, `N/A`, `0000`. A reference always
 * has a digit, and a letter or a digit other than zero.
 */
export const isPlaceholder = (spelled: string): boolean => !DIGIT.test(spelled) || !/[A-Za-z1-9]/.test(spelled)

/** The edge of the text at which a slot is. */
export type Edge = 'start' | 'end' | undefined
export type SlotPlace = {
  readonly type: SlotType
  readonly edge?: Edge
  /** The length of a reference, if the template gives it. */
  readonly length?: number | undefined
}

/** Null: the slot is read without a value. Undefined: the text is not of the slot's type. */
export type SlotValue = Minor | string | null | undefined

export const slotValue = ({ type, edge, length }: SlotPlace, spelled: string): SlotValue => {
  if (spelled.length > SHAPES[type].longest) return undefined
  switch (type) {
    case 'money':
      return moneyAt(edge, spelled)
    case 'reference':
      return referenceAt(edge, length, spelled)
    case 'phone':
      return PHONE.test(spelled) && DIGIT.test(spelled) ? spelled : undefined
    case 'name':
      return NAME.test(spelled) && NAME_CHARACTER.test(spelled) ? spelled : undefined
    case 'any':
      return spelled
  }
}

const moneyAt = (edge: Edge, spelled: string): SlotValue => {
  const amount = readMoney(spelled)
  if (amount === undefined || edge === undefined) return amount
  return edge === 'end' && BOTH_DECIMALS.test(spelled) ? amount : null
}

const referenceAt = (edge: Edge, length: number | undefined, spelled: string): SlotValue => {
  if (isPlaceholder(spelled)) return null
  // A reference of another length was cut, or is of a kind that the template does not know.
  if (edge !== undefined || length !== undefined)
    return spelled.length === length && REFERENCE.test(spelled) ? spelled : null
  return REFERENCE.test(spelled) ? spelled : undefined
}
