/** All that the dashboard says: one catalogue out of the screens' own. */
import { frame } from './frame.ts'
import { intents } from './intents.ts'
import { keys } from './keys.ts'
import { phones } from './phones.ts'
import { templates } from './templates.ts'
import { today } from './today.ts'
import { unmatched } from './unmatched.ts'
import { wallets } from './wallets.ts'
import { webhooks } from './webhooks.ts'

export const all = {
  en: {
    ...frame.en,
    ...today.en,
    ...intents.en,
    ...unmatched.en,
    ...keys.en,
    ...wallets.en,
    ...phones.en,
    ...templates.en,
    ...webhooks.en,
  },
  ar: {
    ...frame.ar,
    ...today.ar,
    ...intents.ar,
    ...unmatched.ar,
    ...keys.ar,
    ...wallets.ar,
    ...phones.ar,
    ...templates.ar,
    ...webhooks.ar,
  },
}

/** A plural is asked for by its name alone. */
type Base<Key> = Key extends `${infer Name}_one` | `${infer Name}_other` ? Name : Key

export type TextKey = Base<keyof typeof all.en>
