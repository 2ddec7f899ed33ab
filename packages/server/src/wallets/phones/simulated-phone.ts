/**
 * The phone of the test wallet. A wallet that has a phone keeps it; otherwise a simulated phone is created, switched on
 * and bound, so that its reports are recorded like those of any phone. It has no secret, so nobody outside can report in
 * its name.
 */
import type { Instant } from '../../core/clock.ts'
import type { PhoneId, WalletId } from '../../core/ids.ts'
import { isRefusal, type Refusal } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { bindTestWallet, lockTestWallet } from '../test-wallet-sql.ts'
import { addPhone } from './account-phones.ts'
import { switchPhone } from './phone-access.ts'
import type { PhoneSecrets } from './phone-secrets.ts'

export const simulatedName = 'Simulated phone'

export type SimulatedPhone = {
  readonly phoneId: PhoneId
  /** The phone was created just now. */
  readonly created: boolean
}

/** Inside a transaction. The caller clears the cached wallet when a phone was created. */
export const simulatedPhone = async (
  db: Session,
  secrets: PhoneSecrets,
  scope: Scope,
  now: Instant,
): Promise<(SimulatedPhone & { readonly walletId: WalletId }) | Refusal<'phone_limit'>> => {
  const [wallet] = await lockTestWallet(db, scope)
  if (wallet === undefined) throw new Error(`account ${scope.accountId} has no test wallet`)
  if (wallet.device_id !== null) return { walletId: wallet.id, phoneId: wallet.device_id, created: false }
  const phone = await addPhone(db, secrets, scope, simulatedName, now)
  if (isRefusal(phone)) return phone
  await switchPhone(db, scope, phone.id, true)
  await bindTestWallet(db, scope, phone.id)
  return { walletId: wallet.id, phoneId: phone.id, created: true }
}
