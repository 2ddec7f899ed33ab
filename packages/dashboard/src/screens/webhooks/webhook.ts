/** The API types of an endpoint and a delivery. */
import { type EventKind, eventKinds } from '@sanad/contract/kinds'
import type { Answer } from '../../api/call.ts'

export type Webhook = Answer<'showWebhook'>
export type Delivery = Answer<'listDeliveries'>['results'][number]

export { type EventKind, eventKinds }
