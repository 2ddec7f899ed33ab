/** `/wallets/` and `/wallets/{id}/`: the wallets of an account, the phones that report their alerts, and warnings about each. */

import { isDeepStrictEqual } from 'node:util'
import type { Currency } from '@sanad/contract/currency'
import {
  changeWallet as changeWalletCall,
  createWallet as createWalletCall,
  type DashboardWallet,
  listWallets,
  showWallet,
} from '@sanad/contract/dashboard/wallets/wallets'
import type { MemberRole } from '../../../accounts/people/permission.ts'
import { authorityOf } from '../../../alerts/approvals/provider-senders.ts'
import type { Instant } from '../../../core/clock.ts'
import type { WalletId } from '../../../core/ids.ts'
import type { Zone } from '../../../core/zone.ts'
import type { Db } from '../../../postgres/connection/database.ts'
import { findWalletOf, walletsOf } from '../../../views/wallets/account-wallets.ts'
import { type AccountWallet, notesOn, type WatchingPhone } from '../../../wallets/entries/account-wallet.ts'
import { changeWallet, createWallet } from '../../../wallets/entries/account-wallets.ts'
import type { WalletLookup } from '../../../wallets/entries/wallet-lookup.ts'
import type { PhoneLookup } from '../../../wallets/phones/phone-lookup.ts'
import { isSilent } from '../../../wallets/silence/silence.ts'
import { monitored, obstacle, type WalletSettings } from '../../../wallets/wallet.ts'
import { allPhones } from '../../../wallets/wallet-phones.ts'
import { notFound } from '../../answers.ts'
import { readNewWallet, readWalletChanges } from '../../body/dashboard/wallet-body.ts'
import { providerAnswer } from '../../merchant/intent-answer.ts'
import { pageAnswer } from '../../routes/cursor.ts'
import { readBy } from '../../routes/route.ts'
import { accepted } from '../refusals.ts'
import { change, type DashboardContext, type Member, type NamedCall, type Route, route } from '../route.ts'
import { timeOrNull } from '../time-text.ts'
import { mayReadLimits, noLimits, reviewLimits } from './review-limits.ts'
import { walletNotice } from './trust-notice.ts'

export type WalletDeps = DashboardContext & {
  readonly zone: Zone
  readonly wallets: WalletLookup
  readonly knownPhones: PhoneLookup
}

export const walletRoutes = (deps: WalletDeps): Route[] => [
  route(listWallets, async ({ query: { after, page_size: size }, member, now }) => {
    const rows = await walletsOf(deps.db, member.scope, after, size + 1)
    const cursorOf = ({ name, id }: AccountWallet) => [name, id]
    return pageAnswer(rows, size, cursorOf, (wallet) => walletAnswer(wallet, member.role, deps.zone, now))
  }),
  route(readBy(createWalletCall, readNewWallet), async (call) => {
    const { member, now, body: newWallet } = call
    const authority = authorityOf(member.role, await call.proved())
    const created = await change(deps, call, async (tx, audit) => {
      const done = accepted(await createWallet(tx, member.scope, newWallet, now, authority))
      const told = walletNotice(undefined, newWallet, done.reasons)
      audit({ action: 'wallet.create', kind: 'wallet', id: done.id, after: walletValues(newWallet), ...told })
      return done
    })
    for (const { phoneId } of allPhones(newWallet)) deps.knownPhones.forget(phoneId)
    return shownWallet(deps, deps.db, member, created.id, now)
  }),
  route(showWallet, ({ path, member, now }) => shownWallet(deps, deps.db, member, path.id, now)),
  route(readBy(changeWalletCall, readWalletChanges), walletIn(deps), async (call, { id }) => {
    const { member, now, body: changes } = call
    const authority = authorityOf(member.role, await call.proved())
    const changed = await change(deps, call, async (tx, audit) => {
      const done = accepted(await changeWallet(tx, member.scope, id, changes, now, authority))
      if (done !== undefined) {
        const [before, after] = [walletValues(done.before), walletValues(done.after)]
        const told = walletNotice(done.before, done.after, done.reasons)
        if (!isDeepStrictEqual(before, after))
          audit({ action: 'wallet.update', kind: 'wallet', id, before, after, ...told })
      }
      return done
    })
    if (changed === undefined) throw notFound()
    deps.wallets.forget(member.scope, id)
    for (const { phoneId } of [...allPhones(changed.before), ...allPhones(changed.after)])
      deps.knownPhones.forget(phoneId)
    return shownWallet(deps, deps.db, member, id, now)
  }),
]

