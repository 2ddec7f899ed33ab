/**
 * `sanad health`: the health of the whole service, in eight lines or as JSON. It exits with 1 if something needs a person: a silent
 * phone, an endpoint that is not reached, a wallet that was entered twice, a wrong clock, an old last backup.
 */

import { CommandError } from '../../command-error.ts'
import { type Instant, systemClock } from '../../core/clock.ts'
import { day_ms, hour_ms, minute_ms } from '../../core/duration.ts'
import { compareClocks } from '../../node-clock.ts'
import { backupAge, recordsAhead_ms } from '../../postgres/backup/backup-age.ts'
import { latestBackup, latestVerified } from '../../postgres/backup/backups-sql.ts'
import { agreementOf, offsetText } from '../../postgres/clock/clock-agreement.ts'
import { listNodeClocks } from '../../postgres/clock/node-clocks-sql.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { serviceFigures } from '../../views/operator/account-overview-sql.ts'
import { countTwins } from '../../wallets/identity/find-twins.ts'
import { queueState } from '../../webhooks/sending/delivery-sql.ts'
import { type AddTo, healthRole } from '../command-line.ts'

/** Nodes with a wrong clock that are named. */
const mostNamed = 5

/** `3 days ago`, in the largest unit that fits. */
const ago = (age_ms: number): string => {
  const [unit, unit_ms] =
    age_ms >= 2 * day_ms ? ['days', day_ms] : age_ms >= 2 * hour_ms ? ['hours', hour_ms] : ['minutes', minute_ms]
  return `${Math.floor(age_ms / Number(unit_ms))} ${unit} ago`
}

/** The last good backup; undefined: none is recorded. */
const lastBackup = async (db: Db, now: Instant, most_ms: number | undefined) => {
  const [last] = await latestBackup(db, now + recordsAhead_ms)
  if (last === undefined) return undefined
  const [verified] = await latestVerified(db, now + recordsAhead_ms)
  const { age_ms, isOld, isBroken } = backupAge(last, now, most_ms)
  const tested = isBroken
    ? 'it could not be restored as a test'
    : verified === undefined
      ? 'none was restored as a test yet'
      : `one was restored as a test ${ago(Math.max(0, now - verified.verified_at))}`
  const iso = (at: Instant): string => new Date(at).toISOString()
  return {
    isOld,
    isBroken,
    sentence: `${ago(age_ms)} by ${last.made_by}, ${(last.file_bytes / 1_000_000).toFixed(1)} MB${last.encrypted ? ', encrypted' : ''}; ${tested}`,
    facts: {
      ok: !isOld && !isBroken,
      made_at: iso(last.made_at),
      age_s: Math.floor(age_ms / 1000),
      bytes: last.file_bytes,
      rows: last.row_count,
      encrypted: last.encrypted,
      made_by: last.made_by,
      file: last.file,
      verified: last.verified_ok,
      last_verified_at: verified === undefined ? null : iso(verified.verified_at),
    },
  }
}

export const addTo: AddTo = (health, { say, onStore }) => {
  health.option('--json', 'as one JSON object').action(async ({ json }: { json?: true }) => {
    const read = await onStore(healthRole, async (db, config) => {
      const clock = await compareClocks(db)
      const now = systemClock.now() - Math.round(clock.state.offset_ms)
      return {
        clock,
        now,
        figures: (await serviceFigures(db, now))[0]!,
        queue: (await queueState(db, now))[0]!,
        twins: await countTwins(db),
        nodes: await listNodeClocks(db),
        backup: await lastBackup(db, now, config.backupMaxAge_ms),
      }
    })
    const { clock, now, figures, queue, twins, nodes, backup } = read
    const oldest = queue.oldest_due_at === null ? 0 : Math.floor((now - queue.oldest_due_at) / 1000)
    const wrong = nodes
      .filter(({ offset_ms, error_ms }) => agreementOf(offset_ms, error_ms) !== 'agrees')
      .map(({ host, offset_ms }) => `${host} is ${offsetText(offset_ms)} the database`)
    const isHere = clock.state.agreement === 'agrees'
    const needs = [
      [figures.silent_phones, 'Silent phones'],
      [queue.open_breakers, 'Unreachable endpoints'],
      [twins, 'Wallets that were entered twice'],
      [wrong.length, 'Nodes with a wrong clock'],
      [isHere ? 0 : 1, 'Wrong clocks here'],
      [backup?.isOld ? 1 : 0, 'Backups that are too old'],
      [backup?.isBroken ? 1 : 0, 'Backups that could not be restored as a test'],
    ] as const
    const needed = needs.filter(([count]) => count > 0).map(([count, what]) => `${what}: ${count}`)
    if (json) {
      say(
        JSON.stringify({
          ok: needed.length === 0,
          accounts: { active: figures.accounts, suspended: figures.suspended },
          phones: { on: figures.phones, silent: figures.silent_phones },
          webhooks: { waiting: queue.unfinished, oldest_s: oldest, unreachable_endpoints: queue.open_breakers },
          unread_alerts: figures.unread_alerts,
          twin_wallets: twins,
          nodes: { running: nodes.length, wrong_clocks: wrong.length },
          clock: { ok: isHere, offset_ms: Math.round(clock.state.offset_ms) },
          backup: backup?.facts ?? null,
        }),
      )
    } else {
      say(`accounts         ${figures.accounts} active, ${figures.suspended} suspended`)
      say(`phones           ${figures.phones} on, ${figures.silent_phones} of them silent`)
      say(
        `webhooks         ${queue.unfinished} wait, the oldest for ${oldest} s; ${queue.open_breakers} endpoints unreachable`,
      )
      say(`unread alerts    ${figures.unread_alerts}`)
      say(`twin wallets     ${twins}${twins === 0 ? '' : ': sanad wallet twins lists them'}`)
      say(
        `nodes            ${nodes.length} run, ${wrong.length} with a wrong clock${wrong.length === 0 ? '' : ': '}${wrong.slice(0, mostNamed).join('; ')}`,
      )
      say(`last backup      ${backup?.sentence ?? 'none is recorded'}`)
      say(`clock here       ${isHere ? "agrees with the database's" : clock.sentence}`)
    }
    // After the figures: a script sees the exit status, a person this line.
    if (needed.length > 0) throw new CommandError(`Somebody should look. ${needed.join('. ')}.`)
  })
}
