/** `sanad buyer`: what an account keeps of a buyer, found and erased by phone number. */
import { createHash } from 'node:crypto'
import { type BuyerKind, buyerCounts, buyerKinds } from '@sanad/contract/buyer-kinds'
import { type Hiding, hidingBy } from '../../alerts/hidden/hidden-text.ts'
import {
  type BuyerCount,
  type BuyerStep,
  buyerStepRows,
  eraseBuyer,
  findBuyer,
  noBuyerCounts,
} from '../../checkouts/erasing/erase-buyer.ts'
import { CommandError } from '../../command-error.ts'
import { systemClock } from '../../core/clock.ts'
import type { AccountId } from '../../core/ids.ts'
import { isRefusal, type Refusal } from '../../core/refusal.ts'
import { wholeAccount } from '../../core/scope.ts'
import { openKeyRing } from '../../key-ring.ts'
import { buyerPhone } from '../../matching/payers/buyer-phone.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { type AddTo, accountOf, byCommand, type CommandLine } from '../command-line.ts'

type Counts = Record<BuyerKind, BuyerCount>
type Options = { readonly account: string; readonly phone: string; readonly confirm?: string }

const earlier = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.min(a, b)
const later = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : Math.max(a, b))

const add = (counts: Counts, step: BuyerStep['counts']): void => {
  for (const kind of buyerKinds) {
    const [sum, more] = [counts[kind], step[kind]]
    for (const name of buyerCounts) sum[name] += more[name]
    sum.oldest = earlier(sum.oldest, more.oldest)
    sum.newest = later(sum.newest, more.newest)
  }
}

/** Runs steps until everything was looked at. */
const runAll = async (
  line: CommandLine,
  run: (cursor: string | undefined) => Promise<BuyerStep | Refusal<'buyer_phone' | 'buyer_cursor'>>,
): Promise<Counts> => {
  const counts = noBuyerCounts()
  let cursor: string | undefined
  for (let lookedAt = 0; ; ) {
    const step = await run(cursor)
    if (isRefusal(step))
      throw new CommandError('This is no whole mobile number of Yemen: nine digits that begin with 7.')
    const { lookedAt: rows, cursor: next, counts: more } = step as BuyerStep
    lookedAt += rows
    add(counts, more)
    if (next === null) return counts
    line.say(`${lookedAt} rows were looked at.`)
    cursor = next
  }
}

const report = (line: CommandLine, counts: Counts): void => {
  const day = (at: number | null): string => (at === null ? '' : new Date(at).toISOString().slice(0, 10))
  for (const kind of buyerKinds) {
    const { found, erased, waiting, recent, fixed, unclear, oldest, newest } = counts[kind]
    if (found + unclear === 0) continue
    const parts = [`found ${found}`, `erased ${erased}`, `wait for a member ${waiting}`, `still compared ${recent}`]
    parts.push(`stay until their time is over ${fixed}`, `cannot be told ${unclear}`)
    line.say(`${kind.padEnd(15)} ${parts.join(', ')}${oldest === null ? '' : `, ${day(oldest)} to ${day(newest)}`}`)
  }
  if (buyerKinds.every((kind) => counts[kind].found === 0)) line.say('The number stands nowhere.')
}

/** What the second command must repeat: it belongs to this account, this number and what was found. */
const codeOf = (account: AccountId, digits: string, counts: Counts): string =>
  createHash('sha256')
    .update(JSON.stringify([account, digits, buyerKinds.map((kind) => counts[kind].found)]))
    .digest('hex')
    .slice(0, 8)

const digitsOf = (phone: string): string => {
  const digits = buyerPhone(phone)?.digits
  if (digits === undefined)
    throw new CommandError('This is no whole mobile number of Yemen: nine digits that begin with 7.')
  return digits
}

const find = (line: CommandLine, db: Db, hiding: Hiding, account: AccountId, phone: string): Promise<Counts> =>
  runAll(line, (cursor) =>
    db.transaction((tx) =>
      findBuyer(tx, hiding, wholeAccount(account), { phone, cursor, most: buyerStepRows }, systemClock.now()),
    ),
  )

export const addTo: AddTo = (buyer, line) => {
  const withOptions = (name: string, description: string) =>
    buyer
      .command(name)
      .description(description)
      .requiredOption('--account <id>', 'the id of the account')
      .requiredOption('--phone <number>', 'the mobile number of the buyer, in any usual form')

  withOptions('find', 'count where the number stands; nothing is changed').action(async (options: Options) => {
    digitsOf(options.phone)
    await line.onStore('sanad buyer', async (db, config) => {
      const hiding = hidingBy(await openKeyRing(db, config, systemClock.now()))
      report(line, await find(line, db, hiding, await accountOf(db, options.account), options.phone))
    })
  })

  withOptions('erase', 'erase the number, for ever: asked twice; amounts and references stay')
    .option('--confirm <code>', 'the code that the first asking printed')
    .action(async (options: Options) => {
      const digits = digitsOf(options.phone)
      await line.onStore('sanad buyer', async (db, config) => {
        const hiding = hidingBy(await openKeyRing(db, config, systemClock.now()))
        const account = await accountOf(db, options.account)
        const found = await find(line, db, hiding, account, options.phone)
        const code = codeOf(account, digits, found)
        if (options.confirm !== code) {
          report(line, found)
          if (options.confirm !== undefined)
            throw new CommandError('This code is not of what is found now. Ask again without --confirm.')
          line.say('What is erased does not come back. To go on:')
          line.say(`sanad buyer erase --account ${account} --phone ${options.phone} --confirm ${code}`)
          return
        }
        const erased = await runAll(line, (cursor) =>
          byCommand(db, (tx, audit) => {
            const request = { phone: options.phone, cursor, most: buyerStepRows }
            return eraseBuyer(tx, audit, hiding, wholeAccount(account), request, systemClock.now())
          }),
        )
        report(line, erased)
      })
    })
}
