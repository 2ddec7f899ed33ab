/** API keys, tokens, sessions and terms of accounts. */
import { pinSealer } from '../accounts/counters/sealed-pin.ts'
import { keyLookup } from '../accounts/keys/key-lookup.ts'
import { keyUse } from '../accounts/keys/key-use.ts'
import { knownBrowsers } from '../accounts/sessions/known-browser.ts'
import { passkeyChallenges } from '../accounts/sessions/passkey-challenge.ts'
import { secondFactor } from '../accounts/sessions/second-factor.ts'
import { sessionLookup } from '../accounts/sessions/session-lookup.ts'
import { openTokens } from '../accounts/sessions/token.ts'
import { termsLookup } from '../accounts/tenants/account-terms.ts'
import type { Base } from './open-base.ts'

export const createAccounts = ({ config, db, zone, masterKey, onWarning }: Base) => ({
  tokens: openTokens(masterKey),
  keys: keyLookup(db),
  keyUse: keyUse(db, config.timeZone, onWarning('the last use of keys could not be stored')),
  sessions: sessionLookup(db),
  factor: secondFactor(masterKey),
  challenges: passkeyChallenges(masterKey),
  pins: pinSealer(masterKey),
  knownBrowsers: knownBrowsers(masterKey),
  terms: termsLookup(db, zone),
})
