/** An account as its buyers see it on a checkout page. Pure. */
export type PageShop = {
  readonly name: string
  /** `#RRGGBB`, or empty. */
  readonly color: string
  /** Digits with the country code, or empty. */
  readonly whatsapp: string
  readonly phone: string
  /** The logo: the hash of its bytes, and its size. All null: there is none. */
  readonly logo: {
    readonly shop_logo: Buffer | null
    readonly shop_logo_width: number | null
    readonly shop_logo_height: number | null
  }
  readonly active: boolean
  /** Empty: the time zone of the service. */
  readonly timeZone: string
  /** Intents a month; null: no limit. */
  readonly quota: number | null
  /** The sites that may show the page in a frame. */
  readonly frameOrigins: readonly string[]
}
