/**
 * Short words from node to node: what one rings on a channel, every other one that hears the channel is told within
 * milliseconds. Sent over a connection of its own and gathered, because a NOTIFY inside a transaction that writes makes
 * every such commit wait for the one before it. So ring after the commit.
 *
 * Words are not kept: who was not connected has missed them, and is told that they may have (`onReturn`), as is everybody
 * when more was rung than could be passed on. Whoever rings is not told of it. One word twice in a moment is one word.
 */
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { connectorTo, cutOff } from '../connection/connector.ts'
import { payloadsOf } from './channel-payloads.ts'

export type Bell = {
  /** Soon, and together with whatever else is rung meanwhile. A word is one line. */
  ring(channel: string, word: string): void
  /** Answers when it hears. `onReturn`: words may have been missed. */
  hear(channel: string, on: (word: string) => void, onReturn?: () => void): Promise<void>
  close(): Promise<void>
}

const mostWaiting = 10_000
const mostAtOnce = 200
const aliveEvery_default_ms = 3_000
const answer_default_ms = 3_000
const firstPause_ms = 100
const longestPause_ms = 2_000

type Heard = { readonly on: (word: string) => void; readonly onReturn: () => void }
/** `lost`: more was rung than is kept. */
type Waiting = { words: Set<string>; lost: boolean }

const channelName = /^[a-z][a-z0-9_]{0,40}$/

/** Answers when it hears, or when a first try has failed: then it goes on trying by itself. */
export const openBell = async (options: {
  readonly url: string
  readonly every_ms?: number
  /** How often the connection is asked whether it still answers. */
  readonly aliveEvery_ms?: number
  /** How long an answer may take, and a new connection: then it is given up and another is made. */
  readonly answer_ms?: number
  readonly onFault: (fault: Error) => void
}): Promise<Bell> => {
  const { every_ms = 5, aliveEvery_ms = aliveEvery_default_ms, answer_ms = answer_default_ms, onFault } = options
  const connector = connectorTo(options.url, answer_ms)
  const self = randomBytes(6).toString('base64url')
  const heard = new Map<string, Heard[]>()
  const waiting = new Map<string, Waiting>()
  let client: pg.Client | undefined
  let closed = false
  let failures = 0
  let sending: Promise<void> | undefined
  let planned: NodeJS.Timeout | undefined
  let again: NodeJS.Timeout | undefined

  const told = (channel: string, payload: string): void => {
    const [from, ...words] = payload.split('\n')
    if (from === self) return
    for (const { on, onReturn } of heard.get(channel) ?? []) {
      if (words.length === 0) onReturn()
      else for (const word of words) on(word)
    }
  }

  const lost = (which: pg.Client, fault: Error): void => {
    which.removeAllListeners()
    // What a connection says that is given up already is of no interest, but unheard it would end the process.
    which.on('error', () => {})
    // Not ended politely: one that is silent would never take its leave.
    cutOff(which)
    if (client === which) client = undefined
    noteLost(fault)
  }

  const noteLost = (fault: Error): void => {
    if (closed || again !== undefined) return
    if (failures++ === 0) onFault(fault)
    const pause_ms = Math.min(firstPause_ms * 2 ** (failures - 1), longestPause_ms) * (0.75 + Math.random() / 2)
    again = setTimeout(() => {
      again = undefined
      void connect()
    }, pause_ms)
    again.unref()
  }

  const connect = async (): Promise<void> => {
    let fresh: pg.Client
    try {
      fresh = await connector.open({
        application_name: 'sanad bell',
        query_timeout: answer_ms,
        // A word need not survive a crash: nobody waits until it is on the disk.
        options: '-c synchronous_commit=off',
      })
    } catch (fault) {
      return noteLost(fault as Error)
    }
    fresh.on('error', (fault) => lost(fresh, fault))
    fresh.on('end', () => lost(fresh, new Error('the connection of the bell ended')))
    fresh.on('notification', ({ channel, payload }) => told(channel, payload ?? ''))
    try {
      for (const channel of heard.keys()) await fresh.query(`listen ${channel}`)
    } catch (fault) {
      return lost(fresh, fault as Error)
    }
    if (closed) return void (await fresh.end().catch(() => {}))
    client = fresh
    const returned = failures > 0
    failures = 0
    if (returned) for (const all of heard.values()) for (const { onReturn } of all) onReturn()
    plan()
  }

  /** What could not be sent is kept for the next time: hearing it twice does no harm, not hearing it does. */
  const send = async (): Promise<void> => {
    if (client === undefined) return
    const through = client
    for (const [channel, { words, lost: some }] of [...waiting]) {
      waiting.delete(channel)
      const payloads = [...(some ? [self] : []), ...payloadsOf(self, words)]
      try {
        for (let i = 0; i < payloads.length; i += mostAtOnce)
          await through.query('select pg_notify($1, word) from unnest($2::text[]) as w (word)', [
            channel,
            payloads.slice(i, i + mostAtOnce),
          ])
      } catch (fault) {
        const since = waiting.get(channel)
        waiting.set(channel, {
          words: new Set([...words, ...(since?.words ?? [])]),
          lost: some || since?.lost === true,
        })
        return lost(through, fault as Error)
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

  // A connection can die without a word. Asking now and then finds out, and what was missed is made good.
  const alive = setInterval(() => {
    const asked = client
    asked?.query('select 1').catch((fault: Error) => lost(asked, fault))
  }, aliveEvery_ms)
  alive.unref()

  await connect()
  return {
    ring(channel, word) {
      if (!channelName.test(channel) || word === '' || word.includes('\n'))
        throw new Error(`no word: ${channel} ${word}`)
      if (closed) return
      let line = waiting.get(channel)
      if (line === undefined) {
        line = { words: new Set(), lost: false }
        waiting.set(channel, line)
      }
      if (line.words.size < mostWaiting && word.length <= 1_000) line.words.add(word)
      else line.lost = true
      plan()
    },
    async hear(channel, on, onReturn = () => {}) {
      if (!channelName.test(channel)) throw new Error(`no channel: ${channel}`)
      heard.set(channel, [...(heard.get(channel) ?? []), { on, onReturn }])
      const through = client
      await through?.query(`listen ${channel}`).catch((fault: Error) => lost(through, fault))
    },
    async close() {
      closed = true
      clearTimeout(planned)
      clearTimeout(again)
      clearInterval(alive)
      await sending
      // The last words: whoever reads on elsewhere need not ask in vain.
      await send().catch(() => {})
      const last = client
      client = undefined
      if (last === undefined) return
      last.removeAllListeners('end')
      const late = setTimeout(() => cutOff(last), answer_ms)
      await last.end().catch(() => {})
      clearTimeout(late)
    },
  }
}
