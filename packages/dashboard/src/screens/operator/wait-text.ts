/** A waiting time in the largest unit that fits. */
import type { Translate } from '../../words/language.ts'
import type { operatorWords } from '../../words/screens/operator.ts'

export const waitText = (seconds: number, t: Translate<typeof operatorWords>): string => {
  if (seconds < 60) return t('health.seconds', { count: seconds })
  if (seconds < 3600) return t('health.minutes', { count: Math.floor(seconds / 60) })
  return t('health.hours', { count: Math.floor(seconds / 3600) })
}
