/**
 * Classifies an alert with money, before any intent is considered: compares it with known alerts, applies the rules
 * (rules/judge.ts) and follows the wallet's balance. Pure.
 */
import { type Chain, followChain, type Link, type Movement } from '../../alerts/balances/balance-chain.ts'
import type { AlertId } from '../../core/ids.ts'
import type { Moment } from '../records/credit-report.ts'
import {
  type AlertToResolve,
  type EarlierAlert,
  type KnownAlerts,
  type MoneyReading,
  moneyKey,
  type SameReferenceAlert,
  type SameTextAlert,
  type StoredLink,
} from '../records/known-alerts.ts'
import {
  checkBalance,
  checkCompared,
  classify,
  denialAmong,
  hasMovedBalance,
  movesBalance,
  outrankedDenial,
  type SameText,
  type Verdict,
} from '../rules/judge.ts'
import { type ComparedParts, compareParts, type Parts } from '../rules/partial-messages.ts'
import { ofSameWallet, repeatedMoney, sameMessageElsewhere, similarTo } from '../rules/repeated-message.ts'
import { changeableParts, countedParts } from './signed-parts.ts'

/** The known facts about an alert's message, besides its reading. */
export type Message = {
  readonly id: AlertId
  readonly moment: Moment
  readonly sameText: readonly SameTextAlert[]
  /** An alert that stands for others with the same text, which were not read; undefined: all were read. */
  readonly moreSameText: SameTextAlert | undefined
  readonly parts: Parts
  /** There are more alerts that may be parts of the message than were read. */
  readonly moreParts: boolean
  readonly phoneOn: boolean
}

export type Classified = {
  readonly verdict: Verdict<EarlierAlert>
  readonly link: StoredLink
  /** The wallet's balance chain after this alert; undefined: the alert does not move the balance. */
  readonly chain: Chain | undefined
  /** An earlier report of the same message. */
  readonly repeated: EarlierAlert | undefined
  readonly parts: ComparedParts
  readonly moreParts: boolean
  /** The key of wallet and reference (`moneyKey`); undefined: the alert has no reference. */
  readonly paymentKey: string | undefined
  /** The known alerts with that key; if this alert is stored, it is among them. */
  readonly sameReference: readonly SameReferenceAlert[]
  /** Those of them that this alert supersedes. */
  readonly superseded: readonly SameReferenceAlert[]
  readonly similarTo: AlertId | null
  /** An unsigned alert with its reference that denies the payment. */
  readonly deniedBy: AlertId | null
}

export const classifyAlert = (
  alert: AlertToResolve,
  reading: MoneyReading,
  message: Message,
  known: KnownAlerts,
): Classified => {
  const { wallet, direction, amount, currency, referenceKey, denied, unexpectedWords, titleDoubted, otherApp } = reading
  const { trusted } = alert
  const paymentKey = referenceKey === null ? undefined : moneyKey(wallet.identity, referenceKey)
  const sameReference = paymentKey === undefined ? [] : (known.byReference.get(paymentKey) ?? [])
  const others = sameReference.filter(({ id }) => id !== message.id)
  const movement = movementOf(alert, reading, message)
  const counted = countedParts({ trusted, amount }, message.parts)
  const parts = compareParts(reading, counted)
  const partOf = partOfOther(alert, reading, parts)
  const repeatedOf = (said: Message) => repeatedMoney(alert, reading, movement, said, known)
  // A title that denies the text under it makes another message of it: only the same title repeats it.
  const again = repeatedOf(titleDoubted ? underTitle(message, alert.report.title) : message)
  const contradicted = titleDoubted && again === undefined ? repeatedOf(message) : undefined
  const repeatedText = again ?? contradicted
  const text: SameText<EarlierAlert> = {
    repeated: again ?? (titleDoubted ? undefined : sameMessageElsewhere(alert, reading, message, 'same phone')),
    denial: denialAmong({ trusted, denied, unexpectedWords }, [
      ...ofSameWallet(alert, message),
      ...counted.pieces.filter(({ title }) => title !== '').map((piece) => ({ ...piece, currency })),
    ]),
    elsewhere: sameMessageElsewhere(alert, reading, message, 'another phone'),
    readInPart: parts.different.length > 0,
    more: message.moreSameText !== undefined,
  }
  const { simSlot } = alert.report
  const byText = classify<EarlierAlert>(
    { direction, amount, currency, referenceKey, denied, unexpectedWords, otherApp, simSlot, trusted },
    { ...wallet, phoneOn: message.phoneOn },
    text,
    others,
  )
  const superseded = 'supersedes' in byText ? others.filter((other) => byText.supersedes.includes(other)) : []
  // Without a reference, this may be a better report of a message that has already moved the balance.
  const firstReport = referenceKey === null && byText.state !== 'duplicate' ? repeatedText : undefined
  const unproved = known.balances.get(wallet.identity)?.unproved ?? []
  const isUnproved = ({ id }: { readonly id: AlertId }) => unproved.some((other) => other.id === id)
  const moved =
    firstReport !== undefined && hasMovedBalance(firstReport) && !isUnproved(firstReport)
      ? firstReport
      : superseded.find((other) => isSupersededMovement(other) && !isUnproved(other))
  const replaces = [...superseded, ...(firstReport === undefined ? [] : [firstReport])].filter(isUnproved)
  const moves = movesBalance(byText, reading) && partOf === undefined && moved === undefined
  const following = { ...movement, replaces: replaces.map(({ id }) => id) }
  const { link, chain } = followBalance(alert, reading, following, moves, moved, known)
  const compared = checkCompared(byText, message.moreParts)
  const verdict = alert.balanceAccepted === true ? compared : checkBalance(compared, wallet, linkKind(link))
  const isPart = partOf !== undefined && message.phoneOn && direction === 'credit' && verdict.state !== 'duplicate'
  return {
    verdict: isPart ? { state: 'duplicate', reason: 'message_part', duplicateOf: partOf } : verdict,
    link,
    chain,
    // The earlier message says less: it is replaced, unless it is signed and this one is not.
    repeated: contradicted !== undefined && (trusted || !contradicted.trusted) ? contradicted : text.repeated,
    parts: changeableParts(trusted, parts),
    moreParts: message.moreParts,
    paymentKey,
    sameReference,
    superseded,
    similarTo: verdict.state === 'duplicate' ? null : similarTo(alert, reading, message, text.repeated),
    deniedBy: outrankedDenial({ direction, trusted, denied, unexpectedWords }, others)?.id ?? null,
  }
}

