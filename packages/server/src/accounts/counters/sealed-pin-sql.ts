import type { AccountId } from '../../core/ids.ts'
import { sealedColumn } from '../../postgres/maintenance/sealed-column-sql.ts'
import { text, uuid } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'
import type { PinId } from './sealed-pin.ts'

/** For a rotation of the master key. Index: pins_id_key. */
export const sealedPinColumns = [sealedColumn('pins', 'hash_sealed', 'pins')]

/** A page of PINs of every account that an earlier version stored without a seal. Read at the start of a node only. Index: pins_id_key. */
export const readUnsealedPins = statement(
  'read_unsealed_pins',
  { id: uuid<PinId>(), hash: text() },
  (after: string, limit: number) => [after, limit],
  'select id, hash from pins where id > $1 and hash is not null order by id limit $2',
)

/** A PIN that was changed meanwhile has another id. Index: pins_id_key. */
export const sealStoredPins = statement(
  'seal_stored_pins',
  { id: uuid<PinId>() },
  (ids: readonly PinId[], sealed: readonly Buffer[]) => [ids, sealed],
  `
  update pins p set hash = null, hash_sealed = n.sealed
    from unnest($1::uuid[], $2::bytea[]) as n (id, sealed)
   where p.id = n.id and p.hash is not null
  returning p.id`,
)

/** For a lost master key: nobody can check them any more. Cashiers are signed out where they are by the next look at their PIN. */
export const losePins = statement(
  'lose_pins',
  { account_id: uuid<AccountId>() },
  () => [],
  'delete from pins where hash_sealed is not null returning account_id',
)
