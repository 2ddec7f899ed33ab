/**
 * The parts that commands share: the database, the output, the audit log. A user who can run a command can read the
 * database anyway, so commands need no authentication. The audit log names the operator.
 */
import { type Command, InvalidArgumentError } from 'commander'
import type { WriteAudit } from '../accounts/audit/audit.ts'
import { changeByCommand } from '../accounts/audit/change-by-command.ts'
import { findAccount } from '../accounts/tenants/account-sql.ts'
import { CommandError } from '../command-error.ts'
import { type Config, readConfig } from '../config.ts'
import { systemClock } from '../core/clock.ts'
import type { AccountId } from '../core/ids.ts'
import { isPlainName } from '../core/plain-name.ts'
import { isRefusal, type Refusal } from '../core/refusal.ts'
import { uuidOfText } from '../http/uuid.ts'
import type { Db } from '../postgres/connection/database.ts'
import type { JoinedDb } from '../postgres/query/joined.ts'

/** The environment of a command. Tests pass another one. */
export type CommandLine = {
  readonly say: (line: string) => void
  readonly config: () => Config
  /** The URL of the service. */
  readonly serviceUrl: () => Promise<string>
  /** Runs `work` on a migrated database, whether or not a service uses it. */
  readonly onStore: <T>(role: string, work: (db: Db, config: Config) => Promise<T>) => Promise<T>
}

/** Each file of this module adds its options, subcommands and actions to its command. */
export type AddTo = (command: Command, line: CommandLine) => void

export const commandLine: CommandLine = {
  say: (line) => void process.stdout.write(`${line}\n`),
  config: () => readConfig(),
  serviceUrl: async () => (await import('../origin.ts')).reachableUrl(),
  onStore: async (role, work) => {
    const config = readConfig()
    // Imported only here, so that a command that only prints help, or refuses, answers at once.
    const [{ openLog }, { withStore }] = await Promise.all([import('../log.ts'), import('../open-store.ts')])
    // Commands print for a user, so the log shows only warnings and errors.
    const quiet = openLog(config.logLevel === 'info' ? 'warn' : config.logLevel, config.logFormat)
    return withStore(config, quiet, role, async (db) => {
      if (role !== healthRole) await refuseWrongClock(db)
      return work(db, config)
    })
  },
}

/** `sanad health` runs with any clock: it shows that the clock is wrong. */
export const healthRole = 'sanad health'

/** A command writes times too: when a key ends, when something was changed. */
export const refuseWrongClock = async (db: Db): Promise<void> => {
  const { compareClocks } = await import('../node-clock.ts')
  const { state, sentence } = await compareClocks(db)
  if (state.agreement === 'refused')
    throw new CommandError(`${sentence} Nothing was changed: set the clock, then run the command again.`)
}

/** Runs a change by a command, with its audit entry, in one transaction. */
export const byCommand = <T>(db: Db, work: (tx: JoinedDb, audit: WriteAudit) => Promise<T>): Promise<T> =>
  changeByCommand(db, systemClock.now(), work)

const sentences: Readonly<Record<string, string>> = {
  account_unknown: 'There is no such account.',
  erasure_begun: 'This account waits to be erased already, or is erased. sanad account keep cancels it while it waits.',
  erasure_code: 'This is not the code of the last hour. Ask again without --confirm.',
  erasure_not_waiting: 'Nothing waits: the account was not asked to be erased, or it has begun and cannot be stopped.',
  shared_provider_unknown: 'There is no such provider that everybody shares.',
  shared_provider_exists: 'A provider with this name already exists.',
  shared_template_unknown: 'There is no such template that everybody shares.',
  shared_template_not_draft: 'Only a draft can be published.',
  shared_template_retired: 'This template is retired already.',
  replaced_template_unknown: 'The provider has no template to replace with this id.',
}

/** Like `byCommand`, for a function that can refuse: a refusal becomes an error with a sentence. */
export const changeOrRefuse = async <T extends object>(
  { onStore }: CommandLine,
  work: (tx: JoinedDb, audit: WriteAudit) => Promise<T>,
): Promise<Exclude<T, Refusal>> => {
  const result = await onStore('sanad operator', (db) => byCommand(db, work))
  if (isRefusal(result))
    throw new CommandError(sentences[(result as { refused: string }).refused] ?? 'This is not possible.')
  return result as Exclude<T, Refusal>
}

/** Prints facts, one in each line, or as one JSON object for a program. */
export const show = (
  { say }: CommandLine,
  facts: Readonly<Record<string, string>>,
  json: boolean | undefined,
): void => {
  if (json) say(JSON.stringify(facts))
  else for (const [name, value] of Object.entries(facts)) say(`${name.padEnd(14)} ${value}`)
}

export const idOf = <Id extends string>(text: string): Id => {
  const id = uuidOfText(text)
  if (id === undefined) throw new CommandError(`${text} is no id.`)
  return id as Id
}

export const accountOf = async (db: Db, text: string): Promise<AccountId> => {
  const id = uuidOfText(text)
  const [account] = id === undefined ? [] : await findAccount(db, id)
  if (account === undefined) throw new CommandError(`There is no account ${text}.`)
  return account.id
}

export const wholeNumber = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 0 or more.')
  return Number(text)
}

/** A name of an account or a user, by the rule of the dashboard. */
export const oneName = (text: string): string => {
  const name = text.trim()
  if (name === '' || [...name].length > 200 || !isPlainName(name))
    throw new InvalidArgumentError('It must be one line of 1 to 200 characters, without a link.')
  return name
}
