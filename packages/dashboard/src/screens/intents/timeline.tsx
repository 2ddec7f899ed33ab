/** The timeline of an intent as sentences, oldest first. */
import { orderText } from '../../parts/format/order-name.ts'
import { TimelineCard } from '../../parts/page/timeline.tsx'
import { hasText } from '../../words/catalogue.ts'
import { moneyText } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { intentsWords } from '../../words/screens/intents.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'
import type { ShownIntent } from './intent.ts'
import { byText } from './intent-details.tsx'

export const Timeline = ({ intent }: { intent: ShownIntent }) => {
  const { t, language } = useWords(intentsWords, unmatchedWords)
  const money = (amount: string | undefined): string => moneyText(amount ?? '', intent.currency, language)
  const lineOf = ({ kind, by, facts }: ShownIntent['timeline'][number]) => {
    if (kind === 'created' && facts.base !== undefined) return 'line.createdUnique'
    if (kind === 'booked' && by.kind === 'buyer') return 'line.bookedByBuyer'
    if (kind === 'booked' && facts.forgiven !== undefined) return 'line.bookedShort'
    if (kind === 'request_refused' && facts.reason !== undefined) return 'line.request_refusedWhy'
    if (kind === 'booked' && facts.excess !== undefined) return 'line.bookedOver'
    return kind === 'verified' && by.kind === 'amount' ? 'line.verifiedByAmount' : (`line.${kind}` as const)
  }
  /** Unknown codes of a newer server are left out. */
  const reasonText = (code: string | undefined): string => {
    const key = `reason.${code}`
    return hasText(unmatchedWords, key) ? t(key) : ''
  }
  const sentence = (entry: ShownIntent['timeline'][number]): string => {
    const { by, facts } = entry
    return t(lineOf(entry), {
      by: byText(by, t),
      reference: facts.reference ?? '',
      sender: facts.sender ?? '',
      amount: money(facts.amount),
      paid: money(facts.paid),
      payable: money(facts.payable),
      forgiven: money(facts.forgiven),
      excess: money(facts.excess),
      base: money(facts.base),
      reason: reasonText(facts.reason),
      why: facts.reason ?? '',
      order:
        facts.payment === undefined ? '' : orderText({ code: facts.payment, external_order_id: facts.order ?? '' }, t),
    })
  }
  /** Doubts about the alert that resolved the intent; unknown codes of a newer server are left out. */
  const doubts = ({ facts }: ShownIntent['timeline'][number]): string[] =>
    (facts.doubts ?? '')
      .split(',')
      .map((code) => `lineDoubt.${code.trim()}`)
      .filter((key) => hasText(intentsWords, key))
      .map((key) => t(key))
  const entries = intent.timeline.map((entry) => ({
    at: entry.at,
    kind: entry.kind,
    text: sentence(entry),
    doubts: doubts(entry),
  }))
  return <TimelineCard title={t('intent.timeline')} entries={entries} />
}
