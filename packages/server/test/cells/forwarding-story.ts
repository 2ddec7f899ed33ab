/**
 * Two cells in one test process: each a service with a database of its own, with the same master key and clock. Both have the demo
 * accounts, as a move leaves them: `switchOver` freezes the first one in the old cell and says that it is used in the new one.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AccountId } from '../../src/core/ids.ts'
import { beginFreeze, completeFreeze } from '../../src/postgres/tenancy/freeze-account.ts'
import { openCheckouts } from '../checkouts/checkout-story.ts'
import { type Answer, openTestService, type TestService } from '../support/story.ts'

export type Cell = TestService

type AnswerLine = {
  readonly msg: string
  readonly req: string
  readonly method: string
  readonly status: number
  readonly route: string
  readonly ip: string
  readonly forwarded?: string
}

/** What a cell has logged of an answer that a test has got. It is logged a moment after the test has it. */
export const lineOf = async (
  { lines }: Pick<Cell, 'lines'>,
  { headers }: Pick<Answer, 'headers'>,
): Promise<AnswerLine> => {
  const isIt = (line: string): boolean =>
    line.includes(`"req":"${headers['x-request-id']}"`) && line.includes('"answered"')
  for (let tries = 0; tries < 10_000; tries++) {
    const line = lines.findLast(isIt)
    if (line !== undefined) return JSON.parse(line)
    await nextTurn()
  }
  throw new Error(`the answer ${headers['x-request-id']} is not in the log`)
}

export const openTwoCells = async (env: Record<string, string> = {}) => {
  const old = await openCheckouts(env)
  const other = await openTestService({ SANAD_LIMITS: 'off', ...env }, { clock: old.clock })
  const { accountId } = old

  /** Rows that were written in the new cell are written into the old one too, as they were before the move. */
  const copyBack = async (tables: readonly string[]): Promise<void> => {
    for (const table of tables) {
      const [row] = await other.sql(
        `select coalesce(json_agg(t), '[]')::text from "${table}" t where account_id = $1`,
        [accountId],
      )
      await old.sql(
        `insert into "${table}" select * from json_populate_recordset(null::"${table}", $1::json) on conflict do nothing`,
        [row![0]],
      )
    }
  }

  /** Waits until the node of the old cell has read where the accounts are: it does so every second. */
  const untilSeen = async (isSeen: (wallets: Answer) => boolean | Promise<boolean>): Promise<void> => {
    for (let tries = 0; !(await isSeen(await old.ask('GET', '/wallets/'))); tries++)
      if (tries > 20_000) throw new Error('the old cell has not seen it')
  }

  const freezeIn = async (cell: Pick<Cell, 'db' | 'clock'>, id: AccountId): Promise<void> => {
    await cell.db.transaction((tx) => beginFreeze(tx, id, cell.clock.now()))
    const done = await completeFreeze(cell.db, id, {
      underWay: async () => 0,
      now: cell.clock.now,
      most_ms: 60_000,
      say: () => {},
    })
    if (done !== 'frozen') throw new Error(done)
  }
  const pointTo = (cell: Pick<Cell, 'sql'>, id: AccountId, origin: string) =>
    cell.sql(
      `insert into account_moves (account_id, move_id, cell, origin, state, began_at, switched_at)
       values ($1, gen_random_uuid(), 'other', $2, 'switched', now(), now())
       on conflict (account_id) do update set origin = excluded.origin, state = 'switched', switched_at = now()`,
      [id, origin],
    )

  return {
    old,
    other,
    accountId,
    copyBack,
    freezeIn,
    pointTo,
    untilSeen,
    /** From then on the account is used in the new cell. `origin`: what the old cell has been told of it. */
    async switchOver(origin = other.origin): Promise<void> {
      await freezeIn(old, accountId)
      await pointTo(old, accountId, origin)
      await untilSeen(async (answer) => (await lineOf(old, answer)).forwarded !== undefined || answer.status >= 508)
    },
    /** As the operator ends the forwarding. */
    async endForwarding(): Promise<void> {
      await old.sql('delete from account_moves')
      await untilSeen(({ status }) => status === 503)
    },
    /** The value of a series of the old cell's metrics. */
    async forwardedCalls(outcome: string): Promise<number> {
      const text = await old.figures()
      return Number(new RegExp(`sanad_forwarded_calls_total\\{outcome="${outcome}"\\} (\\d+)`).exec(text)?.[1])
    },
  }
}

export type TwoCells = Awaited<ReturnType<typeof openTwoCells>>
