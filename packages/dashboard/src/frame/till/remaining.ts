/** How long a pause still lasts, as minutes and seconds. Pure. */
export const remainingText = (until: number, now: number): string | undefined => {
  const seconds = Math.ceil((until - now) / 1000)
  if (seconds <= 0) return undefined
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60]
  return `${minutes}:${String(rest).padStart(2, '0')}`
}
