/**
 * The only door from the command line: serves, and the operator's commands. Nobody imports this file.
 */
import { Command, InvalidArgumentError } from 'commander'
import { findAccount } from './accounts/account-sql.ts'
import { createAccount, setQuota } from './accounts/create-account.ts'
import { createKey, rotateKey } from './accounts/manage-keys.ts'
import { revokeManagedKey } from './accounts/managed-key.ts'
import { noteQuota } from './accounts/settings.ts'
import { holdSettings } from './accounts/settings-sql.ts'
import { ConfigError, readConfig } from './config.ts'
import { createDemo } from './demo.ts'
import { systemClock } from './ground/clock.ts'
import type { AccountId, ClientId } from './ground/ids.ts'
import { isRefusal } from './ground/refusal.ts'
import { zoneOf } from './ground/zone.ts'
import { uuidOfText } from './http/body/uuid.ts'
import { listenCommand } from './listen-command.ts'
import { openLog } from './log.ts'
import { loadMasterKey } from './master-key.ts'
import { migrationsFolder, visitStore, withStore } from './open-store.ts'
import { addOperatorCommands, byCommand } from './operator-commands.ts'
import { addPeopleCommands } from './people-command.ts'
import { addPhoneCommand } from './phone-command.ts'
import { askDataDir } from './postgres/data-dir.ts'
import type { Db } from './postgres/database.ts'
import { migrate } from './postgres/migrate.ts'
import { originOf, StartRefused, serve } from './serve.ts'
import { version } from './version.ts'

const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Something the operator asked for that cannot be: one sentence, exit code 1. */
class Refused extends Error {}

const setUp = () => {
  const config = readConfig()
  return { config, log: openLog(config.logLevel) }
}

/** Commands speak to a person: of the log only what is wrong. */
const onStore = <T>(role: string, work: (db: Db, config: ReturnType<typeof readConfig>) => Promise<T>): Promise<T> => {
  const config = readConfig()
  const quiet = openLog(config.logLevel === 'info' ? 'warn' : config.logLevel)
  return withStore(config, quiet, role, (db) => work(db, config))
}

/** Where people reach the service, asked before the data directory is visited: a service that runs on it says. */
const reachedAt = async (config: ReturnType<typeof readConfig>): Promise<string> =>
  config.publicUrl ?? (await askDataDir(config.dataDir))?.url ?? originOf(config)

const accountOf = async (db: Db, text: string): Promise<AccountId> => {
  const id = uuidOfText(text)
  const [account] = id === undefined ? [] : await findAccount(db, id)
  if (account === undefined) throw new Refused(`There is no account ${text}.`)
  return account.id
}

const wholeNumber = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 0 or more.')
  return Number(text)
}

const show = (facts: Record<string, string>, json: boolean | undefined): void => {
  if (json) say(JSON.stringify(facts))
  else for (const [name, value] of Object.entries(facts)) say(`${name.padEnd(14)} ${value}`)
}

const program = new Command('sanad')
  .description('Sanad proves that money arrived: payments into mobile wallets, verified by themselves.')
  .version(version)
  .showHelpAfterError('(sanad --help lists the commands)')

program
  .command('start')
  .description('run the service (what npm start does)')
  .action(async () => {
    const { config, log } = setUp()
    await serve(config, log, say)
  })

program
  .command('migrate')
  .description('bring the database to this version')
  .action(async () => {
    const config = readConfig()
    const store = await visitStore(config, 'sanad migrate')
    try {
      const { ran, all } = await migrate(store.url, migrationsFolder, say)
      say(ran === 0 ? `Nothing to do: all ${all} migrations have run.` : `Done: ${ran} of ${all} migrations ran now.`)
    } finally {
      await store.close()
    }
  })

program
  .command('demo')
  .description('make a demo account with everything in it, and print its secrets')
  .option('--json', 'print one JSON object')
  .action(async ({ json }: { json?: boolean }) => {
    const origin = await reachedAt(readConfig())
    const demo = await onStore('sanad demo', async (db, config) =>
      createDemo(db, await loadMasterKey(config), origin, systemClock.now()),
    )
    if (json) return say(JSON.stringify(demo))
    show(
      {
        API: demo.base_url,
        'client id': demo.client_id,
        'client secret': demo.client_secret,
        'sign-in': `${demo.dashboard.email}  ${demo.dashboard.password}`,
        'user token': demo.dashboard.user_token,
        device: `${demo.device.id}  secret ${demo.device.secret}`,
        'ingest token': demo.device.ingest_token,
        'second key': `${demo.second_key.client_id}  ${demo.second_key.client_secret}`,
        'another shop': `${demo.other.client_id}  ${demo.other.client_secret}  wallet ${demo.other.wallet}`,
      },
      false,
    )
    for (const [name, id] of Object.entries(demo.wallets)) say(`${`wallet ${name}`.padEnd(20)} ${id}`)
  })

