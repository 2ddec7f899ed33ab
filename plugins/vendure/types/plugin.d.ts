/** Payments into mobile wallets for Vendure. */
import type { Sanad } from '@sanad/sdk'

export type SanadPluginOptions = {
  /** The address of the service, such as `https://pay.example.com`. */
  readonly baseUrl: string
  /** The API key, from Sanad's dashboard. */
  readonly clientId: string
  readonly clientSecret: string
  /** The signing secret of the endpoint; two while it is being rotated. */
  readonly webhookSecret: string | readonly string[]
  /** Where webhooks arrive. Left out: `/sanad/webhooks`. */
  readonly route?: string
  /** Money of Sanad's test wallet pays orders. Never where goods are delivered. Left out: it does not. */
  readonly testMode?: boolean
  /** A client of your own, instead of one that is made from the key. */
  readonly sanad?: Sanad
}

/** The class that Vendure's list `plugins` takes. */
// biome-ignore lint/suspicious/noExplicitAny: Vendure's own type of a plugin.
export type SanadPluginClass = new (...args: any[]) => object

/** How many payments were read: of those that wait, and of those that were cancelled or declined. */
export type RefreshedPayments = { readonly waiting: number; readonly ended: number }

/** What updates payments of Vendure, for scripts of the shop. */
export type SanadPayments = {
  /** Reads a payment again from Sanad, and updates it. The state that it has then. */
  refresh(paymentId: string | number): Promise<string | undefined>
  /** Reads payments again that were created more than `age_ms` ago, as the scheduled task does. */
  refreshWaiting(age_ms: number): Promise<RefreshedPayments>
}

export declare const SanadPlugin: {
  /** For the list `plugins` of the configuration. */
  init(options: SanadPluginOptions): SanadPluginClass
  /** The plugin and its payments, for tests and scripts. */
  open(options: SanadPluginOptions): { readonly plugin: SanadPluginClass; readonly payments: () => SanadPayments }
}
