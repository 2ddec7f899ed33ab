/** Reads the bodies about providers and templates that operators share with every account. */
import { NewSharedProvider, SharedProviderChanges } from '@sanad/contract/dashboard/operator/shared-providers'
import { NewSharedTemplate, SharedSamples } from '@sanad/contract/dashboard/operator/shared-templates'
import type { CounterSample, Sample } from '../../../alerts/templates/alert-template.ts'
import type { TemplateDraft } from '../../../alerts/templates/publish-template.ts'
import type { ProviderId, TemplateId } from '../../../core/ids.ts'
import type { ProviderChanges } from '../../../wallets/providers/shared-provider-sql.ts'
import type { NewProvider } from '../../../wallets/providers/shared-providers.ts'
import { type BodyReader, bodyReader, mapBody } from '../schema-reader.ts'
import { commonSettings } from './provider-body.ts'
import { samplesOf } from './template-samples.ts'

export const readNewProvider: BodyReader<NewProvider> = mapBody(bodyReader(NewSharedProvider), (body) => ({
  ...commonSettings(body),
  name: body.name,
  displayName: body.display_name,
  appLink: body.app_link,
}))

export const readProviderChanges: BodyReader<ProviderChanges> = mapBody(bodyReader(SharedProviderChanges), (body) => ({
  ...commonSettings(body),
  displayName: body.display_name,
  status: body.provider_status,
  appLink: body.app_link,
}))

export type NewTemplateBody = {
  readonly draft: Omit<TemplateDraft, 'accountId'>
  readonly replaces: TemplateId | undefined
}

export const readNewTemplate: BodyReader<NewTemplateBody> = mapBody(
  bodyReader(NewSharedTemplate),
  ({ provider, replaces, sender_names, samples, counter_samples, ...rest }) => ({
    draft: {
      ...rest,
      providerId: provider as ProviderId,
      senderNames: sender_names,
      samples: samplesOf(samples),
      counterSamples: counter_samples,
    },
    replaces: replaces as TemplateId | undefined,
  }),
)

export const readSamples: BodyReader<{ samples: Sample[]; counter_samples: CounterSample[] }> = mapBody(
  bodyReader(SharedSamples),
  ({ samples, counter_samples }) => ({ samples: samplesOf(samples), counter_samples }),
)