const account = program.command('account').description('merchant accounts')
account
  .command('create')
  .description('make an account')
  .requiredOption('--name <name>', 'what people call it')
  .option('--quota <n>', 'at most so many intents a calendar month', wholeNumber)
  .option('--json', 'print one JSON object')
  .action(async ({ name, quota, json }: { name: string; quota?: number; json?: boolean }) => {
    const id = await onStore('sanad account', (db) =>
      byCommand(db, async (tx, note) => {
        const made = await createAccount(tx, name, quota ?? null, systemClock.now())
        const after = { name, monthly_intent_quota: quota ?? null }
        note({ action: 'account.create', kind: 'account', id: made, accountId: made, after })
        return made
      }),
    )
    show({ account: id }, json)
  })
account
  .command('quota')
  .description('set or lift the quota of intents a calendar month')
  .requiredOption('--account <id>', 'which account')
  .option('--quota <n>', 'the quota; left out: none', wholeNumber)
  .action(async ({ account: of, quota }: { account: string; quota?: number }) => {
    await onStore('sanad account', async (db, config) => {
      const id = await accountOf(db, of)
      const used = await byCommand(db, async (tx, note) => {
        const [before] = await holdSettings(tx, id)
        if (before !== undefined) noteQuota(note, before, quota ?? null)
        return setQuota(tx, id, quota ?? null, zoneOf(config.timeZone), systemClock.now())
      })
      say(quota === undefined ? 'No quota.' : `${quota} intents a month; ${used} were made this month.`)
    })
  })

const key = program.command('key').description('API keys')
key
  .command('create')
  .description('make an API key; its secret is shown only now')
  .requiredOption('--account <id>', 'which account')
  .option('--name <name>', 'what to call it', 'API key')
  .option('--json', 'print one JSON object')
  .action(async (asked: { account: string; name: string; json?: boolean }) => {
    const made = await onStore('sanad key', async (db) => {
      const accountId = await accountOf(db, asked.account)
      return byCommand(db, async (tx, note) => {
        const key = await createKey(tx, accountId, asked.name, systemClock.now())
        note({ action: 'key.create', kind: 'key', id: key.clientId, accountId, after: { name: asked.name } })
        return key
      })
    })
    show({ client_id: made.clientId, client_secret: made.clientSecret }, asked.json)
  })
key
  .command('rotate')
  .description('give a key a new secret; the old one, and tokens bought with it, stop working')
  .requiredOption('--account <id>', 'which account')
  .requiredOption('--client-id <id>', 'which key')
  .option('--overlap <hours>', 'how long the old secret goes on working, 0 to 24', wholeNumber, 0)
  .option('--json', 'print one JSON object')
  .action(async (asked: { account: string; clientId: string; overlap: number; json?: boolean }) => {
    if (asked.overlap > 24) throw new Refused('The overlap is 24 hours at most.')
    const made = await onStore('sanad key', async (db) => {
      const accountId = await accountOf(db, asked.account)
      const id = asked.clientId.toLowerCase() as ClientId
      return byCommand(db, async (tx, note) => {
        const key = await rotateKey(tx, accountId, id, asked.overlap * 3_600_000, systemClock.now())
        if (key !== undefined)
          note({ action: 'key.rotate', kind: 'key', id, accountId, after: { overlap_hours: asked.overlap } })
        return key
      })
    })
    if (made === undefined) throw new Refused(`The account has no key ${asked.clientId} that is not revoked.`)
    show({ client_id: made.clientId, client_secret: made.clientSecret }, asked.json)
  })
key
  .command('revoke')
  .description('end a key, and the tokens bought with it')
  .requiredOption('--account <id>', 'which account')
  .requiredOption('--client-id <id>', 'which key')
  .action(async (asked: { account: string; clientId: string }) => {
    const done = await onStore('sanad key', async (db) => {
      const accountId = await accountOf(db, asked.account)
      const id = asked.clientId.toLowerCase() as ClientId
      return byCommand(db, async (tx, note) => {
        const revoked = await revokeManagedKey(tx, accountId, id, systemClock.now())
        if (isRefusal(revoked)) return false
        const { name, revokedAt } = revoked.before
        if (revokedAt === null) note({ action: 'key.revoke', kind: 'key', id, accountId, before: { name } })
        return true
      })
    })
    if (!done) throw new Refused(`The account has no key ${asked.clientId}.`)
    say('Revoked.')
  })

listenCommand(program)
const line = { say, onStore, refused: (sentence: string) => new Refused(sentence) }
addPhoneCommand(program, line)
addOperatorCommands(program, account, line)
addPeopleCommands(program, { ...line, show, accountOf, origin: () => reachedAt(readConfig()) })

program.parseAsync().catch((fault: Error) => {
  const expected = fault instanceof ConfigError || fault instanceof StartRefused || fault instanceof Refused
  process.stderr.write(`${expected ? fault.message : (fault.stack ?? fault.message)}\n`)
  process.exitCode = 1
  // A start that failed may have left a timer or a socket: nothing is waited for.
  setTimeout(() => process.exit(1), 500).unref()
})
