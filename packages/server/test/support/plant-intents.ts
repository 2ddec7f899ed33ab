/** Intents written to the database as they might be after months of business, for tests of lists and counts. */
import type { Instant } from '../../src/core/clock.ts'
import { paymentCode, timeOrderedId } from '../../src/core/ids.ts'
import { referenceKey } from '../../src/core/reference-key.ts'
import { fieldMark, fold, type Status } from '../../src/intents/intent.ts'
import type { Session } from '../../src/postgres/connection/database.ts'

export type Planted = {
  readonly accountId: string
  readonly id: string
  readonly walletId: string
  readonly code: string
  /** As stored: PENDING although the window may have closed. */
  readonly status: Status
  /** In minor units. */
  readonly payable: bigint
  readonly externalOrderId: string
  readonly reference: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly verifiedAt: Instant | null
}

const hour_ms = 3_600_000

/** An intent with defaults for everything that is not given. Id and `createdAt` agree, as in the service. */
export const planted = (
  about: Pick<Planted, 'accountId' | 'walletId' | 'createdAt'> & Partial<Omit<Planted, 'id'>>,
): Planted => ({
  id: timeOrderedId(about.createdAt),
  code: paymentCode(),
  status: 'PENDING',
  payable: 150_000n,
  externalOrderId: '',
  reference: '',
  expiresAt: about.createdAt + hour_ms,
  verifiedAt: about.status === 'VERIFIED' ? about.createdAt + 60_000 : null,
  ...about,
})

export const plantIntents = async (session: Session, intents: readonly Planted[]): Promise<void> => {
  const time = (at: Instant | null) => (at === null ? null : new Date(at).toISOString())
  const columns = [
    intents.map((one) => one.accountId),
    intents.map((one) => one.id),
    intents.map((one) => one.walletId),
    intents.map((one) => one.code),
    intents.map((one) => one.status),
    intents.map((one) => String(one.payable)),
    intents.map((one) => (one.status === 'WRONG_AMOUNT' ? '5' : null)),
    intents.map((one) => one.externalOrderId),
    intents.map((one) => one.reference),
    intents.map((one) => (one.reference === '' ? null : referenceKey(one.reference))),
    intents.map((one) => time(one.createdAt)),
    intents.map((one) => time(one.expiresAt)),
    intents.map((one) => time(one.verifiedAt)),
    intents.map((one) => `${fold(one.code)}${fieldMark}${fold(one.externalOrderId)}`),
    intents.map((one) => fold(one.reference)),
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
