/**
 * Previews an unsaved template on stored alerts: the stored reading of each, and its reading if this template were active. It
 * changes nothing. Alerts are read one at a time, with a pause between them, so that a long list does not block other
 * requests.
 */
import { setImmediate as pause } from 'node:timers/promises'
import type { Instant } from '../../core/clock.ts'
import type { AlertId, ProviderId } from '../../core/ids.ts'
import type { Minor } from '../../core/money.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import type { Session } from '../../postgres/connection/database.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import { usableProvider } from '../../wallets/entries/account-wallets-sql.ts'
import type { AlertState } from '../alert.ts'
import { type AlertTemplate, type Direction, readText, type TextReading } from '../templates/alert-template.ts'
import { alertsToPreview, visibleTemplate } from './account-templates-sql.ts'
import { templateOf } from './stored-template.ts'
import { activeTemplates } from './template-sql.ts'

export const mostPreviewed = 500

export type PreviewReading = {
  readonly kind: 'read' | 'unread' | 'ambiguous'
  readonly template: string | null
  readonly direction: Direction | null
  readonly amount: Minor | null
  readonly currency: string | null
  readonly reference: string | null
  /** It would wait for a member, because it has more than a name where a name should be. */
  readonly unexpectedWords: boolean
}

export type PreviewedAlert = {
  readonly id: AlertId
  readonly receivedAt: Instant
  readonly sender: string
  readonly text: string
  readonly state: AlertState
  readonly is: PreviewReading
  readonly wouldBe: PreviewReading
  /** The previewed template would read this alert. */
  readonly readByIt: boolean
  readonly differs: boolean
}

export type PreviewQuery = {
  readonly providerId: ProviderId
  /** The version that this template would retire. */
  readonly replaces: string | undefined
  readonly senderNames: readonly string[]
  readonly sentence: string
  readonly direction: Direction
  readonly currency: string
  readonly limit: number
}

const previewId = 'preview'
const noMoney = {
  template: null,
  direction: null,
  amount: null,
  currency: null,
  reference: null,
  unexpectedWords: false,
}

export const previewTemplate = async (
  db: Session,
  scope: Scope,
  preview: PreviewQuery,
): Promise<PreviewedAlert[] | Refusal<'provider_unknown' | 'template_unknown'>> => {
  const [provider] = await usableProvider(db, scope, preview.providerId)
  if (provider === undefined) return refuse('provider_unknown', { provider: preview.providerId })
  const [replaced] = preview.replaces === undefined ? [] : await visibleTemplate(db, scope, preview.replaces)
  if (preview.replaces !== undefined && replaced === undefined) return refuse('template_unknown')
  const active = await activeTemplates(db, preview.providerId, scope.accountId)
  const templates: AlertTemplate[] = [
    ...active.filter(({ lineage }) => lineage !== replaced?.lineage).map(templateOf),
    {
      id: previewId,
      providerId: preview.providerId,
      name: '',
      senderNames: preview.senderNames,
      direction: preview.direction,
      currency: preview.currency,
      sentence: preview.sentence,
      version: 1,
      status: 'active',
      samples: [],
      counterSamples: [],
    },
  ]
  const rows = await alertsToPreview(db, scope, preview.senderNames, Math.min(preview.limit, mostPreviewed))
  const previewed: PreviewedAlert[] = []
  for (const row of rows) {
    await pause()
    const is = storedReading(row)
    const reread = readText(templates, { sender: row.sender, text: row.raw_text })
    const wouldBe = previewReading(reread)
    previewed.push({
      id: row.id,
      receivedAt: row.received_at,
      sender: row.sender,
      text: row.raw_text,
      state: row.state,
      is,
      wouldBe,
      readByIt: reread.kind === 'read' && reread.template.id === previewId,
      differs: !isSameReading(is, wouldBe),
    })
  }
  return previewed
}

const storedReading = (row: RowOf<(typeof alertsToPreview)['columns']>): PreviewReading =>
  row.template_name === null
    ? { kind: row.reason === 'ambiguous' ? 'ambiguous' : 'unread', ...noMoney }
    : {
        kind: 'read',
        template: row.template_name,
        direction: row.direction,
        amount: row.amount,
        currency: row.currency,
        reference: row.reference,
        unexpectedWords: row.reason === 'unexpected_words',
      }

const previewReading = (reread: TextReading): PreviewReading =>
  reread.kind === 'read'
    ? {
        kind: 'read',
        template: reread.template.name,
        direction: reread.reading.direction,
        amount: reread.reading.amount,
        currency: reread.reading.currency,
        reference: reread.reading.reference ?? null,
        unexpectedWords: reread.unexpected !== undefined,
      }
    : { kind: reread.kind, ...noMoney }

/** Compares the money; the name of the template does not matter. */
const isSameReading = (a: PreviewReading, b: PreviewReading): boolean =>
  a.kind === b.kind &&
  a.direction === b.direction &&
  a.amount === b.amount &&
  a.currency === b.currency &&
  a.reference === b.reference
