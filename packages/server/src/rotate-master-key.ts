/**
 * Replaces the master key while the service runs. First the next generation is stored in the database: from then on, nodes
 * that have both keys seal with the new one, and nodes that have only the old one stop. When no node can seal with the old
 * key any more, every secret is sealed again, in bounded batches. Secrets that are already sealed with the new key are
 * skipped, so a rotation that was killed can be run again. It ends when a whole pass has found every secret sealed with the
 * new key.
 *
 * Four things are not sealed again: keyed hashes (such as pairing codes and known browsers), because their key is a random one
 * that is itself sealed with the master key; tokens, because they expire; stored answers to phones, because a request whose
 * answer cannot be unsealed is processed again; and values that neither key opens, which were lost before and are listed.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { recordChange } from './accounts/audit/audit.ts'
import { operator } from './accounts/audit/change-by-command.ts'
import { CommandError } from './command-error.ts'
import type { Instant } from './core/clock.ts'
import { smallestId } from './core/ids.ts'
import { deriveKey, type MasterKey, seal, unseal } from './core/seal.ts'
import { checkValueOf, isKeyOf, masterKeysLock, sealHashKey, sealsUnchecked_ms, unsealHashKey } from './key-ring.ts'
import { type Db, faultCode } from './postgres/connection/database.ts'
import {
  endTokensOfOldMasterKeys,
  finishMasterKey,
  insertMasterKey,
  nextTransaction,
  oldestTransaction,
  readMasterKeys,
} from './postgres/maintenance/master-key-sql.ts'
import type { SealedColumn } from './postgres/maintenance/sealed-column-sql.ts'
import { sealedColumns } from './sealed-columns.ts'

export type Rotation = {
  readonly db: Db
  readonly from: MasterKey
  readonly to: MasterKey
  /** How long tokens of the old key stay valid. */
  readonly tokens_ms: number
  readonly now: () => Instant
  readonly say: (line: string) => void
}

export type Rotated = {
  readonly generation: number
  readonly sealedAnew: number
  /** `table.column id` of each value that neither key opens. */
  readonly lost: readonly string[]
}

const batch_rows = 200
/** After this time no node seals with the old key: nodes check every second, and a node that cannot check does not seal. */
const nodesFollow_ms = sealsUnchecked_ms + 1_000
const openMost_ms = 120_000
const passesMost = 10

/** Returns the generation of the new key: the one that an earlier run began, or the next. */
const begin = async ({ db, from, to, tokens_ms, now }: Rotation): Promise<{ generation: number; done: boolean }> =>
  db.transaction(
    async (tx) => {
      const [newest, previous] = await readMasterKeys(tx)
      if (newest === undefined) throw new CommandError('This database has no master key yet: start the service once.')
      if (isKeyOf(newest, to)) {
        if (newest.done_at === null && (previous === undefined || !isKeyOf(previous, from)))
          throw new CommandError(
            'A rotation has begun from another old key than the one that was given: give that one.',
          )
        if (tokens_ms === 0) await endTokensOfOldMasterKeys(tx, newest.generation, now())
        return { generation: newest.generation, done: newest.done_at !== null }
      }
      if (newest.done_at === null)
        throw new CommandError('A rotation to another new key has not ended: give that one, and end it first.')
      if (!isKeyOf(newest, from))
        throw new CommandError(
          'The old key that was given is not the one that the secrets in this database are sealed with.',
        )
      const generation = newest.generation + 1
      const at = now()
      await insertMasterKey(tx, {
        generation,
        check_value: checkValueOf(to),
        hash_key_sealed: sealHashKey(to, unsealHashKey(from, newest.hash_key_sealed)),
        began_at: at,
        tokens_until: at + tokens_ms,
        done_at: null,
      })
      await recordChange(
        tx,
        operator,
        { action: 'master_key.rotate_begin', kind: 'master_key', id: String(generation), after: { generation } },
        at,
      )
      return { generation, done: false }
    },
    [masterKeysLock],
  )

/** Waits for every open transaction: one of them may have sealed something with the old key. */
const waitForOlderTransactions = async (db: Db): Promise<void> => {
  const [next] = await nextTransaction(db)
  for (let waited_ms = 0; waited_ms < openMost_ms; waited_ms += 100) {
    const [oldest] = await oldestTransaction(db)
    if (BigInt(oldest!.id) >= BigInt(next!.id)) return
    await delay(100)
  }
  throw new CommandError(
    'A transaction in the database has been open for two minutes: end it, and run "sanad master-key rotate" again; it goes on where it was.',
  )
}

