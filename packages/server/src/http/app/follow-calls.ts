/**
 * Follows each request through the work that it causes: the lines of the log have its id, its account and its trace, and its span is the
 * parent of the statements and of the webhooks that come of it. A caller that sends `traceparent` is in the same trace.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type CallContext, currentContext, runInContext } from '../../core/tracing/call-context.ts'
import { readTraceparent, type Tracer } from '../../core/tracing/trace.ts'
import type { Metrics } from '../metrics.ts'

type RequestLog = { info(facts: object, text: string): void }

/** What is logged of an answer. */
type AnswerFacts = {
  readonly req: string
  readonly method: string
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly ip: string
  account?: string
  trace?: string
  /** The origin of the cell that answered. */
  forwarded?: string
}

const begin = (request: FastifyRequest, tracer: Tracer | undefined): CallContext => {
  const sent = request.headers.traceparent
  const parent = sent === undefined ? undefined : readTraceparent(sent)
  const requestId = request.id
  if (tracer === undefined || request.is404) return { requestId, accountId: undefined, traceId: parent?.traceId }
  const span = tracer.start(`${request.method} ${request.routeOptions.url}`, 'server', parent)
  return { requestId, accountId: undefined, traceId: span.traceId, tracing: { tracer, span } }
}

/** Must be added before all other hooks. */
export const followCalls = (app: FastifyInstance, tracer: Tracer | undefined): void => {
  app.decorateRequest('context', undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    request.context = begin(request, tracer)
    runInContext(request.context, done)
  })
  // The body arrives by events of the socket, which belong to no request.
  app.addHook('preValidation', (request, _reply, done) => {
    if (currentContext() === request.context) done()
    else runInContext(request.context, done)
  })
}

/** Counts and logs the answer, and ends the span. */
export const reportAnswers = (app: FastifyInstance, log: RequestLog, metrics: Metrics): void => {
  app.addHook('onResponse', (request, reply, done) => {
    const { method, id, ip, context } = request
    const route = request.routeOptions.url ?? '(none)'
    const status = reply.statusCode
    const took_ms = Math.round(reply.elapsedTime * 100) / 100
    metrics.answered(method, route, status, took_ms)
    const account = context?.accountId
    const trace = context?.traceId
    const facts: AnswerFacts = { req: id, method, route, status, ms: took_ms, ip }
    if (account !== undefined) facts.account = account
    if (trace !== undefined) facts.trace = trace
    if (request.forwardedTo !== undefined) facts.forwarded = request.forwardedTo
    log.info(facts, 'answered')
    if (context?.tracing !== undefined) {
      const { tracer, span } = context.tracing
      span.attributes['http.request.method'] = method
      span.attributes['http.route'] = route
      span.attributes['http.response.status_code'] = status
      if (account !== undefined) span.attributes['sanad.account.id'] = account
      span.failed = status >= 500
      tracer.end(span)
    }
    done()
  })
}
