/**
 * A provider that Sanad knows from the start: how it looks, under which names it sends, and how it words its alerts.
 */
import type { ProviderId } from '../../core/ids.ts'
import type { AlertTemplate, CounterSample, Sample } from '../templates/alert-template.ts'

export type ShippedTemplate = Pick<AlertTemplate, 'name' | 'direction' | 'sentence'> & {
  /** Counts up when the sentence changes. */
  readonly version: number
  readonly samples: readonly Sample[]
  /** Besides the provider's own `never`. */
  readonly counterSamples: readonly CounterSample[]
}

export type ShippedProvider = {
  /** The key: lower-case, stays for good. */
  readonly name: string
  readonly displayName: string
  readonly displayNameArabic: string
  /** `#RRGGBB`: ours to tell wallets apart by, not the brand's. */
  readonly themeColor: string
  readonly currency: string
  readonly senderNames: readonly string[]
  /** Of its Android app, where a public source names it; a notification of any other is for a person. */
  readonly packages?: readonly string[]
  /** Whether its templates are published on a fresh installation. */
  readonly activeByDefault: boolean
  /** Texts of this sender that no template of it may read. */
  readonly never: readonly CounterSample[]
  readonly templates: readonly ShippedTemplate[]
}

/** The provider's templates as rows to store. */
export const alertTemplatesOf = (
  provider: ShippedProvider,
  providerId: ProviderId,
  newId: (template: ShippedTemplate) => string,
): AlertTemplate[] =>
  provider.templates.map((template) => ({
    id: newId(template),
    providerId,
    name: template.name,
    senderNames: provider.senderNames,
    direction: template.direction,
    currency: provider.currency,
    sentence: template.sentence,
    version: template.version,
    status: provider.activeByDefault ? 'active' : 'draft',
    samples: template.samples,
    counterSamples: [...template.counterSamples, ...provider.never],
  }))
