/**
 * The open pages of this node: each gets the key of its state when it begins and when it has changed. A page listens to the hints
 * of its account and looks again only when an intent of its own was named; many hints of one moment are one look. How many there
 * may be is bounded by node and by link, and all end when the node drains.
 */
import type { ServerResponse } from 'node:http'
import type { Hint, LiveHub } from '../../accounts/live/live-hub.ts'
import type { AccountId } from '../../core/ids.ts'

export type PayStreams = {
  /** False: there are too many already, or the node is stopping. */
  hasRoom(token: string): boolean
  /** The caller has asked for room and has sent the head of the answer. */
  open(stream: PayStream): void
  /** Ends all that are open, and lets no more in. */
  close(): void
}

export type PayStream = {
  readonly raw: ServerResponse
  readonly token: string
  readonly accountId: AccountId
  /** The key of the state now, and the intents whose hints matter. Undefined: the checkout is gone. */
  readonly read: () => Promise<{ readonly key: string; readonly intents: readonly string[] } | undefined>
}

const mostOfLink = 10
const mostOfNode = 20_000
const beatEvery_ms = 25_000
/** What comes within this time is one look. */
const gather_ms = 20

type Open = { readonly beat: () => void; readonly end: () => void }

export const payStreams = (deps: {
  readonly live: LiveHub
  readonly onFault: (fault: unknown) => void
}): PayStreams => {
  const streams = new Set<Open>()
  const counts = new Map<string, number>()
  let closed = false
  // One timer for all of them.
  const beats = setInterval(() => {
    for (const one of streams) one.beat()
  }, beatEvery_ms)
  beats.unref()

  const begin = ({ raw, token, accountId, read }: PayStream): void => {
    let intents: ReadonlySet<string> = new Set()
    let sent = ''
    let timer: NodeJS.Timeout | undefined
    let isReading = false
    let again = false
    const look = async (): Promise<void> => {
      timer = undefined
      if (isReading) {
        again = true
        return
      }
      isReading = true
      try {
        const state = await read()
        if (state === undefined) return end()
        intents = new Set(state.intents)
        if (state.key !== sent && !raw.writableEnded) raw.write(`data: ${state.key}\n\n`)
        sent = state.key
      } catch (fault) {
        deps.onFault(fault)
      } finally {
        isReading = false
        if (again) {
          again = false
          soon()
        }
      }
    }
    const soon = (): void => {
      timer ??= setTimeout(look, gather_ms)
    }
    const end = (): void => {
      raw.end()
      setTimeout(() => raw.destroy(), 1_000).unref()
    }
    const listening = deps.live.listen(accountId, undefined, {
      hint: ({ kind, thing }: Hint) => {
        if (kind === 'intent' && (thing === '' || intents.has(thing))) soon()
      },
      reset: soon,
    })
    const open: Open = { beat: () => void raw.write(': here\n\n'), end }
    streams.add(open)
    counts.set(token, (counts.get(token) ?? 0) + 1)
    raw.on('close', () => {
      clearTimeout(timer)
      listening.leave()
      streams.delete(open)
      const left = (counts.get(token) ?? 1) - 1
      if (left === 0) counts.delete(token)
      else counts.set(token, left)
    })
    raw.on('error', () => {})
    raw.write('retry: 3000\n\n')
    void look()
  }

  return {
    hasRoom: (token) => !closed && streams.size < mostOfNode && (counts.get(token) ?? 0) < mostOfLink,
    open: begin,
    close() {
      closed = true
      clearInterval(beats)
      for (const one of streams) one.end()
    },
  }
}
