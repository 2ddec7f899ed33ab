/** Converts between a wallet's balance chain and its row. */

import { type Chain, readDoubts, writeDoubts } from '../../alerts/balances/balance-chain.ts'
import type { AlertId, WalletIdentity } from '../../core/ids.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import type { SavedBalance } from '../records/alert-row.ts'
import type { lockBalances } from './matching-sql.ts'

export const chainFrom = (row: RowOf<typeof lockBalances.columns>): Chain => ({
  balance: row.balance,
  at: row.at,
  ...readDoubts(row.doubts),
})

export const chainRow = (walletId: WalletIdentity, chain: Chain, alertId: AlertId): SavedBalance => ({
  walletId,
  balance: chain.balance,
  at: chain.at,
  doubts: writeDoubts(chain),
  toRelease: chain.proved !== undefined,
  alertId,
})
