/** `sanad account`: creates, suspends and resumes accounts, sets their quotas, and lists them with their silent phones. */

import { auditQuotaChange, resumeAccount, suspendAccount } from '../../accounts/tenants/settings.ts'
import { lockAccountSettings } from '../../accounts/tenants/settings-sql.ts'
import { systemClock } from '../../core/clock.ts'
import type { AccountId } from '../../core/ids.ts'
import { wholeAccount } from '../../core/scope.ts'
import { zoneOf } from '../../core/zone.ts'
import { setQuota } from '../../intents/totals/set-quota.ts'
import { listAccountOverviews } from '../../views/operator/account-overview.ts'
import { createAccount } from '../../wallets/entries/create-account.ts'
import { type AddTo, accountOf, byCommand, changeOrRefuse, idOf, oneName, show, wholeNumber } from '../command-line.ts'

export const addTo: AddTo = (account, line) => {
  account
    .command('create')
    .description('create an account')
    .requiredOption('--name <name>', 'the name that users see', oneName)
    .option('--quota <n>', 'the largest number of intents in a calendar month', wholeNumber)
    .option('--json', 'print one JSON object')
    .action(async ({ name, quota, json }: { name: string; quota?: number; json?: boolean }) => {
      const id = await line.onStore('sanad account', (db) =>
        byCommand(db, async (tx, audit) => {
          const created = await createAccount(tx, name, quota ?? null, systemClock.now())
          const after = { name, monthly_intent_quota: quota ?? null }
          audit({ action: 'account.create', kind: 'account', id: created, accountId: created, after })
          return created
        }),
      )
      show(line, { account: id }, json)
    })

  account
    .command('quota')
    .description('set or lift the quota of intents a calendar month')
    .requiredOption('--account <id>', 'the id of the account')
    .option('--quota <n>', 'the quota; without it there is none', wholeNumber)
    .action(async ({ account: accountText, quota }: { account: string; quota?: number }) => {
      await line.onStore('sanad account', async (db, config) => {
        const id = await accountOf(db, accountText)
        const used = await byCommand(db, async (tx, audit) => {
          const [before] = await lockAccountSettings(tx, id)
          if (before !== undefined) auditQuotaChange(audit, before, quota ?? null)
          return setQuota(tx, wholeAccount(id), quota ?? null, zoneOf(config.timeZone), systemClock.now())
        })
        line.say(quota === undefined ? 'No quota.' : `${quota} intents a month; ${used} were made this month.`)
      })
    })

  for (const [name, verb, description, message] of [
    ['suspend', suspendAccount, 'stop what an account does; what its phones report is kept and held', 'Suspended.'],
    ['resume', resumeAccount, 'let a suspended account go on', 'It goes on.'],
  ] as const)
    account
      .command(name)
      .description(description)
      .requiredOption('--account <id>', 'the id of the account')
      .action(async (options: { account: string }) => {
        await changeOrRefuse(line, (db, audit) => verb(db, audit, idOf<AccountId>(options.account), systemClock.now()))
        line.say(message)
      })

  account
    .command('list')
    .description('list accounts, newest first, with their state and silent phones')
    .option('--search <text>', 'part of the name, or an id')
    .action(async ({ search }: { search?: string }) => {
      const now = systemClock.now()
      const query = { search, status: undefined, before: undefined, size: 200 }
      const { accounts, more } = await line.onStore('sanad account', (db) => listAccountOverviews(db, now, query))
      for (const { id, status, silent_phones, phones, name } of accounts)
        line.say(`${id}  ${status.padEnd(9)}  silent phones ${silent_phones} of ${phones}  ${name}`)
      if (more) line.say('There are more: name what you look for with --search.')
    })
}
