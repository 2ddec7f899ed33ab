/**
 * What a connection's silence means: pure decisions for watch-connections.ts.
 *
 * A statement may rightly be silent for long: it waits for a lock, or computes. PostgreSQL knows: asked over another
 * connection (pg_stat_activity), it says what the silent one does. If it says that nobody waits for it there, the question
 * or its answer got lost on the way, and the connection is dead although neither side was told.
 */

/** What is known of a connection that somebody waits for. */
export type Silence = {
  /** Of the server's process at the other end. */
  readonly pid: number | null
  /** The host it leads to. */
  readonly address: string
}

/** What PostgreSQL says, over another connection. */
export type Testimony = {
  readonly address: string
  /** Whether process ids are the server's own: not so behind a pooler. */
  readonly knowsPids: boolean
  /** By process id. `since_ms`: how long it has been in that state. */
  readonly states: ReadonlyMap<number, { readonly state: string; readonly waitsFor: string; readonly since_ms: number }>
}

/** A reply that PostgreSQL sent a moment ago may still be on its way. */
const onItsWay_ms = 500

/** True: nothing will ever come over this connection. */
export const isDead = (silence: Silence, said: Testimony): boolean => {
  // The host that accepts writes is another one now.
  if (silence.address !== said.address) return true
  if (!said.knowsPids || silence.pid === null) return false
  const one = said.states.get(silence.pid)
  if (one === undefined) return true
  if (one.state.startsWith('idle')) return one.since_ms >= onItsWay_ms
  // In the middle of a statement it waits for our bytes, or for us to take its own: neither arrives.
  return one.state === 'active' && (one.waitsFor === 'ClientRead' || one.waitsFor === 'ClientWrite')
}
