/**
 * The schemas of the contract as parts of the document: each has a name there, and wherever one occurs inside another
 * it is referred to by that name.
 */
import type { TSchema } from 'typebox'
import { ErrorAnswer, ErrorEntry } from '../errors.ts'
import {
  PaymentCancelled,
  PaymentExpired,
  PaymentReceived,
  PaymentUnmatched,
  PaymentVerified,
  PaymentWrongAmount,
} from '../events.ts'
import {
  AttachReference,
  CreateIntent,
  Device,
  Intent,
  IntentPage,
  IntentStatus,
  Item,
  MatchedEvent,
  NewItem,
} from '../intent.ts'
import { TokenAnswer } from '../token.ts'
import { IntentWallet, Provider, Wallet, WalletList } from '../wallet.ts'

const named: Readonly<Record<string, TSchema>> = {
  TokenAnswer,
  WalletList,
  Wallet,
  Provider,
  CreateIntent,
  NewItem,
  AttachReference,
  Intent,
  IntentStatus,
  Item,
  IntentWallet,
  MatchedEvent,
  Device,
  IntentPage,
  PaymentVerified,
  PaymentUnmatched,
  PaymentReceived,
  PaymentWrongAmount,
  PaymentExpired,
  PaymentCancelled,
  ErrorAnswer,
  ErrorEntry,
}

const names = new Map<unknown, string>(Object.entries(named).map(([name, schema]) => [schema, name]))

export type SchemaReference = { readonly $ref: string }

/** A reference to this schema. */
export const referenceTo = (schema: TSchema): SchemaReference => {
  const name = names.get(schema)
  if (name === undefined) throw new Error('This schema has no name in the document.')
  return { $ref: `#/components/schemas/${name}` }
}

const published = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(place)
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(
    Object.entries(part)
      // Tests allow our answers these fields and no others; merchants’ programs should ignore new ones.
      .filter(([keyword, value]) => !(keyword === 'additionalProperties' && value === false))
      .map(([keyword, value]) => [keyword, place(value)]),
  )
}

const place = (part: unknown): unknown => (names.has(part) ? referenceTo(part as TSchema) : published(part))

export const schemas = (): Record<string, unknown> =>
  Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, published(schema)]))
