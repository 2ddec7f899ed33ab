/**
 * `/phones/{id}/pairing/`, `/ingest/` and `/signing-key/`: how a phone, or an app on it, proves that it speaks for the
 * phone. What it proves it with is in the one answer that makes it.
 */
import * as operations from '@sanad/contract/dashboard/phones'
import { newSecret } from '../../ground/ids.ts'
import { regenerateCode, renewIngestAccess, setSigningKey } from '../../wallets/manage-devices.ts'
import { watchedBy } from '../../wallets/managed-phone.ts'
import { notFound } from '../answers.ts'
import { readAppAccess, readSigningKey } from '../body/phone-body.ts'
import { appGuide, canSign } from '../device/adapters/app-guide.ts'
import { pairingAnswer, phoneAnswer } from './phone-answers.ts'
import { forgetPhone, type PhoneRooms, phoneIn } from './phones.ts'
import { actorIn, bodyOf, change, type Route, route } from './route.ts'

export const phoneAccessRoutes = (rooms: PhoneRooms): Route[] => [
  route(operations.pairPhone, async (call) => {
    const { request, who, now } = call
    const phone = await phoneIn(rooms, call)
    const pairing = await change(rooms, call, async (db, note) => {
      const done = await regenerateCode(db, rooms.deviceSecrets, who.accountId, phone.id, now, actorIn(call).actor)
      if (done !== undefined) note({ action: 'phone.pair', kind: 'phone', id: phone.id, after: { name: phone.name } })
      return done
    })
    if (pairing === undefined) throw notFound()
    return {
      phone: phoneAnswer(await phoneIn(rooms, call), rooms.zone, now),
      pairing: pairingAnswer(pairing, rooms.ownOrigin(request), rooms.zone),
    }
  }),
  route(operations.letAppIn, async (call) => {
    const { request, who, now } = call
    const phone = await phoneIn(rooms, call)
    const { app, signing_key: given } = bodyOf(call, readAppAccess)
    const signingKey = canSign(app) ? (given === undefined ? newSecret() : given) : null
    const access = await change(rooms, call, async (db, note) => {
      const done = await renewIngestAccess(db, rooms.deviceSecrets, who.accountId, phone.id, now, signingKey)
      const after = { app, signs: signingKey !== null }
      const notice = { kind: 'app_let_in', facts: { name: phone.name, ...after } } as const
      if (done !== undefined) note({ action: 'phone.let_app_in', kind: 'phone', id: phone.id, after, notice })
      return done
    })
    if (access === undefined) throw notFound()
    forgetPhone(rooms, call, phone)
    const guide = appGuide(app, {
      device: phone.id,
      url: rooms.ownOrigin(request),
      token: access.token,
      signingKey,
      ...watchedBy(phone),
    })
    return {
      phone: phoneAnswer(await phoneIn(rooms, call), rooms.zone, now),
      app,
      url: guide.url,
      signing_key: signingKey,
      settings: guide.settings.map((one) => ({ ...one })),
      rule_file: guide.ruleFile && { ...guide.ruleFile },
    }
  }),
  route(operations.setSigningKey, async (call) => {
    const { who, now } = call
    const phone = await phoneIn(rooms, call)
    const { signing_key: key } = bodyOf(call, readSigningKey)
    const done = await change(rooms, call, async (db, note) => {
      const set = await setSigningKey(db, rooms.deviceSecrets, who.accountId, phone.id, key, now)
      const after = { signs: key !== null }
      const notice = { kind: 'signing_key_set', facts: { name: phone.name, ...after } } as const
      if (set) note({ action: 'phone.set_key', kind: 'phone', id: phone.id, after, notice })
      return set
    })
    if (!done) throw notFound()
    forgetPhone(rooms, call, phone)
    return phoneAnswer(await phoneIn(rooms, call), rooms.zone, now)
  }),
]
