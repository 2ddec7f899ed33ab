/** The setting of unique amounts as it is sent. Pure. */
export const amountChoices = ['off', 'more', 'less'] as const
export type AmountChoice = (typeof amountChoices)[number]

/**
 * The largest difference to send, or undefined if it must be entered first. While unique amounts are off its field is
 * hidden: then a number that is not usable does not count, and the stored one stays.
 */
export const mostToSend = (choice: AmountChoice, typed: number | string, stored: number): number | undefined => {
  const most = typeof typed === 'string' && typed.trim() === '' ? Number.NaN : Number(typed)
  if (Number.isInteger(most) && most >= 1 && most <= 99) return most
  return choice === 'off' ? stored : undefined
}
