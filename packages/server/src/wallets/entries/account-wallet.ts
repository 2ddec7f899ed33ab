/** A wallet as the members of its account see it: with its phones, its limits, and why it cannot collect. Pure. */
import type { WalletNoteCode } from '@sanad/contract/kinds'
import type { Instant } from '../../core/clock.ts'
import type { PhoneId } from '../../core/ids.ts'
import type { Minor } from '../../core/money.ts'
import { keepsNumberRule, type NumberRule, numberRuleFacts, numberRuleText } from '../providers/number-rule.ts'
import type { PhoneSigns } from '../silence/phone-signs.ts'
import { isSilent } from '../silence/silence.ts'
import type { Wallet } from '../wallet.ts'
import type { SimSlot } from '../wallet-phones.ts'

export type WatchingPhone = {
  readonly id: PhoneId
  readonly name: string
  readonly on: boolean
  /** The phone can report: it is paired, or a forwarding app has access. */
  readonly connected: boolean
  readonly signs: PhoneSigns
  readonly simSlot: SimSlot
}

export type AccountWallet = Wallet & {
  /** Empty: the provider has no Arabic name. */
  readonly providerNameArabic: string
  /** The first phone first. */
  readonly phones: readonly WatchingPhone[]
  readonly reviewAbove: Minor | null
  readonly lowTrustLimit: Minor
  readonly reviewBrokenChains: boolean
  readonly reviewLaterMessages: boolean
  /** Stored also while unique amounts are off. */
  readonly uniqueAmountsMost: number
  readonly lastAlertAt: Instant | null
  /** When money first came under its present account number. */
  readonly firstReceivedAt: Instant | null
  /** The provider's rule for account numbers. */
  readonly numberRule: NumberRule
  readonly createdAt: Instant
}

export type WalletNote = {
  readonly code: WalletNoteCode
  readonly detail: string
  readonly blocking: boolean
  readonly facts: Readonly<Record<string, string>>
}

/** `blocking`: merchants are not offered the wallet. The test wallet is offered whatever its phone does. */
export const notesOn = (wallet: AccountWallet, now: Instant): WalletNote[] => {
  const notes: WalletNote[] = []
  const add = (
    code: WalletNote['code'],
    detail: string,
    facts: Record<string, string> = {},
    blocking = !wallet.isTest,
  ) => void notes.push({ code, detail, blocking, facts })

  if (!wallet.active) add('inactive', 'The wallet is closed.', {}, true)
  if (wallet.senderName === '') add('no_sender', 'The sender of its alerts is not set.')
  if (!wallet.readable)
    add('no_template', `No active template reads the alerts of ${wallet.provider.displayName}.`, {
      provider: wallet.provider.displayName,
    })
  // A wallet from before its provider had the rule.
  if (!keepsNumberRule(wallet.accountNumber, wallet.numberRule)) {
    const facts = { provider: wallet.provider.displayName, ...numberRuleFacts(wallet.numberRule) }
    add('account_number', numberRuleText(facts), facts, false)
  }
  if (wallet.phones.length === 0 && !wallet.isTest) add('no_phone', 'No phone reports its alerts.')
  // One phone that is switched on is enough.
  const allOff = wallet.phones.every(({ on }) => !on)
  for (const { name, on, connected, signs } of wallet.phones) {
    const phone = { phone: name }
    if (!on) add('phone_off', `${name} is switched OFF: its alerts are held.`, phone, allOff && !wallet.isTest)
    if (!connected) add('phone_unpaired', `${name} has not been paired yet.`, phone, false)
    else if (isSilent(signs, now)) {
      const { lastSeenAt } = signs
      const silent_s = lastSeenAt === null ? undefined : String(Math.floor((now - lastSeenAt) / 1000))
      const detail =
        silent_s === undefined ? `Nothing was heard of ${name} yet.` : `Nothing is heard of ${name} any more.`
      add('phone_silent', detail, silent_s === undefined ? phone : { ...phone, silent_s }, false)
    }
  }
  return notes
}
