/**
 * The schemas of the contract as components of the document. Each has a name, and where a schema occurs inside another
 * one it is referenced by its name.
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
import { nameSchemas } from '../named-schemas.ts'
import { TokenAnswer } from '../token.ts'
import { IntentWallet, Provider, Wallet, WalletList } from '../wallet.ts'

const schemasByName: Readonly<Record<string, TSchema>> = {
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

// Tests allow only these fields in our answers. Merchants’ programs should ignore fields they do not know.
export const { referenceTo, schemas } = nameSchemas(schemasByName)