const underTitle = (message: Message, title: string): Message => ({
  ...message,
  // Of an erased alert the title is not known: it may be the same.
  sameText: message.sameText.filter((other) => other.title === title || other.erased === true),
})

/** The message that contains this one, or a spent part of it. If this one denies the payment, it is shown beside the other. */
const partOfOther = (
  { trusted }: AlertToResolve,
  { denied, unexpectedWords, titleDoubted, currency }: MoneyReading,
  { spent, whole }: ComparedParts,
): EarlierAlert | undefined => {
  if (spent !== undefined && !denied && !unexpectedWords) return spent
  return whole === undefined || titleDoubted ? undefined : { ...whole, trusted, currency }
}

const movementOf = (alert: AlertToResolve, reading: MoneyReading, message: Message): Movement => ({
  id: message.id,
  direction: reading.direction,
  amount: reading.amount,
  at: message.moment.receivedAt,
  trusted: alert.trusted,
  ...(reading.balance === null ? {} : { balance: reading.balance }),
  ...(reading.fee === null ? {} : { fee: reading.fee }),
})

/** Whether a superseded alert has moved the balance: it is unsigned, and its balance did not break the chain. A balance that broke
 *  it may be made up, so the signed alert is compared with the chain. */
const isSupersededMovement = (superseded: SameReferenceAlert): boolean =>
  !superseded.trusted && hasMovedBalance(superseded) && linkKind(superseded.link) !== 'break'

const unlinked: StoredLink = { chain: 'unknown', chainMissing: null, chainSince: null }

/** How the alert's balance follows from the known one, and the chain after the alert if it moves the balance. */
const followBalance = (
  alert: AlertToResolve,
  reading: MoneyReading,
  movement: Movement,
  moves: boolean,
  /** The alert that this one supersedes, if that has already moved the balance. */
  superseded: { readonly link: StoredLink } | undefined,
  known: KnownAlerts,
): { readonly link: StoredLink; readonly chain: Chain | undefined } => {
  if (alert.stored?.link !== undefined) return { link: alert.stored.link, chain: undefined }
  if (!moves) return { link: superseded?.link ?? unlinked, chain: undefined }
  const balance = known.balances.get(reading.wallet.identity)
  const { link, chain } = followChain(balance, movement)
  return { link: storedLink(link), chain: chain === balance ? undefined : chain }
}

const storedLink = (link: Link): StoredLink =>
  link.kind === 'break' || link.kind === 'doubtful'
    ? { chain: link.kind === 'break' ? 'break' : 'fits', chainMissing: link.missing, chainSince: link.since }
    : { ...unlinked, chain: link.kind }

export const linkKind = ({ chain, chainMissing }: StoredLink): Link['kind'] =>
  chain === 'fits' && chainMissing !== null ? 'doubtful' : (chain ?? 'unknown')
