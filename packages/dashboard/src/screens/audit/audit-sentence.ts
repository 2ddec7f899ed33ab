/** An audit entry as a sentence, and the differences between before and after. */
import type { Answer } from '../../api/call.ts'
import { userName } from '../../parts/format/user-name.ts'
import { hasText } from '../../words/catalogue.ts'
import type { Translate } from '../../words/language.ts'
import { auditWords } from '../../words/screens/audit.ts'

export type AuditEntry = Answer<'listAudit'>['results'][number]

const prefix = 'audit.did.'

/** Every action that has a sentence, such as `wallet.update`. */
export const knownActions: readonly string[] = Object.keys(auditWords.en)
  .filter((key) => key.startsWith(prefix))
  .map((key) => key.slice(prefix.length))

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The fields that can contain the name of the changed record. */
const nameFields = ['name', 'display_name', 'email', 'payment', 'external_order_id', 'url'] as const

const nameOf = ({ before, after, object }: AuditEntry): string => {
  for (const state of [after, before]) {
    if (!isRecord(state)) continue
    for (const field of nameFields) {
      const name = state[field]
      if (typeof name === 'string' && name !== '') return name
    }
  }
  return object.length > 12 ? object.slice(0, 8) : object
}

/** The user who made the change. A change by a command on the server was made by the operator, who has no name here. */
export const actorOf = ({ actor, via }: AuditEntry, t: Translate<typeof auditWords>): string =>
  via === 'command' ? t('audit.operator') : actor

export const sentenceOf = (entry: AuditEntry, t: Translate<typeof auditWords>): string => {
  const key = `${prefix}${entry.action}`
  // The e-mail address is shown below.
  const values = { who: userName(actorOf(entry, t)), what: nameOf(entry) }
  return hasText(auditWords, key) ? t(key, values) : t('audit.fallback', { ...values, action: entry.action })
}

export type Difference = { readonly field: string; readonly before: string; readonly after: string }

const asText = (value: unknown): string =>
  value === undefined || value === null || value === ''
    ? ''
    : typeof value === 'string'
      ? value
      : typeof value === 'number' || typeof value === 'boolean'
        ? String(value)
        : JSON.stringify(value)

/** Only the fields that differ; all fields where one side is missing. */
export const differencesOf = ({ before, after }: Pick<AuditEntry, 'before' | 'after'>): Difference[] => {
  const [old, current] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}]
  const fields = [...new Set([...Object.keys(old), ...Object.keys(current)])]
  return fields
    .map((field) => ({ field, before: asText(old[field]), after: asText(current[field]) }))
    .filter((difference) => difference.before !== difference.after)
}
