/**
 * Reads a phone's report: finds its wallet, and the money in its text. The wallet is found by the phone, the exact name of the
 * sender, and the SIM. Nothing is guessed: a report that fits two wallets gets none.
 */

import { LRUCache } from 'lru-cache'
import type { Report } from '../../alerts/alert.ts'
import { foldSender, type Hiding } from '../../alerts/hidden/hidden-text.ts'
import { templateOf } from '../../alerts/publishing/stored-template.ts'
import type { TemplateLookup } from '../../alerts/publishing/template-lookup.ts'
import { templatesOfSender } from '../../alerts/publishing/template-sql.ts'
import { withFullStop } from '../../alerts/shipped/test-payment.ts'
import { type Reading, readText } from '../../alerts/templates/alert-template.ts'
import { isPayersNumber } from '../../alerts/templates/reference-check.ts'
import { deniesItself } from '../../alerts/texts/denies-itself.ts'
import { looksLikeCode } from '../../alerts/texts/one-time-code.ts'
import { titleDoubt } from '../../alerts/texts/title-doubt.ts'
import type { Instant } from '../../core/clock.ts'
import { type FreshCache, freshCache } from '../../core/fresh-cache.ts'
import type { AccountId, PhoneId, ProviderId, TemplateId, WalletId } from '../../core/ids.ts'
import { referenceKey } from '../../core/reference-key.ts'
import { type Scope, wholeAccount } from '../../core/scope.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { numberKey } from '../../wallets/identity/account-number.ts'
import { fromProvidersApp } from '../../wallets/providers/provider-packages.ts'
import { testProviderId } from '../../wallets/test-wallet.ts'
import type { ReportReading, WatchedWallet } from '../records/known-alerts.ts'
import { sendersKnown, walletsOfPhone } from './phone-wallets-sql.ts'

type PhoneWallet = WatchedWallet & {
  readonly providerId: ProviderId
  readonly senderName: string
  /** The normal form of its account number, by which numbers are compared. */
  readonly numberKey: string | undefined
  /** Package names of the provider's app. */
  readonly packages: readonly string[]
  /** Names of the provider, which its app may write as the title of a notification. */
  readonly providerNames: readonly string[]
}

export type ReadReport = {
  (
    scope: Scope,
    phoneId: PhoneId,
    report: Report,
    now: Instant,
    /** The wallet that a member chose, if several fit. */
    chosen?: WalletId,
  ): Promise<ReportReading>
  /** How hidden messages are stored. */
  readonly hiding: Hiding
  /** Called after a change on this node: the wallets of the phone are read again. */
  readonly forget: (phoneId: PhoneId) => void
}

/** If several wallets have the sender (two SIMs of one provider), the SIM slot decides; without a slot none fits. */
export const walletFor = <W extends { readonly senderName: string; readonly simSlot: string }>(
  wallets: readonly W[],
  report: Pick<Report, 'sender' | 'simSlot'>,
): W | 'none' | 'several' => {
  const ofSender = wallets.filter((wallet) => wallet.senderName === report.sender)
  if (ofSender.length === 0) return 'none'
  if (ofSender.length === 1) return ofSender[0]!
  const [first, ...more] = ofSender.filter((wallet) => wallet.simSlot !== '' && wallet.simSlot === report.simSlot)
  return first !== undefined && more.length === 0 ? first : 'several'
}

const holdsCode = ({ title, text }: Report): boolean =>
  looksLikeCode(text) || (title !== '' && looksLikeCode(`${title} ${text}`))

/** The wallet's own number, or the payer's, is no reference: it is the same in other payments, and others know it. */
const referenceOf = (reading: Reading, wallet: PhoneWallet): string | undefined =>
  reading.reference !== undefined && (numberKey(reading.reference) === wallet.numberKey || isPayersNumber(reading))
    ? undefined
    : reading.reference

/** A debit is not checked: its title says that the money has left. */
const doubtOfTitle = ({ title, sender }: Report, { direction }: Reading, wallet: PhoneWallet) =>
  title === '' || direction === 'debit'
    ? undefined
    : titleDoubt(title, [sender, ...wallet.providerNames], isOfTestProvider(wallet))

/** Every text of the test provider says "test". In a text of any other provider this word means that no money arrived. */
const isOfTestProvider = ({ providerId }: PhoneWallet): boolean => providerId === testProviderId

