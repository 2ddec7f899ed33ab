/**
 * Creates a demo merchant: an account with every kind of wallet, phone and key, and a second account that must never see
 * it. Each call creates new ones: secrets are stored as hashes, so those of an earlier call cannot be shown again.
 */
import type { WriteAudit } from '../../accounts/audit/audit.ts'
import { changeByCommand } from '../../accounts/audit/change-by-command.ts'
import { createKey, type NewSecret } from '../../accounts/keys/key-secrets.ts'
import { createUser } from '../../accounts/members/create-user.ts'
import { hashPassword } from '../../accounts/people/password.ts'
import { openTokenSession } from '../../accounts/sessions/sign-in.ts'
import { openTokens } from '../../accounts/sessions/token.ts'
import { asOwner } from '../../alerts/approvals/provider-senders.ts'
import { shippedProviderId, shipTemplates } from '../../alerts/shipped/ship-templates.ts'
import type { Instant } from '../../core/clock.ts'
import { day_s } from '../../core/duration.ts'
import { type AccountId, newSecret, type PhoneId, randomId, type WalletId } from '../../core/ids.ts'
import { minor } from '../../core/money.ts'
import { isRefusal } from '../../core/refusal.ts'
import { type Scope, wholeAccount } from '../../core/scope.ts'
import { fingerprint, type Keys, sealerFor } from '../../core/seal.ts'
import type { Db } from '../../postgres/connection/database.ts'
import type { JoinedDb } from '../../postgres/query/joined.ts'
import { createWallet } from '../../wallets/entries/account-wallets.ts'
import { createAccount } from '../../wallets/entries/create-account.ts'
import { insertPhone } from '../../wallets/phones/phone-sql.ts'
import { bindTestWallet } from '../../wallets/test-wallet-sql.ts'
import type { WalletSettings } from '../../wallets/wallet.ts'

export type Demo = {
  base_url: string
  dashboard: { url: string; email: string; password: string; user_token: string }
  client_id: string
  client_secret: string
  wallets: Record<'main' | 'second' | 'off' | 'unmonitored' | 'inactive' | 'test', WalletId>
  device: { id: PhoneId; secret: string; ingest_token: string }
  second_key: { client_id: string; client_secret: string }
  other: { client_id: string; client_secret: string; wallet: WalletId }
}

/** The wallets are Jawali's, except the test wallet, which the account has from the start. */
const jawali = { providerId: shippedProviderId('jawali'), senderName: 'Jawali' }

/** Everything or nothing is created, and each object gets an audit entry in its account. */
export const createDemo = async (db: Db, master: Keys, origin: string, now: Instant): Promise<Demo> => {
  await shipTemplates(db, now)
  const password = newSecret().slice(0, 16)
  const passwordHash = await hashPassword(password)
  return changeByCommand(db, now, (tx, audit) =>
    createDemoIn(tx, audit, master, origin, { password, passwordHash }, now),
  )
}

