/**
 * Reads from the replica, or from the primary: whoever reads gets an answer either way, in the same request. The replica is read only
 * while its lag is known and small enough (watch-replica.ts), and only by the statements that are listed for the reader. What an account
 * changed a moment ago is never missing: then the replica must first have reached the primary's position.
 *
 * If the replica fails in the middle, the work begins again on the primary: so it must only read, and give nothing away before its end.
 * A file that is sent in parts reads part by part (`inParts`): each part stands for itself, and what the replica cannot give any more
 * comes from the primary.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Db, RawQuery, Session, Tx } from '../connection/database.ts'
import { faultCode, isUnavailable } from '../connection/unavailable.ts'
import type { RecentChanges } from './recent-changes.ts'
import { placeFault, type ReplicaReason } from './replica-lag.ts'
import { primaryPosition, replicaReached } from './replica-sql.ts'
import type { ReplicaWatch } from './watch-replica.ts'

/** Who reads. */
export type Asker = {
  /** The account, or what else changes are remembered by. */
  readonly key: string
  /** The caller changed something a moment ago, perhaps on another node. */
  readonly changed: boolean
}

export type RoutedReads<Reader extends string, Source> = {
  /** Whether there is a replica. */
  readonly isOn: boolean
  /** Runs `work`, on the replica in one snapshot. It may run twice. */
  read<T>(reader: Reader, asker: Asker, work: (from: Source) => Promise<T>): Promise<T>
  /** For a file in parts: each statement is one part. After the first fault all others come from the primary. */
  inParts(reader: Reader, asker: Asker): Promise<Source>
}

/** Where a read was made, and why not on the replica. */
export type OnRead<Reader extends string> = (
  reader: Reader,
  from: 'replica' | 'primary',
  why: ReplicaReason | '',
) => void

export const primaryReads = <Reader extends string, Source>(source: Source): RoutedReads<Reader, Source> => ({
  isOn: false,
  read: (_, __, work) => work(source),
  inParts: async () => source,
})

/** How long a read waits until the replica has what was changed a moment ago. */
const mostWait_ms = 250
const waits_ms = [0, 2, 4, 8, 16, 32, 64, 124] as const

/** Every position is after it. */
const anyPosition = '0/0'

class NotOnReplica extends Error {
  readonly reason: ReplicaReason
  constructor(reason: ReplicaReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** What the replica cannot answer, the primary may: every fault of the database. What the work itself throws is its answer. */
const isOfReplica = (fault: unknown): boolean =>
  fault instanceof NotOnReplica || isUnavailable(fault) || /^[0-9A-Z]{5}$/.test(faultCode(fault) ?? '')

const baseName = ({ label, name = '' }: RawQuery): string => label ?? name.replace(/(_limited)?(_today)?$/, '')

export const routeReads = <Reader extends string, Source>(deps: {
  readonly primary: Db
  readonly replica: Db
  readonly watch: ReplicaWatch
  readonly changes: RecentChanges
  readonly statements: Readonly<Record<Reader, readonly string[]>>
  readonly primarySource: Source
  readonly sourceOn: (session: Session) => Source
  readonly onRead: OnRead<Reader>
  readonly onFault: (fault: unknown) => void
  /** Monotonic. */
  readonly elapsed_ms: () => number
  /** Left out: time passes by itself. */
  readonly wait?: (time_ms: number) => Promise<unknown>
}): RoutedReads<Reader, Source> => {
  const { primary, replica, watch, changes, onRead, onFault, elapsed_ms, wait = delay } = deps

  /** The position that the replica must have reached for this read. */
  const positionFor = async ({ key, changed }: Asker): Promise<string> =>
    changed || changes.isRecent(key, elapsed_ms()) ? (await primaryPosition(primary))[0]!.position : anyPosition

  /** Waits on any connection, before the snapshot is taken: one that is taken earlier may lack the position. */
  const waitFor = async (position: string): Promise<void> => {
    if (position === anyPosition) return
    const until_ms = elapsed_ms() + mostWait_ms
    for (const wait_ms of waits_ms) {
      if (wait_ms > 0) await wait(wait_ms)
      if ((await replicaReached(replica, position))[0]!.reached) return
      if (elapsed_ms() > until_ms) break
    }
    throw new NotOnReplica('behind', 'the replica has not reached the position')
  }

  const check = async (tx: Tx, position: string): Promise<void> => {
    const [server] = await replicaReached(tx, position)
    const expected = watch.place()
    const fault = expected === undefined ? 'unknown' : placeFault(server!, expected)
    if (fault !== undefined) throw new NotOnReplica(fault, 'the replica is not the one that it was')
    if (!server!.reached) throw new NotOnReplica('behind', 'the replica has not reached the position')
  }

  const onlyListed = (reader: Reader, tx: Session): Session => ({
    run(query) {
      const name = baseName(query)
      if (deps.statements[reader].includes(name)) return tx.run(query)
      const fault = new NotOnReplica('fault', `the statement ${name} is not listed for ${reader}`)
      onFault(fault)
      return Promise.reject(fault)
    },
  })

  const onReplica = async <T>(reader: Reader, position: string, work: (session: Session) => Promise<T>): Promise<T> => {
    const why = watch.whyNot()
    if (why !== undefined) throw new NotOnReplica(why, 'the replica is not read')
    await waitFor(position)
    return replica.transaction(async (tx) => {
      await check(tx, position)
      return work(onlyListed(reader, tx))
    })
  }

  /** The reason for the primary; a fault that is not of the replica is thrown. */
  const reasonFor = (fault: unknown): ReplicaReason => {
    if (!isOfReplica(fault)) throw fault
    if (fault instanceof NotOnReplica) return fault.reason
    const reason = isUnavailable(fault) ? 'unreachable' : 'fault'
    if (reason === 'unreachable') watch.failed(reason)
    return reason
  }

  return {
    isOn: true,
    async read(reader, asker, work) {
      try {
        const position = watch.whyNot() === undefined ? await positionFor(asker) : anyPosition
        const value = await onReplica(reader, position, (session) => work(deps.sourceOn(session)))
        onRead(reader, 'replica', '')
        return value
      } catch (fault) {
        onRead(reader, 'primary', reasonFor(fault))
        return work(deps.primarySource)
      }
    },
    async inParts(reader, asker) {
      const position = await positionFor(asker)
      let isOnReplica = true
      return deps.sourceOn({
        async run(query) {
          if (!isOnReplica) return primary.run(query)
          try {
            const rows = await onReplica(reader, position, (session) => session.run(query))
            onRead(reader, 'replica', '')
            return rows
          } catch (fault) {
            onRead(reader, 'primary', reasonFor(fault))
            isOnReplica = false
            return primary.run(query)
          }
        },
      })
    },
  }
}
