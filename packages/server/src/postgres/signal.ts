/**
 * One word from node to node: something was committed, look now. Sent over a connection of its own and at most every so
 * often, because a NOTIFY inside a transaction that writes makes every such commit wait for the one before it. Nothing is
 * promised: a word that is lost (the connection broke, PostgreSQL restarted) is made good by whoever listens looking now
 * and then by himself. After a break it is said to oneself, for nobody knows what was missed.
 */
import { randomUUID } from 'node:crypto'
import pg from 'pg'

export type Signal = {
  /** To all other nodes; soon, and together with whatever else is said meanwhile. */
  say(): void
  close(): Promise<void>
}

const again_ms = 1_000

export const openSignal = (options: {
  readonly url: string
  /** A name of our own, such as `sanad_deliveries`. */
  readonly channel: string
  readonly atMostEvery_ms: number
  readonly onHeard: () => void
  readonly onFault: (fault: Error) => void
}): Signal => {
  const { url, channel, atMostEvery_ms, onHeard, onFault } = options
  const self = randomUUID()
  let client: pg.Client | undefined
  let closed = false
  let broken = false
  let pausing: NodeJS.Timeout | undefined
  let owed = false
  let reconnecting: NodeJS.Timeout | undefined

  const connect = async (): Promise<void> => {
    const fresh = new pg.Client({
      connectionString: url,
      application_name: 'sanad signal',
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
      // A word need not survive a crash: it is not waited for until it is on the disk.
      options: '-c synchronous_commit=off',
    })
    const lost = (fault: Error): void => {
      if (client === fresh) client = undefined
      fresh.removeAllListeners()
      // What a connection says that is given up already is of no interest, but unheard it would end the process.
      fresh.on('error', () => {})
      void fresh.end().catch(() => {})
      if (closed || reconnecting !== undefined) return
      if (!broken) onFault(fault)
      broken = true
      reconnecting = setTimeout(() => {
        reconnecting = undefined
        void connect()
      }, again_ms)
      reconnecting.unref()
    }
    fresh.on('error', lost)
    fresh.on('end', () => lost(new Error('the connection ended')))
    fresh.on('notification', ({ payload }) => {
      if (payload !== self) onHeard()
    })
    try {
      await fresh.connect()
      await fresh.query(`listen ${channel}`)
    } catch (fault) {
      return lost(fault as Error)
    }
    if (closed) return void fresh.end().catch(() => {})
    client = fresh
    if (broken) onHeard()
    broken = false
  }

  const send = (): void => {
    pausing = setTimeout(() => {
      pausing = undefined
      if (!owed) return
      owed = false
      send()
    }, atMostEvery_ms)
    pausing.unref()
    client?.query('select pg_notify($1, $2)', [channel, self]).catch(() => {})
  }

  const opened = connect()
  return {
    say() {
      if (pausing === undefined) send()
      else owed = true
    },
    async close() {
      closed = true
      clearTimeout(pausing)
      clearTimeout(reconnecting)
      await opened
      await client?.end().catch(() => {})
    },
  }
}