export const reportReader = (db: Db, templates: TemplateLookup, hiding: Hiding): ReadReport => {
  const phoneWallets: FreshCache<string, readonly PhoneWallet[]> = freshCache({
    load: async (key) => {
      const [accountId, phoneId] = key.split(' ') as [AccountId, PhoneId]
      const rows = await walletsOfPhone(db, wholeAccount(accountId), phoneId)
      return rows.map((row) => ({
        id: row.id,
        identity: row.identity,
        name: row.name,
        numberKey: numberKey(row.account_number),
        providerId: row.provider_id,
        senderName: row.sender_name,
        currency: row.currency,
        simSlot: row.sim_slot,
        isTest: row.is_test,
        reviewAbove: row.review_above,
        lowTrustLimit: row.low_trust_limit,
        reviewBrokenChains: row.review_broken_chains,
        reviewLaterMessages: row.review_later_messages,
        uniqueAmounts: row.unique_amounts,
        senderAt: row.sender_at,
        packages: JSON.parse(row.packages) as string[],
        providerNames: JSON.parse(row.provider_names) as string[],
        neverReceived: row.never_received,
      }))
    },
    max: 10_000,
  })

  /** The account of each phone that is in the cache. */
  const accounts = new LRUCache<PhoneId, AccountId>({ max: 10_000 })

  /** The senders and app packages that are known to an account (`sendersKnown`), folded. */
  const knownSenders: FreshCache<AccountId, ReadonlySet<string>> = freshCache({
    load: async (accountId) =>
      new Set((await sendersKnown(db, wholeAccount(accountId))).map(({ sender_name }) => foldSender(sender_name))),
    max: 10_000,
  })

  /** Whether a report without a wallet is hidden: messages of unknown senders are, and one-time codes of known senders. */
  const hiddenWithoutWallet = async (scope: Scope, report: Report, now: Instant) => {
    const known = await knownSenders.get(scope.accountId, now)
    // A message without a sender is not hidden: the app is set up wrongly, and members must notice that.
    const names = [report.sender, report.package].map(foldSender)
    const isKnown = names.some((name) => name !== '' && known?.has(name))
    if (report.sender !== '' && !isKnown) return 'stranger'
    if (!holdsCode(report)) return ''
    const rows = await templatesOfSender(db, scope, report.sender)
    return readText(rows.map(templateOf), report).kind === 'unread' ? 'code' : ''
  }

  const readsAsMoney = async (
    wallet: PhoneWallet,
    accountId: AccountId,
    report: Report,
    now: Instant,
  ): Promise<boolean> =>
    readText((await templates.get(wallet.providerId, accountId, now)) ?? [], report).kind !== 'unread'

  const read = async (
    scope: Scope,
    phoneId: PhoneId,
    report: Report,
    now: Instant,
    chosen?: WalletId,
  ): Promise<ReportReading> => {
    accounts.set(phoneId, scope.accountId)
    const wallets = (await phoneWallets.get(`${scope.accountId} ${phoneId}`, now)) ?? []
    const found = walletFor(wallets, report)
    const wallet =
      found === 'several'
        ? (wallets.find(({ id, senderName }) => id === chosen && senderName === report.sender) ?? found)
        : found
    if (wallet === 'none') {
      const hidden = await hiddenWithoutWallet(scope, report, now)
      return { kind: 'unread', reason: 'unknown_sender', wallet: undefined, hidden }
    }
    if (wallet === 'several') {
      const candidates = wallets.filter(({ senderName }) => senderName === report.sender)
      const shown = holdsCode(report)
        ? await Promise.all(candidates.map((candidate) => readsAsMoney(candidate, scope.accountId, report, now)))
        : [true]
      return { kind: 'unread', reason: 'which_wallet', wallet: undefined, hidden: shown.includes(true) ? '' : 'code' }
    }
    const result = readText((await templates.get(wallet.providerId, scope.accountId, now)) ?? [], {
      sender: report.sender,
      text: isOfTestProvider(wallet) ? withFullStop(report.text) : report.text,
    })
    if (result.kind === 'ambiguous') return { kind: 'unread', reason: 'ambiguous', wallet, hidden: '' }
    // Checked only after the templates: a text that a template reads as money is never a one-time code.
    if (result.kind === 'unread')
      return { kind: 'unread', reason: 'not_understood', wallet, hidden: holdsCode(report) ? 'code' : '' }
    const { reading, template, unexpected } = result
    const reference = referenceOf(reading, wallet)
    const doubt = doubtOfTitle(report, reading, wallet)
    return {
      kind: 'read',
      wallet,
      templateId: template.id as TemplateId,
      direction: reading.direction,
      amount: reading.amount,
      currency: reading.currency,
      reference: reference ?? null,
      referenceKey: reference === undefined ? null : referenceKey(reference),
      payer: reading.payer ?? reading.phone ?? null,
      balance: reading.balance ?? null,
      fee: reading.fee ?? null,
      denied: deniesItself(report.text, isOfTestProvider(wallet)) || doubt === 'denied',
      unexpectedWords: unexpected !== undefined || doubt === 'unexpected',
      titleDoubted: doubt !== undefined,
      otherApp: !fromProvidersApp(report.kind, report.package, wallet.packages),
    }
  }

  const forget = (phoneId: PhoneId): void => {
    const accountId = accounts.get(phoneId)
    if (accountId !== undefined) phoneWallets.forget(`${accountId} ${phoneId}`)
  }

  return Object.assign(read, { hiding, forget })
}
