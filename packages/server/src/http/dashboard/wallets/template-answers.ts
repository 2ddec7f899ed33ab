/** Templates, readings and previews as JSON answers. */
import type {
  Bench,
  Preview,
  Reading as ReadingAnswer,
  Template as TemplateAnswer,
} from '@sanad/contract/dashboard/wallets/templates'
import type { ManagedTemplate, TemplateContent } from '../../../alerts/publishing/account-templates.ts'
import type { PreviewedAlert, PreviewReading } from '../../../alerts/publishing/preview-template.ts'
import type { Reading } from '../../../alerts/templates/alert-template.ts'
import type { CheckReport } from '../../../alerts/templates/template-check.ts'
import { formatMinor, type Minor } from '../../../core/money.ts'
import type { Zone } from '../../../core/zone.ts'

const money = (amount: Minor | null | undefined): string | null => (amount == null ? null : formatMinor(amount))

export const contentAnswer = (template: TemplateContent) => ({
  name: template.name,
  sender_names: [...template.senderNames],
  direction: template.direction,
  currency: template.currency,
  sentence: template.sentence,
  samples: template.samples.map(({ text, expect }) => ({ text, expect: { ...expect } })),
  counter_samples: template.counterSamples.map(({ text, why }) => ({ text, why })),
})

export const templateAnswer = (template: ManagedTemplate, zone: Zone): TemplateAnswer => ({
  id: template.id,
  provider: template.providerId,
  lineage: template.lineage,
  version: template.version,
  status: template.status,
  shared: template.shared,
  ...contentAnswer(template),
  created_at: zone.format(new Date(template.createdAt)),
})

export const readingAnswer = (reading: Reading | undefined): ReadingAnswer | null =>
  reading === undefined
    ? null
    : {
        direction: reading.direction,
        currency: reading.currency,
        amount: formatMinor(reading.amount),
        reference: reading.reference ?? null,
        payer: reading.payer ?? null,
        phone: reading.phone ?? null,
        balance: money(reading.balance),
        fee: money(reading.fee),
        others: { ...reading.others },
      }

export const benchAnswer = (report: CheckReport): Bench => ({
  green: report.failures.length === 0,
  failures: [...report.failures],
  samples: report.samples.map(({ text, reading, failures }) => ({
    text,
    green: reading !== undefined && failures.length === 0,
    reading: readingAnswer(reading),
    failures: [...failures],
  })),
  counter_samples: report.counterSamples.map(({ text, why, reading }) => ({
    text,
    why,
    green: reading === undefined,
    reading: readingAnswer(reading),
  })),
})

const previewReadingAnswer = (reading: PreviewReading) => ({
  kind: reading.kind,
  template: reading.template,
  amount: money(reading.amount),
  currency: reading.currency,
  reference: reading.reference,
  direction: reading.direction,
  unexpected_words: reading.unexpectedWords,
})

export const previewAnswer = (alerts: readonly PreviewedAlert[], zone: Zone): Preview => ({
  looked_at: alerts.length,
  would_read: alerts.filter(({ readByIt }) => readByIt).length,
  differ: alerts.filter(({ differs }) => differs).length,
  results: alerts.map((alert) => ({
    id: alert.id,
    received_at: zone.format(new Date(alert.receivedAt)),
    sender: alert.sender,
    text: alert.text,
    state: alert.state,
    is: previewReadingAnswer(alert.is),
    would_be: previewReadingAnswer(alert.wouldBe),
    differs: alert.differs,
  })),
})
