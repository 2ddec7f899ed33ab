/**
 * What every node must know within a second, whether or not anything happens: the database's time, whether the master key is still the
 * current one, and which accounts are frozen or used in another cell. One statement reads all of it: an idle node is woken once a second.
 */

import type { AccountId } from '../../core/ids.ts'
import type { Db } from '../connection/database.ts'
import { faultCode } from '../connection/unavailable.ts'
import { askTime } from './clock-sql.ts'
import { readPulse } from './pulse-sql.ts'

export type PulseRead = {
  /** Ticks of this machine before the database was asked. */
  readonly sentAt: number
  /** Differs if the stored master keys differ. Empty: there are none. */
  readonly keys: string
  readonly frozen: readonly string[]
  /** Accounts that are used in another cell, and the origin of that cell. */
  readonly moved: readonly { readonly accountId: AccountId; readonly origin: string }[]
}

export type Pulse = {
  /** Calls with the last answer, and with each that follows. */
  follow(follower: (read: PulseRead) => void): void
  /** Asks the database, and tells the followers. Returns the database's time in milliseconds. */
  ask(): Promise<number>
}

const movedOf = (lines: string): PulseRead['moved'] =>
  lines === ''
    ? []
    : lines.split('\n').map((line) => {
        const [accountId, origin] = line.split(' ') as [AccountId, string]
        return { accountId, origin }
      })

/** PostgreSQL ended the statement: it waited for a lock, or too long. */
const wasEnded = (fault: unknown): boolean => ['55P03', '57014'].includes(faultCode(fault) ?? '')

/** `db`: best a connection of its own, so that a busy pool does not make the answer late. */
export const openPulse = (db: Db): Pulse => {
  const followers: ((read: PulseRead) => void)[] = []
  let last: PulseRead | undefined
  return {
    follow(follower) {
      followers.push(follower)
      if (last !== undefined) follower(last)
    },
    async ask() {
      const sentAt = performance.now()
      try {
        const [row] = await readPulse(db)
        const { keys, frozen, moved, time_us } = row!
        last = { sentAt, keys, frozen: frozen === '' ? [] : frozen.split(' '), moved: movedOf(moved) }
        for (const follower of followers) follower(last)
        return time_us / 1000
      } catch (fault) {
        // A lock on these tables, such as that of a restore, must not stop the clock.
        if (wasEnded(fault)) return (await askTime(db))[0]!.time_us / 1000
        throw fault
      }
    },
  }
}

const every_ms = 1_000

/** A pulse that nobody else asks: it is asked every second, and was asked once when this resolves. */
export const openTimedPulse = async (db: Db): Promise<Pulse & { stop(): Promise<void> }> => {
  const pulse = openPulse(db)
  await pulse.ask()
  let asking: Promise<unknown> | undefined
  const timer = setInterval(() => {
    // While the database does not answer, the last answer stands.
    asking ??= pulse
      .ask()
      .catch(() => {})
      .finally(() => {
        asking = undefined
      })
  }, every_ms)
  timer.unref()
  return {
    ...pulse,
    async stop() {
      clearInterval(timer)
      await asking
    },
  }
}
