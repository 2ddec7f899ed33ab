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
import { nameSchemas } from '../named-schemas.ts'
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

// Tests allow our answers these fields and no others; merchants’ programs should ignore new ones.
export const { referenceTo, schemas } = nameSchemas(named)
