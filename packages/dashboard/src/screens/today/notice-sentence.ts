/** A notice to owners as one sentence: what happened to what, and by whom. Pure. */
import type { Notice } from '@sanad/contract/dashboard/people/notices'
import { userName } from '../../parts/format/user-name.ts'
import type { Translate } from '../../words/language.ts'
import type { noticesWords } from '../../words/screens/notices.ts'

export const noticeSentence = (
  { kind, by, facts }: Pick<Notice, 'kind' | 'by' | 'facts'>,
  t: Translate<typeof noticesWords>,
): string => {
  const { name = '', app = '', senders = '', from = '', to = '' } = facts
  const { phones = 0, endpoints = 0, second_factors: factors = 0 } = facts
  const key =
    kind === 'phone_paired' && facts.again === true ? 'notices.phone_paired_again' : (`notices.${kind}` as const)
  const said = t(key, { name, app, senders, from, to, phones, endpoints, factors })
  if (by === '') return said
  // On the machine itself it was the operator, whom the service knows by no other name.
  return t('notices.by', { said, by: by === 'the operator' ? t('notices.operator') : userName(by) })
}

/** Where what it is about is shown. */
export const noticePlace = ({ object }: Pick<Notice, 'object'>): string => {
  if (object.kind === 'account') return '/phones'
  return object.kind === 'key' ? '/keys' : `/${object.kind}s/${object.id}`
}
