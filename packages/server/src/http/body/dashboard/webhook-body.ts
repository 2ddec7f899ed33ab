/**
 * Reads the bodies of the dashboard's webhook calls: an endpoint to create or to change, a rotation, a test, a range to
 * replay. webhooks/endpoints decides whether an address may be called and whether a wallet belongs to the account.
 */
import {
  NewWebhook,
  ReplayRange,
  WebhookChanges,
  webhookRotation,
} from '@sanad/contract/dashboard/webhooks/webhook-bodies'
import { testWebhook } from '@sanad/contract/dashboard/webhooks/webhooks'
import type { WalletId } from '../../../core/ids.ts'
import type { Zone } from '../../../core/zone.ts'
import type { EndpointChanges, NewEndpoint } from '../../../webhooks/endpoints/manage-endpoints.ts'
import type { WebhookSettings } from '../../../webhooks/settings.ts'
import { type BodyReader, bodyReader, mapBody, type ReadBody } from '../schema-reader.ts'

/** A new endpoint whose address is not checked yet. */
export type SentEndpoint = Omit<NewEndpoint, 'url'> & { readonly url: string }
export type SentChanges = Omit<EndpointChanges, 'url'> & { readonly url?: string | undefined }

export const readNewEndpoint: BodyReader<SentEndpoint> = mapBody(
  bodyReader(NewWebhook),
  ({ url, wallet, kinds, headers, enabled }) => {
    // A new endpoint has no header to remove.
    const set = [...(headers ?? [])].flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
    return {
      url,
      walletId: (wallet ?? null) as WalletId | null,
      kinds,
      headers: Object.fromEntries(set),
      enabled,
    }
  },
)

export const readEndpointChanges: BodyReader<SentChanges> = mapBody(
  bodyReader(WebhookChanges),
  ({ wallet, ...rest }) => ({ ...rest, walletId: wallet as WalletId | null | undefined }),
)

export const rotationReader = ({ overlap_most_s, overlap_s }: WebhookSettings): BodyReader<{ overlap_s: number }> =>
  bodyReader(webhookRotation({ most_s: overlap_most_s, default_s: overlap_s }))

export const readTest = bodyReader(testWebhook.body)

export type ReplayBody = ReadBody<typeof ReplayRange>

export const replayReader = (zone: Zone): BodyReader<ReplayBody> => bodyReader(ReplayRange, { zone })
