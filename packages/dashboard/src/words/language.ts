/**
 * The language, its direction, and the ways a person likes numbers, rows and the theme: kept in this browser. Changing
 * the language turns the page around at once.
 */
import i18next from 'i18next'
import { initReactI18next, useTranslation } from 'react-i18next'
import { all, type TextKey } from './all.ts'

export type Language = 'ar' | 'en'
export type Digits = 'latn' | 'arab'

export const kept = (name: string): string | null => {
  try {
    return localStorage.getItem(`sanad-${name}`)
  } catch {
    return null
  }
}

export const keep = (name: string, value: string): void => {
  try {
    localStorage.setItem(`sanad-${name}`, value)
  } catch {
    // A browser that keeps nothing still shows everything.
  }
}

export const directionOf = (language: string): 'rtl' | 'ltr' => (language === 'ar' ? 'rtl' : 'ltr')

export const startWords = (): void => {
  const language = document.documentElement.lang === 'ar' ? 'ar' : 'en'
  void i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: 'en',
    defaultNS: 'all',
    ns: ['all'],
    resources: { en: { all: all.en }, ar: { all: all.ar } },
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
    initAsync: false,
  })
}

export const speak = (language: Language): void => {
  keep('language', language)
  document.documentElement.lang = language
  document.documentElement.dir = directionOf(language)
  void i18next.changeLanguage(language)
}

/** A text by its key; `count` chooses among its plural forms. */
export type Say = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string

/** A name or a number inside a sentence keeps its own direction and does not turn the sentence around. */
const isolated = (value: string | number): string | number =>
  typeof value === 'string' ? `\u2068${value}\u2069` : value

export const useWords = () => {
  const { t, i18n } = useTranslation()
  const say: Say = (key, values = {}) =>
    t(key, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isolated(value)])))
  return { t: say, language: (i18n.language === 'ar' ? 'ar' : 'en') as Language }
}
