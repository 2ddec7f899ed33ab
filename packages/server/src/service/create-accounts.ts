/** API keys, tokens, sessions and terms of accounts. */
import { keyLookup } from '../accounts/keys/key-lookup.ts'
import { type KeyUse, keyUse } from '../accounts/keys/key-use.ts'
import { knownBrowsers } from '../accounts/sessions/known-browser.ts'
import { passkeyChallenges } from '../accounts/sessions/passkey-challenge.ts'
import { secondFactor } from '../accounts/sessions/second-factor.ts'
import { sessionLookup } from '../accounts/sessions/session-lookup.ts'
import { openTokens } from '../accounts/sessions/token.ts'
import { termsLookup } from '../accounts/tenants/account-terms.ts'
import { outsideCalls } from '../core/tracing/call-context.ts'
import type { Base } from './open-base.ts'

/** Uses are stored together, for many requests. */
const outsideRequests = (use: KeyUse): KeyUse => ({
  ...use,
  used: outsideCalls(use.used),
  exchanged: outsideCalls(use.exchanged),
})

export const createAccounts = ({ config, db, zone, masterKey, onWarning }: Base) => ({
  tokens: openTokens(masterKey),
  keys: keyLookup(db),
  keyUse: outsideRequests(keyUse(db, config.timeZone, onWarning('the last use of keys could not be stored'))),
  sessions: sessionLookup(db),
  factor: secondFactor(masterKey),
  challenges: passkeyChallenges(masterKey),
  knownBrowsers: knownBrowsers(masterKey),
  terms: termsLookup(db, zone),
})
