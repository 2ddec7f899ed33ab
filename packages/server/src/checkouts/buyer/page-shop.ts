/** An account as its buyers see it. Pure. */
export type PageShop = {
  readonly name: string
  /** `#RRGGBB`, or empty. */
  readonly color: string
  /** Digits with the country code, or empty. */
  readonly whatsapp: string
  readonly phone: string
  /** The picture beside the name, by the hash of its bytes; all null: none. */
  readonly logo: {
    readonly shop_logo: Buffer | null
    readonly shop_logo_width: number | null
    readonly shop_logo_height: number | null
  }
  readonly active: boolean
  /** Empty: that of the service. */
  readonly timeZone: string
  /** Intents a month; null: no limit. */
  readonly quota: number | null
  /** The sites that may show the page in a frame. */
  readonly frameOrigins: readonly string[]
}
