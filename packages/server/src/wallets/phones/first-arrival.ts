/**
 * A phone that was added is awaited. What first proves to be it switches it on: its pairing (pair-phone.ts), or here the
 * first message of a forwarding app, before it is recorded, so that it is not held. A person who has moved the switch
 * before has decided, and nothing a phone sends changes that.
 */
import type { Db } from '../../postgres/connection/database.ts'
import type { DeviceLookup, KnownDevice } from './phone-lookup.ts'
import { switchOnAwaited } from './phone-sql.ts'

/** True: it was switched on just now. */
export type FirstArrival = (device: KnownDevice) => Promise<boolean>

export const firstArrival =
  ({ db, devices }: { readonly db: Db; readonly devices: DeviceLookup }): FirstArrival =>
  async (device) => {
    if (!device.awaited) return false
    const switched = await switchOnAwaited(db, device.accountId, device.id)
    devices.forget(device.id)
    return switched.length > 0
  }
