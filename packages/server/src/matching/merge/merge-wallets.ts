/**
 * Merges two entries of one real wallet, for the operator, in the caller's transaction. The intents and alerts of the other
 * entry stay with it and get the kept identity, so that money spent in one entry is spent in both. Only the balance of the
 * other entry is deleted. Without `apply` it only reports what it would do.
 */
import type { WriteAudit } from '../../accounts/audit/audit.ts'
import type { Instant } from '../../core/clock.ts'
import type { AccountId, AlertId, WalletId } from '../../core/ids.ts'
import { type Scope, wholeAccount } from '../../core/scope.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import { lockWalletEntries } from '../../wallets/entries/account-wallets.ts'
import {
  furtherPhones,
  lockPhone,
  otherWalletsOfPhone,
  saveFurtherPhones,
} from '../../wallets/entries/account-wallets-sql.ts'
import { collidesWith } from '../../wallets/entries/sender-collision.ts'
import { numberKey } from '../../wallets/identity/account-number.ts'
import {
  freeFurtherPhones,
  lockMergedEntries,
  moveNumberAliases,
  ownerOfWallet,
  setFirstPhone,
  shareIdentity,
  touchKeptWallet,
  withoutStatementTimeout,
} from '../../wallets/identity/merge-sql.ts'
import { isSameWallet, type WalletEntry } from '../../wallets/identity/wallet-identity.ts'
import { entryOf, insertNumberAlias } from '../../wallets/identity/wallet-identity-sql.ts'
import { allPhones, mostPhonesOfWallet, type WalletPhone } from '../../wallets/wallet-phones.ts'
import { openSalesOf } from '../queue/sale-sql.ts'
import { samePayments } from '../queue/same-payments.ts'
import { doubtCredits } from '../resolve/amounts-sql.ts'
import { repointDuplicates } from '../resolve/matching-sql.ts'
import { type ClashingAlert, type Outcome, outcomeOf } from './merge-plan.ts'
import {
  claimableCredits,
  clashingAlerts,
  clashingIntents,
  dropAlerts,
  dropBalances,
  intentsToBook,
  markSpentTwice,
  moveUniqueAmounts,
} from './merge-sql.ts'

export type MergeRefusal = {
  readonly kind: 'no'
  readonly why:
    | 'wallet_unknown'
    | 'other_account'
    | 'test_wallet'
    | 'already_one'
    | 'kept_is_closed'
    | 'too_many_phones'
    | 'references_clash'
    | 'sale_open'
  /** The wallets or payments that the message names. */
  readonly names: readonly string[]
}

export type Merge = {
  readonly kind: 'merge'
  readonly accountId: AccountId
  readonly keep: WalletEntry
  /** The other entry, and entries that share its identity. */
  readonly others: readonly WalletEntry[]
  /** Provider, number or sender differ: the operator decides whether it is one wallet. */
  readonly looksDifferent: boolean
  readonly phonesMoved: readonly WalletPhone[]
  /** Phones that stay: another wallet on them has the same sender as the kept one, so alerts could not be told apart. */
  readonly phonesLeft: readonly WalletPhone[]
  readonly outcomes: readonly Outcome[]
  /** Intents whose money is a waiting alert of the other entry: a member must book it. */
  readonly intentsToBook: readonly { readonly reference: string; readonly payment: string }[]
}

type MergeRequest = { readonly keep: WalletId; readonly other: WalletId; readonly apply: boolean }

const no = (why: MergeRefusal['why'], ...names: string[]): MergeRefusal => ({ kind: 'no', why, names })

export const mergeWallets = async (
  tx: Tx,
  audit: WriteAudit,
  { keep: keepId, other: otherId, apply }: MergeRequest,
  now: Instant,
): Promise<Merge | MergeRefusal> => {
  const [[owner], [otherOwner]] = [await ownerOfWallet(tx, keepId), await ownerOfWallet(tx, otherId)]
  if (owner === undefined) return no('wallet_unknown', keepId)
  if (otherOwner === undefined) return no('wallet_unknown', otherId)
  if (owner.account_id !== otherOwner.account_id) return no('other_account')
  const accountId = owner.account_id
  await lockWalletEntries(tx, accountId)
  await withoutStatementTimeout(tx)
  const found = await plan(tx, wholeAccount(accountId), keepId, otherId)
  if (found.kind === 'no' || !apply) return found
  await applyMerge(tx, found, now)
  audit({
    action: 'wallet.merge',
    kind: 'wallet',
    id: keepId,
    accountId,
    before: { name: found.keep.name },
    after: {
      name: found.keep.name,
      merged: found.others.map(({ id, name }) => ({ id, name })),
      credited_twice: found.outcomes.flatMap(({ kind, reference, kept, dropped }) =>
        kind === 'credited_twice' ? [{ reference, payments: [kept.payment, dropped.payment] }] : [],
      ),
    },
  })
  return found
}

