/** The read models that several APIs share. */
import { talliedUntilReader } from '../intents/totals/tally-intents.ts'
import { intentFinder } from '../views/intents/find-intents.ts'
import { intentLister } from '../views/intents/list-intents.ts'
import { walletLookup } from '../views/wallets/find-wallet.ts'
import { offeredWallets } from '../views/wallets/offered-wallets.ts'
import type { Base } from './open-base.ts'

export type Views = ReturnType<typeof createViews>

export const createViews = ({ db, shared }: Base) => {
  const talliedUntil = talliedUntilReader(db)
  return {
    wallets: walletLookup(db),
    offered: offeredWallets(db),
    find: intentFinder(shared),
    talliedUntil,
    list: intentLister({ db, shared, talliedUntil }),
    // A list of its own: the many queries of users do not push the few of merchants' programs out of the cache.
    listForUsers: intentLister({ db, shared, talliedUntil }),
  }
}
