/** What arrived for an order, beside what was asked: `200` and `of 4,200, 4,000 forgiven`. */
import { Text } from '@mantine/core'
import { moneyText } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { isZero } from './amounts.ts'
import { type Arrival, askedAmount } from './received-amount.ts'

/** The sentence about a difference; undefined: what was asked arrived, or nothing yet. */
export const useArrivalText = () => {
  const { t, language } = useWords()
  return (arrival: Arrival, currency: string): string | undefined => {
    const money = (amount: string): string => moneyText(amount, currency, language)
    const asked = askedAmount(arrival)
    const { forgiven_amount: forgiven, excess_amount: excess = null } = arrival
    if (asked === null) return undefined
    if (forgiven !== null && !isZero(forgiven))
      return t('part.forgivenOf', { asked: money(asked), forgiven: money(forgiven) })
    return excess === null || isZero(excess) ? undefined : t('part.excessOf', { excess: money(excess) })
  }
}

/** The same as a line under an amount; nothing if there is no difference. */
export const ArrivalNote = ({ of, currency }: { of: Arrival; currency: string }) => {
  const text = useArrivalText()(of, currency)
  return text === undefined ? null : (
    <Text component="span" size="sm" c="var(--sanad-wrong)" display="block" fw={400}>
      {text}
    </Text>
  )
}

/** What was forgiven in a sum; nothing if it is zero. */
export const ForgivenSum = ({ amount, currency }: { amount: string; currency: string }) => {
  const { t, language } = useWords()
  return isZero(amount) ? null : (
    <Text component="span" c="var(--sanad-wrong)" display="block">
      {t('part.forgivenSum', { amount: moneyText(amount, currency, language) })}
    </Text>
  )
}
