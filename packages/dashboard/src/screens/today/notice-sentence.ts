/** A notice to owners as a sentence: what happened, and which user did it. Pure. */
import { usualCurrency } from '@sanad/contract/currency'
import type { Notice } from '@sanad/contract/dashboard/people/notices'
import { userName } from '../../parts/format/user-name.ts'
import type { Language } from '../../words/catalogue.ts'
import { moneyText } from '../../words/format.ts'
import type { Translate } from '../../words/language.ts'
import type { noticesWords } from '../../words/screens/notices.ts'

export const noticeSentence = (
  { kind, by, facts }: Pick<Notice, 'kind' | 'by' | 'facts'>,
  t: Translate<typeof noticesWords>,
  language: Language,
): string => {
  const { name = '', app = '', from = '', to = '' } = facts
  const named = (names = '', more = 0): string => (more === 0 ? names : t('notices.andMore', { names, more }))
  const senders = named(facts.senders, facts.more_senders)
  const packages = named(facts.packages, facts.more_packages)
  const { phones = 0, endpoints = 0, second_factors: factors = 0 } = facts
  const key =
    kind === 'phone_paired' && facts.again === true ? 'notices.phone_paired_again' : (`notices.${kind}` as const)
  const { order: number = '', payment = '', currency = usualCurrency } = facts
  const money = (amount = '0.00'): string => moneyText(amount, currency, language)
  const described = t(key, {
    name,
    app,
    senders,
    from,
    to,
    phones,
    endpoints,
    factors,
    order: number === '' ? t('notices.ofPayment', { payment }) : t('notices.ofOrder', { order: number }),
    asked: money(facts.asked_amount),
    arrived: money(facts.arrived_amount),
    forgiven: money(facts.forgiven_amount),
  })
  const names = [senders, packages].filter((text) => text !== '').join(t('part.listJoin'))
  const sentence =
    facts.test === true
      ? t('notices.test', { sentence: described })
      : kind === 'approval_asked' && names !== ''
        ? t('notices.wouldCount', { sentence: described, names })
        : described
  // The user of a request is in its sentence.
  if (by === '' || kind === 'member_request') return sentence
  // For a change by a command on the server, the API sends this name for the operator.
  return t('notices.by', { sentence, by: by === 'the operator' ? t('notices.operator') : userName(by) })
}

/** The page of the record that the notice is about. */
export const noticeLink = ({ object }: Pick<Notice, 'object'>): string => {
  // The only notice about the whole account says that secrets were lost: the phones must be connected again.
  if (object.kind === 'account') return '/phones'
  if (object.kind === 'member') return '/settings/members'
  return object.kind === 'key' ? '/keys' : `/${object.kind}s/${object.id}`
}