const createDemoIn = async (
  db: JoinedDb,
  audit: WriteAudit,
  master: Keys,
  origin: string,
  { password, passwordHash }: { readonly password: string; readonly passwordHash: string },
  now: Instant,
): Promise<Demo> => {
  const newAccount = async (name: string): Promise<AccountId> => {
    const id = await createAccount(db, name, null, now)
    audit({ action: 'account.create', kind: 'account', id, accountId: id, after: { name } })
    return id
  }
  const newKey = async (accountId: AccountId, name: string): Promise<NewSecret> => {
    const key = await createKey(db, accountId, name, now)
    audit({ action: 'key.create', kind: 'key', id: key.clientId, accountId, after: { name } })
    return key
  }
  const newPhone = async (accountId: AccountId, name: string, on: boolean) => {
    const created = await createPhone(db, master, accountId, name, on, now)
    audit({ action: 'phone.create', kind: 'phone', id: created.id, accountId, after: { name, switched_on: on } })
    return created
  }
  const newWallet = async (
    scope: Scope,
    name: string,
    accountNumber: string,
    settings: Partial<WalletSettings> = {},
  ): Promise<WalletId> => {
    const id = await createDemoWallet(db, scope, { name, accountNumber, ...settings }, now)
    audit({ action: 'wallet.create', kind: 'wallet', id, accountId: scope.accountId, after: { name } })
    return id
  }

  const accountId = await newAccount('Demo shop')
  const email = `demo-${newSecret()
    .slice(0, 6)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '0')}@sanad.example`
  const userId = await createUser(
    db,
    wholeAccount(accountId),
    { email, name: 'Demo owner', passwordHash, role: 'owner' },
    now,
  )
  if (userId === undefined) throw new Error(`the address ${email} is taken: try again`)
  const owner = { email, name: 'Demo owner', role: 'owner' }
  audit({ action: 'member.create', kind: 'member', id: userId, accountId, after: owner })

  const on = await newPhone(accountId, 'Shop phone', true)
  const off = await newPhone(accountId, 'Old phone', false)
  const wallet = (name: string, accountNumber: string, settings: Partial<WalletSettings> = {}) =>
    newWallet(wholeAccount(accountId), name, accountNumber, settings)
  const wallets = {
    main: await wallet('Main wallet', '771000001', { phoneId: on.id, simSlot: 'SIM1' }),
    second: await wallet('Second wallet', '771000002', { phoneId: on.id, simSlot: 'SIM2' }),
    off: await wallet('Wallet of a phone that is off', '771000003', { phoneId: off.id }),
    unmonitored: await wallet('Wallet without a phone', '771000004', { senderName: '' }),
    inactive: await wallet('Closed wallet', '771000005', { phoneId: on.id, active: false }),
    test: (await bindTestWallet(db, wholeAccount(accountId), on.id))[0]!.id,
  }
  const first = await newKey(accountId, 'Shop')
  const second = await newKey(accountId, 'Shop, second server')

  const otherId = await newAccount('Another shop')
  const otherPhone = await newPhone(otherId, 'Their phone', true)
  const other = await newKey(otherId, 'Their shop')
  const otherWallet = await newWallet(wholeAccount(otherId), 'Their wallet', '771000006', { phoneId: otherPhone.id })

  const session = await openTokenSession(
    db,
    { userId, accountId, validFrom: 0 },
    { address: '', agent: 'sanad demo' },
    day_s,
    now,
  )
  if (isRefusal(session)) throw new Error('the credentials of the demo changed while it was made')

  return {
    base_url: `${origin}/api/v1/merchant`,
    dashboard: {
      url: `${origin}/`,
      email,
      password,
      user_token: await openTokens(master).issue(
        { typ: 'user', sub: userId, acc: accountId, sessionId: session.id },
        day_s,
        now,
      ),
    },
    ...keyAnswer(first),
    wallets,
    device: { id: on.id, secret: on.secret, ingest_token: on.ingestToken },
    second_key: keyAnswer(second),
    other: { ...keyAnswer(other), wallet: otherWallet },
  }
}

const keyAnswer = (key: NewSecret) => ({ client_id: key.clientId as string, client_secret: key.clientSecret })

const createPhone = async (db: Db, master: Keys, accountId: AccountId, name: string, on: boolean, now: Instant) => {
  const created = { id: randomId<PhoneId>(), secret: newSecret(), ingestToken: newSecret() }
  await insertPhone(db, {
    id: created.id,
    accountId,
    name,
    on,
    secretSealed: sealerFor(master, 'device secrets').seal(created.secret, created.id),
    ingestTokenHash: fingerprint(created.ingestToken),
    // The demo shows both ways: signed by the phone's own protocol, and unsigned by the simplest app.
    ingestAdapter: 'text',
    now,
  })
  return created
}

const createDemoWallet = async (
  db: Db,
  scope: Scope,
  own: Pick<WalletSettings, 'name' | 'accountNumber'> & Partial<WalletSettings>,
  now: Instant,
): Promise<WalletId> => {
  const settings: WalletSettings = {
    ...jawali,
    phoneId: null,
    simSlot: '',
    furtherPhones: [],
    active: true,
    reviewAbove: null,
    lowTrustLimit: minor(0n),
    reviewBrokenChains: true,
    reviewLaterMessages: true,
    ...own,
  }
  const created = await db.transaction((tx) => createWallet(tx, scope, settings, now, asOwner))
  if (isRefusal(created)) throw new Error(`the demo's ${own.name} was refused: ${created.refused}`)
  return created.id
}
