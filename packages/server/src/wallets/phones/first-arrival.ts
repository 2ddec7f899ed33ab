/**
 * A phone that was added is switched on by its first authenticated contact: its pairing (pair-phone.ts), or here the
 * first message of a forwarding app, before that message is recorded, so that it is not held. If a user has used the
 * switch before, nothing that the phone sends changes it.
 */
import type { Db } from '../../postgres/connection/database.ts'
import type { KnownPhone, PhoneLookup } from './phone-lookup.ts'
import { switchOnAwaited } from './phone-sql.ts'

/** True: it was switched on just now. */
export type FirstArrival = (device: KnownPhone) => Promise<boolean>

export const firstArrival =
  ({ db, devices }: { readonly db: Db; readonly devices: PhoneLookup }): FirstArrival =>
  async (device) => {
    if (!device.awaited) return false
    const switched = await switchOnAwaited(db, device.accountId, device.id)
    devices.forget(device.id)
    return switched.length > 0
  }
