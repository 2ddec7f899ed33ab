/**
 * `sanad health`: the health of the whole service, in seven lines or as JSON. It exits with 1 if something needs a person: a silent
 * phone, an endpoint that is not reached, a wallet that was entered twice, a wrong clock.
 */

import { CommandError } from '../../command-error.ts'
import { systemClock } from '../../core/clock.ts'
import { compareClocks } from '../../node-clock.ts'
import { agreementOf, offsetText } from '../../postgres/clock/clock-agreement.ts'
import { listNodeClocks } from '../../postgres/clock/node-clocks-sql.ts'
import { serviceFigures } from '../../views/operator/account-overview-sql.ts'
import { countTwins } from '../../wallets/identity/find-twins.ts'
import { queueState } from '../../webhooks/sending/delivery-sql.ts'
import { type AddTo, healthRole } from '../command-line.ts'

/** Nodes with a wrong clock that are named. */
const mostNamed = 5

export const addTo: AddTo = (health, { say, onStore }) => {
  health.option('--json', 'as one JSON object').action(async ({ json }: { json?: true }) => {
    const read = await onStore(healthRole, async (db) => {
      const clock = await compareClocks(db)
      const now = systemClock.now() - Math.round(clock.state.offset_ms)
      return {
        clock,
        now,
        figures: (await serviceFigures(db, now))[0]!,
        queue: (await queueState(db, now))[0]!,
        twins: await countTwins(db),
        nodes: await listNodeClocks(db),
      }
    })
    const { clock, now, figures, queue, twins, nodes } = read
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
      say(`clock here       ${isHere ? "agrees with the database's" : clock.sentence}`)
    }
    // After the figures: a script sees the exit status, a person this line.
    if (needed.length > 0) throw new CommandError(`Somebody should look. ${needed.join('. ')}.`)
  })
}
