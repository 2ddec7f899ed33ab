/**
 * Setting up and changing wallets. A wallet is closed, never deleted. Every change counts up its version, so that other
 * nodes look again before they expect money in it. Two wallets that one phone could not tell apart are refused; whoever
 * binds wallets to one phone does so one after the other. What is cached here is the caller's to forget.
 */
import { testProviderId } from '../accounts/test-wallet.ts'
import type { Instant } from '../ground/clock.ts'
import { type AccountId, plainId, type WalletId } from '../ground/ids.ts'
import { type Refusal, refuse } from '../ground/refusal.ts'
import type { Db, Session, Tx } from '../postgres/database.ts'
import type { ManagedWallet, WalletSettings } from './managed-wallet.ts'
import {
  countWallets,
  findManaged,
  holdPhone,
  holdWallet,
  insertManaged,
  listManaged,
  managedOf,
  neighboursOf,
  updateManaged,
  usableProvider,
} from './managed-wallet-sql.ts'
import { collidesWith } from './sender-collision.ts'

export const mostWallets = 1_000
/** As many as are looked through for every alert of a phone. */
export const mostOnPhone = 100

type Unfit = 'provider_unknown' | 'provider_for_tests' | 'phone_unknown' | 'phone_full' | 'sender_collision'

export const findWalletOf = async (
  db: Session,
  accountId: AccountId,
  id: string,
): Promise<ManagedWallet | undefined> => {
  const [row] = await findManaged(db, accountId, id)
  return row && managedOf(row)
}

const first = ['', '00000000-0000-0000-0000-000000000000'] as const

export const walletsOf = async (
  db: Session,
  accountId: AccountId,
  after: readonly [name: string, id: string] = first,
  size: number,
): Promise<ManagedWallet[]> => (await listManaged(db, accountId, after, size)).map(managedOf)

export const createWallet = (
  db: Db,
  accountId: AccountId,
  wallet: WalletSettings,
  now: Instant,
): Promise<{ readonly id: WalletId } | Refusal<Unfit | 'wallet_limit'>> =>
  db.transaction(async (tx) => {
    const id = plainId<WalletId>()
    const [count] = await countWallets(tx, accountId)
    if (count!.wallets >= mostWallets) return refuse('wallet_limit')
    const unfit = await misfit(tx, accountId, id, undefined, wallet)
    if (unfit !== undefined) return unfit
    await insertManaged(tx, accountId, id, wallet, now)
    return { id }
  })

export type WalletChanges = { readonly [Name in keyof WalletSettings]: WalletSettings[Name] | undefined }

/** Undefined: there is no such wallet. */
export const changeWallet = (
  db: Db,
  accountId: AccountId,
  id: WalletId,
  changes: WalletChanges,
): Promise<
  { readonly before: WalletSettings; readonly after: WalletSettings } | Refusal<Unfit | 'test_wallet_fixed'> | undefined
> =>
  db.transaction(async (tx) => {
    const [row] = await holdWallet(tx, accountId, id)
    if (row === undefined) return undefined
    const before: WalletSettings = {
      name: row.name,
      accountNumber: row.account_number,
      providerId: row.provider_id,
      deviceId: row.device_id,
      senderName: row.sender_name,
      simSlot: row.sim_slot,
      active: row.active,
      reviewAbove: row.review_above,
      lowTrustLimit: row.low_trust_limit,
      reviewBrokenChains: row.review_broken_chains,
    }
    const said = Object.entries(changes).filter(([, value]) => value !== undefined)
    const after: WalletSettings = { ...before, ...Object.fromEntries(said) }
    if (row.is_test && !sameTest(before, after)) return refuse('test_wallet_fixed')
    const unfit = await misfit(tx, accountId, id, before, after)
    if (unfit !== undefined) return unfit
    await updateManaged(tx, accountId, id, after)
    return { before, after }
  })

/** The testing wallet is always open, and its alerts are always those of tests. */
const sameTest = (before: WalletSettings, after: WalletSettings): boolean =>
  after.active && after.providerId === before.providerId && after.senderName === before.senderName

const misfit = async (
  tx: Tx,
  accountId: AccountId,
  id: WalletId,
  before: WalletSettings | undefined,
  wallet: WalletSettings,
): Promise<Refusal<Unfit> | undefined> => {
  if (wallet.providerId !== before?.providerId) {
    if (wallet.providerId === testProviderId) return refuse('provider_for_tests')
    const [provider] = await usableProvider(tx, accountId, wallet.providerId)
    if (provider === undefined) return refuse('provider_unknown', { provider: wallet.providerId })
  }
  if (wallet.deviceId === null) return undefined
  const [phone] = await holdPhone(tx, accountId, wallet.deviceId)
  if (phone === undefined) return refuse('phone_unknown', { phone: wallet.deviceId })
  const rows = await neighboursOf(tx, accountId, wallet.deviceId, id)
  if (wallet.active && rows.length >= mostOnPhone) return refuse('phone_full')
  const others = rows.map((row) => ({
    id: row.id,
    name: row.name,
    senderName: row.sender_name,
    simSlot: row.sim_slot,
    active: true,
  }))
  const other = collidesWith(wallet, others)
  if (other === undefined) return undefined
  return refuse('sender_collision', { wallet: other.name, sender: wallet.senderName, sim_slot: other.simSlot })
}
