/** A notice as a sentence: what happened, and which user did it; how to undo it, and where. Pure. */
import { usualCurrency } from '@sanad/contract/currency'
import type { Notice } from '@sanad/contract/dashboard/people/notices'
import { forwardingAppNames } from '@sanad/contract/forwarding-apps'
import { userName } from '../../parts/format/user-name.ts'
import type { Language } from '../../words/catalogue.ts'
import { moneyText } from '../../words/format.ts'
import type { Translate } from '../../words/language.ts'
import type { noticesWords } from '../../words/screens/notices.ts'

type Sentence = Pick<Notice, 'kind' | 'by' | 'facts'>

/** A notice about a user names them only where owners read it. */
const isOwn = ({ facts }: Pick<Notice, 'facts'>): boolean => facts.name === undefined

const keyOf = ({ kind, facts }: Sentence) => {
  if (kind === 'phone_paired' && facts.again === true) return 'notices.phone_paired_again'
  if (kind === 'factor_rule_changed' && facts.on === true) return 'notices.factor_rule_on'
  if (kind === 'operator_changed' && facts.on === true) return 'notices.operator_on'
  if (kind === 'sign_in_new' || kind === 'sign_in_wrong' || kind === 'second_factor_changed')
    return isOwn({ facts }) ? (`notices.own_${kind}` as const) : (`notices.${kind}` as const)
  return `notices.${kind}` as const
}

/** From where a user signed in. */
const placeOf = (facts: Notice['facts'], t: Translate<typeof noticesWords>): string => {
  const { browser = '', system = '', address = '', script } = facts
  const parts = [script === true ? t('notices.script') : '', browser, system, address].filter((part) => part !== '')
  return parts.length === 0 ? '' : t('notices.place', { place: parts.join(t('part.listJoin')) })
}

/** Kinds whose sentence names the user, or that a user did to themselves. */
const namesUser: ReadonlySet<Notice['kind']> = new Set([
  'member_request',
  'sign_in_new',
  'sign_in_wrong',
  'second_factor_changed',
  'password_changed',
])

export const noticeSentence = (notice: Sentence, t: Translate<typeof noticesWords>, language: Language): string => {
  const { kind, by, facts } = notice
  const { name = '', app = '', from = '', to = '' } = facts
  const named = (names = '', more = 0): string => (more === 0 ? names : t('notices.andMore', { names, more }))
  const senders = named(facts.senders, facts.more_senders)
  const packages = named(facts.packages, facts.more_packages)
  const { phones = 0, endpoints = 0, second_factors: factors = 0, pins = 0 } = facts
  const { order: number = '', payment = '', currency = usualCurrency } = facts
  const money = (amount = '0.00'): string => moneyText(amount, currency, language)
  const described = t(keyOf(notice), {
    name,
    app: forwardingAppNames[app] ?? app,
    senders,
    from,
    to,
    phones,
    endpoints,
    factors,
    pins,
    order: number === '' ? t('notices.ofPayment', { payment }) : t('notices.ofOrder', { order: number }),
    asked: money(facts.asked_amount),
    arrived: money(facts.arrived_amount),
    forgiven: money(facts.forgiven_amount),
    place: placeOf(facts, t),
    count: facts.count ?? 0,
    change: t(`notices.${facts.change ?? 'app_on'}`),
    counter: facts.counter ?? '',
    of: facts.name === undefined ? '' : t('notices.pinOf', { name: userName(name) }),
    account: facts.account ?? '',
    role: t(`role.${facts.role ?? 'viewer'}`),
    before: t(`role.${facts.role_before ?? 'viewer'}`),
  })
  const names = [senders, packages].filter((text) => text !== '').join(t('part.listJoin'))
  const sentence =
    facts.test === true
      ? t('notices.test', { sentence: described })
      : (kind === 'approval_asked' || kind === 'trust_changed') && names !== ''
        ? t(kind === 'approval_asked' ? 'notices.wouldCount' : 'notices.counts', { sentence: described, names })
        : facts.more !== undefined && kind !== 'sign_in_wrong'
          ? t('notices.more', { sentence: described, more: facts.more })
          : described
  if (by === '' || namesUser.has(kind)) return sentence
  // For a change by a command on the server, the API sends this name for the operator.
  return t('notices.by', { sentence, by: by === 'the operator' ? t('notices.operator') : userName(by) })
}

/** The page of the record that the notice is about. */
export const noticeLink = ({ kind, object, facts }: Pick<Notice, 'kind' | 'object' | 'facts'>): string => {
  if (kind === 'factor_rule_changed') return '/settings/members'
  // Secrets were lost: the phones must be connected again.
  if (object.kind === 'account') return '/phones'
  if (object.kind === 'user') return isOwn({ facts }) ? '/settings/you' : '/settings/members'
  if (object.kind === 'member') return '/settings/members'
  if (object.kind === 'provider') return '/wallets'
  return object.kind === 'key' ? '/keys' : `/${object.kind}s/${object.id}`
}

const undoKeys = {
  phone: 'notices.undo.phone',
  webhook: 'notices.undo.webhook',
  key: 'notices.undo.key',
  template: 'notices.undo.template',
  wallet: 'notices.undo.trust',
  provider: 'notices.undo.trust',
  member: 'notices.undo.member',
  user: 'notices.undo.user',
  account: 'notices.undo.account',
  intent: 'notices.undo.intent',
} as const

/** How to undo it; empty: the sentence says what to do. */
export const noticeUndo = (
  { kind, object, facts }: Pick<Notice, 'kind' | 'object' | 'facts'>,
  t: Translate<typeof noticesWords>,
): string => {
  const isTrouble = kind === 'webhook_failing' || kind === 'webhook_disabled' || kind === 'webhook_gone'
  if (isTrouble || kind === 'secrets_lost' || kind === 'member_request' || object.kind === 'approval') return ''
  if (kind === 'pins_guessed') return t('notices.undo.pins')
  if (object.kind === 'user' && isOwn({ facts })) return t('notices.undo.own')
  return t(undoKeys[object.kind])
}
