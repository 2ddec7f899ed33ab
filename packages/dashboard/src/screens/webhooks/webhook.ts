/** The API types of an endpoint and a delivery. */
import type { Answer } from '../../api/call.ts'

export type Webhook = Answer<'showWebhook'>
export type Delivery = Answer<'listDeliveries'>['results'][number]

export const eventKinds = ['payment.verified', 'payment.unmatched', 'payment.received'] as const
export type EventKind = (typeof eventKinds)[number]
