/** `sanad key`: creates, rotates and revokes API keys of an account. A secret is printed once. */

import { isDeepStrictEqual } from 'node:util'
import { lockKey, revokeAccountKey } from '../../accounts/keys/account-keys.ts'
import { type KeyLimits, limitValues, noLimits } from '../../accounts/keys/key-limits.ts'
import { createKey, rotateKey } from '../../accounts/keys/key-secrets.ts'
import { CommandError } from '../../command-error.ts'
import { readCidr } from '../../core/cidr.ts'
import { systemClock } from '../../core/clock.ts'
import { hour_ms } from '../../core/duration.ts'
import type { AccountId, ClientId } from '../../core/ids.ts'
import { isRefusal } from '../../core/refusal.ts'
import { wholeAccount } from '../../core/scope.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { type AddTo, accountOf, byCommand, show, wholeNumber } from '../command-line.ts'
import { testWalletsOf, walletsOf } from './wallet-option.ts'

type CreateOptions = {
  readonly account: string
  readonly name: string
  readonly readOnly?: boolean
  readonly wallet?: readonly string[]
  readonly from?: readonly string[]
  readonly test?: boolean
  readonly json?: boolean
}

/** As many as the dashboard takes. */
const [mostWallets, mostRanges] = [50, 20]

const limitsIn = async (
  db: Session,
  accountId: AccountId,
  { readOnly = false, wallet, from, test: isTest = false }: CreateOptions,
): Promise<KeyLimits> => {
  if (isTest && wallet !== undefined) throw new CommandError('A test key has the test wallet: leave --wallet out.')
  if ((wallet?.length ?? 0) > mostWallets) throw new CommandError(`A key has at most ${mostWallets} wallets.`)
  if ((from?.length ?? 0) > mostRanges) throw new CommandError(`A key has at most ${mostRanges} ranges of addresses.`)
  for (const range of from ?? []) {
    const cidr = readCidr(range)
    if (typeof cidr === 'string') throw new CommandError(`--from ${range}: ${cidr}`)
  }
  const wallets = isTest
    ? await testWalletsOf(db, accountId)
    : wallet === undefined
      ? null
      : await walletsOf(db, accountId, wallet)
  return { isTest, readOnly, wallets, addresses: from ?? null }
}

export const addTo: AddTo = (key, line) => {
  key
    .command('create')
    .description('create an API key; its secret is shown only now')
    .requiredOption('--account <id>', 'the id of the account')
    .option('--name <name>', 'the name of the key', 'API key')
    .option('--read-only', 'refuse calls that change something')
    .option('--wallet <id...>', 'the wallets that it sees and uses; default: all, also later ones')
    .option('--from <range...>', 'the addresses from which it may be used, such as 203.0.113.0/24; default: everywhere')
    .option('--test', 'a test key: it sees and uses the test wallet only')
    .option('--json', 'print one JSON object')
    .action(async (options: CreateOptions) => {
      const created = await line.onStore('sanad key', async (db) => {
        const accountId = await accountOf(db, options.account)
        const limits = await limitsIn(db, accountId, options)
        return byCommand(db, async (tx, audit) => {
          const key = await createKey(tx, accountId, options.name, systemClock.now(), limits)
          const { name } = options
          const after = { name, ...(isDeepStrictEqual(limits, noLimits) ? {} : limitValues(limits)) }
          const notice = { kind: 'key_created', facts: { name } } as const
          audit({ action: 'key.create', kind: 'key', id: key.clientId, accountId, after, notice })
          return key
        })
      })
      show(line, { client_id: created.clientId, client_secret: created.clientSecret }, options.json)
    })

  key
    .command('rotate')
    .description('give a key a new secret; the old one, and tokens issued for it, stop working')
    .requiredOption('--account <id>', 'the id of the account')
    .requiredOption('--client-id <id>', 'the client id of the key')
    .option('--overlap <hours>', 'how long the old secret keeps working, 0 to 24', wholeNumber, 0)
    .option('--json', 'print one JSON object')
    .action(async (options: { account: string; clientId: string; overlap: number; json?: boolean }) => {
      if (options.overlap > 24) throw new CommandError('The overlap is 24 hours at most.')
      const created = await line.onStore('sanad key', async (db) => {
        const accountId = await accountOf(db, options.account)
        const id = options.clientId.toLowerCase() as ClientId
        return byCommand(db, async (tx, audit) => {
          const key = await rotateKey(tx, wholeAccount(accountId), id, options.overlap * hour_ms, systemClock.now())
          if (key === undefined) return key
          const name = (await lockKey(tx, wholeAccount(accountId), id))?.name ?? ''
          const notice = { kind: 'key_rotated', facts: { name } } as const
          audit({ action: 'key.rotate', kind: 'key', id, accountId, after: { overlap_hours: options.overlap }, notice })
          return key
        })
      })
      if (created === undefined)
        throw new CommandError(`The account has no key ${options.clientId} that is not revoked.`)
      show(line, { client_id: created.clientId, client_secret: created.clientSecret }, options.json)
    })

  key
    .command('revoke')
    .description('revoke a key, and the tokens issued for it')
    .requiredOption('--account <id>', 'the id of the account')
    .requiredOption('--client-id <id>', 'the client id of the key')
    .action(async (options: { account: string; clientId: string }) => {
      const isKnown = await line.onStore('sanad key', async (db) => {
        const accountId = await accountOf(db, options.account)
        const id = options.clientId.toLowerCase() as ClientId
        return byCommand(db, async (tx, audit) => {
          const revoked = await revokeAccountKey(tx, wholeAccount(accountId), id, systemClock.now())
          if (isRefusal(revoked)) return false
          const { name, revokedAt } = revoked.before
          if (revokedAt === null) audit({ action: 'key.revoke', kind: 'key', id, accountId, before: { name } })
          return true
        })
      })
      if (!isKnown) throw new CommandError(`The account has no key ${options.clientId}.`)
      line.say('Revoked.')
    })
}
