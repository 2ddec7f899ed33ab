/**
 * Templates as the bodies that draft, change and try them have them. alerts/templates decides whether a sentence is valid and whether a
 * template may be published.
 */
import type { NewTemplate, TemplateChanges, TemplatePreview } from '@sanad/contract/dashboard/wallets/template-bodies'
import type { ContentChanges, TemplateContent } from '../../../alerts/publishing/account-templates.ts'
import type { PreviewQuery } from '../../../alerts/publishing/preview-template.ts'
import type { ProviderId } from '../../../core/ids.ts'
import type { ReadBody } from '../schema-reader.ts'
import { samplesOf } from './template-samples.ts'

type NewTemplateBody = { readonly providerId: ProviderId; readonly content: TemplateContent }

export const newTemplate = ({
  provider,
  sender_names,
  samples,
  counter_samples,
  ...rest
}: ReadBody<typeof NewTemplate>): NewTemplateBody => ({
  providerId: provider as ProviderId,
  content: { ...rest, senderNames: sender_names, samples: samplesOf(samples), counterSamples: counter_samples },
})

export const templateChanges = ({
  sender_names,
  samples,
  counter_samples,
  ...rest
}: ReadBody<typeof TemplateChanges>): ContentChanges => ({
  ...rest,
  senderNames: sender_names,
  samples: samples && samplesOf(samples),
  counterSamples: counter_samples,
})

export const previewQuery = ({ provider, sender_names, ...rest }: ReadBody<typeof TemplatePreview>): PreviewQuery => ({
  ...rest,
  providerId: provider as ProviderId,
  senderNames: sender_names,
})
