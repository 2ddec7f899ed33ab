/** `sanad account`: creates, suspends and resumes accounts, sets their quotas, exports and erases them, and lists them with their
 *  silent phones. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

import {
  askToErase,
  confirmToErase,
  keepAccount,
  leastWait_days,
  longestWait_days,
  usualWait_days,
} from '../../accounts/erasure/account-erasure.ts'
import { listErasures } from '../../accounts/erasure/account-erasure-sql.ts'
import { accountAndUsers } from '../../accounts/tenants/exported-people.ts'
import { auditQuotaChange, resumeAccount, suspendAccount } from '../../accounts/tenants/settings.ts'
import { lockAccountSettings } from '../../accounts/tenants/settings-sql.ts'
import { CommandError } from '../../command-error.ts'
import { systemClock } from '../../core/clock.ts'
import type { AccountId } from '../../core/ids.ts'
import { wholeAccount } from '../../core/scope.ts'
import { zoneOf } from '../../core/zone.ts'
import { setQuota } from '../../intents/totals/set-quota.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { exportAccount } from '../../postgres/tenancy/export-account.ts'
import { afterFreeze, beginFreeze, endFreeze } from '../../postgres/tenancy/freeze-account.ts'
import { frozenAccounts } from '../../postgres/tenancy/freeze-sql.ts'
import { accountsElsewhere, findMove } from '../../postgres/tenancy/move-sql.ts'
import { version } from '../../version.ts'
import { listAccountOverviews } from '../../views/operator/account-overview.ts'
import { createAccount } from '../../wallets/entries/create-account.ts'
import { addMoveTo } from '../cells/add-account-move.ts'
import { stopAccount } from '../cells/stop-account.ts'
import { type AddTo, accountOf, byCommand, changeOrRefuse, idOf, oneName, show, wholeNumber } from '../command-line.ts'

/** An account that is moved, or was, is frozen, thawed and erased by the command that moves it alone. */
const refuseIfMoved = async (db: Db, id: AccountId): Promise<void> => {
  const [move] = await findMove(db, id)
  if (move === undefined) return
  throw new CommandError(
    move.state === 'arriving'
      ? 'The account is being moved to this cell, and is not in use here yet: see sanad account move in the cell that it comes from.'
      : `The account is being moved to cell ${move.cell}, or was: see sanad account move, with --back or --end.`,
  )
}

