/** `GET /wallets/`: the wallets into which a merchant can collect now, ordered by name. */
import { listWallets } from '@sanad/contract/merchant/operations'
import type { OfferedWallets } from '../../views/wallets/offered-wallets.ts'
import type { Wallet } from '../../wallets/wallet.ts'
import { sendJson } from '../answers.ts'
import { type KeyRoute, keyRoute } from '../routes/key-route.ts'
import { walletText } from './intent-answer.ts'

/** The text of a wallet, as long as it is cached. */
const texts = new WeakMap<Wallet, string>()

const textOf = (wallet: Wallet): string => {
  const known = texts.get(wallet)
  if (known !== undefined) return known
  const text = walletText(wallet)
  texts.set(wallet, text)
  return text
}

export const walletRoutes = (offered: OfferedWallets): KeyRoute[] => [
  keyRoute(listWallets, ({ reply, key, query, now }) => {
    const answer = (wallets: readonly Wallet[]) => {
      const shown = query.include_test ? wallets : wallets.filter(({ isTest }) => !isTest)
      return sendJson(reply, 200, `[${shown.map(textOf).join(',')}]`)
    }
    const wallets = offered.list(key.scope, now)
    return wallets instanceof Promise ? wallets.then(answer) : answer(wallets)
  }),
]
