/** Payments into mobile wallets for Medusa: the payment provider that `medusa-config` names in `resolve`. */

/** The `options` of the provider. */
export type SanadProviderOptions = {
  /** The address of the service, such as `https://pay.example.com`. */
  readonly baseUrl: string
  /** The API key, from Sanad's dashboard. */
  readonly clientId: string
  readonly clientSecret: string
  /** The signing secret of the endpoint; two while it is being rotated. */
  readonly webhookSecret: string | readonly string[]
  /** `hosted`: Sanad's page. `own`: the storefront's own page. Left out: `hosted`. */
  readonly page?: 'hosted' | 'own'
  /** Where the buyer goes after paying; `{session}` is the id of the payment session. */
  readonly returnUrl?: string
  /** After too small a payment the buyer may pay what is missing. Left out: yes. */
  readonly allowRemaining?: boolean
  /** Money of Sanad's test wallet pays orders. Never where goods are delivered. Left out: it does not. */
  readonly testMode?: boolean
}

/** The module provider, as Medusa loads it by its name. */
declare const provider: { readonly services: readonly unknown[] }
export default provider
