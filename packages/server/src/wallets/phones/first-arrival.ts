/**
 * A phone that was added is switched on by its first authenticated contact. That is its pairing (pair-phone.ts), or the
 * first message of a forwarding app (here), before that message is recorded, so that the message is not held. After a
 * user has used the switch, nothing that the phone sends changes it.
 */
import { wholeAccount } from '../../core/scope.ts'
import type { Db } from '../../postgres/connection/database.ts'
import type { KnownPhone, PhoneLookup } from './phone-lookup.ts'
import { switchOnAwaited } from './phone-sql.ts'

/** True: the phone was switched on just now. */
export type FirstArrival = (phone: KnownPhone) => Promise<boolean>

export const firstArrival =
  ({ db, knownPhones }: { readonly db: Db; readonly knownPhones: PhoneLookup }): FirstArrival =>
  async (phone) => {
    if (!phone.awaited) return false
    const switched = await switchOnAwaited(db, wholeAccount(phone.accountId), phone.id)
    knownPhones.forget(phone.id)
    return switched.length > 0
  }
