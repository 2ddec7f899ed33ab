/** By how many per cent a sum is above another one; below: negative. Exact sums as text; the result is rounded. Pure. */
const minor = (amount: string): bigint => BigInt(amount.replace('.', ''))

/** A larger change is not counted. */
export const mostPercent = 999

/** `before` is above zero. A change that rounds to nothing is at least one per cent, so that it is not called the same. */
export const changeInPercent = (now: string, before: string): number => {
  const [to, from] = [minor(now), minor(before)]
  if (to === from) return 0
  const percent = Math.min(mostPercent, Math.round(Number(((to - from) * 1000n) / from) / 10))
  return percent === 0 ? (to > from ? 1 : -1) : percent
}
