/** Which of a wallet's phones speaks best for it: one that is on and heard of, then one that is on, then any. Pure. */
import type { Instant } from '../../core/clock.ts'
import type { WalletId } from '../../core/ids.ts'
import { isSilent } from './phone.ts'
import type { PhonePulse } from './phone-health-sql.ts'

const rank = (phone: PhonePulse, now: Instant): number =>
  phone.switched_on ? (isSilent({ lastSeenAt: phone.last_seen_at }, now) ? 1 : 0) : 2

/** Of two that are alike the first phone of the wallet counts. Undefined: the wallet has none. */
export const bestPhone = (
  wallet: { readonly id: WalletId; readonly deviceId: string | null },
  phones: readonly PhonePulse[],
  now: Instant,
): PhonePulse | undefined =>
  phones
    .filter((phone) => phone.wallet_ids.includes(wallet.id))
    .sort(
      (a, b) => rank(a, now) - rank(b, now) || Number(b.id === wallet.deviceId) - Number(a.id === wallet.deviceId),
    )[0]
