/**
 * What an operator's commands say and do about addresses: nobody becomes an operator whose address is not proved, and an operator
 * can vouch for an address. Called inside the transaction of the audit entries.
 */
import type { Instant } from '../../core/clock.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Session } from '../../postgres/connection/database.ts'
import type { WriteAudit } from '../audit/audit.ts'
import { auditUserChange } from '../audit/audit-user.ts'
import { setOperator } from '../people/user-sql.ts'
import { findAddress, proveAddressByCommandRow } from './address-sql.ts'
import { inviterOf } from './proved-address.ts'

export const changeOperator = async (
  db: Session,
  audit: WriteAudit,
  email: string,
  operator: boolean,
): Promise<{ readonly operator: boolean } | Refusal<'member_unknown' | 'address_unproved'>> => {
  const [user] = await setOperator(db, email, operator)
  if (user === undefined) {
    const [address] = await findAddress(db, email)
    return address === undefined ? refuse('member_unknown') : refuse('address_unproved', inviterOf(address))
  }
  const [before, after] = [{ operator: user.before }, { operator }]
  const userNotice = {
    userId: user.id,
    kind: 'operator_changed',
    facts: { on: operator },
    accountId: null,
    wasOwner: false,
  } as const
  if (user.before !== operator) audit({ action: 'user.operator', kind: 'user', id: user.id, before, after, userNotice })
  return { operator }
}

/** The operator knows that this user owns the address. Nothing else changes. `changed` false: it was proved before. */
export const vouchForAddress = async (
  db: Session,
  audit: WriteAudit,
  email: string,
  now: Instant,
): Promise<{ readonly changed: boolean } | Refusal<'member_unknown'>> => {
  const [proved] = await proveAddressByCommandRow(db, email, now)
  if (proved === undefined) {
    const [address] = await findAddress(db, email)
    return address === undefined || address.disabled ? refuse('member_unknown') : { changed: false }
  }
  await auditUserChange(db, audit, proved.id, { action: 'user.prove', after: { email, address_proved: true } })
  return { changed: true }
}
