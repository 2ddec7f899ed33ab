/** Which of a wallet's phones represents it: one that is switched on and not silent, else one that is on, else any. Pure. */
import type { Instant } from '../../core/clock.ts'
import type { PhoneId, WalletId } from '../../core/ids.ts'
import { type SignsRow, signsOf } from '../silence/phone-signs.ts'
import { isSilent } from '../silence/silence.ts'

type PhoneHealth = SignsRow & {
  readonly id: PhoneId
  readonly switched_on: boolean
  /** A JSON list of the ids of the wallets that the phone watches. */
  readonly wallet_ids: string
}

const rank = (phone: PhoneHealth, now: Instant): number =>
  phone.switched_on ? (isSilent(signsOf(phone), now) ? 1 : 0) : 2

/** Of phones with the same rank, the wallet's first phone is taken. Undefined: the wallet has no phone. */
export const bestPhone = <P extends PhoneHealth>(
  wallet: { readonly id: WalletId; readonly phoneId: string | null },
  phones: readonly P[],
  now: Instant,
): P | undefined =>
  phones
    .filter((phone) => phone.wallet_ids.includes(wallet.id))
    .sort((a, b) => rank(a, now) - rank(b, now) || Number(b.id === wallet.phoneId) - Number(a.id === wallet.phoneId))[0]
