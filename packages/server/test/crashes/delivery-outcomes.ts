/** Counts the outcomes of all committed deliveries: received, recorded as failed, or lost. */
import type { Session } from '../../src/postgres/connection/database.ts'

/** `odd`: answers strangely, but with 2xx. `bad`: deliveries to it must end as failed. `gone`: answers 410. */
export type Receiver = { readonly id: string; readonly name: string; readonly kind: 'good' | 'odd' | 'bad' | 'gone' }

export type Outcomes = {
  readonly receivers: number
  readonly events: number
  readonly committed: number
  readonly delivered: number
  readonly deliveredTwice: number
  /** How many deliveries have each ending. */
  readonly terminal: Readonly<Record<string, number>>
  /** How often a call was refused because a host name changed from a public to a private address. */
  readonly turnedAway: number
  /** Deliveries that were committed and did not end as they had to, each with its failed attempts. Must be empty. */
  readonly lost: readonly string[]
}

type Sql = (text: string, values?: unknown[]) => ReturnType<Session['run']>

/** `received`: how often each receiver accepted an event, by `receiver event`. */
export const deliveryOutcomes = async (
  sql: Sql,
  receivers: readonly Receiver[],
  events: readonly string[],
  received: ReadonlyMap<string, number>,
): Promise<Outcomes> => {
  const ended = new Map(
    (await sql('select endpoint_id, event_id, ending from delivery_ends')).map(([endpoint, event, ending]) => [
      `${endpoint} ${event}`,
      ending!,
    ]),
  )
  /** The failed attempts of each delivery, to explain why it was lost. */
  const failedAttempts = new Map<string, string[]>()
  for (const [endpoint, event, ...attempt] of await sql(
    `select endpoint_id, event_id, attempt, outcome, coalesce(status, 0), error, took::text
       from delivery_attempts where outcome <> 'ok' order by at`,
  )) {
    const key = `${endpoint} ${event}`
    failedAttempts.set(key, [...(failedAttempts.get(key) ?? []), attempt.join(' ')])
  }
  const left = new Set((await sql('select endpoint_id, event_id from deliveries')).map((row) => row.join(' ')))
  const turning = receivers.find(({ name }) => name === 'turns')!
  const blocked = await sql(`select from delivery_attempts where endpoint_id = $1 and outcome = 'blocked'`, [
    turning.id,
  ])
  const lost: string[] = []
  const terminal: Record<string, number> = { delivered: 0, exhausted: 0, disabled: 0 }
  let [committed, delivered, deliveredTwice] = [0, 0, 0]
  for (const { id, name, kind } of receivers) {
    for (const event of events) {
      const key = `${id} ${event}`
      const ending = ended.get(key)
      // An endpoint that answered 410 gets no later events.
      if (kind === 'gone' && ending === undefined && !left.has(key)) continue
      committed++
      const times = received.get(`${name} ${event}`) ?? 0
      if (ending !== undefined) terminal[ending] = (terminal[ending] ?? 0) + 1
      if (ending === 'delivered') delivered++
      if (ending === 'delivered' && times > 1) deliveredTwice++
      const expected = kind === 'good' || kind === 'odd' ? 'delivered' : kind === 'gone' ? 'disabled' : 'exhausted'
      if (ending !== expected)
        lost.push(
          [`event ${event} for ${name}: ${ending ?? (left.has(key) ? 'still waits' : 'nowhere')}`]
            .concat(failedAttempts.get(key) ?? [])
            .join('\n  '),
        )
      else if (ending === 'delivered' && times === 0)
        lost.push(`event ${event} for ${name}: recorded as delivered, never received`)
    }
  }
  return {
    receivers: receivers.length,
    events: events.length,
    committed,
    delivered,
    deliveredTwice,
    terminal,
    turnedAway: blocked.length,
    lost,
  }
}