type Pass = { sealedAnew: number; lost: string[] }

/** The value sealed with the new key; undefined: it already is; null: neither key opens it. */
const sealAgain = (column: SealedColumn, from: Uint8Array, to: Uint8Array, id: string, value: string) => {
  let changed = false
  try {
    const becomes = column.each(value, (sealed) => {
      try {
        unseal(to, sealed, id)
        return sealed
      } catch {
        changed = true
        return seal(to, unseal(from, sealed, id), id)
      }
    })
    return changed ? becomes : undefined
  } catch {
    return null
  }
}

/** A deadlock, a serialization failure or a lock timeout: the statement can be tried again. */
const isCollision = (fault: unknown): boolean => ['40P01', '40001', '55P03'].includes(faultCode(fault) ?? '')

/** Returns how many rows were replaced. */
const replaceRows = async (
  db: Db,
  column: SealedColumn,
  rows: readonly { readonly id: string; readonly was: string; readonly becomes: string }[],
): Promise<number> => {
  if (rows.length === 0) return 0
  try {
    const done = await column.replace(
      db,
      rows.map(({ id }) => id),
      rows.map(({ was }) => was),
      rows.map(({ becomes }) => becomes),
    )
    return done.length
  } catch (fault) {
    if (!isCollision(fault)) throw fault
    // A statement that locks one row cannot deadlock. What still collides is found by the next pass.
    if (rows.length === 1) return 0
    let done = 0
    for (const row of rows) done += await replaceRows(db, column, [row])
    return done
  }
}

const sealColumnAgain = async ({ db, from, to, say }: Rotation, column: SealedColumn, pass: Pass): Promise<void> => {
  const [old, fresh] = [deriveKey(from, column.purpose), deriveKey(to, column.purpose)]
  const [{ rows: all }] = (await column.count(db)) as [{ rows: number }]
  let [after, read, changed] = [smallestId as string, 0, 0]
  for (;;) {
    const rows = await column.read(db, after, batch_rows)
    if (rows.length === 0) break
    const work = rows.flatMap(({ id, value }) => {
      const becomes = sealAgain(column, old, fresh, id, value)
      if (becomes === null) pass.lost.push(`${column.place} ${id}`)
      return typeof becomes === 'string' ? [{ id, was: value, becomes }] : []
    })
    const done = await replaceRows(db, column, work)
    // A row that was not replaced was changed by another transaction meanwhile. It counts too, so that another pass follows.
    pass.sealedAnew += work.length
    changed += done
    read += rows.length
    after = rows.at(-1)!.id
    if (changed > 0) say(`${column.place}: ${Math.min(read, all)} of ${all} looked at, ${changed} sealed anew`)
  }
}

const finish = (db: Db, generation: number, sealedAnew: number, at: Instant): Promise<void> =>
  db.transaction(async (tx) => {
    await finishMasterKey(tx, generation, at)
    const after = { generation, sealed_anew: sealedAnew }
    const change = { action: 'master_key.rotate_done', kind: 'master_key', id: String(generation), after } as const
    await recordChange(tx, operator, change, at)
  })

export const rotateMasterKey = async (rotation: Rotation): Promise<Rotated> => {
  const { db, say, now } = rotation
  const { generation, done } = await begin(rotation)
  if (done) return { generation, sealedAnew: 0, lost: [] }
  say(`The new key is generation ${generation}. Waiting ${nodesFollow_ms / 1000} s until every node has taken notice.`)
  await delay(nodesFollow_ms)
  await waitForOlderTransactions(db)
  let sealedAnew = 0
  for (let passes = 0; passes < passesMost; passes++) {
    const pass: Pass = { sealedAnew: 0, lost: [] }
    for (const column of sealedColumns) await sealColumnAgain(rotation, column, pass)
    sealedAnew += pass.sealedAnew
    if (pass.sealedAnew > 0) continue
    await finish(db, generation, sealedAnew, now())
    return { generation, sealedAnew, lost: pass.lost }
  }
  throw new CommandError(
    'Secrets were still found that are sealed with the old key: a node seals with it. End that node, and run "sanad master-key rotate" again.',
  )
}
