/**
 * Reads the bodies that draft, change and try templates. alerts/templates decides whether a sentence is valid and whether a
 * template may be published.
 */
import {
  MarkedText,
  NewTemplate,
  SentenceTrial,
  TemplateChanges,
  TemplatePreview,
} from '@sanad/contract/dashboard/wallets/template-bodies'
import type { ContentChanges, TemplateContent } from '../../../alerts/templates/account-templates.ts'
import type { PreviewQuery } from '../../../alerts/templates/preview-template.ts'
import type { ProviderId } from '../../../core/ids.ts'
import { type BodyReader, bodyReader, mapBody } from '../schema-reader.ts'
import { samplesOf } from './template-samples.ts'

type NewTemplateBody = { readonly providerId: ProviderId; readonly content: TemplateContent }

export const readNewTemplate: BodyReader<NewTemplateBody> = mapBody(
  bodyReader(NewTemplate),
  ({ provider, sender_names, samples, counter_samples, ...rest }) => ({
    providerId: provider as ProviderId,
    content: { ...rest, senderNames: sender_names, samples: samplesOf(samples), counterSamples: counter_samples },
  }),
)

export const readTemplateChanges: BodyReader<ContentChanges> = mapBody(
  bodyReader(TemplateChanges),
  ({ sender_names, samples, counter_samples, ...rest }) => ({
    ...rest,
    senderNames: sender_names,
    samples: samples && samplesOf(samples),
    counterSamples: counter_samples,
  }),
)

export const readTrial = bodyReader(SentenceTrial)
export const readMarked = bodyReader(MarkedText)

export const readPreview: BodyReader<PreviewQuery> = mapBody(
  bodyReader(TemplatePreview),
  ({ provider, sender_names, ...rest }) => ({
    ...rest,
    providerId: provider as ProviderId,
    senderNames: sender_names,
  }),
)
