/**
 * Identifiers: branded, so that a wallet's id does not compile as an intent's.
 *
 * Rows of tables that grow get version 7 ids made from the same instant as their `created_at`. The order of ids is then the
 * order of creation, and a range of time is a range of ids: one index serves retrieval, the list and its date filters.
 */
import { randomBytes, randomFillSync } from 'node:crypto'
import { v4, v5, v7 } from 'uuid'
import type { Instant } from './clock.ts'

declare const brand: unique symbol
type Branded<Name extends string> = string & { readonly [brand]: Name }

export type AccountId = Branded<'account'>
export type UserId = Branded<'user'>
export type ClientId = Branded<'client'>
export type ProviderId = Branded<'provider'>
export type PhoneId = Branded<'phone'>
export type WalletId = Branded<'wallet'>
/** The real wallet (provider and account number) that one or more rows of `wallets` describe. */
export type WalletIdentity = Branded<'wallet identity'>
export type IntentId = Branded<'intent'>
export type CheckoutId = Branded<'checkout'>
export type PaymentLinkId = Branded<'payment link'>
export type VoucherId = Branded<'voucher'>
export type TemplateId = Branded<'template'>
export type AlertId = Branded<'alert'>
export type EventId = Branded<'event'>
export type EndpointId = Branded<'endpoint'>
export type DeliveryId = Branded<'delivery'>
export type ReplayId = Branded<'replay'>
export type SessionId = Branded<'session'>
export type PasskeyId = Branded<'passkey'>
export type LinkId = Branded<'link'>
export type AuditId = Branded<'audit entry'>
export type NoticeId = Branded<'notice'>
export type ApprovalId = Branded<'approval'>
export type RequestId = Branded<'request'>
export type ShiftId = Branded<'shift'>
export type PushDeviceId = Branded<'push device'>
export type CounterId = Branded<'counter'>

/** An id that a request sent. Of which kind it is, only the statement that looks it up can tell. */
// biome-ignore lint/suspicious/noExplicitAny: it is taken for an id of any kind
export type SentId = Branded<any>

// Asking the system for a thousand random bytes costs as much as for sixteen. With this pool an id takes about an eighth of
// the time. Each byte is used once. Secrets are not made from the pool.
const pool = new Uint8Array(2048)
let left = 0

const pooledRandomBytes = (count: number): Uint8Array => {
  if (left < count) {
    randomFillSync(pool)
    left = pool.length
  }
  left -= count
  return pool.subarray(left, left + count)
}

let sequence = randomBytes(4).readUInt32BE() >>> 1

/** An id for a table that grows: ids sort by `now`, and within one millisecond by the order in which this process made them. */
export const timeOrderedId = <Id extends string>(now: Instant): Id => {
  sequence = (sequence + 1) >>> 0
  return v7({ msecs: now, seq: sequence, random: pooledRandomBytes(16) }) as Id
}

/** An id for a table with few rows. */
export const randomId = <Id extends string>(): Id => v4() as Id

const namespace = '0f5c6300-5a4e-4d4b-8a3e-5a0ad0000001'

/** An id for a row that is shipped with Sanad: the same name gives the same id everywhere. */
export const nameBasedId = <Id extends string>(name: string): Id => v5(name, namespace) as Id

/** Smaller and larger than every id that a row can have: where reading all rows begins, in either direction. */
export const smallestId = '00000000-0000-0000-0000-000000000000'
export const largestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** The smallest id that a row created at or after this instant can have. */
export const firstIdAt = (at: Instant): string => {
  const ms = Math.min(Math.max(at, 0), 2 ** 48 - 1)
  const hex = Math.trunc(ms).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Ten characters of Crockford base32, 50 bits: short enough to read aloud, and two are rarely the same. */
export const paymentCode = (): string => {
  let code = ''
  for (const byte of pooledRandomBytes(10)) code += crockford[byte & 31]
  return code
}

/** The ids of test keys begin with these digits, and no others do. */
const testKeyMark = '7e57'

/** 32 hexadecimal digits. */
export const newClientId = (isTest: boolean): ClientId => {
  for (;;) {
    const id = randomBytes(16).toString('hex')
    if (isTest) return (testKeyMark + id.slice(testKeyMark.length)) as ClientId
    if (!id.startsWith(testKeyMark)) return id as ClientId
  }
}

/** A secret of 32 random bytes, safe in a URL and in a header. */
export const newSecret = (): string => randomBytes(32).toString('base64url')
