/**
 * The clock of this process: the database's time, and the guard that compares the machine's own clock with it. Changes are
 * logged once; now and then the difference is stored, so that operators see all nodes at any of them.
 */
import { hostname } from 'node:os'
import { machineClocks } from './core/clock.ts'
import type { Log } from './log.ts'
import { type ClockState, clockSentence } from './postgres/clock/clock-agreement.ts'
import { askTime } from './postgres/clock/clock-sql.ts'
import { type DatabaseClock, openDatabaseClock } from './postgres/clock/database-clock.ts'
import { forgetNodeClock, storeNodeClock } from './postgres/clock/node-clocks-sql.ts'
import type { Pulse } from './postgres/clock/pulse.ts'
import type { Db } from './postgres/connection/database.ts'

/** A node is listed for a minute after its last report: one of them may fail. */
const storeEvery_ms = 25_000

export const askDatabase = (db: Db) => async (): Promise<number> => (await askTime(db))[0]!.time_us / 1000

/** Compares the clocks once, for a command. */
export const compareClocks = async (db: Db): Promise<{ readonly state: ClockState; readonly sentence: string }> => {
  const clock = await openDatabaseClock({ ask: askDatabase(db), onChange: () => {} })
  await clock.stop()
  const state = clock.state()
  return { state, sentence: clockSentence(state, machineClocks.wall()) }
}

/** `db`: a connection for the clock alone, on which `pulse` asks too. */
export const openNodeClock = async (db: Db, pulse: Pulse, log: Log, nodeId: string): Promise<DatabaseClock> => {
  let stored: { readonly at: number; readonly agreement: string } | undefined
  let storing: Promise<unknown> = Promise.resolve()
  const store = (state: ClockState): void => {
    const at = performance.now()
    if (stored !== undefined && at - stored.at < storeEvery_ms && stored.agreement === state.agreement) return
    stored = { at, agreement: state.agreement }
    // The next report replaces one that was lost; the database's own faults are logged by the pool.
    storing = storeNodeClock(db, {
      nodeId,
      host: hostname().slice(0, 200),
      ...state,
    }).catch(() => {})
  }
  const clock = await openDatabaseClock({
    ask: pulse.ask,
    onChange: ({ agreement, offset_ms }, sentence) => {
      const facts = { offset_s: Math.round(offset_ms) / 1000 }
      if (agreement === 'refused')
        log.error(facts, `${sentence} This node does nothing that depends on the time until they agree.`)
      else if (agreement === 'differs') log.warn(facts, `${sentence} Beyond 10 s this node would stop working.`)
      else log.info(facts, "the clock of this machine agrees with the database's")
    },
    onMeasured: store,
  })
  return {
    ...clock,
    async stop() {
      await clock.stop()
      await storing
      await forgetNodeClock(db, nodeId).catch(() => {})
    },
  }
}
