/**
 * The language, its direction, and the ways a person likes numbers, rows and the theme: kept in this browser. Changing
 * the language turns the page around at once.
 */
import { useSyncExternalStore } from 'react'
import type { TextKey } from './all.ts'
import { type Language, textOf } from './catalogue.ts'

export type { Language } from './catalogue.ts'
export type Digits = 'latn' | 'arab'

export const kept = (name: string): string | null => {
  try {
    return localStorage.getItem(`sanad-${name}`)
  } catch {
    return null
  }
}

/** The server writes the page in them: it begins in the right language, on the right paper and in the letters at hand. */
const toldToServer: readonly string[] = ['language', 'theme', 'letters']

export const keep = (name: string, value: string): void => {
  if (toldToServer.includes(name))
    // biome-ignore lint/suspicious/noDocumentCookie: the other way of writing one is not in every browser, and no promise is needed
    document.cookie = `sanad_${name}=${value}; path=/; max-age=31536000; samesite=lax`
  try {
    localStorage.setItem(`sanad-${name}`, value)
  } catch {
    // A browser that keeps nothing still shows everything.
  }
}

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
    textOf(language, key, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isolated(value)])))

const voices = {
  en: { t: sayIn('en'), language: 'en' },
  ar: { t: sayIn('ar'), language: 'ar' },
} as const

export const useWords = (): { readonly t: Say; readonly language: Language } =>
  voices[useSyncExternalStore(subscribe, spoken)]
