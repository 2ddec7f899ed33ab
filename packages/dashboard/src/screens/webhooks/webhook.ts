/** The API types of an endpoint and a delivery, and the share of deliveries that arrived. */
import { type EventKind, eventKinds } from '@sanad/contract/kinds'
import type { Answer } from '../../api/call.ts'

export type Webhook = Answer<'showWebhook'>
export type Delivery = Answer<'listDeliveries'>['results'][number]

export { type EventKind, eventKinds }

/** In percent, with one digit after the point. Rounded down, so that one failure in ten thousand is not 100 %. */
export const successPercent = ({ arrived, failed }: Pick<Webhook['last_day'], 'arrived' | 'failed'>): number =>
  Math.floor((arrived / (arrived + failed)) * 1000) / 10