/** The wallet that the path names, in the account of the member. */
export const walletIn =
  ({ db }: DashboardContext) =>
  async ({ path, member }: NamedCall): Promise<AccountWallet> => {
    const wallet = await findWalletOf(db, member.scope, path.id)
    if (wallet === undefined) throw notFound()
    return wallet
  }

export const shownWallet = async (
  { zone }: WalletDeps,
  db: Db,
  { scope, role }: Member,
  id: WalletId,
  now: Instant,
): Promise<DashboardWallet> => {
  const wallet = await findWalletOf(db, scope, id)
  if (wallet === undefined) throw notFound()
  return walletAnswer(wallet, role, zone, now)
}

/** The largest difference is shown even while unique amounts are off. */
export const uniqueAmountsAnswer = ({ uniqueAmounts, uniqueAmountsMost }: AccountWallet) => ({
  unique_amounts: uniqueAmounts?.direction ?? ('off' as const),
  unique_amounts_most: uniqueAmountsMost,
})

/** The settings of a wallet as the audit log stores them. */
export const walletValues = (wallet: WalletSettings) => ({
  name: wallet.name,
  account_number: wallet.accountNumber,
  provider: wallet.providerId,
  phone: wallet.phoneId,
  sender_name: wallet.senderName,
  sim_slot: wallet.simSlot,
  ...(wallet.furtherPhones.length === 0
    ? {}
    : {
        further_phones: wallet.furtherPhones.map(({ phoneId, simSlot }) => ({ phone: phoneId, sim_slot: simSlot })),
      }),
  active: wallet.active,
  ...reviewLimits(wallet),
})

const walletAnswer = (wallet: AccountWallet, role: MemberRole, zone: Zone, now: Instant): DashboardWallet => {
  const time = (at: Instant | null): string | null => timeOrNull(zone, at)
  const phoneAnswer = (phone: WatchingPhone) => ({
    id: phone.id,
    name: phone.name,
    switched_on: phone.on,
    silent: isSilent(phone.signs, now),
    last_seen_at: time(phone.signs.lastSeenAt),
  })
  const [first] = wallet.phones
  return {
    id: wallet.id,
    name: wallet.name,
    account_number: wallet.accountNumber,
    sender_name: wallet.senderName,
    currency: wallet.currency as Currency,
    provider: { ...providerAnswer(wallet.provider), display_name_ar: wallet.providerNameArabic },
    sim_slot: wallet.simSlot,
    phone: first === undefined ? null : phoneAnswer(first),
    phones: wallet.phones.map((phone) => ({
      ...phoneAnswer(phone),
      connected: phone.connected,
      sim_slot: phone.simSlot,
    })),
    active: wallet.active,
    is_test: wallet.isTest,
    monitored: monitored(wallet),
    offered: obstacle(wallet) === undefined,
    notes: notesOn(wallet, now).map((note) => ({ ...note, facts: { ...note.facts } })),
    last_alert_at: time(wallet.lastAlertAt),
    first_received_at: time(wallet.firstReceivedAt),
    ...(mayReadLimits(role) ? reviewLimits(wallet) : noLimits),
    ...uniqueAmountsAnswer(wallet),
    created_at: zone.format(new Date(wallet.createdAt)),
  }
}
