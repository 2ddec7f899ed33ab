/** Why a PENDING intent is not verified yet, by its wallet, phone and reference. Pure. */
import type { Instant } from '../../core/clock.ts'
import type { Minor } from '../../core/money.ts'
import type { Intent } from '../../intents/intent.ts'
import { type SignsRow, signsOf } from '../../wallets/silence/phone-signs.ts'
import { isSilent } from '../../wallets/silence/silence.ts'
import type { Wallet } from '../../wallets/wallet.ts'

export type Phone = SignsRow & { readonly id: string; readonly name: string; readonly switched_on: boolean }

export type Why =
  | { readonly code: 'no_reference_yet' | 'wallet_inactive' | 'amount_not_unique' }
  | { readonly code: 'amount_awaited'; readonly amount: Minor; readonly currency: string }
  | { readonly code: 'reference_without_alert'; readonly reference: string; readonly since: Instant }
  | { readonly code: 'wallet_unmonitored'; readonly missing: 'phone' | 'sender' | 'template' }
  | { readonly code: 'phone_off' | 'phone_silent'; readonly phone: Phone }
  | { readonly code: 'reference_free'; readonly reference: string }
  | {
      readonly code: 'reference_elsewhere' | 'reference_claimed'
      readonly reference: string
      readonly other: OtherOrder
    }

type OtherOrder = { readonly id: string; readonly code: string; readonly order: string; readonly status: string }

/** A reference that two orders claim. `refused`: to this intent; `other` has it, or no intent has it any more. Otherwise this
 *  intent has it, and it was refused to `other`. */
export type Claim =
  | { readonly refused: true; readonly reference: string; readonly other: OtherOrder | null }
  | { readonly refused: false; readonly reference: string; readonly other: OtherOrder }

const whyClaimed = ({ refused, reference, other }: Claim): Why => {
  if (other === null) return { code: 'reference_free', reference }
  return { code: refused ? 'reference_elsewhere' : 'reference_claimed', reference, other }
}

const missingIn = (wallet: Wallet): 'phone' | 'sender' | 'template' | undefined => {
  if (wallet.phoneId === null) return 'phone'
  if (wallet.senderName === '') return 'sender'
  return wallet.readable ? undefined : 'template'
}

/** The most serious reason first. `referenceAt`: when the reference was attached. */
export const whyPending = (
  intent: Pick<Intent, 'reference' | 'createdAt' | 'base' | 'payable' | 'currency'>,
  referenceAt: Instant | null,
  wallet: Wallet,
  phone: Phone | undefined,
  now: Instant,
  claims: readonly Claim[] = [],
): Why[] => {
  const reasons: Why[] = []
  if (!wallet.active) reasons.push({ code: 'wallet_inactive' })
  const missing = missingIn(wallet)
  if (missing !== undefined) reasons.push({ code: 'wallet_unmonitored', missing })
  if (phone !== undefined && !phone.switched_on) reasons.push({ code: 'phone_off', phone })
  else if (phone !== undefined && isSilent(signsOf(phone), now)) reasons.push({ code: 'phone_silent', phone })
  reasons.push(...claims.map(whyClaimed))
  const awaited = wallet.uniqueAmounts !== null && intent.payable !== intent.base
  if (intent.reference === '' && awaited)
    reasons.push({ code: 'amount_awaited', amount: intent.payable, currency: intent.currency })
  else if (intent.reference === '')
    reasons.push({ code: wallet.uniqueAmounts === null ? 'no_reference_yet' : 'amount_not_unique' })
  else
    reasons.push({
      code: 'reference_without_alert',
      reference: intent.reference,
      since: referenceAt ?? intent.createdAt,
    })
  return reasons
}
