/** `GET /wallets/`: the wallets into which a merchant can collect now, ordered by name. */
import { listWallets } from '@sanad/contract/merchant/operations'
import type { Db } from '../../postgres/connection/database.ts'
import { walletOf, listWallets as walletRows } from '../../views/wallets/wallet-sql.ts'
import { obstacle } from '../../wallets/wallet.ts'
import { sendJson } from '../answers.ts'
import { type KeyRoute, keyRoute } from '../routes/key-route.ts'
import { walletText } from './intent-answer.ts'

export const walletRoutes = (db: Db): KeyRoute[] => [
  keyRoute(listWallets, async ({ reply, key, query }) => {
    const wallets = (await walletRows(db, key.scope)).map(walletOf)
    const offered = wallets.filter((wallet) => obstacle(wallet) === undefined && (query.include_test || !wallet.isTest))
    return sendJson(reply, 200, `[${offered.map(walletText).join(',')}]`)
  }),
]
