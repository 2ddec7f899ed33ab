/** What `sanad account move` does. It is loaded when it is needed: it loads the database's driver. */
import { CommandError } from '../../command-error.ts'
import type { Config } from '../../config.ts'
import { systemClock } from '../../core/clock.ts'
import type { AccountId } from '../../core/ids.ts'
import { openKeyRing } from '../../key-ring.ts'
import { openStore } from '../../open-store.ts'
import type { Db } from '../../postgres/connection/database.ts'
import type { Cell } from '../../postgres/tenancy/cells.ts'
import { findMove } from '../../postgres/tenancy/move-sql.ts'
import { accountOf, type CommandLine, idOf } from '../command-line.ts'
import { progressBar } from '../data/progress-bar.ts'
import { withSource, withTarget } from './cell-connections.ts'
import { cleanThere, endForwarding, goOnHere } from './end-move.ts'
import { isUsedThere, moveAccount } from './move-account.ts'

export type MoveOptions = {
  readonly account: string
  readonly to?: string
  readonly back?: true
  readonly end?: true
  readonly prepare?: true
}

const usedThere = ({ name }: Cell): string =>
  `The account is used in cell ${name} already, and this cell may have lost the switch, as after a failover: it cannot be turned back. To forward its calls again, run the command with --to ${name}. Nothing was changed.`

const cellOf = ({ cells }: Config, name: string): Cell => {
  const cell = cells.get(name)
  if (cell !== undefined) return cell
  const known = cells.size === 0 ? 'It names none.' : `It names ${[...cells.keys()].join(', ')}.`
  throw new CommandError(`SANAD_CELLS names no cell ${name}. ${known} Nothing was changed.`)
}

/** The cell of a move that has begun, or the one that was given. */
const cellOfMove = async (db: Db, config: Config, accountId: AccountId, to: string | undefined): Promise<Cell> => {
  const [move] = await findMove(db, accountId)
  const name = move?.cell ?? to
  if (name === undefined)
    throw new CommandError(
      'The account is not being moved. To delete a copy that was left in a cell, name it with --to.',
    )
  return cellOf(config, name)
}

const run = async (db: Db, config: Config, line: CommandLine, url: string, options: MoveOptions): Promise<void> => {
  const { to, back, end, prepare = false } = options
  const { say } = line
  if (back) {
    const accountId = await accountOf(db, options.account)
    await withSource(url, accountId, async (source) => {
      const cell = await cellOfMove(db, config, accountId, to)
      let there: 'not asked' | 'used' | 'not used' = 'not asked'
      const goOn = async (): Promise<void> =>
        say((await goOnHere(db, accountId)) ? 'Turned back: the account goes on here.' : 'The account goes on here.')
      const again = `The copy in cell ${cell.name} is not in use. To delete it, run the command again when the cell can be reached: --back --to ${cell.name}`
      const cleaned = await withTarget(source, cell, accountId, async ({ target }) => {
        const [move] = await findMove(db, accountId)
        there = move?.state === 'copying' && (await isUsedThere(target, accountId)) ? 'used' : 'not used'
        if (there === 'used') throw new CommandError(usedThere(cell))
        await goOn()
        return cleanThere(cell, accountId)
      }).catch(async (fault) => {
        if (there === 'used') throw fault
        // Also if the other cell cannot be reached.
        if (there === 'not asked') await goOn()
        say(again)
        throw fault
      })
      say(cleaned ? `The copy in cell ${cell.name} is deleted.` : `Nothing of it is in cell ${cell.name}.`)
    })
    return
  }
  if (end) {
    // The row of the account itself may be erased already.
    const accountId = idOf<AccountId>(options.account)
    await withSource(url, accountId, async (source) => {
      const cell = await cellOfMove(db, config, accountId, undefined)
      const outcome = await withTarget(source, cell, accountId, (cells) => endForwarding(db, cells, accountId))
      say(outcome === 'begun' ? 'Nothing is forwarded any more.' : 'The forwarding was ended already.')
      say('The service erases the rows that stayed here: sanad account erasures shows how far it has come.')
    })
    return
  }
  if (to === undefined) throw new CommandError('Name the cell with --to, or give --back or --end.')
  const accountId = await accountOf(db, options.account)
  const cell = cellOf(config, to)
  const masterKey = (await openKeyRing(db, config, systemClock.now())).current()
  await withSource(url, accountId, (source) =>
    withTarget(source, cell, accountId, (cells) =>
      moveAccount({
        db,
        cells,
        cell,
        accountId,
        masterKey,
        prepare,
        progress: progressBar({ write: (text) => say(text.trimEnd()) }),
        say,
      }),
    ),
  )
}

/** `db` and `config`: of the cell in which the account is. */
export const runMove = async (db: Db, config: Config, line: CommandLine, options: MoveOptions): Promise<void> => {
  const store = await openStore(config, 'sanad account')
  try {
    await run(db, config, line, store.url, options)
  } finally {
    await store.close()
  }
}
