/**
 * A provider that comes with Sanad: its name and colour, the senders of its alerts, and their templates.
 */
import type { ProviderId } from '../../core/ids.ts'
import type { NumberRule } from '../../wallets/providers/number-rule.ts'
import type { AlertTemplate, CounterSample, Sample } from '../templates/alert-template.ts'

export type ShippedTemplate = Pick<AlertTemplate, 'name' | 'direction' | 'sentence'> & {
  /** Incremented when the sentence changes. */
  readonly version: number
  readonly samples: readonly Sample[]
  /** In addition to the provider's own `never`. */
  readonly counterSamples: readonly CounterSample[]
}

export type ShippedProvider = {
  /** The key: lower case, never changed. */
  readonly name: string
  readonly displayName: string
  readonly displayNameArabic: string
  /** Two letters (ISO 3166-1); empty for the provider of test wallets. */
  readonly country: string
  /** `#RRGGBB`, to tell wallets apart on the screens; not the colour of the brand. */
  readonly themeColor: string
  readonly currency: string
  readonly senderNames: readonly string[]
  /** Package names of its Android app, from a public source. Notifications of other apps go to review. */
  readonly packages?: readonly string[]
  /** The rule for its account numbers, where it is publicly known. */
  readonly numberRule?: NumberRule
  /** Whether its templates are active on a new installation. */
  readonly activeByDefault: boolean
  /** Texts of this provider that none of its templates may read. */
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
