/** What an entry of the audit log says without its buyer: mobile numbers are masked, and names of payers. Pure. */
import { maskedJson, stars, withoutMobileNumbers } from '../../core/numbers/mobile-number.ts'

/** Objects of the shop itself: a number in them is the shop's, and who changed it must stay readable. */
const shopsOwn: readonly string[] = ['account', 'approval', 'phone', 'provider', 'wallet']

type About = { readonly action: string; readonly kind: string }

/** JSON of as many characters as before: the database lets nothing else change. */
export const withoutBuyers = <T extends string | null>({ action, kind }: About, json: T): T =>
  json === null || shopsOwn.includes(kind)
    ? json
    : (maskedJson(json, (text, name) =>
        action === 'intent.payer' && name === 'name' ? stars(text) : withoutMobileNumbers(text),
      ) as T)
