/**
 * Whether a silent connection is dead: pure decisions for watch-connections.ts.
 *
 * A statement may take long: it waits for a lock, or computes. Another connection can ask PostgreSQL what the silent one does
 * (pg_stat_activity). If it is idle there, the query or its answer was lost on the way, and the connection is dead although
 * neither side has noticed.
 */

/** A connection on which an answer is awaited. */
export type SilentConnection = {
  /** The server's process id. */
  readonly pid: number | null
  /** The server's host. */
  readonly address: string
}

/** What PostgreSQL reports over another connection. */
export type SessionReport = {
  readonly address: string
  /** Whether process ids are the server's own: false behind a pooler. */
  readonly knowsPids: boolean
  /** By process id. `since_ms`: how long it has been in that state. */
  readonly states: ReadonlyMap<number, { readonly state: string; readonly waitsFor: string; readonly since_ms: number }>
}

/** A reply that PostgreSQL sent a moment ago may still be on its way. */
const onItsWay_ms = 500

/** True: no answer will ever come over this connection. */
export const isDead = (silence: SilentConnection, report: SessionReport): boolean => {
  // The host that accepts writes is another one now.
  if (silence.address !== report.address) return true
  if (!report.knowsPids || silence.pid === null) return false
  const one = report.states.get(silence.pid)
  if (one === undefined) return true
  if (one.state.startsWith('idle')) return one.since_ms >= onItsWay_ms
  // Inside a statement it waits for our bytes, or for us to read its own: neither arrives.
  return one.state === 'active' && (one.waitsFor === 'ClientRead' || one.waitsFor === 'ClientWrite')
}
