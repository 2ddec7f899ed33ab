/** Masks buyers in old entries of the audit log, which earlier versions wrote whole. What was done, by whom and when stays. */
import type { Scope } from '../../core/scope.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import { allowMasking, auditToMask, maskAudit } from './mask-audit-sql.ts'
import { withoutBuyers } from './without-buyers.ts'

/** Looks at the next `most` entries after an id. Returns the last of them; undefined: there are no more before `before`. */
export const maskOldAudit = async (
  tx: Tx,
  scope: Scope,
  range: { readonly after: string; readonly before: string; readonly most: number },
): Promise<{ readonly last: string | undefined; readonly erased: number }> => {
  const rows = await auditToMask(tx, scope, range.after, range.before, range.most)
  const masked = rows.flatMap((row) => {
    const [before, after] = [withoutBuyers(row, row.before), withoutBuyers(row, row.after)]
    return before === row.before && after === row.after ? [] : [{ id: row.id, before, after }]
  })
  if (masked.length > 0) {
    await allowMasking(tx)
    await maskAudit(tx, scope, masked)
  }
  return { last: rows.length < range.most ? undefined : rows.at(-1)!.id, erased: masked.length }
}
