/**
 * What those who host the service do on its own machine: accounts, who is an operator, providers and templates that
 * everybody shares, and how things stand. The same verbs as over the API, with the same entries in the log of changes.
 */
import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import type { Note } from './accounts/audit.ts'
import { changeByCommand } from './accounts/change-by-command.ts'
import { listOperated } from './accounts/operated-accounts.ts'
import { wholeService } from './accounts/operated-accounts-sql.ts'
import { resumeAccount, suspendAccount } from './accounts/settings.ts'
import { draftShared, listShared, publishShared, retireSharedTemplate } from './alerts/shared-templates.ts'
import { systemClock } from './ground/clock.ts'
import type { AccountId, ProviderId, TemplateId } from './ground/ids.ts'
import { isRefusal, type Refusal } from './ground/refusal.ts'
import type { Reading } from './http/body/fields.ts'
import { type Json, parseJson } from './http/body/json.ts'
import { readNewProvider, readNewTemplate, readProviderChanges } from './http/body/operator-body.ts'
import { uuidOfText } from './http/body/uuid.ts'
import type { Db } from './postgres/database.ts'
import { silentAfter_ms } from './wallets/device.ts'
import { addSharedProvider, allSharedProviders, changeSharedProvider } from './wallets/shared-providers.ts'
import { queueState } from './webhooks/delivery-sql.ts'

export type CommandRooms = {
  readonly say: (line: string) => void
  readonly onStore: <T>(role: string, work: (db: Db) => Promise<T>) => Promise<T>
  readonly refused: (sentence: string) => Error
}

/** A change made on the machine itself, with its entry in the log. */
export const byCommand = <T>(db: Db, work: (db: Db, note: Note) => Promise<T>): Promise<T> =>
  changeByCommand(db, systemClock.now(), work)

const sentences: Readonly<Record<string, string>> = {
  account_unknown: 'There is no such account.',
  shared_provider_unknown: 'There is no such provider that everybody shares.',
  shared_provider_exists: 'A provider with this name already exists.',
  shared_template_unknown: 'There is no such template that everybody shares.',
  shared_template_not_draft: 'Only a draft can be published.',
  shared_template_not_active: 'This template is retired already.',
  replaced_template_unknown: 'The provider has no template to replace with this id.',
}

