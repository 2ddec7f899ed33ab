/**
 * One client of the live stream: turns hints into the text of server-sent events. Hints of one moment are sent together,
 * each object once; for very many hints, only their kinds are sent. A client that does not read is disconnected when too
 * much waits for it, and continues later by `Last-Event-ID`.
 */
import type { ObjectKind } from '../../../accounts/audit/audit.ts'
import type { Hint } from '../../../accounts/live/live-hub.ts'

/** The part of a response that is used here. */
export type Sink = {
  write(text: string): unknown
  /** Bytes that were written and not taken yet. */
  readonly writableLength: number
  destroy(): unknown
}

export type StreamWriter = {
  /** The first lines: when to reconnect, and the id from which to continue. */
  begin(from: string): void
  hint(hint: Hint): void
  reset(id: string): void
  /** A heartbeat, so that neither side closes the connection as dead. */
  beat(): void
  stop(): void
}

const gather_ms = 50
const mostObjects = 50
const mostUnread_bytes = 256 * 1024
const retry_ms = 2_000

const eventOf = (id: string, kind: ObjectKind, objectId: string): string =>
  `${id === '' ? '' : `id: ${id}\n`}data: ${JSON.stringify({ kind, id: objectId })}\n\n`

const eachOf = (hints: readonly Hint[]): string =>
  hints.map(({ id, kind, objectId }) => eventOf(id, kind!, objectId)).join('')

/** Only the last event has the id: a client that is disconnected earlier continues from its previous id. */
const kindsOf = (hints: readonly Hint[], id: string): string => {
  const kinds = [...new Set(hints.map(({ kind }) => kind!))]
  return kinds.map((kind, i) => eventOf(i === kinds.length - 1 ? id : '', kind, '')).join('')
}

/** `may` is called for every hint, because a role can change while a client listens. */
export const streamWriter = (sink: Sink, may: (kind: ObjectKind) => boolean): StreamWriter => {
  const gathered = new Map<string, Hint>()
  let timer: NodeJS.Timeout | undefined
  /** The id of the last hint, whether it was sent or not. */
  let lastId = ''
  let lastSentId = ''

  const write = (text: string): void => {
    if (sink.writableLength > mostUnread_bytes) return void sink.destroy()
    sink.write(text)
  }

  const flush = (): void => {
    timer = undefined
    const hints = [...gathered.values()]
    gathered.clear()
    const last = hints.at(-1)
    if (last === undefined) return
    lastSentId = last.id
    write(hints.length <= mostObjects ? eachOf(hints) : kindsOf(hints, last.id))
  }

  return {
    begin(from) {
      lastId = from
      lastSentId = from
      write(`retry: ${retry_ms}\nid: ${from}\n\n`)
    },
    hint(hint) {
      lastId = hint.id
      if (hint.kind === null || !may(hint.kind)) return
      // A client with too many hints gets only their kinds: their ids are not kept.
      const key = gathered.size > 20 * mostObjects ? hint.kind : `${hint.kind} ${hint.objectId}`
      // Moved to the end: events are sent in the order of their ids.
      gathered.delete(key)
      gathered.set(key, hint)
      timer ??= setTimeout(flush, gather_ms)
    },
    reset(id) {
      clearTimeout(timer)
      timer = undefined
      gathered.clear()
      lastId = id
      lastSentId = id
      write(`id: ${id}\nevent: reset\ndata: {}\n\n`)
    },
    beat() {
      if (gathered.size > 0 || lastId === lastSentId) return write(': here\n\n')
      // The last hint was not for this client, but its position advances.
      lastSentId = lastId
      write(`id: ${lastId}\n\n`)
    },
    stop() {
      clearTimeout(timer)
      gathered.clear()
    },
  }
}
