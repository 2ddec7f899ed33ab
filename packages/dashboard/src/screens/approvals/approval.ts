/** The texts of an approval: what it asks for, and each value that changes. Pure. */
import type { Answer } from '../../api/call.ts'
import { hasText, type Language } from '../../words/catalogue.ts'
import { inDigits } from '../../words/digits.ts'
import { grouped } from '../../words/format.ts'
import type { Translate } from '../../words/language.ts'
import { approvalsWords } from '../../words/screens/approvals.ts'

export type Approval = Answer<'showApproval'>

type T = Translate<typeof approvalsWords>

export const approvalTitle = ({ kind, object }: Pick<Approval, 'kind' | 'object'>, t: T): string =>
  t(`approvals.kind.${kind}`, { name: object.name })

export const reasonsText = (reasons: readonly string[], t: T): string =>
  reasons
    .flatMap((reason) => {
      const key = `approvals.reason.${reason}`
      return hasText(approvalsWords, key) ? [t(key)] : []
    })
    .join(t('part.listJoin'))

const amounts = ['low_trust_limit', 'review_above']

const valueText = (field: string, value: string | null, t: T, language: Language): string => {
  if (value === null) return t('approvals.value.none')
  const key = `approvals.value.${value}`
  if (hasText(approvalsWords, key)) return t(key)
  // A number or a Latin name keeps its direction inside an Arabic sentence.
  return `\u2068${amounts.includes(field) ? inDigits(grouped(value), language) : value}\u2069`
}

/** Names of senders or apps: those that begin to count, those that end, those that stay. */
export type NameGroup = { readonly title: string; readonly names: readonly string[] }

type ShownChange = { readonly field: string; readonly name: string } & (
  | { readonly text: string }
  | { readonly groups: readonly NameGroup[] }
)

const groupsOf = (list: Approval['lists'][number], t: T): NameGroup[] =>
  (['added', 'removed', 'kept'] as const)
    .filter((group) => list[group].length > 0)
    .map((group) => ({ title: t(`approvals.list.${group}`, { count: list[group].length }), names: list[group] }))

/** A field that has no name here is left out: it concerns neither senders nor limits. */
export const shownChanges = (
  { changes, lists, kind }: Pick<Approval, 'changes' | 'lists' | 'kind'>,
  t: T,
  language: Language,
): ShownChange[] =>
  changes.flatMap(({ field, before, after }): ShownChange[] => {
    const shown = (value: string | null): string => valueText(field, value, t, language)
    const key = `approvals.field.${field}`
    if (!hasText(approvalsWords, key)) return []
    const list = lists.find((each) => each.field === field)
    if (list !== undefined) return [{ field, name: t(key), groups: groupsOf(list, t) }]
    const isNew = before === null && kind !== 'wallet.update' && kind !== 'provider.update'
    const text = isNew ? shown(after) : t('approvals.becomes', { before: shown(before), after: shown(after) })
    return [{ field, name: t(key), text }]
  })
