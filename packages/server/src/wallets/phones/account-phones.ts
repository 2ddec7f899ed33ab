/**
 * Adding, renaming, switching, testing and deleting phones. A phone that reported alerts cannot be deleted, because the
 * alerts refer to it. phone-access.ts issues codes, tokens and keys.
 */
import { lockAccount } from '../../accounts/tenants/lock-account-sql.ts'
import type { Instant } from '../../core/clock.ts'
import type { PhoneId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import type { Session, Tx } from '../../postgres/connection/database.ts'
import type { AccountPhone } from './account-phone.ts'
import {
  countPhones,
  deletePhoneAnswers,
  deletePhoneRow,
  findPhone,
  listPhones,
  lockPhoneExclusively,
  lockPhoneSettings,
  phoneHasWallets,
  phoneOf,
  saveSelfTest,
  updatePhone,
} from './account-phones-sql.ts'
import { createPhone, type Pairing } from './phone-access.ts'
import type { PhoneSecrets } from './phone-secrets.ts'
import { type SelfTestWindow, selfTestLife_ms } from './self-test.ts'

export const mostPhones = 500

const beforeFirst = ['', '00000000-0000-0000-0000-000000000000'] as const

export const phonesOf = async (
  db: Session,
  scope: Scope,
  after: readonly [name: string, id: string] = beforeFirst,
  size: number,
): Promise<AccountPhone[]> => (await listPhones(db, scope, after, size)).map(phoneOf)

export const findPhoneOf = async (db: Session, scope: Scope, id: string): Promise<AccountPhone | undefined> => {
  const [row] = await findPhone(db, scope, id)
  return row && phoneOf(row)
}

export const addPhone = async (
  db: Session,
  secrets: PhoneSecrets,
  scope: Scope,
  name: string,
  now: Instant,
  by = '',
): Promise<(Pairing & { readonly id: PhoneId }) | Refusal<'phone_limit'>> => {
  await lockAccount(db, scope)
  const [count] = await countPhones(db, scope)
  return count!.phones >= mostPhones ? refuse('phone_limit') : createPhone(db, secrets, scope.accountId, name, now, by)
}

type Settings = { readonly name: string; readonly on: boolean }

/** Undefined: there is no such phone. */
export const changePhone = async (
  tx: Tx,
  scope: Scope,
  id: PhoneId,
  changes: { readonly [Name in keyof Settings]: Settings[Name] | undefined },
): Promise<{ readonly before: Settings; readonly after: Settings } | undefined> => {
  const [row] = await lockPhoneSettings(tx, scope, id)
  if (row === undefined) return undefined
  const before = { name: row.name, on: row.switched_on }
  const after = { name: changes.name ?? before.name, on: changes.on ?? before.on }
  // Switching a phone OFF that is off already is a decision too: its first report no longer switches it on.
  await updatePhone(tx, scope, id, after.name, changes.on ?? null)
  return { before, after }
}

/** Undefined: there is no such phone. */
export const beginSelfTest = async (
  tx: Tx,
  scope: Scope,
  id: PhoneId,
  now: Instant,
): Promise<(SelfTestWindow & { readonly name: string }) | undefined> => {
  const until = now + selfTestLife_ms
  const [row] = await saveSelfTest(tx, scope, id, now, until)
  return row && { at: now, until, name: row.name }
}

/** `hasAlerts`: whether the phone ever reported an alert. Undefined: there is no such phone. */
export const deletePhone = async (
  tx: Tx,
  scope: Scope,
  id: PhoneId,
  hasAlerts: (tx: Tx) => Promise<boolean>,
): Promise<{ readonly name: string } | Refusal<'phone_has_wallets' | 'phone_has_alerts'> | undefined> => {
  const [row] = await lockPhoneExclusively(tx, scope, id)
  if (row === undefined) return undefined
  const [bound] = await phoneHasWallets(tx, scope, id)
  if (bound!.wallets) return refuse('phone_has_wallets')
  if (await hasAlerts(tx)) return refuse('phone_has_alerts')
  await deletePhoneAnswers(tx, scope, id)
  await deletePhoneRow(tx, scope, id)
  return { name: row.name }
}
