/**
 * Creating and changing wallets. A wallet is closed, never deleted. Every change increments its version, so that other
 * nodes check again before they create an intent for it. One real wallet has one open entry (wallet-identity.ts); the
 * entries of an account are created and changed one after the other. Two wallets that one phone could not tell apart
 * are refused; while a wallet is bound to a phone, the phone is locked. A new sender, another app, or a looser limit,
 * needs an owner (trust/needs-owner.ts). The caller opens the transaction and, after it, clears its cache.
 */
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { usualCurrency } from '@sanad/contract/currency'
import type { Instant } from '../../core/clock.ts'
import { type AccountId, type ProviderId, randomId, type WalletId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import { faultConstraint, type Tx } from '../../postgres/connection/database.ts'
import { numberKey } from '../identity/account-number.ts'
import { entriesOfSame, identityOfNew, obstacleToChange, type WalletEntry } from '../identity/wallet-identity.ts'
import { entryOf, insertNumberAlias, numberAliases, walletEntries } from '../identity/wallet-identity-sql.ts'
import { keepsNumberRule, numberRuleFacts } from '../providers/number-rule.ts'
import { appsOfProvider } from '../providers/provider-apps.ts'
import { shareProvider } from '../providers/provider-sql.ts'
import { testProviderId } from '../test-wallet.ts'
import { type Authority, refuseWithoutOwner } from '../trust/authority.ts'
import {
  appsOf,
  hearsMore,
  newWalletNeedsOwner,
  type OwnerReason,
  strictest,
  usualLimits,
  walletNeedsOwner,
} from '../trust/needs-owner.ts'
import type { WalletSettings } from '../wallet.ts'
import { allPhones, changedPhones, type PhoneChanges } from '../wallet-phones.ts'
import {
  countWallets,
  dropFurtherPhones,
  furtherPhones,
  insertAccountWallet,
  limitsOfIdentity,
  limitsOfSender,
  lockPhone,
  lockWallet,
  otherWalletsOfPhone,
  saveFurtherPhones,
  takeEntriesLock,
  updateAccountWallet,
  usableProvider,
} from './account-wallets-sql.ts'
import { collidesWith } from './sender-collision.ts'

export const mostWallets = 1_000
/** A limit, because all wallets of a phone are checked for each of its alerts. */
export const mostOnPhone = 100

type SettingsRefusal =
  | 'provider_unknown'
  | 'provider_for_tests'
  | 'account_number_form'
  | 'phone_unknown'
  | 'phone_full'
  | 'sender_collision'
type ExistsRefusal = 'wallet_exists' | 'wallet_closed'

/**
 * Locks the entries of an account while they are checked and changed: two entries of one real wallet cannot be created
 * at once.
 */
export const lockWalletEntries = async (tx: Tx, accountId: AccountId): Promise<void> =>
  void (await takeEntriesLock(tx, createHash('sha256').update(`wallet entries ${accountId}`).digest().readBigInt64BE()))

export const createWallet = async (
  tx: Tx,
  scope: Scope,
  wallet: WalletSettings,
  now: Instant,
  authority: Authority,
): Promise<
  | { readonly id: WalletId; readonly apps: readonly string[]; readonly reasons: readonly OwnerReason[] }
  | Refusal<SettingsRefusal | ExistsRefusal | 'wallet_limit' | 'owner_needed' | 'confirmation_required'>
> => {
  await lockWalletEntries(tx, scope.accountId)
  const id = randomId<WalletId>()
  const [count] = await countWallets(tx, scope)
  if (count!.wallets >= mostWallets) return refuse('wallet_limit')
  // Checked first: if the wallet exists, no other reason matters.
  const identity = identityOfNew(await entriesOfSameWallet(tx, scope, { ...wallet, id }))
  if (identity.kind === 'open' || identity.kind === 'closed') return refuseExisting(identity)
  const invalid = await checkSettings(tx, scope, id, undefined, wallet)
  if (invalid !== undefined) return invalid
  const shared = identity.kind === 'shared' ? identity.identity : id
  const { apps, senders } = await appsOfProvider(tx, scope, wallet.providerId, authority.sendersOf)
  // Closing a wallet and creating it again does not loosen its limits, and neither does another entry for the same messages.
  const [continued = usualLimits] = identity.kind === 'shared' ? await limitsOfIdentity(tx, scope, shared) : []
  const [ofSender] = await limitsOfSender(tx, scope, wallet.senderName, id)
  const reasons = newWalletNeedsOwner(wallet, { senders: senders.all, apps }, strictest(continued, ofSender))
  const needed = refuseWithoutOwner(authority, reasons)
  if (needed !== undefined) return needed
  const senderAt = isVouchedFor(wallet, senders.operators) ? null : now
  const exists = await writeIfOnlyOpen(tx, scope, shared, async () => {
    await insertAccountWallet(tx, scope, id, shared, wallet, usualCurrency, senderAt, now)
  })
  if (exists !== undefined) return exists
  await saveAlias(tx, scope, shared, wallet)
  await saveFurtherPhones(tx, scope, id, wallet.furtherPhones, now)
  return { id, apps: appsOf(wallet, apps.all), reasons }
}

type OwnSettings = Omit<WalletSettings, keyof PhoneChanges | 'furtherPhones'>

export type WalletChanges = PhoneChanges & { readonly [Name in keyof OwnSettings]: OwnSettings[Name] | undefined }

export type ChangedWallet = {
  readonly before: WalletSettings
  readonly after: WalletSettings
  /** The apps whose notifications count for it. */
  readonly apps: { readonly before: readonly string[]; readonly after: readonly string[] }
  /** What of the change needed an owner. */
  readonly reasons: readonly OwnerReason[]
}

/** Undefined: there is no such wallet. */
export const changeWallet = async (
  tx: Tx,
  scope: Scope,
  id: WalletId,
  changes: WalletChanges,
  now: Instant,
  authority: Authority,
): Promise<
  | ChangedWallet
  | Refusal<SettingsRefusal | ExistsRefusal | 'test_wallet_fixed' | 'owner_needed' | 'confirmation_required'>
  | undefined
> => {
  await lockWalletEntries(tx, scope.accountId)
  const [row] = await lockWallet(tx, scope, id)
  if (row === undefined) return undefined
  const further = await furtherPhones(tx, scope, id)
  const before = settingsOf(row, further)
  const { phones: _, ...own } = changes
  const changedFields = Object.entries(own).filter(([, value]) => value !== undefined)
  const after: WalletSettings = {
    ...before,
    ...Object.fromEntries(changedFields),
    ...changedPhones(before, changes),
  }
  if (row.is_test && !isStillTestWallet(before, after)) return refuse('test_wallet_fixed')
  if (!row.is_test) {
    const obstacle = await findObstacle(tx, scope, { id, identity: row.identity }, before, after)
    if (obstacle !== undefined) return refuseExisting(obstacle)
  }
  const invalid = await checkSettings(tx, scope, id, before, after)
  if (invalid !== undefined) return invalid
  const { apps, senders } = await appsOfProvider(tx, scope, after.providerId, authority.sendersOf)
  const earlierApps =
    before.providerId === after.providerId
      ? appsOf(before, apps.all)
      : appsOf(before, await packagesOf(tx, scope, before.providerId))
  const provider = { senders: senders.all, apps }
  const [ofSender] = hearsMore(before, after) ? await limitsOfSender(tx, scope, after.senderName, id) : []
  const reasons = walletNeedsOwner(before, after, provider, earlierApps, ofSender)
  const needed = refuseWithoutOwner(authority, reasons)
  if (needed !== undefined) return needed
  const reread = rereadFields.some((name) => !isDeepStrictEqual(before[name], after[name]))
  const renumbered =
    before.providerId !== after.providerId || numberKey(before.accountNumber) !== numberKey(after.accountNumber)
  const senderAt = senderFields.every((name) => before[name] === after[name])
    ? row.sender_at
    : isVouchedFor(after, senders.operators)
      ? null
      : now
  const exists = await writeIfOnlyOpen(tx, scope, row.identity, async () => {
    await updateAccountWallet(tx, scope, id, after, senderAt, reread, renumbered)
  })
  if (exists !== undefined) return exists
  if (!row.is_test) await saveAlias(tx, scope, row.identity, after)
  await dropFurtherPhones(
    tx,
    scope,
    id,
    after.furtherPhones.map(({ phoneId }) => phoneId),
  )
  await saveFurtherPhones(tx, scope, id, after.furtherPhones, now)
  return { before, after, apps: { before: earlierApps, after: appsOf(after, apps.all) }, reasons }
}

const packagesOf = async (tx: Tx, scope: Scope, id: ProviderId): Promise<string[]> => {
  const [row] = await shareProvider(tx, scope, id)
  return row === undefined ? [] : JSON.parse(row.packages)
}

const settingsOf = (
  row: Awaited<ReturnType<typeof lockWallet>>[number],
  further: Awaited<ReturnType<typeof furtherPhones>>,
): WalletSettings => ({
  name: row.name,
  accountNumber: row.account_number,
  providerId: row.provider_id,
  phoneId: row.device_id,
  senderName: row.sender_name,
  simSlot: row.sim_slot,
  furtherPhones: further.map((phone) => ({ phoneId: phone.device_id, simSlot: phone.sim_slot })),
  active: row.active,
  reviewAbove: row.review_above,
  lowTrustLimit: row.low_trust_limit,
  reviewBrokenChains: row.review_broken_chains,
  reviewLaterMessages: row.review_later_messages,
})

/** The settings that decide to which wallet a message belongs: after a change, earlier messages may belong to it. */
const rereadFields = ['phoneId', 'simSlot', 'furtherPhones', 'senderName', 'providerId', 'active'] as const

/** A sender that the operator's templates name is never new. */
const isVouchedFor = ({ senderName }: WalletSettings, operators: readonly string[]): boolean =>
  senderName === '' || operators.includes(senderName)

/** The settings that decide whose messages count for a wallet: after a change, its sender is new. */
const senderFields = ['senderName', 'providerId', 'active'] as const

/** The other entries of the account for the same real wallet. */
const entriesOfSameWallet = async (
  tx: Tx,
  scope: Scope,
  wallet: Pick<WalletEntry, 'id' | 'providerId' | 'accountNumber' | 'senderName'>,
): Promise<WalletEntry[]> => {
  const key = numberKey(wallet.accountNumber)
  const entries = (await walletEntries(tx, scope)).map(entryOf)
  const aliases = key === undefined ? [] : await numberAliases(tx, scope, key)
  return entriesOfSame(
    wallet,
    entries,
    aliases.map(({ provider_id: providerId, identity }) => ({ providerId, identity })),
  )
}

const findObstacle = async (
  tx: Tx,
  scope: Scope,
  { id, identity }: Pick<WalletEntry, 'id' | 'identity'>,
  before: WalletSettings,
  after: WalletSettings,
) => {
  const entries = await walletEntries(tx, scope)
  const siblings = entries.filter((entry) => entry.identity === identity && entry.id !== id)
  return obstacleToChange(
    { identity, before, after },
    {
      before: await entriesOfSameWallet(tx, scope, { ...before, id }),
      after: await entriesOfSameWallet(tx, scope, { ...after, id }),
      siblings: siblings.map(entryOf),
    },
  )
}

const refuseExisting = ({
  kind,
  entry,
}: {
  readonly kind: 'open' | 'closed'
  readonly entry: Pick<WalletEntry, 'id' | 'name'>
}) => refuse(kind === 'open' ? 'wallet_exists' : 'wallet_closed', { wallet: entry.name, wallet_id: entry.id })

/** Runs a write that may open an entry. The unique index refuses a second open entry, also from a writer without the lock. */
const writeIfOnlyOpen = async (
  tx: Tx,
  scope: Scope,
  identity: string,
  write: () => Promise<void>,
): Promise<Refusal<ExistsRefusal> | undefined> => {
  try {
    await tx.attempt(write)
    return undefined
  } catch (fault) {
    if (faultConstraint(fault) !== 'wallets_one_open') throw fault
    const open = (await walletEntries(tx, scope)).find((entry) => entry.identity === identity && entry.active)
    if (open === undefined) throw fault
    return refuseExisting({ kind: 'open', entry: entryOf(open) })
  }
}

const saveAlias = async (tx: Tx, scope: Scope, identity: string, wallet: WalletSettings): Promise<void> => {
  const key = numberKey(wallet.accountNumber)
  if (key !== undefined) await insertNumberAlias(tx, scope, wallet.providerId, key, identity)
}

/** The test wallet stays open, with its provider and sender. */
const isStillTestWallet = (before: WalletSettings, after: WalletSettings): boolean =>
  after.active && after.providerId === before.providerId && after.senderName === before.senderName

const checkSettings = async (
  tx: Tx,
  scope: Scope,
  id: WalletId,
  before: WalletSettings | undefined,
  wallet: WalletSettings,
): Promise<Refusal<SettingsRefusal> | undefined> => {
  const isOtherProvider = wallet.providerId !== before?.providerId
  if (isOtherProvider && wallet.providerId === testProviderId) return refuse('provider_for_tests')
  if (isOtherProvider || wallet.accountNumber !== before?.accountNumber) {
    const [provider] = await usableProvider(tx, scope, wallet.providerId)
    if (provider === undefined) return refuse('provider_unknown', { provider: wallet.providerId })
    // Earlier wallets keep their numbers, with a warning (notesOn).
    const { display_name: name, number_lengths: lengths, number_prefixes: prefixes } = provider
    const rule = { lengths: JSON.parse(lengths) as number[], prefixes: JSON.parse(prefixes) as string[] }
    if (!keepsNumberRule(wallet.accountNumber, rule))
      return refuse('account_number_form', { provider: name, ...numberRuleFacts(rule) })
  }
  const phones = allPhones(wallet).map((phone, place) => ({ ...phone, place: String(place) }))
  // Phones are always locked in one order, so that no deadlock is possible.
  phones.sort((a, b) => (a.phoneId < b.phoneId ? -1 : 1))
  for (const { phoneId, simSlot, place } of phones) {
    const [phone] = await lockPhone(tx, scope, phoneId)
    if (phone === undefined) return refuse('phone_unknown', { phone: phoneId, place })
    const rows = await otherWalletsOfPhone(tx, scope, phoneId, id)
    if (wallet.active && rows.length >= mostOnPhone) return refuse('phone_full', { place })
    const others = rows.map((row) => ({
      id: row.id,
      name: row.name,
      senderName: row.sender_name,
      simSlot: row.sim_slot,
      active: true,
    }))
    const other = collidesWith({ ...wallet, simSlot }, others)
    if (other !== undefined)
      return refuse('sender_collision', {
        wallet: other.name,
        sender: wallet.senderName,
        sim_slot: other.simSlot,
        place,
      })
  }
  return undefined
}
