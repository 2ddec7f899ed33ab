/** An account as its buyers see it. Pure. */
export type PageShop = {
  readonly name: string
  /** `#RRGGBB`, or empty. */
  readonly color: string
  /** Digits with the country code, or empty. */
  readonly whatsapp: string
  readonly phone: string
  readonly active: boolean
  /** Empty: that of the service. */
  readonly timeZone: string
  /** Intents a month; null: no limit. */
  readonly quota: number | null
  /** The sites that may show the page in a frame. */
  readonly frameOrigins: readonly string[]
}
