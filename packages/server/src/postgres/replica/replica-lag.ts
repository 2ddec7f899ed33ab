/**
 * How far a replica is behind, as one node knows it. The node writes marks to the primary and sees which of them the replica shows:
 * only its own monotonic time is compared, no clock of another machine. All that was committed before a mark was sent is on a replica
 * that shows it. A server that does not follow this primary never shows a new mark. Pure.
 */

export type Mark = {
  /** What the row of the node says after this mark. */
  readonly text: string
  readonly sent_ms: number
}

export type MarkState = {
  /** Sent and answered, oldest first, from the last one that the replica showed. */
  readonly marks: readonly Mark[]
  /** When the last mark that the replica shows was sent; undefined: it has shown none. */
  readonly shown_ms: number | undefined
}

export const noMarks: MarkState = { marks: [], shown_ms: undefined }

/** More were not shown for minutes: what is older tells no more. */
const mostMarks = 1_000

export const withMark = ({ marks, shown_ms }: MarkState, mark: Mark): MarkState => ({
  marks: [...marks, mark].slice(-mostMarks),
  shown_ms,
})

/** The replica shows this text. One that is no mark of this node tells nothing. */
export const withShown = (state: MarkState, text: string): MarkState => {
  const place = state.marks.findLastIndex((mark) => mark.text === text)
  return place < 0 ? state : { marks: state.marks.slice(place), shown_ms: state.marks[place]!.sent_ms }
}

export type Lag = {
  /** Since when it lacks a mark; 0: it has all. What operators see. */
  readonly lag_ms: number
  /** It lacks nothing that is older than this. By this it is judged. */
  readonly most_ms: number
}

/** Undefined: not known. */
export const lagOf = ({ marks, shown_ms }: MarkState, now_ms: number): Lag | undefined => {
  if (shown_ms === undefined) return undefined
  const lacking = marks.find(({ sent_ms }) => sent_ms > shown_ms)
  return { lag_ms: lacking === undefined ? 0 : now_ms - lacking.sent_ms, most_ms: now_ms - shown_ms }
}

/** Why a replica is not read. `behind`: it has not yet what the reader's account changed a moment ago. */
export const replicaReasons = [
  'unreachable',
  'not_a_replica',
  'other_cluster',
  'other_database',
  'unknown',
  'late',
  'behind',
  'fault',
] as const
export type ReplicaReason = (typeof replicaReasons)[number]

/** The cluster and the database of a server, which its replicas share. */
export type Place = { readonly cluster: string; readonly database: string }

export const placeFault = (
  replica: Place & { readonly standby: boolean },
  primary: Place,
): 'not_a_replica' | 'other_cluster' | 'other_database' | undefined => {
  if (replica.cluster !== primary.cluster) return 'other_cluster'
  if (!replica.standby) return 'not_a_replica'
  return replica.database === primary.database ? undefined : 'other_database'
}
