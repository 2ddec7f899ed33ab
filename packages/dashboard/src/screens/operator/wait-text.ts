/** How long something has waited, in the largest unit that fits. */
import type { Say } from '../../words/language.ts'

export const waitText = (seconds: number, t: Say): string => {
  if (seconds < 60) return t('health.seconds', { count: seconds })
  if (seconds < 3600) return t('health.minutes', { count: Math.floor(seconds / 60) })
  return t('health.hours', { count: Math.floor(seconds / 3600) })
}
