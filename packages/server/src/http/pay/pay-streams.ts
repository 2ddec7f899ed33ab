/**
 * The event streams (SSE) of the buyers' pages that are open on this node. A stream sends the key of the page's state at
 * its start and after each change. There is one listener for the hints of an account. A page's state is read again when a
 * hint has no id, or the id of its checkout or of one of its intents, and when hints were lost; hints that come close
 * together cause one read. The number of streams is limited by node and by link. All streams end when the node drains.
 */
import type { ServerResponse } from 'node:http'
import type { Hint, LiveHub } from '../../accounts/live/live-hub.ts'
import type { AccountId } from '../../core/ids.ts'
import { MovedAccount } from '../moved-account.ts'

export type PayStreams = {
  /** False: this node or this link has too many streams already, or the node is stopping. */
  hasCapacity(token: string): boolean
  /** The caller has checked `hasCapacity` and has sent the headers of the answer. */
  open(page: OpenPage): void
  /** The pages of the account are read again, or end if they are shown by another cell from now on. */
  readAgain(accountId: AccountId): void
  /** Ends all open streams; new ones are refused. */
  close(): void
}

/** The key of a page's state, and the ids whose hints matter: the checkout and its intents. */
export type PageState = { readonly key: string; readonly watched: readonly string[] }

export type OpenPage = {
  readonly raw: ServerResponse
  readonly token: string
  readonly accountId: AccountId
  /** The ids of the checkout and its intents when the page was opened. */
  readonly watched: readonly string[]
  /** The state now. Undefined: the checkout is gone. */
  readonly read: () => Promise<PageState | undefined>
}

const mostOfLink = 10
const mostOfNode = 20_000
/** A stream gets a heartbeat every `heartbeatSlots` seconds, so that proxies keep it open. Each second serves one slot. */
const heartbeatSlots = 25
const slot_ms = 1_000
/** Hints that come within this time cause one read. */
const gather_ms = 5
/** When hints were lost, every page is read again, spread over this time. */
const spread_ms = 3_000

type Stream = {
  readonly page: OpenPage
  readonly group: StreamGroup
  watched: readonly string[]
  sentKey: string
  timer: NodeJS.Timeout | undefined
  isReading: boolean
  /** A hint came during a read: the state must be read again. */
  readAgain: boolean
}

/** The open streams of an account. */
type StreamGroup = {
  readonly all: Set<Stream>
  readonly byId: Map<string, Set<Stream>>
  readonly reading: Set<Stream>
  leave: () => void
}

export const payStreams = (deps: {
  readonly live: LiveHub
  readonly onFault: (fault: unknown) => void
}): PayStreams => {
  const groups = new Map<AccountId, StreamGroup>()
  const slots = Array.from({ length: heartbeatSlots }, () => new Set<Stream>())
  const counts = new Map<string, number>()
  let size = 0
  let opened = 0
  let slot = 0
  let closed = false
  const heartbeats = setInterval(() => {
    slot = (slot + 1) % heartbeatSlots
    for (const { page } of slots[slot]!) if (!page.raw.writableEnded) page.raw.write(': here\n\n')
  }, slot_ms)
  heartbeats.unref()

  const watch = (stream: Stream, watched: readonly string[]): void => {
    const { byId } = stream.group
    for (const id of stream.watched) {
      const streams = byId.get(id)
      streams?.delete(stream)
      if (streams?.size === 0) byId.delete(id)
    }
    for (const id of watched) {
      const streams = byId.get(id) ?? new Set()
      byId.set(id, streams.add(stream))
    }
    stream.watched = watched
  }

  const readAndSend = async (stream: Stream): Promise<void> => {
    const { page, group } = stream
    const { raw } = page
    stream.timer = undefined
    if (stream.isReading) {
      stream.readAgain = true
      return
    }
    stream.isReading = true
    group.reading.add(stream)
    try {
      const state = await page.read()
      if (!group.all.has(stream)) return
      if (state === undefined) return end(stream)
      watch(stream, state.watched)
      if (state.key !== stream.sentKey && !raw.writableEnded) raw.write(`data: ${state.key}\n\n`)
      stream.sentKey = state.key
    } catch (fault) {
      // The page opens another stream, which is forwarded.
      if (fault instanceof MovedAccount) end(stream)
      else deps.onFault(fault)
    } finally {
      stream.isReading = false
      group.reading.delete(stream)
      if (stream.readAgain) {
        stream.readAgain = false
        readSoon(stream, gather_ms)
      }
    }
  }

  const readSoon = (stream: Stream, within_ms: number): void => {
    if (stream.group.all.has(stream)) stream.timer ??= setTimeout(readAndSend, within_ms, stream)
  }

  const readAll = ({ all }: StreamGroup): void => {
    for (const stream of all) readSoon(stream, Math.random() * spread_ms)
  }

  const end = ({ page: { raw } }: Stream): void => {
    raw.end()
    setTimeout(() => raw.destroy(), 1_000).unref()
  }

  const groupOf = (accountId: AccountId): StreamGroup => {
    const existing = groups.get(accountId)
    if (existing !== undefined) return existing
    const group: StreamGroup = { all: new Set(), byId: new Map(), reading: new Set(), leave: () => {} }
    const readAllSoon = (): void => readAll(group)
    const { leave } = deps.live.listen(accountId, undefined, {
      hint: ({ kind, objectId }: Hint) => {
        if (kind !== 'intent' && kind !== 'checkout') return
        if (objectId === '') return readAllSoon()
        for (const stream of group.byId.get(objectId) ?? []) readSoon(stream, gather_ms)
        // The intent may be new and belong to a page that is being read: that read may not see it yet.
        if (kind === 'intent') for (const stream of group.reading) stream.readAgain = true
      },
      reset: readAllSoon,
    })
    group.leave = leave
    groups.set(accountId, group)
    return group
  }

  const open = (page: OpenPage): void => {
    const { raw, token, accountId, watched } = page
    const group = groupOf(accountId)
    const stream: Stream = {
      page,
      group,
      watched: [],
      sentKey: '',
      timer: undefined,
      isReading: false,
      readAgain: false,
    }
    const ownSlot = slots[opened++ % heartbeatSlots]!
    group.all.add(stream)
    ownSlot.add(stream)
    size++
    counts.set(token, (counts.get(token) ?? 0) + 1)
    watch(stream, watched)
    raw.on('close', () => {
      clearTimeout(stream.timer)
      watch(stream, [])
      ownSlot.delete(stream)
      group.all.delete(stream)
      size--
      if (group.all.size === 0 && groups.get(accountId) === group) {
        group.leave()
        groups.delete(accountId)
      }
      const remaining = (counts.get(token) ?? 1) - 1
      if (remaining === 0) counts.delete(token)
      else counts.set(token, remaining)
    })
    raw.on('error', () => {})
    raw.write('retry: 3000\n\n')
    // The page may have changed after it was read and before this listener was added.
    void readAndSend(stream)
  }

  return {
    hasCapacity: (token) => !closed && size < mostOfNode && (counts.get(token) ?? 0) < mostOfLink,
    open,
    readAgain(accountId) {
      const group = groups.get(accountId)
      if (group !== undefined) readAll(group)
    },
    close() {
      closed = true
      clearInterval(heartbeats)
      for (const group of groups.values()) for (const stream of group.all) end(stream)
    },
  }
}
