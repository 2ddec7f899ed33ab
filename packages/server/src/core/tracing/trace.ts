/**
 * Traces: which request caused which statement and which webhook. The names are those of W3C Trace Context and OpenTelemetry. Spans hold
 * names of routes and statements, statuses and ids, and no value that a person typed. Pure.
 */

/** How a span is named in other programs: in `traceparent`, and as the parent of others. */
export type SpanContext = { readonly traceId: string; readonly spanId: string; readonly sampled: boolean }

export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'

export type Span = SpanContext & {
  name: string
  readonly kind: SpanKind
  readonly parentId: string | undefined
  readonly links: readonly SpanContext[]
  /** Since 1970. */
  readonly began_ms: number
  took_ms: number
  readonly attributes: Record<string, string | number | boolean>
  failed: boolean
}

export type Tracer = {
  /** Begins a span. A parent that is not sampled has children that are not sampled either. `links`: at most the first 64 count. */
  start(name: string, kind: SpanKind, parent?: SpanContext, links?: readonly SpanContext[]): Span
  /** Ends it and sends it later, if it is sampled. */
  end(span: Span): void
  /** A tracer whose ended spans are kept until it is known whether they are worth sending. */
  holding(): HoldingTracer
  /** Sends what waits. */
  close(): Promise<void>
}

export type HoldingTracer = {
  readonly tracer: Tracer
  /** True: the spans are sent, and those that end later too. False: they are forgotten. */
  settle(isSent: boolean): void
}

const pattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** Undefined: there is none, or it is not valid, and so it is ignored. */
export const readTraceparent = (text: string | readonly string[] | undefined): SpanContext | undefined => {
  if (typeof text !== 'string') return undefined
  const [, traceId, spanId, flags] = pattern.exec(text) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export const traceparentOf = ({ traceId, spanId, sampled }: SpanContext): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`
