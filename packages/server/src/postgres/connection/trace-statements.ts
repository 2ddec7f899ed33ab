/**
 * A pool whose statements are steps of the trace of the request that sends them: the name of the statement and how long it took, no value
 * and no text. What a transaction of a traced request stores as an event gets its trace (the column `trace` of events), so that the
 * webhook continues the trace, whichever node sends it.
 */
import { type CallContext, currentContext, runInContext } from '../../core/tracing/call-context.ts'
import { traceparentOf } from '../../core/tracing/trace.ts'
import type { Pool, RawQuery, Session, Tx } from './database.ts'

type Tracing = NonNullable<CallContext['tracing']>

const tracedNow = (): Tracing | undefined => {
  const tracing = currentContext()?.tracing
  return tracing?.span.sampled === true ? tracing : undefined
}

const step = async <T>(
  { tracer, span: parent }: Tracing,
  name: string,
  work: (step: Tracing) => Promise<T>,
): Promise<T> => {
  const span = tracer.start(name, 'client', parent)
  span.attributes['db.system.name'] = 'postgresql'
  span.attributes['db.operation.name'] = name
  try {
    return await work({ tracer, span })
  } catch (fault) {
    span.failed = true
    throw fault
  } finally {
    tracer.end(span)
  }
}

const nameOf = (query: RawQuery): string => query.label ?? query.name ?? 'statement'

const traced = (session: Session): Session => ({
  run(query) {
    const tracing = tracedNow()
    if (tracing === undefined) return session.run(query)
    return step(tracing, nameOf(query), async () => {
      const rows = await session.run(query)
      const run = currentContext()?.run
      if (run !== undefined && rows.length > 0) run.found = true
      return rows
    })
  },
})

/** For this transaction only. The events that it stores take it as their trace. */
const withTrace = (tx: Tx, { span }: Tracing): void => {
  const query = { text: `select set_config('sanad.trace', $1, true)`, values: [traceparentOf(span)] }
  // Sent with the first statement. Its fault, if any, is that of the transaction.
  tx.run(query).catch(() => {})
}

export const traceStatements = (pool: Pool): Pool => ({
  ...pool,
  run: traced(pool).run,
  pipelined: (slow_ms) => traced(pool.pipelined(slow_ms)),
  transaction(work, locks) {
    const tracing = tracedNow()
    if (tracing === undefined) return pool.transaction(work, locks)
    return step(tracing, 'transaction', (own) =>
      pool.transaction((tx) => {
        withTrace(tx, own)
        return runInContext({ ...currentContext(), tracing: own }, () => work({ ...tx, run: traced(tx).run }))
      }, locks),
    )
  },
})
