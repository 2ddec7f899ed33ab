/** The language of the page, its direction, and the texts in this language. A change re-renders every component at once. */
import { useSyncExternalStore } from 'react'
import { type Catalogue, type KeyOf, type Language, textOf } from './catalogue.ts'
import { inDigits, withOwnDigits } from './digits.ts'
import './frame.ts'
import './labels.ts'
import './refusals.ts'
import type { frameWords } from './frame.ts'
import type { labelWords } from './labels.ts'
import { readPreference, savePreference } from './preferences.ts'
import type { refusalWords } from './refusals.ts'

export type { Language } from './catalogue.ts'

export const directionOf = (language: string): 'rtl' | 'ltr' => (language === 'ar' ? 'rtl' : 'ltr')

const currentLanguage = (): Language => (document.documentElement.lang === 'ar' ? 'ar' : 'en')
const listeners = new Set<() => void>()
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const setLanguage = (language: Language): void => {
  savePreference('language', language)
  document.documentElement.lang = language
  document.documentElement.dir = directionOf(language)
  for (const listener of listeners) listener()
}

/** If the browser has lost its cookie, the server writes the page in another language: the stored language is set again. */
export const restoreLanguage = (): void => {
  const language = readPreference('language')
  if ((language === 'ar' || language === 'en') && language !== currentLanguage()) setLanguage(language)
}

/**
 * Returns the text of a key in the language of the page. `count` selects the plural form. The keys of the frame, of
 * labels and of refusals are always accepted; `Catalogues` are the other catalogues whose keys are accepted.
 */
export type Translate<Catalogues extends Catalogue = never> = (
  key: KeyOf<typeof frameWords | typeof labelWords | typeof refusalWords | Catalogues>,
  values?: Readonly<Record<string, string | number>>,
) => string

/** A string inside a sentence (a name, an amount) keeps its own direction and does not change that of the sentence. */
const isolated = (value: string | number): string | number =>
  typeof value === 'string' ? `\u2068${value}\u2069` : value

/** For tests too: a component calls `useWords`. */
export const translateIn =
  (language: Language): Translate<Catalogue> =>
  (key, values = {}) =>
    textOf(
      language,
      key,
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isolated(value)])),
      (value) => (typeof value === 'number' ? inDigits(String(value), language) : value),
      (text) => withOwnDigits(text, language),
    )

const translators = {
  en: { t: translateIn('en'), language: 'en' },
  ar: { t: translateIn('ar'), language: 'ar' },
} as const

/** `t` accepts the keys of the passed catalogues. Because a component passes them, they are loaded with the component. */
export const useWords = <const Catalogues extends readonly Catalogue[]>(
  ..._catalogues: Catalogues
): { readonly t: Translate<Catalogues[number]>; readonly language: Language } =>
  translators[useSyncExternalStore(subscribe, currentLanguage)]
