/**
 * Sends the queue to the service, the oldest first, and heartbeats; sends a test message when the answer to a heartbeat
 * asks for one. A report leaves the queue when the service's answer contains it. After a fault of the network or the
 * service the delay until the next attempt grows; a phone that is no longer accepted stops sending and keeps its queue.
 * What does not work is stored, for `status`.
 */
import type { Health, NativeAlert, NativeClient } from '../native-client.ts'
import { Refused } from '../post.ts'
import { reportsMore, rulesOf } from './agent-config.ts'
import { retryDelay_ms } from './backoff.ts'
import type { AgentStore } from './store/agent-store.ts'

/** The largest body of one call. The service waits 30 seconds for a request: a slow network can send this much in that time. */
const mostBody_bytes = 64 * 1024
/** How often a phone that was refused asks whether it is accepted again. */
const askAgain_ms = 15 * 60_000

/** The service does not accept this phone's secret: the phone was revoked, or paired again elsewhere. */
const isRevoked = (fault: unknown): boolean =>
  fault instanceof Refused && fault.status === 401 && fault.code === 'authentication_failed'

/** The service refuses the content of this call; the same call would be refused again. */
const isContentRefused = (fault: unknown): boolean =>
  fault instanceof Refused && fault.code !== '' && [400, 413, 415, 422].includes(fault.status)

/** The retry state of one process. A new process tries at once. */
export type Backoff = {
  /** How many attempts have failed in a row. */
  failures: number
  /** No attempt before this time; undefined: at once. */
  retry_at: number | undefined
  /** The most reports in a call: fewer after a call that failed, because a slow network may pass a smaller one. */
  batch: number
}

export const newBackoff = (): Backoff => ({ failures: 0, retry_at: undefined, batch: Number.POSITIVE_INFINITY })

export type SendOutcome = 'sent' | 'waiting' | 'revoked' | 'failed'

export const sendAll = async (
  store: AgentStore,
  client: NativeClient,
  options: {
    readonly health: () => Promise<Health>
    readonly now: () => number
    readonly random: () => number
    readonly backoff: Backoff
    /** Asked between two calls: true ends the sending. */
    readonly isStopped?: () => boolean
    /** When a heartbeat was last sent by this process. */
    readonly beatAt: number
    readonly onBeat: (at: number) => void
  },
): Promise<SendOutcome> => {
  const { now, backoff, isStopped = () => false } = options
  if (isTooEarly(backoff, now())) return 'waiting'
  try {
    // A revoked phone first asks whether it is accepted again. Until then its reports stay on it.
    if (store.state('revoked_at') !== undefined) await beat(store, client, options)
    await sendQueue(store, client, backoff, isStopped)
    if (now() - options.beatAt >= heartbeat_ms(store) || isConfigOld(store)) {
      await beat(store, client, options)
      // The heartbeat may have queued a test message.
      await sendQueue(store, client, backoff, isStopped)
    }
    store.setState({ revoked_at: null, problem_server: null })
    Object.assign(backoff, { failures: 0, retry_at: undefined })
    return 'sent'
  } catch (fault) {
    if (isRevoked(fault)) {
      backoff.retry_at = now() + askAgain_ms
      store.setState({ revoked_at: store.state('revoked_at') ?? String(now()), problem_server: 'revoked' })
      return 'revoked'
    }
    const retryAfter = fault instanceof Refused ? fault.retryAfter_ms : undefined
    backoff.failures++
    backoff.retry_at = now() + retryDelay_ms(backoff.failures, options.random(), retryAfter)
    const isAnswer = fault instanceof Refused && fault.code !== ''
    store.setState({ problem_server: isAnswer ? `answered_${fault.status}` : 'unreachable' })
    return 'failed'
  }
}

/** A wait longer than the longest possible one is ignored: it means that the phone's clock was set back. */
const isTooEarly = ({ retry_at }: Backoff, now: number): boolean => {
  const wait_ms = (retry_at ?? now) - now
  return wait_ms > 0 && wait_ms <= askAgain_ms
}

const rules = (store: AgentStore) => rulesOf(JSON.parse(store.state('config') ?? 'null'))
/** Five seconds less than configured: every sweep, once a minute, sends a heartbeat even if it runs a little early. */
const heartbeat_ms = (store: AgentStore): number => rules(store).heartbeat_ms - 5_000

/** Whether the last answer had another version of the configuration than the stored one. A heartbeat fetches the new one. */
const isConfigOld = (store: AgentStore): boolean => {
  const current = store.number('config_version')
  return current !== undefined && current !== rules(store).version
}

const sendQueue = async (
  store: AgentStore,
  client: NativeClient,
  backoff: Backoff,
  isStopped: () => boolean,
): Promise<void> => {
  let most = rules(store).perRequest
  while (!isStopped()) {
    const batch = store.oldest(Math.min(most, backoff.batch), mostBody_bytes)
    if (batch.length === 0) return
    try {
      const answer = await client.alerts(batch.map(({ report }) => report))
      const sent = new Set(batch.map(({ report }) => report.client_id))
      const answered = answer.results.flatMap(({ client_id: id }) => (id !== null && sent.has(id) ? [id] : []))
      if (answered.length === 0) throw new Error('The answer of the service contains none of the reports.')
      store.remove(answered)
      backoff.batch *= 2
      store.setState({ switched_on: answer.switched_on ? '1' : '0', config_version: String(answer.config_version) })
    } catch (fault) {
      if (!isContentRefused(fault)) {
        backoff.batch = Math.ceil(batch.length / 4)
        throw fault
      }
      // The service refuses at least one of these reports: smaller batches find it, and the others pass.
      if (batch.length === 1) store.refuse(batch[0]!.seq)
      else most = Math.ceil(batch.length / 2)
    }
  }
}

/** A message of the agent itself. It shows that reports arrive; `problems` shows whether messages can be read. */
export const testReport = (client_id: string, now: number): NativeAlert => ({
  client_id,
  kind: 'sms',
  sender: 'Sanad agent',
  text: 'Sanad agent: a test.',
  received_at: now,
})

const beat = async (
  store: AgentStore,
  client: NativeClient,
  { health, now, onBeat }: Parameters<typeof sendAll>[2],
): Promise<void> => {
  const oldest = store.oldestAt()
  const answer = await client.heartbeat({
    ...(await health()),
    queue_depth: store.depth(),
    ...(oldest === undefined ? {} : { oldest_unsent_at: oldest }),
  })
  onBeat(now())
  const before = rules(store)
  const after = rulesOf(answer.config)
  if (answer.config !== undefined && after.version !== before.version) {
    store.setState({
      config: JSON.stringify(answer.config),
      ...(reportsMore(before, after) ? { reread_since: String(now()) } : {}),
    })
  }
  const { self_test_until: test } = answer
  // A member began a self-test. Every heartbeat of its window announces it; the id keeps it to one test message.
  if (Number.isSafeInteger(test)) store.addShown([testReport(`self-test-${test}`, now())], now())
  const switched_on = answer.switched_on ? '1' : '0'
  store.setState({ contact_at: String(now()), switched_on, config_version: String(after.version) })
}
