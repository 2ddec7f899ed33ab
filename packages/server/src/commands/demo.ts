/**
 * A merchant to try things with: an account with everything the API knows, and a second account that must never see it.
 * Each call makes new ones: secrets are kept hashed, so those of an earlier call cannot be shown again.
 */
import { createAccount, createUser } from '../accounts/create-account.ts'
import { createKey, type NewSecret } from '../accounts/manage-keys.ts'
import { openTokens } from '../accounts/token.ts'
import { shippedProviderId, shipTemplates } from '../alerts/ship-templates.ts'
import type { Instant } from '../ground/clock.ts'
import { type AccountId, type DeviceId, newSecret, plainId, type WalletId } from '../ground/ids.ts'
import { deriveKey, fingerprint, type MasterKey, seal } from '../ground/seal.ts'
import type { Db } from '../postgres/database.ts'
import { bindTestWallet, insertDevice, insertWallet } from '../wallets/wallet-sql.ts'

export type Demo = {
  base_url: string
  dashboard: { url: string; email: string; password: string; user_token: string }
  client_id: string
  client_secret: string
  wallets: Record<'main' | 'second' | 'off' | 'unmonitored' | 'inactive' | 'test', WalletId>
  device: { id: DeviceId; secret: string; ingest_token: string }
  second_key: { client_id: string; client_secret: string }
  other: { client_id: string; client_secret: string; wallet: WalletId }
}

/** The wallets are Jawali's, except the test wallet, which the account has from the start. */
const main = { providerId: shippedProviderId('jawali'), senderName: 'Jawali' }
const day_s = 86_400

export const createDemo = async (db: Db, master: MasterKey, origin: string, now: Instant): Promise<Demo> => {
  await shipTemplates(db, now)
  const accountId = await createAccount(db, 'Demo shop', null, now)
  const password = newSecret().slice(0, 16)
  const email = `demo-${newSecret()
    .slice(0, 6)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '0')}@sanad.example`
  const userId = await createUser(db, accountId, { email, name: 'Demo owner', password, role: 'owner' }, now)
  if (userId === undefined) throw new Error(`the address ${email} is taken: try again`)

  const on = await device(db, master, accountId, 'Shop phone', true, now)
  const off = await device(db, master, accountId, 'Old phone', false, now)
  const wallet = (name: string, about: Partial<Parameters<typeof insertWallet>[1]> = {}) =>
    makeWallet(db, accountId, name, now, about)
  const wallets = {
    main: await wallet('Main wallet', { deviceId: on.id, simSlot: 'SIM1' }),
    second: await wallet('Second wallet', { deviceId: on.id, simSlot: 'SIM2' }),
    off: await wallet('Wallet of a phone that is off', { deviceId: off.id }),
    unmonitored: await wallet('Wallet without a phone', { senderName: '' }),
    inactive: await wallet('Closed wallet', { deviceId: on.id, active: false }),
    test: (await bindTestWallet(db, accountId, on.id))[0]!.id,
  }
  const first = await createKey(db, accountId, 'Shop', now)
  const second = await createKey(db, accountId, 'Shop, second server', now)

  const otherId = await createAccount(db, 'Another shop', null, now)
  const otherPhone = await device(db, master, otherId, 'Their phone', true, now)
  const other = await createKey(db, otherId, 'Their shop', now)
  const otherWallet = await makeWallet(db, otherId, 'Their wallet', now, { deviceId: otherPhone.id })

  return {
    base_url: `${origin}/api/v1/merchant`,
    dashboard: {
      url: `${origin}/`,
      email,
      password,
      user_token: await openTokens(master).issue({ typ: 'user', sub: userId, acc: accountId }, day_s, now),
    },
    ...spelled(first),
    wallets,
    device: { id: on.id, secret: on.secret, ingest_token: on.ingestToken },
    second_key: spelled(second),
    other: { ...spelled(other), wallet: otherWallet },
  }
}

const spelled = (key: NewSecret) => ({ client_id: key.clientId as string, client_secret: key.clientSecret })

const device = async (db: Db, master: MasterKey, accountId: AccountId, name: string, on: boolean, now: Instant) => {
  const made = { id: plainId<DeviceId>(), secret: newSecret(), ingestToken: newSecret() }
  await insertDevice(db, {
    id: made.id,
    accountId,
    name,
    on,
    secretSealed: seal(deriveKey(master, 'device secrets'), made.secret, made.id),
    ingestTokenHash: fingerprint(made.ingestToken),
    now,
  })
  return made
}

const makeWallet = async (
  db: Db,
  accountId: AccountId,
  name: string,
  now: Instant,
  about: Partial<Parameters<typeof insertWallet>[1]>,
): Promise<WalletId> => {
  const id = plainId<WalletId>()
  await insertWallet(db, {
    id,
    accountId,
    ...main,
    deviceId: null,
    name,
    accountNumber: '770000000',
    simSlot: '',
    active: true,
    isTest: false,
    now,
    ...about,
  })
  return id
}
