/**
 * Short messages between nodes, by LISTEN and NOTIFY: a message on a channel reaches every other subscribed node within
 * milliseconds. Messages are sent after the commit, in batches over a separate connection: a NOTIFY inside a transaction that
 * writes would make every such commit wait for the one before it.
 *
 * Messages are not stored: a node that was not connected has missed them. `onMissed` is called on such a node when it is
 * connected again, and on all nodes when messages could not be sent (too many, or too long). A node does not receive its own
 * messages. A message that occurs twice in a batch is sent once.
 */
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { connectorTo, destroyConnection } from '../connection/connector.ts'
import { payloadsOf } from './notify-payloads.ts'

export type Notifier = {
  /** Sends soon, in a batch. A message is one line. */
  notify(channel: string, message: string): void
  /** Resolves when subscribed. `onMissed`: messages may have been missed. */
  subscribe(channel: string, onMessage: (message: string) => void, onMissed?: () => void): Promise<void>
  close(): Promise<void>
}

const mostWaiting = 10_000
const mostAtOnce = 200
const aliveEvery_default_ms = 3_000
const answer_default_ms = 3_000
const firstPause_ms = 100
const longestPause_ms = 2_000

type Subscriber = { readonly onMessage: (message: string) => void; readonly onMissed: () => void }
/** `lost`: there were more messages than may wait, or one that is too long. */
type Waiting = { messages: Set<string>; lost: boolean }

const channelName = /^[a-z][a-z0-9_]{0,40}$/

/** Resolves when connected, or when the first attempt has failed: then it goes on trying in the background. */
export const openNotifier = async (options: {
  readonly url: string
  readonly every_ms?: number
  /** How often the connection is checked. */
  readonly aliveEvery_ms?: number
  /** How long an answer, or a new connection, may take before another connection is made. */
  readonly answer_ms?: number
  readonly onFault: (fault: Error) => void
}): Promise<Notifier> => {
  const { every_ms = 5, aliveEvery_ms = aliveEvery_default_ms, answer_ms = answer_default_ms, onFault } = options
  const connector = connectorTo(options.url, answer_ms)
  const self = randomBytes(6).toString('base64url')
  const subscribers = new Map<string, Subscriber[]>()
  const waiting = new Map<string, Waiting>()
  let client: pg.Client | undefined
  let closed = false
  let failures = 0
  let sending: Promise<void> | undefined
  let planned: NodeJS.Timeout | undefined
  let reconnecting: NodeJS.Timeout | undefined

  const receive = (channel: string, payload: string): void => {
    const [from, ...messages] = payload.split('\n')
    if (from === self) return
    for (const { onMessage, onMissed } of subscribers.get(channel) ?? []) {
      if (messages.length === 0) onMissed()
      else for (const message of messages) onMessage(message)
    }
  }

  const dropConnection = (dropped: pg.Client, fault: Error): void => {
    dropped.removeAllListeners()
    // A later error of this connection does not matter, but without a listener it would end the process.
    dropped.on('error', () => {})
    // Closed at once, without the protocol's message: a server that does not answer would never confirm it.
    destroyConnection(dropped)
    if (client === dropped) client = undefined
    reconnectLater(fault)
  }

  const reconnectLater = (fault: Error): void => {
    if (closed || reconnecting !== undefined) return
    if (failures++ === 0) onFault(fault)
    const pause_ms = Math.min(firstPause_ms * 2 ** (failures - 1), longestPause_ms) * (0.75 + Math.random() / 2)
    reconnecting = setTimeout(() => {
      reconnecting = undefined
      void connect()
    }, pause_ms)
    reconnecting.unref()
  }

  const connect = async (): Promise<void> => {
    let fresh: pg.Client
    try {
      fresh = await connector.open({
        // The commands that look for running nodes know this name (backup-sql.ts, master-key-sql.ts), also of earlier versions.
        application_name: 'sanad notify',
        query_timeout: answer_ms,
        // A message need not survive a crash: so the commit does not wait for the disk.
        options: '-c synchronous_commit=off',
      })
    } catch (fault) {
      return reconnectLater(fault as Error)
    }
    fresh.on('error', (fault) => dropConnection(fresh, fault))
    fresh.on('end', () => dropConnection(fresh, new Error('the connection for notifications ended')))
    fresh.on('notification', ({ channel, payload }) => receive(channel, payload ?? ''))
    try {
      for (const channel of subscribers.keys()) await fresh.query(`listen ${channel}`)
    } catch (fault) {
      return dropConnection(fresh, fault as Error)
    }
    if (closed) return void (await fresh.end().catch(() => {}))
    client = fresh
    const reconnected = failures > 0
    failures = 0
    if (reconnected) for (const all of subscribers.values()) for (const { onMissed } of all) onMissed()
    plan()
  }

  /** Messages that could not be sent wait for the next time: a message that arrives twice does no harm, a lost one does. */
  const send = async (): Promise<void> => {
    if (client === undefined) return
    const connection = client
    for (const [channel, { messages, lost }] of [...waiting]) {
      waiting.delete(channel)
      const payloads = [...(lost ? [self] : []), ...payloadsOf(self, messages)]
      try {
        for (let i = 0; i < payloads.length; i += mostAtOnce)
          await connection.query({
            name: 'notify',
            text: 'select pg_notify($1, payload) from unnest($2::text[]) as p (payload)',
            values: [channel, payloads.slice(i, i + mostAtOnce)],
          })
      } catch (fault) {
        const newer = waiting.get(channel)
        waiting.set(channel, {
          messages: new Set([...messages, ...(newer?.messages ?? [])]),
          lost: lost || newer?.lost === true,
        })
        return dropConnection(connection, fault as Error)
      }
    }
  }

  const plan = (): void => {
    if (planned !== undefined || sending !== undefined || closed || client === undefined || waiting.size === 0) return
    planned = setTimeout(() => {
      planned = undefined
      sending = send().finally(() => {
        sending = undefined
        plan()
      })
    }, every_ms)
    planned.unref()
  }

  // A connection can break without an error. This check finds it; then `onMissed` is called for every subscriber.
  const checking = setInterval(() => {
    const checked = client
    checked?.query('select 1').catch((fault: Error) => dropConnection(checked, fault))
  }, aliveEvery_ms)
  checking.unref()

  await connect()
  return {
    notify(channel, message) {
      if (!channelName.test(channel) || message === '' || message.includes('\n'))
        throw new Error(`not a message: ${channel} ${message}`)
      if (closed) return
      let queue = waiting.get(channel)
      if (queue === undefined) {
        queue = { messages: new Set(), lost: false }
        waiting.set(channel, queue)
      }
      if (queue.messages.size < mostWaiting && message.length <= 1_000) queue.messages.add(message)
      else queue.lost = true
      plan()
    },
    async subscribe(channel, onMessage, onMissed = () => {}) {
      if (!channelName.test(channel)) throw new Error(`not a channel: ${channel}`)
      subscribers.set(channel, [...(subscribers.get(channel) ?? []), { onMessage, onMissed }])
      const connection = client
      await connection?.query(`listen ${channel}`).catch((fault: Error) => dropConnection(connection, fault))
    },
    async close() {
      closed = true
      clearTimeout(planned)
      clearTimeout(reconnecting)
      clearInterval(checking)
      await sending
      // Sends the last messages, so that clients that move to another node find the changes there.
      await send().catch(() => {})
      const last = client
      client = undefined
      if (last === undefined) return
      last.removeAllListeners('end')
      const late = setTimeout(() => destroyConnection(last), answer_ms)
      await last.end().catch(() => {})
      clearTimeout(late)
    },
  }
}