const plan = async (tx: Tx, scope: Scope, keepId: WalletId, otherId: WalletId): Promise<Merge | MergeRefusal> => {
  const rows = await lockMergedEntries(tx, scope, [keepId, otherId])
  const [kept, other] = [rows.find(({ id }) => id === keepId)!, rows.find(({ id }) => id === otherId)!]
  if (kept.is_test || other.is_test) return no('test_wallet')
  if (kept.identity === other.identity) return no('already_one')
  const others = rows.filter(({ identity }) => identity === other.identity)
  const open = others.find(({ active }) => active)
  const keptIsOpen = rows.some(({ identity, active }) => identity === kept.identity && active)
  if (open !== undefined && !(kept.active && keptIsOpen)) return no('kept_is_closed', kept.name, open.name)

  const pending = await clashingIntents(tx, scope, kept.identity, other.identity)
  if (pending.length > 0)
    return no('references_clash', ...pending.map(({ keep, other, reference }) => `${keep} and ${other} (${reference})`))

  // A sale that can still be undone is spent without an intent: the operator repeats the merge when it is finished.
  if ((await openSalesOf(tx, scope, [kept.identity, other.identity])).length > 0) return no('sale_open', kept.name)

  const phones = await phonesToMove(tx, scope, kept, open)
  if (phones === 'too many') return no('too_many_phones', kept.name)
  const clashes = await clashingAlerts(tx, scope, kept.identity, other.identity)
  return {
    kind: 'merge',
    accountId: scope.accountId,
    keep: entryOf(kept),
    others: others.map(entryOf),
    looksDifferent: !isSameWallet(entryOf(kept), entryOf(other)),
    ...phones,
    outcomes: clashes.map((row) =>
      outcomeOf({ reference: row.reference, alerts: [alertOf(row, 'keep'), alertOf(row, 'other')] }),
    ),
    intentsToBook: await intentsToBook(tx, scope, kept.identity, other.identity),
  }
}

type ClashRow = Awaited<ReturnType<typeof clashingAlerts>>[number]

const alertOf = (row: ClashRow, side: 'keep' | 'other'): ClashingAlert => ({
  id: row[`${side}_id`],
  state: row[`${side}_state`],
  amount: row[`${side}_amount`],
  currency: row[`${side}_currency`],
  receivedAt: row[`${side}_at`],
  payment: row[`${side}_payment`],
  order: row[`${side}_order`] ?? '',
})

type LockedEntry = Awaited<ReturnType<typeof lockMergedEntries>>[number]

const phonesOf = async (tx: Tx, scope: Scope, entry: LockedEntry): Promise<WalletPhone[]> => {
  const further = await furtherPhones(tx, scope, entry.id)
  return allPhones({
    phoneId: entry.device_id,
    simSlot: entry.sim_slot,
    furtherPhones: further.map((phone) => ({ phoneId: phone.device_id, simSlot: phone.sim_slot })),
  })
}

/** Which phones of the other entry move to the kept one. Only an open entry has phones that report for it. */
const phonesToMove = async (tx: Tx, scope: Scope, kept: LockedEntry, open: LockedEntry | undefined) => {
  const own = await phonesOf(tx, scope, kept)
  const offered = open === undefined ? [] : await phonesOf(tx, scope, open)
  const [phonesMoved, phonesLeft]: [WalletPhone[], WalletPhone[]] = [[], []]
  for (const phone of offered.toSorted((a, b) => (a.phoneId < b.phoneId ? -1 : 1))) {
    if (own.some(({ phoneId }) => phoneId === phone.phoneId)) continue
    await lockPhone(tx, scope, phone.phoneId)
    const neighbours = (await otherWalletsOfPhone(tx, scope, phone.phoneId, kept.id)).filter(
      ({ id }) => id !== open?.id,
    )
    const others = neighbours.map((wallet) => ({
      name: wallet.name,
      senderName: wallet.sender_name,
      simSlot: wallet.sim_slot,
      active: true,
    }))
    const bound = { name: kept.name, senderName: kept.sender_name, simSlot: phone.simSlot, active: true }
    if (collidesWith(bound, others) === undefined) phonesMoved.push(phone)
    else phonesLeft.push(phone)
  }
  return own.length + phonesMoved.length > mostPhonesOfWallet ? 'too many' : { phonesMoved, phonesLeft }
}

