/**
 * Chooses the payments that are announced by sound: recent ones that were not shown before. After a lost connection old
 * payments are not read out, and never more than three in a row. Pure.
 */
type Payment = { readonly intent: string; readonly verified_at: string }
type ShownPayments<P extends Payment> = { readonly at: string; readonly payments: readonly P[] }

export const freshFor_ms = 120_000
export const mostAtOnce = 3

/** `seen`: the intents that were shown before; undefined: the screen was just opened. Oldest first. */
export const toAnnounce = <P extends Payment>(
  seen: ReadonlySet<string> | undefined,
  { at, payments }: ShownPayments<P>,
): P[] =>
  seen === undefined
    ? []
    : payments
        .filter(
          ({ intent, verified_at }) => !seen.has(intent) && Date.parse(at) - Date.parse(verified_at) < freshFor_ms,
        )
        .slice(0, mostAtOnce)
        .reverse()

/** An amount in a form that a voice reads well: without grouping and without `.00`. */
export const spokenAmount = (amount: string): string => amount.replace(/\.00$/, '')
