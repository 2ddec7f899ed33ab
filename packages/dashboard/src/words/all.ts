/** All that the dashboard says: one catalogue out of the screens' own. */
import { frame } from './frame.ts'

export const all = {
  en: { ...frame.en },
  ar: { ...frame.ar },
}

/** A plural is asked for by its name alone. */
type Base<Key> = Key extends `${infer Name}_one` | `${infer Name}_other` ? Name : Key

export type TextKey = Base<keyof typeof all.en>
