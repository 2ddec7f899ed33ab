/**
 * An endpoint as the bodies that create and change it have it. webhooks/endpoints decides whether its address may be called and
 * whether its wallet belongs to the account.
 */
import type { NewWebhook, WebhookChanges } from '@sanad/contract/dashboard/webhooks/webhook-bodies'
import type { WalletId } from '../../../core/ids.ts'
import type { EndpointChanges, NewEndpoint } from '../../../webhooks/endpoints/manage-endpoints.ts'
import type { ReadBody } from '../schema-reader.ts'

/** A new endpoint whose address is not checked yet. */
export type SentEndpoint = Omit<NewEndpoint, 'url'> & { readonly url: string }
export type SentChanges = Omit<EndpointChanges, 'url'> & { readonly url?: string | undefined }

export const newEndpoint = ({ url, wallet, kinds, headers, enabled }: ReadBody<typeof NewWebhook>): SentEndpoint => {
  // A new endpoint has no header to remove.
  const set = [...(headers ?? [])].flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
  return { url, walletId: (wallet ?? null) as WalletId | null, kinds, headers: Object.fromEntries(set), enabled }
}

export const endpointChanges = ({ wallet, ...rest }: ReadBody<typeof WebhookChanges>): SentChanges => ({
  ...rest,
  walletId: wallet as WalletId | null | undefined,
})
