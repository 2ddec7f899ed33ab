/** Writes intents to the database as they could be after months of business, for tests of lists and counts. */

import type { Instant } from '../../src/core/clock.ts'
import { hour_ms } from '../../src/core/duration.ts'
import { type AccountId, paymentCode, timeOrderedId } from '../../src/core/ids.ts'
import { referenceKey } from '../../src/core/reference-key.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { fieldMark, fold, type Status } from '../../src/intents/intent.ts'
import type { Filter } from '../../src/intents/list/intent-list.ts'
import type { Session } from '../../src/postgres/connection/database.ts'

export type Planted = {
  readonly accountId: string
  readonly id: string
  readonly walletId: string
  readonly code: string
  /** As stored: PENDING even if the intent's time is over already. */
  readonly status: Status
  /** In minor units. */
  readonly payable: bigint
  readonly externalOrderId: string
  readonly reference: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly verifiedAt: Instant | null
}

/** An intent with these fields, and with defaults for all others. The time in the id equals `createdAt`, as in the service. */
export const planted = (
  fields: Pick<Planted, 'accountId' | 'walletId' | 'createdAt'> & Partial<Omit<Planted, 'id'>>,
): Planted => ({
  id: timeOrderedId(fields.createdAt),
  code: paymentCode(),
  status: 'PENDING',
  payable: 150_000n,
  externalOrderId: '',
  reference: '',
  expiresAt: fields.createdAt + hour_ms,
  verifiedAt: fields.status === 'VERIFIED' ? fields.createdAt + 60_000 : null,
  ...fields,
})

export const plantIntents = async (session: Session, intents: readonly Planted[]): Promise<void> => {
  const time = (at: Instant | null) => (at === null ? null : new Date(at).toISOString())
  const columns = [
    intents.map((intent) => intent.accountId),
    intents.map((intent) => intent.id),
    intents.map((intent) => intent.walletId),
    intents.map((intent) => intent.code),
    intents.map((intent) => intent.status),
    intents.map((intent) => String(intent.payable)),
    intents.map((intent) => (intent.status === 'WRONG_AMOUNT' ? '5' : null)),
    intents.map((intent) => intent.externalOrderId),
    intents.map((intent) => intent.reference),
    intents.map((intent) => (intent.reference === '' ? null : referenceKey(intent.reference))),
    intents.map((intent) => time(intent.createdAt)),
    intents.map((intent) => time(intent.expiresAt)),
    intents.map((intent) => time(intent.verifiedAt)),
    intents.map((intent) => `${fold(intent.code)}${fieldMark}${fold(intent.externalOrderId)}`),
    intents.map((intent) => fold(intent.reference)),
  ]
  await session.run({
    text: `
      insert into intents (account_id, id, wallet_id, code, status, base, payable, paid, currency, external_order_id,
                           reference, reference_key, created_by, created_at, expires_at, verified_at, search_order,
                           search_reference)
      select account_id, id, wallet_id, code, status, payable, payable, paid, 'YER', external_order_id, reference,
             reference_key, 'story', created_at, expires_at, verified_at, search_order, search_reference
        from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::bigint[], $7::bigint[], $8::text[],
                    $9::text[], $10::text[], $11::timestamptz[], $12::timestamptz[], $13::timestamptz[], $14::text[],
                    $15::text[])
          as p (account_id, id, wallet_id, code, status, payable, paid, external_order_id, reference, reference_key,
                created_at, expires_at, verified_at, search_order, search_reference)`,
    values: columns,
  })
}

/** A filter of the list of intents. Without `parts` it finds all intents of the account. */
export const filterOf = (accountId: AccountId, parts: Partial<Filter> = {}): Filter => ({
  scope: wholeAccount(accountId),
  statuses: undefined,
  code: undefined,
  reference: undefined,
  externalOrderId: undefined,
  walletId: undefined,
  from: undefined,
  until: undefined,
  terms: [],
  ...parts,
})