export const addOperatorCommands = (program: Command, account: Command, rooms: CommandRooms): void => {
  const { say, onStore, refused } = rooms
  const idOf = <Id extends string>(text: string): Id => {
    const id = uuidOfText(text)
    if (id === undefined) throw refused(`${text} is no id.`)
    return id as Id
  }
  /** The fields as the API reads them, with the same refusals. */
  const fieldsOf = <T>(read: (sent: Json) => Reading<T>, bytes: Uint8Array): T => {
    const json = parseJson(bytes)
    if (json.kind === 'malformed') throw refused(json.detail)
    const reading = read(json.value)
    if (reading.kind === 'no') throw refused(reading.errors.map(({ attr, detail }) => `${attr}: ${detail}`).join('\n'))
    return reading.value
  }
  const asked = <T>(read: (sent: Json) => Reading<T>, fields: object): T =>
    fieldsOf(read, Buffer.from(JSON.stringify(fields)))
  const changed = async <T extends object>(work: (db: Db, note: Note) => Promise<T>): Promise<Exclude<T, Refusal>> => {
    const done = await onStore('sanad operator', (db) => byCommand(db, work))
    if (isRefusal(done)) throw refused(sentences[(done as { refused: string }).refused] ?? 'That cannot be.')
    return done as Exclude<T, Refusal>
  }

  for (const [name, verb, what, said] of [
    ['suspend', suspendAccount, 'stop what an account does; what its phones report is kept and held', 'Suspended.'],
    ['resume', resumeAccount, 'let a suspended account go on', 'It goes on.'],
  ] as const)
    account
      .command(name)
      .description(what)
      .requiredOption('--account <id>', 'which account')
      .action(async (given: { account: string }) => {
        await changed((db, note) => verb(db, note, idOf<AccountId>(given.account), systemClock.now()))
        say(said)
      })

  account
    .command('list')
    .description('accounts, the newest first, and how they stand')
    .option('--search <text>', 'part of the name, or an id')
    .action(async ({ search }: { search?: string }) => {
      const now = systemClock.now()
      const standing = { now, seenSince: now - silentAfter_ms }
      const question = { search, status: undefined, before: undefined, size: 200 }
      const { accounts, more } = await onStore('sanad account', (db) => listOperated(db, standing, question))
      for (const one of accounts)
        say(`${one.id}  ${one.status.padEnd(9)}  silent phones ${one.silent_phones} of ${one.phones}  ${one.name}`)
      if (more) say('There are more: name what you look for with --search.')
    })

  program
    .command('health')
    .description('how the whole service stands')
    .action(async () => {
      const now = systemClock.now()
      const { whole, queue } = await onStore('sanad health', async (db) => ({
        whole: (await wholeService(db, now - silentAfter_ms))[0]!,
        queue: (await queueState(db, now))[0]!,
      }))
      const oldest = queue.oldest_due_at === null ? 0 : Math.floor((now - queue.oldest_due_at) / 1000)
      say(`accounts         ${whole.accounts} active, ${whole.suspended} suspended`)
      say(`phones           ${whole.phones} on, ${whole.silent_phones} of them silent`)
      say(
        `webhooks         ${queue.waiting} wait, the oldest for ${oldest} s; ${queue.open_breakers} endpoints unreachable`,
      )
      say(`unread alerts    ${whole.unread_alerts}`)
    })

  const provider = program.command('provider').description('providers that everybody shares')
  provider
    .command('list')
    .description('all of them')
    .action(async () => {
      for (const one of await onStore('sanad provider', (db) => allSharedProviders(db)))
        say(`${one.id}  ${one.status.padEnd(11)}  ${String(one.active_templates).padStart(2)} templates  ${one.name}`)
    })
  provider
    .command('create')
    .description('add one')
    .requiredOption('--name <name>', 'its key: lower-case, stays for good')
    .requiredOption('--display-name <name>', 'what people call it')
    .option('--theme-color <color>', '#RRGGBB', '#555555')
    .option('--logo-url <url>', 'where its picture is', '')
    .action(async (given: { name: string; displayName: string; themeColor: string; logoUrl: string }) => {
      const made = asked(readNewProvider, {
        name: given.name,
        display_name: given.displayName,
        theme_color: given.themeColor,
        logo_url: given.logoUrl,
      })
      say(`provider       ${(await changed((db, note) => addSharedProvider(db, note, made))).id}`)
    })
  provider
    .command('status')
    .description('say whether money can be sent with it now')
    .requiredOption('--provider <id>', 'which one')
    .requiredOption('--status <status>', 'ACTIVE, INACTIVE or MAINTENANCE')
    .action(async (given: { provider: string; status: string }) => {
      const changes = asked(readProviderChanges, { provider_status: given.status })
      await changed((db, note) => changeSharedProvider(db, note, idOf<ProviderId>(given.provider), changes))
      say('Done.')
    })

  const template = program.command('template').description('templates that everybody shares')
  template
    .command('list')
    .description('at most 200 of them')
    .option('--provider <id>', 'only of this provider')
    .option('--status <status>', 'draft, active or retired')
    .action(async (given: { provider?: string; status?: string }) => {
      const provider = given.provider === undefined ? {} : { provider: idOf<string>(given.provider) }
      const status = given.status === undefined ? {} : { status: given.status }
      const { templates } = await onStore('sanad template', (db) =>
        listShared(db, { ...provider, ...status, size: 200 }),
      )
      for (const one of templates) say(`${one.id}  ${one.status.padEnd(7)}  version ${one.version}  ${one.name}`)
    })
  template
    .command('draft')
    .description('draft one from a JSON file with the fields of the API')
    .requiredOption('--file <path>', 'provider, name, sender_names, sentence, samples, counter_samples')
    .action(async ({ file }: { file: string }) => {
      const { draft, replaces } = fieldsOf(readNewTemplate, await readFile(file))
      const made = await changed((db, note) => draftShared(db, note, draft, replaces, systemClock.now()))
      say(`template       ${made.id}`)
    })
  template
    .command('publish')
    .description('publish a draft; the version before it is retired')
    .requiredOption('--template <id>', 'which one')
    .action(async (given: { template: string }) => {
      const done = await changed((db, note) => publishShared(db, note, idOf<TemplateId>(given.template)))
      if ('failures' in done) throw refused(done.failures.join('\n'))
      say('Published.')
    })
  template
    .command('retire')
    .description('read nothing with it any more')
    .requiredOption('--template <id>', 'which one')
    .action(async (given: { template: string }) => {
      await changed((db, note) => retireSharedTemplate(db, note, idOf<TemplateId>(given.template)))
      say('Retired.')
    })
}
