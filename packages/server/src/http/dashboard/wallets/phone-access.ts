/**
 * `/phones/{id}/pairing/`, `/ingest/` and `/signing-key/`: creates and replaces the secrets by which a phone, or an app on
 * it, authenticates. Each secret is only in the answer that creates it.
 */
import * as operations from '@sanad/contract/dashboard/wallets/phones'
import { newSecret } from '../../../core/ids.ts'
import { savePhoneApp } from '../../../wallets/pairing/phone-setup-sql.ts'
import { watchedBy } from '../../../wallets/phones/account-phone.ts'
import { regenerateCode, renewIngestAccess, setSigningKey } from '../../../wallets/phones/phone-access.ts'
import { notFound } from '../../answers.ts'
import { appGuide, canSign } from '../../device/adapters/app-guide.ts'
import { actorIn, change, type Route, route } from '../route.ts'
import { pairingAnswer, phoneAnswer } from './phone-answers.ts'
import { forgetPhone, type PhoneDeps, phoneIn } from './phones.ts'

export const phoneAccessRoutes = (deps: PhoneDeps): Route[] => [
  route(operations.pairPhone, phoneIn(deps), async (call, phone) => {
    const { request, member, now } = call
    const pairing = await change(deps, call, async (db, audit) => {
      const done = await regenerateCode(db, deps.phoneSecrets, member.scope, phone.id, now, actorIn(call).actor)
      if (done !== undefined) audit({ action: 'phone.pair', kind: 'phone', id: phone.id, after: { name: phone.name } })
      return done
    })
    if (pairing === undefined) throw notFound()
    return {
      phone: phoneAnswer(await phoneIn(deps)(call), deps.zone, now),
      pairing: pairingAnswer(pairing, deps.ownOrigin(request), deps.zone),
    }
  }),
  route(operations.letAppIn, phoneIn(deps), async (call, phone) => {
    const { request, member, now } = call
    // Without `signing_key`, an app that can sign gets a new key. Null: the app does not sign.
    const { app, signing_key: chosenKey } = call.body
    const signingKey = canSign(app) ? (chosenKey === undefined ? newSecret() : chosenKey) : null
    const access = await change(deps, call, async (db, audit) => {
      const done = await renewIngestAccess(db, deps.phoneSecrets, member.scope, phone.id, now, signingKey, app)
      if (done !== undefined) await savePhoneApp(db, member.scope, phone.id, app)
      const after = { app, signs: signingKey !== null }
      const notice = { kind: 'app_let_in', facts: { name: phone.name, ...after } } as const
      if (done !== undefined) audit({ action: 'phone.let_app_in', kind: 'phone', id: phone.id, after, notice })
      return done
    })
    if (access === undefined) throw notFound()
    forgetPhone(deps, call, phone)
    const guide = appGuide(app, {
      phone: phone.id,
      url: deps.ownOrigin(request),
      token: access.token,
      signingKey,
      ...watchedBy(phone),
    })
    return {
      phone: phoneAnswer(await phoneIn(deps)(call), deps.zone, now),
      app,
      url: guide.url,
      signing_key: signingKey,
      settings: guide.settings.map(({ label, value, multiline }) => ({ label, value, multiline })),
      rule_file: guide.ruleFile && { ...guide.ruleFile },
    }
  }),
  route(operations.setSigningKey, phoneIn(deps), async (call, phone) => {
    const { member, now } = call
    const { signing_key: key } = call.body
    const done = await change(deps, call, async (db, audit) => {
      const set = await setSigningKey(db, deps.phoneSecrets, member.scope, phone.id, key, now)
      const after = { signs: key !== null }
      const notice = { kind: 'signing_key_set', facts: { name: phone.name, ...after } } as const
      if (set) audit({ action: 'phone.set_key', kind: 'phone', id: phone.id, after, notice })
      return set
    })
    if (!done) throw notFound()
    forgetPhone(deps, call, phone)
    return phoneAnswer(await phoneIn(deps)(call), deps.zone, now)
  }),
]
