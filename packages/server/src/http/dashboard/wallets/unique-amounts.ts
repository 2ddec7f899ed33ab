/** `/wallets/{id}/unique-amounts/`: the setting, which only owners change, and the figures by which it is suggested. */

import { isDeepStrictEqual } from 'node:util'
import { setUniqueAmounts, showUniqueAmounts } from '@sanad/contract/dashboard/wallets/unique-amounts'
import { day_ms } from '../../../core/duration.ts'
import { wholeOf } from '../../../core/scope.ts'
import { referenceShare } from '../../../views/wallets/reference-share-sql.ts'
import {
  changeUniqueAmounts,
  type StoredUniqueAmounts,
  suggestsUniqueAmounts,
} from '../../../wallets/entries/unique-amounts-setting.ts'
import { notFound } from '../../answers.ts'
import { change, type Route, route } from '../route.ts'
import { shownWallet, uniqueAmountsAnswer, type WalletDeps, walletIn } from './wallets.ts'

const countedDays = 30

const auditValues = ({ direction, most }: StoredUniqueAmounts) => ({
  unique_amounts: direction,
  unique_amounts_most: most,
})

export const uniqueAmountRoutes = (deps: WalletDeps): Route[] => [
  route(showUniqueAmounts, walletIn(deps), async ({ member, now }, wallet) => {
    const { today } = member.scope
    const since = today?.since ?? now - countedDays * day_ms
    const [row] = await referenceShare(deps.db, wholeOf(member.scope), wallet.id, since)
    const { credits, without_reference, templates, templates_without } = row!
    const share = { credits, withoutReference: without_reference, templates, templatesWithout: templates_without }
    return {
      ...uniqueAmountsAnswer(wallet),
      days: today === null ? countedDays : 1,
      credits,
      without_reference,
      templates,
      templates_without_reference: templates_without,
      suggested: suggestsUniqueAmounts(wallet, share),
    }
  }),
  route(setUniqueAmounts, walletIn(deps), async (call, wallet) => {
    const { member, now } = call
    const { scope } = member
    const { id } = wallet
    const { unique_amounts: direction, unique_amounts_most: most } = call.body
    const changed = await change(deps, call, async (tx, audit) => {
      const done = await changeUniqueAmounts(tx, scope, id, { direction, most })
      if (done !== undefined && !isDeepStrictEqual(done.before, done.after)) {
        const before = { name: wallet.name, ...auditValues(done.before) }
        const after = { name: wallet.name, ...auditValues(done.after) }
        audit({ action: 'wallet.update', kind: 'wallet', id, before, after })
      }
      return done
    })
    if (changed === undefined) throw notFound()
    deps.wallets.forget(scope, id)
    for (const { id: phone } of wallet.phones) deps.knownPhones.forget(phone)
    return shownWallet(deps, deps.db, member, id, now)
  }),
]
