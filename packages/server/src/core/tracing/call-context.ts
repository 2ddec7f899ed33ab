/**
 * What is known everywhere of the request that is being worked on: its id and account for the log, its span for traces. It follows the
 * work through every await. Work that several requests share belongs to none of them.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span, Tracer } from './trace.ts'

export type CallContext = {
  /** Undefined: work for several requests, or a job. */
  readonly requestId?: string
  /** As soon as the caller is known. */
  accountId?: string | undefined
  /** The trace that the caller named, or that this service began. */
  readonly traceId?: string | undefined
  /** Undefined: not traced. */
  readonly tracing?: { readonly tracer: Tracer; readonly span: Span }
  /** A run of a job: whether a statement of it has found a row. */
  readonly run?: { found: boolean }
}

const storage = new AsyncLocalStorage<CallContext>()

export const currentContext = (): CallContext | undefined => storage.getStore()

export const runInContext = <T>(context: CallContext | undefined, work: () => T): T =>
  context === undefined ? storage.exit(work) : storage.run(context, work)

/** A function that starts work of its own, such as a timer for many requests: that work belongs to none of them. */
export const outsideCalls =
  <Args extends readonly unknown[]>(start: (...args: Args) => void): ((...args: Args) => void) =>
  (...args) =>
    storage.exit(start, ...args)

/** The fields that every line of the log has that is written during a request. */
export const logFields = (): Record<string, string> => {
  const context = storage.getStore()
  if (context === undefined) return {}
  const { requestId, accountId, traceId } = context
  const fields: Record<string, string> = {}
  if (requestId !== undefined) fields.req = requestId
  if (accountId !== undefined) fields.account = accountId
  if (traceId !== undefined) fields.trace = traceId
  return fields
}

/** Runs the work as a step of the current trace; outside of a trace, just runs it. */
export const inSpan = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
  const context = storage.getStore()
  if (context?.tracing === undefined) return work()
  const { tracer, span } = context.tracing
  const step = tracer.start(name, 'internal', span)
  try {
    return await storage.run({ ...context, tracing: { tracer, span: step } }, work)
  } catch (fault) {
    step.failed = true
    throw fault
  } finally {
    tracer.end(step)
  }
}

/**
 * The context for work that several callers share: their own if it is one, else a span of its own that links to theirs. `contexts`: of
 * the callers.
 */
export const runShared = <T>(contexts: readonly (CallContext | undefined)[], work: () => Promise<T>): Promise<T> => {
  const [first] = contexts
  if (contexts.every((one) => one === first)) return runInContext(first, work)
  const traced = contexts.flatMap((one) => one?.tracing ?? [])
  if (traced.length === 0) return storage.exit(work)
  const { tracer } = traced[0]!
  const span = tracer.start('shared by several requests', 'internal', undefined, [
    ...new Set(traced.map((one) => one.span)),
  ])
  return storage.run({ traceId: span.traceId, tracing: { tracer, span } }, work).finally(() => tracer.end(span))
}

/**
 * Runs a job as a trace of its own: no request waits for it, and often none is known that caused it. What it stores as an event continues
 * its trace, up to the webhook. Jobs look for work many times a second: a run that finds no row leaves nothing, one that fails does.
 */
export const runJob = async <T>(tracer: Tracer | undefined, name: string, work: () => Promise<T>): Promise<T> => {
  if (tracer === undefined) return work()
  const held = tracer.holding()
  const span = tracer.start(`job ${name}`, 'internal')
  const run = { found: false }
  try {
    return await storage.run({ traceId: span.traceId, tracing: { tracer: held.tracer, span }, run }, work)
  } catch (fault) {
    span.failed = true
    throw fault
  } finally {
    held.tracer.end(span)
    held.settle(run.found || span.failed)
  }
}