export const addTo: AddTo = (account, line) => {
  addMoveTo(account, line)

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
    .command('export')
    .description(
      'write everything of an account but its secrets to one archive; run it again to go on where it was stopped',
    )
    .requiredOption('--account <id>', 'the id of the account')
    .requiredOption('--to <file>', 'the archive to write; it must not exist')
    .action(async (options: { account: string; to: string }) => {
      const file = resolve(options.to)
      if (existsSync(file)) throw new CommandError(`${file} exists already.`)
      const done = await line.onStore('sanad account', async (db) => {
        const accountId = await accountOf(db, options.account)
        await byCommand(db, async (_, audit) =>
          audit({ action: 'account.export', kind: 'account', id: accountId, accountId }),
        )
        return exportAccount(db, {
          accountId,
          first: accountAndUsers,
          file,
          sanadVersion: version,
          now: systemClock.now(),
        })
      })
      line.say(
        `${done.resumed ? 'It went on where it was stopped. ' : ''}${done.rows} rows, ${done.bytes} bytes: ${file}`,
      )
    })

  account
    .command('erase')
    .description('erase an account and everything of it, for ever: asked twice, and after a wait')
    .requiredOption('--account <id>', 'the id of the account')
    .option('--confirm <code>', 'the code that the first asking printed')
    .option('--wait-days <n>', `how many days it can be cancelled, at least ${leastWait_days}`, wholeNumber)
    .action(async (options: { account: string; confirm?: string; waitDays?: number }) => {
      const id = await line.onStore('sanad account', async (db) => {
        const found = await accountOf(db, options.account)
        await refuseIfMoved(db, found)
        return found
      })
      const wait = options.waitDays ?? usualWait_days
      if (wait < leastWait_days || wait > longestWait_days)
        throw new CommandError(`It waits from ${leastWait_days} to ${longestWait_days} days.`)
      const { confirm } = options
      if (confirm === undefined) {
        const { code } = await changeOrRefuse(line, (db, audit) => askToErase(db, audit, id, systemClock.now()))
        line.say(
          'This erases the account with its wallets, phones, payments, messages, members and logs. It does not come back.',
        )
        line.say('Export it first, if anybody may need it. To go on, within an hour:')
        line.say(`sanad account erase --account ${id} --confirm ${code}`)
        return
      }
      const { dueAt } = await changeOrRefuse(line, (db, audit) =>
        confirmToErase(db, audit, id, confirm, wait, systemClock.now()),
      )
      line.say(
        `It is erased from ${new Date(dueAt).toISOString()} on. Until then it works as before, and this cancels it:`,
      )
      line.say(`sanad account keep --account ${id}`)
    })

  account
    .command('keep')
    .description('cancel the erasure of an account, while it waits')
    .requiredOption('--account <id>', 'the id of the account')
    .action(async (options: { account: string }) => {
      await changeOrRefuse(line, (db, audit) => keepAccount(db, audit, idOf<AccountId>(options.account)))
      line.say('It is kept.')
    })

  account
    .command('erasures')
    .description('list accounts that are erased, or wait for it, and how far it has come')
    .action(async () => {
      const erasures = await line.onStore('sanad account', (db) => listErasures(db, 200))
      for (const { id, state, due_at, erased_at, row_counts } of erasures) {
        const rows = Object.values(JSON.parse(row_counts) as Record<string, number>).reduce((sum, n) => sum + n, 0)
        line.say(`${id}  ${state.padEnd(8)}  ${new Date(erased_at ?? due_at).toISOString()}  ${rows} rows erased`)
      }
    })

  account
    .command('freeze')
    .description(
      'stop an account for a while: calls get 503 and nothing is written, so that its rows can be copied; see thaw',
    )
    .requiredOption('--account <id>', 'the id of the account')
    .action(async (options: { account: string }) => {
      const outcome = await line.onStore('sanad account', async (db) => {
        const id = await accountOf(db, options.account)
        await refuseIfMoved(db, id)
        await byCommand(db, async (tx, audit) => {
          if (await beginFreeze(tx, id, systemClock.now()))
            audit({ action: 'account.freeze', kind: 'account', id, accountId: id })
        })
        return stopAccount(db, id, line.say)
      })
      if (outcome === 'busy')
        throw new CommandError(
          'Webhooks of the account are still being sent: run the command again. Until then its calls get 503; sanad account thaw lets it go on.',
        )
      if (outcome === 'not begun') throw new CommandError('The account was thawed meanwhile.')
      line.say('It is frozen: nothing of it is written.')
    })

  account
    .command('thaw')
    .description('let a frozen account go on')
    .requiredOption('--account <id>', 'the id of the account')
    .action(async (options: { account: string }) => {
      const wasFrozen = await line.onStore('sanad account', async (db) => {
        const id = await accountOf(db, options.account)
        await refuseIfMoved(db, id)
        const ended = await byCommand(db, async (tx, audit) => {
          const was = await endFreeze(tx, id)
          if (was) audit({ action: 'account.thaw', kind: 'account', id, accountId: id })
          return was
        })
        await afterFreeze(db)
        return ended
      })
      if (!wasFrozen) throw new CommandError('The account was not frozen.')
      line.say('It goes on.')
    })

  account
    .command('list')
    .description('list accounts, newest first, with their state and silent phones')
    .option('--search <text>', 'part of the name, or an id')
    .action(async ({ search }: { search?: string }) => {
      const now = systemClock.now()
      const query = { search, status: undefined, before: undefined, size: 200 }
      const [{ accounts, more }, states] = await line.onStore('sanad account', async (db) => [
        await listAccountOverviews(db, now, query),
        new Map([
          ...(await frozenAccounts(db)).map(({ account_id }) => [account_id, 'FROZEN'] as const),
          ...(await accountsElsewhere(db)).map(({ account_id }) => [account_id, 'MOVED'] as const),
        ]),
      ])
      for (const { id, status, silent_phones, phones, name } of accounts)
        line.say(`${id}  ${(states.get(id) ?? status).padEnd(9)}  silent phones ${silent_phones} of ${phones}  ${name}`)
      if (more) line.say('There are more: name what you look for with --search.')
    })
}
