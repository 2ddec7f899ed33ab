/**
 * `sanad health`: the state of the whole service, in eight lines or as JSON. It exits with 1 if something needs a person: what the
 * doctor finds wrong in the database, such as a silent phone, an endpoint that is not reached, a wrong clock, an old last backup.
 */

import { CommandError } from '../../command-error.ts'
import { type Instant, systemClock } from '../../core/clock.ts'
import { day_ms, hour_ms, minute_ms } from '../../core/duration.ts'
import type { DatabaseFacts } from '../../doctor/diagnosis.ts'
import type { ServiceState } from '../../doctor/read-database-facts.ts'
import { compareClocks } from '../../node-clock.ts'
import { examineDatabase } from '../../service/examine.ts'
import { type AddTo, healthRole } from '../command-line.ts'

/** Nodes with a wrong clock that are named. */
const mostNamed = 5

/** `3 days ago`, in the largest unit that fits. */
const ago = (age_ms: number): string => {
  const [unit, unit_ms] =
    age_ms >= 2 * day_ms ? ['days', day_ms] : age_ms >= 2 * hour_ms ? ['hours', hour_ms] : ['minutes', minute_ms]
  return `${Math.floor(age_ms / Number(unit_ms))} ${unit} ago`
}

const iso = (at: Instant): string => new Date(at).toISOString()

/** The last good backup; undefined: none is recorded. */
const lastBackup = ({ now, backup: last, verified }: ServiceState, { backup: judged }: DatabaseFacts) => {
  if (last === undefined || judged === undefined) return undefined
  const { age_ms, isOld, isBroken } = judged
  const tested = isBroken
    ? 'it could not be restored as a test'
    : verified === undefined
      ? 'none was restored as a test yet'
      : `one was restored as a test ${ago(Math.max(0, now - verified.verified_at))}`
  return {
    sentence: `${ago(age_ms)} by ${last.made_by}, ${(last.file_bytes / 1_000_000).toFixed(1)} MB${last.encrypted ? ', encrypted' : ''}; ${tested}`,
    answer: {
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
    const { clock, state, facts, findings } = await onStore(healthRole, async (db, config) => {
      const clock = await compareClocks(db)
      const now = systemClock.now() - Math.round(clock.state.offset_ms)
      return { clock, ...(await examineDatabase(config, db, now, clock.state)) }
    })
    const { figures, queue } = state
    const { endpoints, nodes, phones } = facts
    const backup = lastBackup(state, facts)
    const isHere = facts.wrongClock_ms === undefined
    const wrong = findings.filter(({ level }) => level === 'wrong')
    if (json) {
      say(
        JSON.stringify({
          ok: wrong.length === 0,
          accounts: { active: figures.accounts, suspended: figures.suspended },
          phones,
          webhooks: {
            waiting: queue.unfinished,
            oldest_s: endpoints.oldestDelivery_s,
            unreachable_endpoints: endpoints.unreachable,
          },
          unread_alerts: facts.unreadAlerts,
          twin_wallets: facts.twinWallets,
          nodes: { running: nodes.running, wrong_clocks: nodes.wrongClocks.length },
          clock: { ok: isHere, offset_ms: Math.round(clock.state.offset_ms) },
          backup: backup?.answer ?? null,
          wrong: wrong.map(({ part }) => part),
        }),
      )
    } else {
      say(`accounts         ${figures.accounts} active, ${figures.suspended} suspended`)
      say(`phones           ${phones.on} on, ${phones.silent} of them silent`)
      say(
        `webhooks         ${queue.unfinished} wait, the oldest for ${endpoints.oldestDelivery_s} s; ${endpoints.unreachable} endpoints unreachable`,
      )
      say(`unread alerts    ${facts.unreadAlerts}`)
      say(`twin wallets     ${facts.twinWallets}${facts.twinWallets === 0 ? '' : ': sanad wallet twins lists them'}`)
      say(
        `nodes            ${nodes.running} run, ${nodes.wrongClocks.length} with a wrong clock${nodes.wrongClocks.length === 0 ? '' : `: ${nodes.wrongClocks.slice(0, mostNamed).join('; ')}`}`,
      )
      say(`last backup      ${backup?.sentence ?? 'none is recorded'}`)
      say(`clock here       ${isHere ? "agrees with the database's" : clock.sentence}`)
    }
    // After the figures: a script sees the exit status, a person these sentences. `sanad doctor` also says what to do.
    if (wrong.length > 0) throw new CommandError(`Somebody should look. ${wrong.map(({ says }) => says).join(' ')}`)
  })
}
