/** The voucher of a public address: what everybody with the address may see, and no more. Nothing is cached: it is the state now. */
import type { Instant } from '../../core/clock.ts'
import type { TokenHash } from '../../core/public-token.ts'
import { readArrival } from '../../intents/arrival.ts'
import { type Status, statusAt } from '../../intents/intent.ts'
import type { Session } from '../../postgres/connection/database.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import { firstNameOf } from './first-name.ts'
import type { PublicVoucher } from './public-voucher.ts'
import { findVoucherByToken } from './voucher-page-sql.ts'

const timeOf = (state: Status, row: RowOf<typeof findVoucherByToken.columns>): Instant => {
  switch (state) {
    case 'VERIFIED':
      return row.verified_at ?? row.created_at
    case 'WRONG_AMOUNT':
      return row.received_at ?? row.created_at
    case 'EXPIRED':
      return row.expires_at
    case 'CANCELLED':
      return row.ended_at ?? row.created_at
    case 'PENDING':
      return row.created_at
  }
}

export const findVoucher = async (
  db: Session,
  tokenHash: TokenHash,
  now: Instant,
): Promise<PublicVoucher | undefined> => {
  const [row] = await findVoucherByToken(db, tokenHash)
  if (row === undefined) return undefined
  const state = statusAt({ status: row.status, expiresAt: row.expires_at }, now)
  return {
    accountId: row.account_id,
    shop: { name: row.shop_name, active: row.shop_active, timeZone: row.time_zone },
    state,
    arrived: state === 'VERIFIED' ? (readArrival(row)?.arrived ?? row.payable) : row.paid,
    asked: row.payable,
    currency: row.currency,
    order: row.external_order_id,
    at: timeOf(state, row),
    isTest: row.is_test,
    payer: firstNameOf(row.payer ?? ''),
  }
}
