/** All that the dashboard says: one catalogue out of the screens' own. */

import { audit } from './screens/audit.ts'
import { dayClose } from './screens/day-close.ts'
import { firstPayment } from './screens/first-payment.ts'
import { frame } from './frame.ts'
import { hidden } from './screens/hidden.ts'
import { intents } from './screens/intents.ts'
import { keys } from './screens/keys.ts'
import { notices } from './screens/notices.ts'
import { open } from './screens/open.ts'
import { operator } from './screens/operator.ts'
import { phones } from './screens/phones.ts'
import { refused } from './refused.ts'
import { search } from './screens/search.ts'
import { settings } from './screens/settings.ts'
import { templates } from './screens/templates.ts'
import { today } from './screens/today.ts'
import { unmatched } from './screens/unmatched.ts'
import { wallets } from './screens/wallets.ts'
import { webhooks } from './screens/webhooks.ts'

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
