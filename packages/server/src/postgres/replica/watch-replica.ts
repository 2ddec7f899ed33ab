/**
 * Watches a replica for one node: writes a mark to the primary several times a second, looks which mark the replica shows, and says
 * whether it may be read. A replica that does not answer becomes late by itself: what is known of it grows old.
 */
import type { Db } from '../connection/database.ts'
import { isUnavailable } from '../connection/unavailable.ts'
import {
  type Lag,
  lagOf,
  type MarkState,
  noMarks,
  type Place,
  placeFault,
  type ReplicaReason,
  withMark,
  withShown,
} from './replica-lag.ts'
import { markNode, replicaPlace, shownMark } from './replica-sql.ts'

/** The server accepts writes: the connection was refused for that. */
export const isNoReplica = (fault: unknown): boolean =>
  fault instanceof Error && fault.message.includes('is no replica')

export type ReplicaWatch = {
  /** Why it may not be read now; undefined: it may. */
  whyNot(): ReplicaReason | undefined
  lag(): Lag | undefined
  /** The cluster and the database of the primary; undefined: not known yet. */
  place(): Place | undefined
  /** A statement failed there: it is not read until it was looked at again. */
  failed(reason: ReplicaReason): void
  /** Writes a mark and looks, once. */
  look(): Promise<void>
  stop(): Promise<void>
}

export type ReplicaWatchOptions = {
  /** A connection of its own to each: a busy pool must not make the lag unknown. */
  readonly primary: Db
  readonly replica: Db
  readonly nodeId: string
  readonly host: string
  readonly maxLag_ms: number
  /** Monotonic. */
  readonly elapsed_ms: () => number
  /** Told of each change; undefined: it may be read. */
  readonly onChange?: (reason: ReplicaReason | undefined, cause: unknown) => void
  /** How often it is looked at; undefined: only by `look`. */
  readonly every_ms?: number | undefined
}

export const watchReplica = (options: ReplicaWatchOptions): ReplicaWatch => {
  const { primary, replica, nodeId, host, maxLag_ms, elapsed_ms, onChange, every_ms } = options
  let state: MarkState = noMarks
  let place: Place | undefined
  /** Of the last look: what is wrong with the server. */
  let wrong: ReplicaReason | undefined = 'unknown'
  let [told, isTold]: [ReplicaReason | undefined, boolean] = [undefined, false]
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> = Promise.resolve()

  const lag = (): Lag | undefined => lagOf(state, elapsed_ms())

  const whyNot = (): ReplicaReason | undefined => {
    if (wrong !== undefined) return wrong
    const known = lag()
    if (known === undefined) return 'unknown'
    return known.most_ms <= maxLag_ms ? undefined : 'late'
  }

  const tell = (cause: unknown): void => {
    const reason = whyNot()
    if (isTold && reason === told) return
    ;[told, isTold] = [reason, true]
    onChange?.(reason, cause)
  }

  const mark = async (): Promise<void> => {
    const sent_ms = elapsed_ms()
    const [row] = await markNode(primary, nodeId, host)
    const { mark: text, cluster, database } = row!
    // Another primary: what its predecessor's replica showed tells nothing of it.
    if (place !== undefined && (place.cluster !== cluster || place.database !== database)) state = noMarks
    place = { cluster, database }
    state = withMark(state, { text, sent_ms })
  }

  const see = async (): Promise<void> => {
    if (place === undefined) return
    const [server] = await replicaPlace(replica)
    const fault = placeFault(server!, place)
    if (fault !== undefined) {
      wrong = fault
      state = noMarks
      return
    }
    state = withShown(state, (await shownMark(replica, nodeId))[0]!.mark)
    wrong = undefined
  }

  const look = async (): Promise<void> => {
    let cause: unknown
    // While the primary is away nothing new is known of the replica: it becomes late.
    await mark().catch((fault) => {
      cause = fault
    })
    await see().catch((fault) => {
      cause = fault
      wrong = isNoReplica(fault) ? 'not_a_replica' : isUnavailable(fault) ? 'unreachable' : 'fault'
    })
    tell(cause)
  }

  const next = (): void => {
    if (stopped || every_ms === undefined) return
    timer = setTimeout(() => {
      looking = look().then(next)
    }, every_ms)
    timer.unref()
  }
  if (every_ms !== undefined) looking = look().then(next)

  return {
    whyNot,
    lag,
    place: () => place,
    failed(reason) {
      wrong = reason
    },
    look,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await looking
    },
  }
}
