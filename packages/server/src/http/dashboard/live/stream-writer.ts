/**
 * One client of the live stream: turns hints into the text of server-sent events. What comes in one moment goes out
 * together, each thing once; of very much, only which kinds there were. What a client does not read is not kept for it:
 * from a bound on it is hung up on, and finds its way back by `Last-Event-ID`.
 */
import type { ThingKind } from '../../../accounts/audit/audit.ts'
import type { Hint } from '../../../accounts/live/live-hub.ts'

/** Of a response, what is needed here. */
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
const mostThings = 50
const mostUnread_bytes = 256 * 1024
const retry_ms = 2_000

const eventOf = (id: string, kind: ThingKind, thing: string): string =>
  `${id === '' ? '' : `id: ${id}\n`}data: ${JSON.stringify({ kind, id: thing })}\n\n`

const eachOf = (hints: readonly Hint[]): string =>
  hints.map(({ id, kind, thing }) => eventOf(id, kind!, thing)).join('')

/** Only the last has the id: a client that is cut off before it continues from the id before. */
const kindsOf = (hints: readonly Hint[], id: string): string => {
  const kinds = [...new Set(hints.map(({ kind }) => kind!))]
  return kinds.map((kind, i) => eventOf(i === kinds.length - 1 ? id : '', kind, '')).join('')
}

/** `may` is called for every hint, because a role can change while a client listens. */
export const streamWriter = (sink: Sink, may: (kind: ThingKind) => boolean): StreamWriter => {
  const gathered = new Map<string, Hint>()
  let timer: NodeJS.Timeout | undefined
  /** The last hint that was seen, sent or not, and the last id that was sent. */
  let passed = ''
  let sent = ''

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
    sent = last.id
    write(hints.length <= mostThings ? eachOf(hints) : kindsOf(hints, last.id))
  }

  return {
    begin(from) {
      passed = from
      sent = from
      write(`retry: ${retry_ms}\nid: ${from}\n\n`)
    },
    hint(hint) {
      passed = hint.id
      if (hint.kind === null || !may(hint.kind)) return
      // A client with too many hints gets only their kinds: their ids are not kept.
      const key = gathered.size > 20 * mostThings ? hint.kind : `${hint.kind} ${hint.thing}`
      // Put at the end: the order of ids is the order of telling.
      gathered.delete(key)
      gathered.set(key, hint)
      timer ??= setTimeout(flush, gather_ms)
    },
    reset(id) {
      clearTimeout(timer)
      timer = undefined
      gathered.clear()
      passed = id
      sent = id
      write(`id: ${id}\nevent: reset\ndata: {}\n\n`)
    },
    beat() {
      if (gathered.size > 0 || passed === sent) return write(': here\n\n')
      // The hint was not for this client: the position moves on all the same.
      sent = passed
      write(`id: ${passed}\n\n`)
    },
    stop() {
      clearTimeout(timer)
      gathered.clear()
    },
  }
}
