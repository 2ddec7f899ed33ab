/**
 * What a sentence that nobody saved would make of alerts that are already there: each as it was understood, and as it would
 * be with this template beside the active ones. Only reads. One at a time, so that a long list of long texts keeps nobody else
 * waiting.
 */
import { setImmediate as room } from 'node:timers/promises'
import type { Instant } from '../../core/clock.ts'
import type { AccountId, AlertId, ProviderId } from '../../core/ids.ts'
import type { Minor } from '../../core/money.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { usableProvider } from '../../wallets/wallets/account-wallets-sql.ts'
import type { AlertState } from '../alert.ts'
import { alertsToPreview, visibleTemplate } from './account-templates-sql.ts'
import { type AlertTemplate, type Direction, understand } from './alert-template.ts'
import { templateOf } from './stored-template.ts'
import { activeTemplates } from './template-sql.ts'

export const mostPreviewed = 500

export type Standing = {
  readonly kind: 'read' | 'unread' | 'ambiguous'
  readonly template: string | null
  readonly direction: Direction | null
  readonly amount: Minor | null
  readonly currency: string | null
  readonly reference: string | null
}

export type PreviewedAlert = {
  readonly id: AlertId
  readonly receivedAt: Instant
  readonly sender: string
  readonly text: string
  readonly state: AlertState
  readonly is: Standing
  readonly wouldBe: Standing
  /** This sentence would be the one that reads it. */
  readonly readByIt: boolean
  readonly differs: boolean
}

export type PreviewAsked = {
  readonly providerId: ProviderId
  /** The version that it would retire. */
  readonly replaces: string | undefined
  readonly senderNames: readonly string[]
  readonly sentence: string
  readonly direction: Direction
  readonly currency: string
  readonly limit: number
}

const previewId = 'preview'
const nothing = { template: null, direction: null, amount: null, currency: null, reference: null }

export const previewTemplate = async (
  db: Session,
  accountId: AccountId,
  asked: PreviewAsked,
): Promise<PreviewedAlert[] | Refusal<'provider_unknown' | 'template_unknown'>> => {
  const [provider] = await usableProvider(db, accountId, asked.providerId)
  if (provider === undefined) return refuse('provider_unknown', { provider: asked.providerId })
  const [replaced] = asked.replaces === undefined ? [] : await visibleTemplate(db, accountId, asked.replaces)
  if (asked.replaces !== undefined && replaced === undefined) return refuse('template_unknown')
  const active = await activeTemplates(db, asked.providerId, accountId)
  const templates: AlertTemplate[] = [
    ...active.filter(({ lineage }) => lineage !== replaced?.lineage).map(templateOf),
    {
      id: previewId,
      providerId: asked.providerId,
      name: '',
      senderNames: asked.senderNames,
      direction: asked.direction,
      currency: asked.currency,
      sentence: asked.sentence,
      version: 1,
      status: 'active',
      samples: [],
      counterSamples: [],
    },
  ]
  const rows = await alertsToPreview(db, accountId, asked.senderNames, Math.min(asked.limit, mostPreviewed))
  const previewed: PreviewedAlert[] = []
  for (const row of rows) {
    await room()
    const is: Standing =
      row.template_name === null
        ? { kind: row.reason === 'ambiguous' ? 'ambiguous' : 'unread', ...nothing }
        : {
            kind: 'read',
            template: row.template_name,
            direction: row.direction,
            amount: row.amount,
            currency: row.currency,
            reference: row.reference,
          }
    const said = understand(templates, { sender: row.sender, text: row.raw_text })
    const wouldBe: Standing =
      said.kind === 'read'
        ? {
            kind: 'read',
            template: said.template.name,
            direction: said.reading.direction,
            amount: said.reading.amount,
            currency: said.reading.currency,
            reference: said.reading.reference ?? null,
          }
        : { kind: said.kind, ...nothing }
    previewed.push({
      id: row.id,
      receivedAt: row.received_at,
      sender: row.sender,
      text: row.raw_text,
      state: row.state,
      is,
      wouldBe,
      readByIt: said.kind === 'read' && said.template.id === previewId,
      differs: !sameStanding(is, wouldBe),
    })
  }
  return previewed
}

/** By which template is not asked: only what it means. */
const sameStanding = (one: Standing, other: Standing): boolean =>
  one.kind === other.kind &&
  one.direction === other.direction &&
  one.amount === other.amount &&
  one.currency === other.currency &&
  one.reference === other.reference
