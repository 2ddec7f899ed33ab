/** The language and its direction. Changing it turns the page around at once. */
import { useSyncExternalStore } from 'react'
import type { TextKey } from './all.ts'
import { type Language, textOf } from './catalogue.ts'
import { inDigits } from './digits.ts'
import { keep, kept } from './kept.ts'

export type { Language } from './catalogue.ts'

export const directionOf = (language: string): 'rtl' | 'ltr' => (language === 'ar' ? 'rtl' : 'ltr')

const spoken = (): Language => (document.documentElement.lang === 'ar' ? 'ar' : 'en')
const listeners = new Set<() => void>()
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const speak = (language: Language): void => {
  keep('language', language)
  document.documentElement.lang = language
  document.documentElement.dir = directionOf(language)
  for (const tell of listeners) tell()
}

/** A browser that has lost what it tells the server, but not what it keeps. */
export const speakAsKept = (): void => {
  const language = kept('language')
  if ((language === 'ar' || language === 'en') && language !== spoken()) speak(language)
}

/** A text by its key; `count` chooses among its plural forms. */
export type Say = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string

/** A name or a number inside a sentence keeps its own direction and does not turn the sentence around. */
const isolated = (value: string | number): string | number =>
  typeof value === 'string' ? `\u2068${value}\u2069` : value

const sayIn =
  (language: Language): Say =>
  (key, values = {}) =>
    textOf(
      language,
      key,
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isolated(value)])),
      (value) => (typeof value === 'number' ? inDigits(String(value), language) : value),
    )

const voices = {
  en: { t: sayIn('en'), language: 'en' },
  ar: { t: sayIn('ar'), language: 'ar' },
} as const

export const useWords = (): { readonly t: Say; readonly language: Language } =>
  voices[useSyncExternalStore(subscribe, spoken)]
