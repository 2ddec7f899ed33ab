/**
 * The sentence that says which money has arrived: as a list of clips, and as a text for the system's voice. The payer's name is
 * only in the text: there is no clip of a name. Pure.
 */
import { usualCurrency } from '@sanad/contract/currency'
import type { Language } from '../words/catalogue.ts'
import { arabicAmount, arabicFrom, arabicLook, arabicReceived, arabicText } from './arabic.ts'
import { englishAmount, englishFrom, englishLook, englishReceived } from './english.ts'

/** Money that is said. `amount`: as the API writes it (`1500.00`). `payer`: empty if no name is known. */
export type SpokenMoney = {
  readonly amount: string
  readonly currency: string
  readonly payer: string
  /** A member must look at it: that is said instead of the payer. */
  readonly needsLook?: boolean
}

/** At most 12 digits before the point (the limit of the API) and two after it: a number holds both parts exactly. */
const amountPattern = /^(\d{1,12})(?:\.(\d{1,2}))?$/

/** The amount in words; undefined: it is no amount, or of a currency whose name is not known here. */
const amountWords = ({ amount, currency }: SpokenMoney, language: Language): string[] | undefined => {
  const [, whole, hundredths = ''] = amountPattern.exec(amount) ?? []
  if (whole === undefined || currency !== usualCurrency) return undefined
  const words = language === 'ar' ? arabicAmount : englishAmount
  return words(Number(whole), Number(hundredths.padEnd(2, '0')))
}

export const moneyClips = (money: SpokenMoney, language: Language): string[] | undefined => {
  const words = amountWords(money, language)
  if (words === undefined) return undefined
  const [received, look] = language === 'ar' ? [arabicReceived, arabicLook] : [englishReceived, englishLook]
  return [received, ...words, ...(money.needsLook === true ? [look] : [])]
}

const longestName = 60

/** A name as a voice reads it: without marks of direction and line breaks, and not for longer than a sentence. */
const spokenName = (payer: string): string =>
  [...payer.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()].slice(0, longestName).join('').trim()

export const moneyText = (money: SpokenMoney, language: Language): string | undefined => {
  const clips = moneyClips(money, language)
  if (clips === undefined) return undefined
  const text = language === 'ar' ? arabicText(clips) : clips.join(' ')
  const name = money.needsLook === true ? '' : spokenName(money.payer)
  return name === '' ? text : `${text} ${language === 'ar' ? arabicFrom : englishFrom} ${name}`
}

/** Every clip that a sentence can need. `money-sentence.test.ts` shows that no amount needs another. */
export const allClips = (language: Language): string[] => {
  const found = new Set<string>([language === 'ar' ? arabicLook : englishLook])
  const add = (amount: string): void => {
    for (const clip of moneyClips({ amount, currency: usualCurrency, payer: '' }, language) ?? []) found.add(clip)
  }
  for (let count = 0; count <= 999; count += 1) {
    const digits = String(count)
    const padded = digits.padStart(3, '0')
    // In every place, last or not, first or not.
    for (const zeros of ['', '000', '000000', '000000000'])
      for (const first of ['', '5', '5000', '5000000']) {
        const above = first === '' ? digits : first + padded
        for (const amount of [above + zeros, above + zeros.replace(/0$/, '7')]) if (amount.length <= 12) add(amount)
      }
  }
  for (let count = 1; count <= 99; count += 1)
    for (const whole of ['0', '7']) add(`${whole}.${String(count).padStart(2, '0')}`)
  return [...found].sort()
}
