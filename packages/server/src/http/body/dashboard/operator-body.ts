/** Providers and templates that operators share with every account, as the bodies that add and change them have them. */
import { NewSharedProvider, SharedProviderChanges } from '@sanad/contract/dashboard/operator/shared-providers'
import { NewSharedTemplate } from '@sanad/contract/dashboard/operator/shared-templates'
import type { TemplateDraft } from '../../../alerts/publishing/publish-template.ts'
import type { ProviderId, TemplateId } from '../../../core/ids.ts'
import type { ProviderChanges } from '../../../wallets/providers/shared-provider-sql.ts'
import type { NewProvider } from '../../../wallets/providers/shared-providers.ts'
import { bodyReader, mapBody, type ReadBody } from '../schema-reader.ts'
import { commonSettings } from './provider-body.ts'
import { samplesOf } from './template-samples.ts'

export const newSharedProvider = (body: ReadBody<typeof NewSharedProvider>): NewProvider => ({
  ...commonSettings(body),
  name: body.name,
  displayName: body.display_name,
  appLink: body.app_link,
})

export const sharedProviderChanges = (body: ReadBody<typeof SharedProviderChanges>): ProviderChanges => ({
  ...commonSettings(body),
  displayName: body.display_name,
  status: body.provider_status,
  appLink: body.app_link,
})

export type NewTemplateBody = {
  readonly draft: Omit<TemplateDraft, 'accountId'>
  readonly replaces: TemplateId | undefined
}

export const newSharedTemplate = ({
  provider,
  replaces,
  sender_names,
  samples,
  counter_samples,
  ...rest
}: ReadBody<typeof NewSharedTemplate>): NewTemplateBody => ({
  draft: {
    ...rest,
    providerId: provider as ProviderId,
    senderNames: sender_names,
    samples: samplesOf(samples),
    counterSamples: counter_samples,
  },
  replaces: replaces as TemplateId | undefined,
})

/** For commands, which read the fields of the API from options or from a file. */
export const readNewProvider = mapBody(bodyReader(NewSharedProvider), newSharedProvider)
export const readProviderChanges = mapBody(bodyReader(SharedProviderChanges), sharedProviderChanges)
export const readNewTemplate = mapBody(bodyReader(NewSharedTemplate), newSharedTemplate)
