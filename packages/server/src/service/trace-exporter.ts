/**
 * Sends spans to a receiver of OpenTelemetry: OTLP over HTTP, as JSON. Requests never wait for it: ended spans wait in a list with a
 * bound, and are sent together; what does not fit, or what the receiver does not take, is dropped and counted. Loaded only if traces are
 * set up (docs/decisions/0098).
 */
import { randomFillSync } from 'node:crypto'
import { hostname } from 'node:os'
import type { TraceSettings } from '../config.ts'
import { machineClocks } from '../core/clock.ts'
import type { Span, SpanContext, SpanKind, Tracer } from '../core/tracing/trace.ts'

const mostWaiting = 4_096
const mostInBatch = 512
const sendEvery_ms = 1_000
const answerMost_ms = 5_000
const mostLinks = 64
/** A run of a job that has more spans found something to do. */
const mostHeld = 256

type Began = Span & { readonly began: number }

/** Random ids, drawn many at once: a call for each would cost more than the rest of a span. */
const random = Buffer.alloc(4_096)
let used = random.length
const hexId = (bytes: number): string => {
  if (used + bytes > random.length) {
    randomFillSync(random)
    used = 0
  }
  used += bytes
  const id = random.toString('hex', used - bytes, used)
  return /^0+$/.test(id) ? hexId(bytes) : id
}

const kinds: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 }
const failedStatus = 2

const nanoseconds = (ms: number): string => {
  const whole = Math.floor(ms)
  return `${whole}${String(Math.floor((ms - whole) * 1e6)).padStart(6, '0')}`
}

const attribute = ([key, value]: [string, string | number | boolean]) => ({
  key,
  value:
    typeof value === 'string'
      ? { stringValue: value }
      : typeof value === 'boolean'
        ? { boolValue: value }
        : Number.isInteger(value)
          ? { intValue: String(value) }
          : { doubleValue: value },
})

const encoded = (span: Span) => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentId === undefined ? {} : { parentSpanId: span.parentId }),
  name: span.name,
  kind: kinds[span.kind],
  startTimeUnixNano: nanoseconds(span.began_ms),
  endTimeUnixNano: nanoseconds(span.began_ms + span.took_ms),
  attributes: Object.entries(span.attributes).map(attribute),
  links: span.links.map(({ traceId, spanId }) => ({ traceId, spanId })),
  status: span.failed ? { code: failedStatus } : {},
})

export const openTracer = (deps: {
  readonly settings: TraceSettings
  readonly version: string
  readonly onDropped: (count: number) => void
  /** Told when the receiver stops taking spans, and when it takes them again. */
  readonly onChange: (isTaking: boolean, why: string) => void
}): Tracer => {
  const { settings, onDropped } = deps
  const resource = {
    attributes: Object.entries({
      'service.name': settings.serviceName,
      'service.version': deps.version,
      'service.instance.id': `${hostname()}:${process.pid}`,
    }).map(attribute),
  }
  const scope = { name: 'sanad', version: deps.version }
  let waiting: Span[] = []
  let sending: Promise<void> | undefined
  let taking = true
  let timer: NodeJS.Timeout | undefined

  const report = (isTaking: boolean, why: string): void => {
    if (isTaking === taking) return
    taking = isTaking
    deps.onChange(isTaking, why)
  }

  const post = async (spans: readonly Span[]): Promise<void> => {
    try {
      const answer = await fetch(settings.url, {
        method: 'POST',
        headers: { ...settings.headers, 'content-type': 'application/json' },
        body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans: spans.map(encoded) }] }] }),
        redirect: 'manual',
        signal: AbortSignal.timeout(answerMost_ms),
      })
      await answer.body?.cancel()
      if (!answer.ok) throw new Error(`it answered ${answer.status}`)
      report(true, '')
    } catch (fault) {
      onDropped(spans.length)
      report(false, fault instanceof Error ? String(fault.cause ?? fault.message) : String(fault))
    }
  }

  const send = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    sending ??= (async () => {
      while (waiting.length > 0) {
        const batch = waiting.slice(0, mostInBatch)
        waiting = waiting.slice(mostInBatch)
        await post(batch)
      }
    })().finally(() => {
      sending = undefined
    })
    return sending
  }

  const isSampled = (parent: SpanContext | undefined): boolean =>
    parent === undefined ? settings.fraction >= 1 || Math.random() < settings.fraction : parent.sampled

  const end = (span: Span): void => {
    if (!span.sampled) return
    span.took_ms = performance.now() - (span as Began).began
    queue(span)
  }

  const queue = (span: Span): void => {
    if (waiting.length >= mostWaiting) {
      onDropped(1)
      return
    }
    waiting.push(span)
    if (waiting.length >= mostInBatch) void send()
    else timer ??= setTimeout(() => void send(), sendEvery_ms).unref()
  }

  const tracer: Tracer = {
    start(name, kind, parent, links = []) {
      const span: Began = {
        traceId: parent?.traceId ?? hexId(16),
        spanId: hexId(8),
        sampled: isSampled(parent),
        name,
        kind,
        parentId: parent?.spanId,
        links: links.slice(0, mostLinks),
        began_ms: machineClocks.wall(),
        began: performance.now(),
        took_ms: 0,
        attributes: {},
        failed: false,
      }
      return span
    },
    end,
    holding() {
      let held: Span[] | undefined = []
      const settle = (isSent: boolean): void => {
        const spans = held ?? []
        held = undefined
        if (isSent) spans.forEach(queue)
      }
      const hold = (span: Span): void => {
        if (!span.sampled) return
        if (held === undefined) end(span)
        else {
          span.took_ms = performance.now() - (span as Began).began
          held.push(span)
          if (held.length >= mostHeld) settle(true)
        }
      }
      return { tracer: { ...tracer, end: hold }, settle }
    },
    close: send,
  }
  return tracer
}
