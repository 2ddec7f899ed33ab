/**
 * Figures that may grow more than others, each with the reason; by the beginning of their names. Everything else has the bar.
 */
export const explained: Readonly<Record<string, string>> = {}

export const reasonFor = (name: string): string | undefined =>
  Object.entries(explained).find(([beginning]) => name.startsWith(beginning))?.[1]
