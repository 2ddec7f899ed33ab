/**
 * The slots of a template: what each type looks like in a normalised text, and what it is worth.
 *
 * A slot's expression is deliberately coarse, one run of characters, and `slotValue` judges it exactly afterwards. That
 * keeps the automaton small and makes "can this text be read in two ways" decidable (see `template.ts`). Every
 * expression begins and ends with something other than white space.
 *
 * What stands at the edge of a text can have lost a part on its way (an SMS of two parts, of which one came). A reference
 * there counts only with the length that the template names, money only where nothing can be missing: at the end, with
 * both its decimals.
 */
import { type Minor, readDecimal } from '../../core/money.ts'

export const SLOT_TYPES = ['money', 'reference', 'phone', 'name', 'any'] as const
export type SlotType = (typeof SLOT_TYPES)[number]

/** Names that mean something to matching, and the types each may have. Any other name may be a `name`, a `phone` or an `any`. */
export const MEANT: Readonly<Record<string, readonly SlotType[]>> = {
  amount: ['money'],
  balance: ['money'],
  fee: ['money'],
  reference: ['reference'],
  payer: ['name', 'phone', 'any'],
  phone: ['phone'],
}
export const FREE: readonly SlotType[] = ['name', 'phone', 'any']

type Shape = {
  readonly expression: string
  readonly longest: number
  /** May have white space inside. */
  readonly spaced: boolean
}

// No digit, no colon, no comma: whatever a payer calls himself, he cannot write an amount or a label into an alert.
const inName = '\\x21\\x22\\x24\\x25\\x2B\\x2C\\x30-\\x40\\x5B-\\x5E\\x60\\x7B-\\x7E\\x{FFFD}'

export const SHAPES: Readonly<Record<SlotType, Shape>> = {
  money: { expression: '[0-9](?:[0-9.,]*[0-9])?', longest: 18, spaced: false },
  // Wider than a reference, so that what stands in its place where there is none (`N/A`, a long dash) is seen as that.
  reference: {
    expression: '[A-Za-z0-9\\x{2010}-\\x{2015}\\x{2212}-]+(?:\\x2F[Aa])?',
    longest: 64,
    spaced: false,
  },
  phone: { expression: '[+0-9Xx*#•]+', longest: 24, spaced: false },
  name: { expression: `[^ ${inName}](?:[^${inName}]*[^ ${inName}])?`, longest: 80, spaced: true },
  any: { expression: '[^ \\x{FFFD}](?:[^\\x{FFFD}]*[^ \\x{FFFD}])?', longest: 200, spaced: true },
}

// Western grouping or none: 1,500 and 12,345,678.9 and 30000. A comma anywhere else, a third decimal or a leading zero
// is not money: an alert that is not understood waits for a person, one that is misunderstood pays a stranger.
const MONEY = /^(?:0|[1-9][0-9]*|[1-9][0-9]{0,2}(?:,[0-9]{3})+)(?:\.[0-9]{1,2})?$/
const BOTH_DECIMALS = /\.[0-9]{2}$/
export const SHORTEST_REFERENCE = 4
export const LONGEST_REFERENCE = 64
const REFERENCE = /^[A-Za-z0-9-]{4,64}$/
const PHONE = /^\+?[0-9Xx*#•]{4,23}$/
const NAME = /^[\p{L}\p{M} .*#•_'’&()/-]+$/u
// Something of a name is left, even if it is only its mask.
const SOMEONE = /[\p{L}*#•]/u
const DIGIT = /[0-9]/

export const readMoney = (spelled: string): Minor | undefined => {
  if (!MONEY.test(spelled)) return undefined
  const decimal = readDecimal(spelled.replaceAll(',', ''))
  return decimal.kind === 'ok' ? decimal.minor : undefined
}

/**
 * Whether something stands where a reference would be, and is none: `----`, `null`, `None`, `N/A`, `0000`. A reference
 * always has a digit that is not zero or that stands among letters.
 */
export const isPlaceholder = (spelled: string): boolean => !DIGIT.test(spelled) || !/[A-Za-z1-9]/.test(spelled)

/** Where in the text a slot stands. */
export type Edge = 'start' | 'end' | undefined
export type SlotPlace = {
  readonly type: SlotType
  readonly edge?: Edge
  /** How many characters a reference has, where the template says so. */
  readonly length?: number | undefined
}

/** Null: what stands there may be read over, and says nothing. Undefined: it is not of the slot's type. */
export type SlotValue = Minor | string | null | undefined

/** What the slot holds. */
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
      return NAME.test(spelled) && SOMEONE.test(spelled) ? spelled : undefined
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
  // The reference of another length was cut, or is of a kind that the template does not know.
  if (edge !== undefined || length !== undefined)
    return spelled.length === length && REFERENCE.test(spelled) ? spelled : null
  return REFERENCE.test(spelled) ? spelled : undefined
}
