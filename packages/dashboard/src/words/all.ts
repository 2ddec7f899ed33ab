/** All that the dashboard says: one catalogue out of the screens' own. */

import { audit } from './audit.ts'
import { dayClose } from './day-close.ts'
import { firstPayment } from './first-payment.ts'
import { frame } from './frame.ts'
import { hidden } from './hidden.ts'
import { intents } from './intents.ts'
import { keys } from './keys.ts'
import { notices } from './notices.ts'
import { open } from './open.ts'
import { operator } from './operator.ts'
import { phones } from './phones.ts'
import { refused } from './refused.ts'
import { search } from './search.ts'
import { settings } from './settings.ts'
import { templates } from './templates.ts'
import { today } from './today.ts'
import { unmatched } from './unmatched.ts'
import { wallets } from './wallets.ts'
import { webhooks } from './webhooks.ts'

export const all = {
  en: {
    ...frame.en,
    ...today.en,
    ...notices.en,
    ...intents.en,
    ...unmatched.en,
    ...keys.en,
    ...wallets.en,
    ...phones.en,
    ...hidden.en,
    ...templates.en,
    ...webhooks.en,
    ...dayClose.en,
    ...firstPayment.en,
    ...settings.en,
    ...audit.en,
    ...operator.en,
    ...open.en,
    ...refused.en,
    ...search.en,
  },
  ar: {
    ...frame.ar,
    ...today.ar,
    ...notices.ar,
    ...intents.ar,
    ...unmatched.ar,
    ...keys.ar,
    ...wallets.ar,
    ...phones.ar,
    ...hidden.ar,
    ...templates.ar,
    ...webhooks.ar,
    ...dayClose.ar,
    ...firstPayment.ar,
    ...settings.ar,
    ...audit.ar,
    ...operator.ar,
    ...open.ar,
    ...refused.ar,
    ...search.ar,
  },
}

/** A plural is asked for by its name alone. */
type Base<Key> = Key extends `${infer Name}_one` | `${infer Name}_other` ? Name : Key

export type TextKey = Base<keyof typeof all.en>
