/** The outcome of every committed delivery: arrived, ended visibly, or lost. */
import type { Session } from '../../src/postgres/connection/database.ts'

/** `odd` ones answer 2xx all the same; deliveries to `bad` ones must end; a `gone` one answers 410. */
export type Receiver = { readonly id: string; readonly name: string; readonly kind: 'good' | 'odd' | 'bad' | 'gone' }

export type Outcomes = {
  readonly receivers: number
  readonly events: number
  readonly committed: number
  readonly delivered: number
  readonly deliveredTwice: number
  readonly terminal: Readonly<Record<string, number>>
  /** How often a name that changed from a public address to a private one was refused. */
  readonly turnedAway: number
  /** Committed, and neither arrived nor ended visibly. Must be empty. */
  readonly lost: readonly string[]
}

type Sql = (text: string, values?: unknown[]) => ReturnType<Session['run']>

/** `heard`: how often each receiver, by its name, accepted an event. */
export const deliveryOutcomes = async (
  sql: Sql,
  parties: readonly Receiver[],
  events: readonly string[],
  received: ReadonlyMap<string, number>,
): Promise<Outcomes> => {
  const ended = new Map(
    (await sql('select endpoint_id, event_id, ending from delivery_ends')).map(([endpoint, event, ending]) => [
      `${endpoint} ${event}`,
      ending!,
    ]),
  )
  /** The result of each attempt, to explain why something was lost. */
  const met = new Map<string, string[]>()
  for (const [endpoint, event, ...attempt] of await sql(
    `select endpoint_id, event_id, attempt, outcome, coalesce(status, 0), error, took::text
       from delivery_attempts where outcome <> 'ok' order by at`,
  )) {
    const key = `${endpoint} ${event}`
    met.set(key, [...(met.get(key) ?? []), attempt.join(' ')])
  }
  const left = new Set((await sql('select endpoint_id, event_id from deliveries')).map((row) => row.join(' ')))
  const turning = parties.find((one) => one.name === 'turns')!
  const away = await sql(`select from delivery_attempts where endpoint_id = $1 and outcome = 'blocked'`, [turning.id])
  const lost: string[] = []
  const terminal: Record<string, number> = { delivered: 0, exhausted: 0, disabled: 0 }
  let [committed, delivered, deliveredTwice] = [0, 0, 0]
  for (const { id, name, kind } of parties) {
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
      const wanted = kind === 'good' || kind === 'odd' ? 'delivered' : kind === 'gone' ? 'disabled' : 'exhausted'
      if (ending !== wanted)
        lost.push(
          [`event ${event} for ${name}: ${ending ?? (left.has(key) ? 'still waits' : 'nowhere')}`]
            .concat(met.get(key) ?? [])
            .join('\n  '),
        )
      else if (ending === 'delivered' && times === 0)
        lost.push(`event ${event} for ${name}: recorded as delivered, never received`)
    }
  }
  return {
    receivers: parties.length,
    events: events.length,
    committed,
    delivered,
    deliveredTwice,
    terminal,
    turnedAway: away.length,
    lost,
  }
}
