/**
 * The event streams (SSE) of the buyers' pages that are open on this node. A stream sends the key of the page's state at its start
 * and after each change. There is one listener for the hints of an account. A page's state is read again only when a hint names its
 * checkout or one of its intents; hints that come close together cause one read. The number of streams is limited by node and by link. All end when
 * the node drains.
 */
import type { ServerResponse } from 'node:http'
import type { Hint, LiveHub } from '../../accounts/live/live-hub.ts'
import type { AccountId } from '../../core/ids.ts'

export type PayStreams = {
  /** False: there are too many already, or the node is stopping. */
  hasRoom(token: string): boolean
  /** The caller has checked `hasRoom` and has sent the headers of the answer. */
  open(page: OpenPage): void
  /** Ends all open streams; new ones are refused. */
  close(): void
}

/** The key of a page's state, and the ids whose hints matter: the checkout and its intents. */
export type PageState = { readonly key: string; readonly watched: readonly string[] }

export type OpenPage = {
  readonly raw: ServerResponse
  readonly token: string
  readonly accountId: AccountId
  /** The ids that are known when it opens. */
  readonly watched: readonly string[]
  /** The state now. Undefined: the checkout is gone. */
  readonly read: () => Promise<PageState | undefined>
}

const mostOfLink = 10
const mostOfNode = 20_000
/** A stream gets a comment every `turns` seconds, so that proxies keep it open. Streams are spread over the seconds. */
const turns = 25
const turn_ms = 1_000
/** Hints that come within this time cause one read. */
const gather_ms = 5
/** When hints were lost, every page is read again, spread over this time. */
const spread_ms = 3_000

type Stream = {
  readonly page: OpenPage
  readonly channel: Channel
  watched: readonly string[]
  sent: string
  timer: NodeJS.Timeout | undefined
  isReading: boolean
  again: boolean
}

/** The open pages of an account. */
type Channel = {
  readonly all: Set<Stream>
  readonly byId: Map<string, Set<Stream>>
  readonly reading: Set<Stream>
  leave: () => void
}

export const payStreams = (deps: {
  readonly live: LiveHub
  readonly onFault: (fault: unknown) => void
}): PayStreams => {
  const channels = new Map<AccountId, Channel>()
  const byTurn = Array.from({ length: turns }, () => new Set<Stream>())
  const counts = new Map<string, number>()
  let size = 0
  let opened = 0
  let turn = 0
  let closed = false
  const beats = setInterval(() => {
    turn = (turn + 1) % turns
    for (const { page } of byTurn[turn]!) if (!page.raw.writableEnded) page.raw.write(': here\n\n')
  }, turn_ms)
  beats.unref()

  const watch = (stream: Stream, watched: readonly string[]): void => {
    const { byId } = stream.channel
    for (const id of stream.watched) {
      const all = byId.get(id)
      all?.delete(stream)
      if (all?.size === 0) byId.delete(id)
    }
    for (const id of watched) {
      const all = byId.get(id) ?? new Set()
      byId.set(id, all.add(stream))
    }
    stream.watched = watched
  }

  const look = async (stream: Stream): Promise<void> => {
    const { page, channel } = stream
    const { raw } = page
    stream.timer = undefined
    if (stream.isReading) {
      stream.again = true
      return
    }
    stream.isReading = true
    channel.reading.add(stream)
    try {
      const state = await page.read()
      if (!channel.all.has(stream)) return
      if (state === undefined) return end(stream)
      watch(stream, state.watched)
      if (state.key !== stream.sent && !raw.writableEnded) raw.write(`data: ${state.key}\n\n`)
      stream.sent = state.key
    } catch (fault) {
      deps.onFault(fault)
    } finally {
      stream.isReading = false
      channel.reading.delete(stream)
      if (stream.again) {
        stream.again = false
        soon(stream, gather_ms)
      }
    }
  }

  const soon = (stream: Stream, within_ms: number): void => {
    if (stream.channel.all.has(stream)) stream.timer ??= setTimeout(look, within_ms, stream)
  }

  const end = ({ page: { raw } }: Stream): void => {
    raw.end()
    setTimeout(() => raw.destroy(), 1_000).unref()
  }

  const channelOf = (accountId: AccountId): Channel => {
    const known = channels.get(accountId)
    if (known !== undefined) return known
    const channel: Channel = { all: new Set(), byId: new Map(), reading: new Set(), leave: () => {} }
    const lookAll = (): void => {
      for (const stream of channel.all) soon(stream, Math.random() * spread_ms)
    }
    const { leave } = deps.live.listen(accountId, undefined, {
      hint: ({ kind, objectId }: Hint) => {
        if (kind !== 'intent' && kind !== 'checkout') return
        if (objectId === '') return lookAll()
        for (const stream of channel.byId.get(objectId) ?? []) soon(stream, gather_ms)
        // The intent may be new and belong to a page that is being read: that read may not see it yet.
        if (kind === 'intent') for (const stream of channel.reading) stream.again = true
      },
      reset: lookAll,
    })
    channel.leave = leave
    channels.set(accountId, channel)
    return channel
  }

  const open = (page: OpenPage): void => {
    const { raw, token, accountId, watched } = page
    const channel = channelOf(accountId)
    const stream: Stream = {
      page,
      channel,
      watched: [],
      sent: '',
      timer: undefined,
      isReading: false,
      again: false,
    }
    const ofTurn = byTurn[opened++ % turns]!
    channel.all.add(stream)
    ofTurn.add(stream)
    size++
    counts.set(token, (counts.get(token) ?? 0) + 1)
    watch(stream, watched)
    raw.on('close', () => {
      clearTimeout(stream.timer)
      watch(stream, [])
      ofTurn.delete(stream)
      channel.all.delete(stream)
      size--
      if (channel.all.size === 0 && channels.get(accountId) === channel) {
        channel.leave()
        channels.delete(accountId)
      }
      const left = (counts.get(token) ?? 1) - 1
      if (left === 0) counts.delete(token)
      else counts.set(token, left)
    })
    raw.on('error', () => {})
    raw.write('retry: 3000\n\n')
    // The page may have changed after it was read and before this listener was added.
    void look(stream)
  }

  return {
    hasRoom: (token) => !closed && size < mostOfNode && (counts.get(token) ?? 0) < mostOfLink,
    open,
    close() {
      closed = true
      clearInterval(beats)
      for (const channel of channels.values()) for (const stream of channel.all) end(stream)
    },
  }
}
