/**
 * Cashiers of the counter: members without an address, with a name and a PIN; and the PINs of other members. Only owners change
 * them; under the lock of the account the right of the owner is checked again. The PIN is hashed before the transaction, because
 * hashing is slow. The caller opens the transaction.
 */
import type { Instant } from '../../core/clock.ts'
import { randomId, type UserId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import { takePinAway } from '../counters/account-counters.ts'
import { readsAsSomebodyElse } from '../counters/cashier-name.ts'
import { lockCountersOf } from '../counters/counter-sql.ts'
import { liftPinPause, savePin } from '../counters/pin-sql.ts'
import type { NewPin } from '../counters/sealed-pin.ts'
import { countPlaces } from '../people/link-sql.ts'
import { findMember, isCashierNamed } from '../people/member-sql.ts'
import { mostPlaces } from '../people/most-places.ts'
import { type MemberRole, mayDo } from '../people/permission.ts'
import { setName } from '../people/user-sql.ts'
import { insertCashierUser, insertMember } from '../tenants/account-sql.ts'
import { lockAccount } from '../tenants/lock-account-sql.ts'
import { type Member, mayManageMembers } from './members.ts'

const mayAct = async (tx: Tx, scope: Scope, by: UserId): Promise<boolean> => {
  await lockAccount(tx, scope)
  const [acting] = await findMember(tx, scope, by)
  return acting !== undefined && mayManageMembers(acting)
}

export const addCashier = async (
  tx: Tx,
  scope: Scope,
  cashier: { readonly name: string; readonly pin: NewPin },
  by: UserId,
  now: Instant,
): Promise<Member | Refusal<'no_longer_allowed' | 'members_limit' | 'cashier_name_taken' | 'cashier_name_refused'>> => {
  if (!(await mayAct(tx, scope, by))) return refuse('no_longer_allowed')
  const [count] = await countPlaces(tx, scope, '', now)
  if (count!.places >= mostPlaces) return refuse('members_limit')
  const id = randomId<UserId>()
  if (readsAsSomebodyElse(cashier.name)) return refuse('cashier_name_refused')
  if ((await isCashierNamed(tx, scope, cashier.name, id))[0]!.taken) return refuse('cashier_name_taken')
  await insertCashierUser(tx, { id, name: cashier.name, now })
  await insertMember(tx, scope, id, 'cashier', now)
  await savePin(tx, scope, id, cashier.pin, now)
  const [member] = await findMember(tx, scope, id)
  return member!
}

/** The name of a cashier without an address. Other members choose their own. */
export const renameCashier = async (
  tx: Tx,
  scope: Scope,
  id: string,
  name: string,
  by: UserId,
): Promise<
  | { readonly before: Member; readonly after: Member }
  | Refusal<
      'no_longer_allowed' | 'member_unknown' | 'cashier_has_address' | 'cashier_name_taken' | 'cashier_name_refused'
    >
> => {
  if (!(await mayAct(tx, scope, by))) return refuse('no_longer_allowed')
  const [before] = await findMember(tx, scope, id)
  if (before === undefined) return refuse('member_unknown')
  if (!before.counter_only) return refuse('cashier_has_address')
  if (readsAsSomebodyElse(name)) return refuse('cashier_name_refused')
  if ((await isCashierNamed(tx, scope, name, before.user_id))[0]!.taken) return refuse('cashier_name_taken')
  await setName(tx, before.user_id, name)
  return { before, after: { ...before, name } }
}

/** Gives a member a PIN, or another one. They are signed out of the counters where they are. */
export const setPin = async (
  tx: Tx,
  scope: Scope,
  id: string,
  pin: NewPin,
  by: UserId,
  now: Instant,
): Promise<
  | { readonly member: Member; readonly had: boolean }
  | Refusal<'no_longer_allowed' | 'member_unknown' | 'pin_not_for_role'>
> => {
  if (!(await mayAct(tx, scope, by))) return refuse('no_longer_allowed')
  const [before] = await findMember(tx, scope, id)
  if (before === undefined || before.request_since !== null) return refuse('member_unknown')
  if (!mayDo(before.role as MemberRole, 'sales.write')) return refuse('pin_not_for_role')
  await lockCountersOf(tx, scope, before.user_id)
  await savePin(tx, scope, before.user_id, pin, now)
  const [member] = await findMember(tx, scope, id)
  return { member: member!, had: before.pin_set_at !== null }
}

/** A cashier without an address has nothing but the PIN: such a member is removed instead. */
export const removePin = async (
  tx: Tx,
  scope: Scope,
  id: string,
  by: UserId,
): Promise<Member | Refusal<'no_longer_allowed' | 'member_unknown' | 'pin_needed'>> => {
  if (!(await mayAct(tx, scope, by))) return refuse('no_longer_allowed')
  const [member] = await findMember(tx, scope, id)
  if (member === undefined || member.pin_set_at === null) return refuse('member_unknown')
  if (member.counter_only) return refuse('pin_needed')
  await takePinAway(tx, scope, member.user_id)
  return member
}

/** Ends the pause of a member's PIN: an owner says that it was no guessing. */
export const liftPause = async (
  tx: Tx,
  scope: Scope,
  id: string,
  by: UserId,
): Promise<Member | Refusal<'no_longer_allowed' | 'member_unknown'>> => {
  if (!(await mayAct(tx, scope, by))) return refuse('no_longer_allowed')
  const [lifted] = await liftPinPause(tx, scope, id)
  if (lifted === undefined) return refuse('member_unknown')
  const [member] = await findMember(tx, scope, id)
  return member!
}
