/** The amount of an alert inside a sentence. */
import { usualCurrency } from '@sanad/contract/currency'
import { moneyText } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'

export type MoneyOfAlert = { readonly amount: string | null; readonly currency: string | null }

export const useAlertMoney = (): ((alert: MoneyOfAlert) => string) => {
  const { t, language } = useWords(unmatchedWords)
  return ({ amount, currency }) =>
    amount === null ? t('unmatched.notRead') : moneyText(amount, currency ?? usualCurrency, language)
}