const applyMerge = async (tx: Tx, merge: Merge, now: Instant): Promise<void> => {
  const { accountId, keep, others, outcomes, phonesMoved } = merge
  const other = others[0]!.identity
  const ids = others.map(({ id }) => id)
  await markSpentTwice(
    tx,
    wholeAccount(accountId),
    outcomes.flatMap(({ kind, dropped }) => (kind === 'credited_twice' ? [dropped.id] : [])),
  )
  const dropped = outcomes.flatMap(changesOf)
  await dropAlerts(tx, wholeAccount(accountId), dropped)
  await repointDuplicates(
    tx,
    dropped.flatMap(({ id, duplicateOf }) => (duplicateOf === null ? [] : [{ accountId, id, duplicateOf }])),
  )
  const further = await furtherPhones(tx, wholeAccount(accountId), keep.id)
  await freeFurtherPhones(tx, wholeAccount(accountId), ids)
  await shareIdentity(tx, wholeAccount(accountId), keep.identity, other)
  await doubtTwins(tx, wholeAccount(accountId), [keep.id, ...ids])
  await moveNumberAliases(tx, wholeAccount(accountId), keep.identity, other)
  await moveUniqueAmounts(tx, wholeAccount(accountId), keep.identity, other)
  for (const { providerId, accountNumber } of [keep, ...others]) {
    const key = numberKey(accountNumber)
    if (key !== undefined) await insertNumberAlias(tx, wholeAccount(accountId), providerId, key, keep.identity)
  }
  await bindPhones(tx, merge, further.length, phonesMoved, now)
  await touchKeptWallet(tx, wholeAccount(accountId), keep.id)
  await dropBalances(tx, wholeAccount(accountId), ids)
}

const pageOfCredits = 200
const lowestId = '00000000-0000-0000-0000-000000000000'

/** An open credit with a reference may be a payment that was spent in the other entry: then a member decides. */
const doubtTwins = async (tx: Tx, scope: Scope, wallets: readonly WalletId[]): Promise<void> => {
  for (let after = lowestId; ; ) {
    const credits = await claimableCredits(tx, scope, wallets, after, pageOfCredits)
    for (const [id, others] of await samePayments(tx, scope, credits)) {
      const spent = others.find((other) => other.spent)
      if (spent !== undefined) await doubtCredits(tx, scope, [id], spent.id)
    }
    const last = credits.at(-1)
    if (last === undefined || credits.length < pageOfCredits) return
    after = last.id
  }
}

/** How the dropped alert of a pair changes. */
const changesOf = ({ kind, kept, dropped }: Outcome) => {
  const change = (state: string, reason: string, duplicateOf: AlertId | null) => [
    { id: dropped.id, state, reason, duplicateOf },
  ]
  if (kind === 'duplicate') return change('duplicate', 'same_reference', kept.id)
  return kind === 'review' ? change('review', 'second_amount', null) : []
}

const bindPhones = async (
  tx: Tx,
  { accountId, keep }: Merge,
  furtherCount: number,
  moved: readonly WalletPhone[],
  now: Instant,
): Promise<void> => {
  const [first, ...more] = moved
  if (first === undefined) return
  const [row] = await lockMergedEntries(tx, wholeAccount(accountId), [keep.id]).then((rows) =>
    rows.filter(({ id }) => id === keep.id),
  )
  const hasFirst = row!.device_id !== null || furtherCount > 0
  if (!hasFirst) await setFirstPhone(tx, wholeAccount(accountId), keep.id, first.phoneId, first.simSlot)
  await saveFurtherPhones(tx, wholeAccount(accountId), keep.id, hasFirst ? moved : more, now)
}
