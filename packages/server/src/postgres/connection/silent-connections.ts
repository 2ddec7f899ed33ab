/**
 * Whether a silent connection is dead: pure decisions for watch-connections.ts.
 *
 * A statement may take long: it waits for a lock, or computes. Over another connection PostgreSQL reports what the silent one does
 * (pg_stat_activity). If it is idle there, the query or its answer was lost on the network, and the connection is dead although
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
  const session = report.states.get(silence.pid)
  if (session === undefined) return true
  if (session.state.startsWith('idle')) return session.since_ms >= onItsWay_ms
  // Inside a statement PostgreSQL waits for our bytes, or for us to read its bytes: neither arrives.
  return session.state === 'active' && (session.waitsFor === 'ClientRead' || session.waitsFor === 'ClientWrite')
}
