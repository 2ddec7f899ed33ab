/** Phones: their secrets, the cache of them, and what they do with hints to open dashboards. */
import { phonesWithHints } from '../http/device/phones-with-hints.ts'
import { requireHere } from '../http/moved-account.ts'
import { answerOnce } from '../wallets/phones/answer-once.ts'
import { phoneLookup } from '../wallets/phones/phone-lookup.ts'
import { phoneSecrets } from '../wallets/phones/phone-secrets.ts'
import type { Alerts } from './create-alerts.ts'
import type { Base } from './open-base.ts'
import type { Live } from './open-live.ts'

export const createPhones = ({ db, masterKey, frozen }: Base, { readReport }: Alerts, { sendHint }: Live) => {
  const secrets = phoneSecrets(masterKey)
  const knownPhones = phoneLookup(db, readReport.forget)
  return {
    secrets,
    knownPhones,
    routes: {
      ...phonesWithHints({
        db,
        knownPhones,
        secrets,
        sendHint,
        requireHere: (accountId) => requireHere({ frozen }, accountId),
      }),
      once: answerOnce(db),
    },
  }
}
