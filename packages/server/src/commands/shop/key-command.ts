/** `sanad key`: API keys of an account. A secret is printed once. */

import { lockKey, revokeAccountKey } from '../../accounts/keys/account-keys.ts'
import { createKey, rotateKey } from '../../accounts/keys/key-secrets.ts'
import { CommandError } from '../../command-error.ts'
import { systemClock } from '../../core/clock.ts'
import type { ClientId } from '../../core/ids.ts'
import { isRefusal } from '../../core/refusal.ts'
import { type AddTo, accountOf, byCommand, show, wholeNumber } from '../command-line.ts'

export const addTo: AddTo = (key, line) => {
  key
    .command('create')
    .description('make an API key; its secret is shown only now')
    .requiredOption('--account <id>', 'which account')
    .option('--name <name>', 'what to call it', 'API key')
    .option('--json', 'print one JSON object')
    .action(async (options: { account: string; name: string; json?: boolean }) => {
      const made = await line.onStore('sanad key', async (db) => {
        const accountId = await accountOf(db, options.account)
        return byCommand(db, async (tx, note) => {
          const key = await createKey(tx, accountId, options.name, systemClock.now())
          const after = { name: options.name }
          const notice = { kind: 'key_created', facts: after } as const
          note({ action: 'key.create', kind: 'key', id: key.clientId, accountId, after, notice })
          return key
        })
      })
      show(line, { client_id: made.clientId, client_secret: made.clientSecret }, options.json)
    })

  key
    .command('rotate')
    .description('give a key a new secret; the old one, and tokens bought with it, stop working')
    .requiredOption('--account <id>', 'which account')
    .requiredOption('--client-id <id>', 'which key')
    .option('--overlap <hours>', 'how long the old secret goes on working, 0 to 24', wholeNumber, 0)
    .option('--json', 'print one JSON object')
    .action(async (wanted: { account: string; clientId: string; overlap: number; json?: boolean }) => {
      if (wanted.overlap > 24) throw new CommandError('The overlap is 24 hours at most.')
      const made = await line.onStore('sanad key', async (db) => {
        const accountId = await accountOf(db, wanted.account)
        const id = wanted.clientId.toLowerCase() as ClientId
        return byCommand(db, async (tx, note) => {
          const key = await rotateKey(tx, accountId, id, wanted.overlap * 3_600_000, systemClock.now())
          if (key === undefined) return key
          const name = (await lockKey(tx, accountId, id))?.name ?? ''
          const notice = { kind: 'key_rotated', facts: { name } } as const
          note({ action: 'key.rotate', kind: 'key', id, accountId, after: { overlap_hours: wanted.overlap }, notice })
          return key
        })
      })
      if (made === undefined) throw new CommandError(`The account has no key ${wanted.clientId} that is not revoked.`)
      show(line, { client_id: made.clientId, client_secret: made.clientSecret }, wanted.json)
    })

  key
    .command('revoke')
    .description('end a key, and the tokens bought with it')
    .requiredOption('--account <id>', 'which account')
    .requiredOption('--client-id <id>', 'which key')
    .action(async (options: { account: string; clientId: string }) => {
      const done = await line.onStore('sanad key', async (db) => {
        const accountId = await accountOf(db, options.account)
        const id = options.clientId.toLowerCase() as ClientId
        return byCommand(db, async (tx, note) => {
          const revoked = await revokeAccountKey(tx, accountId, id, systemClock.now())
          if (isRefusal(revoked)) return false
          const { name, revokedAt } = revoked.before
          if (revokedAt === null) note({ action: 'key.revoke', kind: 'key', id, accountId, before: { name } })
          return true
        })
      })
      if (!done) throw new CommandError(`The account has no key ${options.clientId}.`)
      line.say('Revoked.')
    })
}
