/**
 * The calls of the set-up page, under `/pair/`. A one-time code opens a session: a cookie of this path that no script can
 * read and that no other site can send. The page chooses the token of the session, so that it can repeat a call whose answer
 * was lost. With the cookie the page reads the progress of the set-up, stores which app was chosen, and creates that app's
 * access, for this phone only. Guessing codes is limited per address, as in the native protocol; a cookie that is not valid
 * counts against the address too.
 */
import { setupApps } from '@sanad/contract/kinds'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { changeWithAudit } from '../../accounts/audit/audit.ts'
import { clientInfo } from '../../accounts/people/signed-in-user.ts'
import type { Instant } from '../../core/clock.ts'
import { type AccountId, newSecret, type PhoneId } from '../../core/ids.ts'
import { wholeAccount } from '../../core/scope.ts'
import type { Db } from '../../postgres/connection/database.ts'
import {
  chooseApp,
  createAddress,
  createAgentCode,
  findSetup,
  openSetup,
  type SetupKey,
} from '../../wallets/pairing/set-up-phone.ts'
import { type AccountPhone, watchedBy } from '../../wallets/phones/account-phone.ts'
import { findPhoneOf } from '../../wallets/phones/account-phones.ts'
import type { PhoneLookup } from '../../wallets/phones/phone-lookup.ts'
import type { PhoneSecrets } from '../../wallets/phones/phone-secrets.ts'
import { type SetupSession, setupLife_ms, setupProgress } from '../../wallets/phones/phone-setup.ts'
import { invalid, permissionDenied, sendJson, throttled } from '../answers.ts'
import { choice, object, type Reading, readBody, required, text, withDefault } from '../body/fields.ts'
import type { Json } from '../body/json.ts'
import { appGuide, canSign } from '../device/adapters/app-guide.ts'
import { countedRefusal, type PhoneRouteDeps, take, wrongSignature } from '../device/phone-route.ts'
import { addressKey } from '../limits/address-key.ts'
import { uncountCall } from '../limits/count-call.ts'
import { requireHere, UnknownHere } from '../moved-account.ts'
import { sentBody } from '../routes/sent-body.ts'
import { pairingLink } from './pairing-link.ts'

export type PairDeps = PhoneRouteDeps & {
  readonly db: Db
  readonly secrets: PhoneSecrets
  readonly knownPhones: PhoneLookup
  /** Cookies are only sent over https. */
  readonly secure: boolean
  readonly ownOrigin: (request: FastifyRequest) => string
  /** The phone changed: open screens get a hint. `noticed`: the owners were notified. */
  readonly onChange: (accountId: AccountId, phoneId: PhoneId, noticed: boolean) => void
}

const cookieName = 'sanad_setup'
const tokenShape = /^[A-Za-z0-9_-]{20,100}$/

const tokenIn = (request: FastifyRequest): string | undefined => {
  const sent = new RegExp(`(?:^|;\\s*)${cookieName}=([^;]*)`).exec(request.headers.cookie ?? '')?.[1]
  return sent !== undefined && tokenShape.test(sent) ? sent : undefined
}

const app = choice(setupApps)
/** `token`: the token of the session, 32 random bytes that the page chose. Programs may leave it out. */
const codeBody = object({
  code: required(text({ max: 100 })),
  model: withDefault(text({ max: 100, blank: true }), ''),
  token: withDefault(text({ max: 100, blank: true }), ''),
})
const pageToken = /^[A-Za-z0-9_-]{43}$/
const appBody = object({ app: required(app) })

const read = <T>(request: FastifyRequest, reader: (sent: Json) => Reading<T>): T => {
  const reading = reader(sentBody(request))
  if (reading.kind === 'no') throw invalid(reading.errors)
  return reading.value
}

type OpenSetup = {
  readonly session: SetupSession
  readonly key: SetupKey
  readonly phone: AccountPhone
  readonly now: Instant
}

export const pairCalls = (deps: PairDeps) => async (server: FastifyInstance) => {
  server.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
  })

  /** Refuses a change that comes from a page of another site. */
  const checkOrigin = (request: FastifyRequest): void => {
    const { origin } = request.headers
    if (origin !== undefined && origin !== deps.ownOrigin(request)) throw permissionDenied()
  }

  const openSetupOf = async (request: FastifyRequest): Promise<OpenSetup> => {
    const now = deps.clock.now()
    const token = tokenIn(request)
    const session = token === undefined ? undefined : await findSetup(deps.db, token, now)
    const phone = session && (await findPhoneOf(deps.db, wholeAccount(session.accountId), session.phoneId))
    if (token === undefined) throw wrongSignature('There is no set-up here. Open a new code.')
    if (session === undefined || phone === undefined) {
      const problem = await countedRefusal(
        deps,
        request,
        wrongSignature('This set-up has ended. Open a new code.'),
        now,
      )
      // The code was of an account that has moved: the session is in its cell.
      if (problem.status !== 401) throw problem
      throw new UnknownHere(problem, () => uncountCall(deps, 'ingest_failure', addressKey(request.ip), now))
    }
    requireHere(server, session.accountId)
    const verdict = await take(deps, 'device', phone.id, now)
    if (!verdict.allowed) throw throttled(verdict.retryAfterS)
    const { accountId, phoneId } = session
    return { session, key: { scope: wholeAccount(accountId), phoneId, token }, phone, now }
  }

  const state = ({ session, phone }: Pick<OpenSetup, 'session' | 'phone'>): object => {
    const time = (at: Instant | null): string | null => (at === null ? null : new Date(at).toISOString())
    const progress = setupProgress(phone.setup, phone)
    return {
      phone: phone.name,
      account: session.accountName,
      senders: watchedBy(phone).senders,
      app: progress.chosen,
      until: time(session.until),
      opened_at: time(progress.openedAt),
      app_at: time(progress.chosenAt),
      registered_at: time(progress.registeredAt),
      configured_at: time(progress.configuredAt),
      contact_at: time(progress.contactAt),
      message_at: time(progress.messageAt),
    }
  }

  const answer = (reply: FastifyReply, value: object): FastifyReply => sendJson(reply, 200, JSON.stringify(value))

  server.post('/pair/session', async (request, reply) => {
    checkOrigin(request)
    const now = deps.clock.now()
    const verdict = await take(deps, 'pairing', addressKey(request.ip), now)
    if (!verdict.allowed) throw throttled(verdict.retryAfterS)
    const { code, model, token: chosen } = read(request, (sent) => readBody(codeBody, sent))
    const token = pageToken.test(chosen) ? chosen : newSecret()
    const isHere = (accountId: AccountId): void => requireHere(server, accountId)
    const opened = await deps.db.transaction((tx) => openSetup(tx, deps.secrets, code, model, now, isHere, token))
    // The code may have been used by this page already: the answer to its first call was lost, and it repeats the call.
    const session = await findSetup(deps.db, token, now)
    const phone = session && (await findPhoneOf(deps.db, wholeAccount(session.accountId), session.phoneId))
    if (session === undefined || phone === undefined)
      throw wrongSignature('This code is wrong, used or expired. Create a new one on the dashboard.')
    if (opened !== undefined) deps.onChange(opened.scope.accountId, opened.phoneId, true)
    const cookie = `${cookieName}=${token}; Path=/pair; Max-Age=${setupLife_ms / 1000}; HttpOnly; SameSite=Strict`
    reply.header('set-cookie', deps.secure ? `${cookie}; Secure` : cookie)
    return answer(reply, state({ session, phone }))
  })

  server.get('/pair/session', async (request, reply) => answer(reply, state(await openSetupOf(request))))

  server.post('/pair/app', async (request, reply) => {
    checkOrigin(request)
    const { key, phone, now, session } = await openSetupOf(request)
    const { app } = read(request, (sent) => readBody(appBody, sent))
    if (!(await chooseApp(deps.db, key, app, now))) throw wrongSignature('This set-up has ended. Open a new code.')
    deps.onChange(key.scope.accountId, key.phoneId, false)
    const changed = await findPhoneOf(deps.db, key.scope, key.phoneId)
    return answer(reply, state({ session, phone: changed ?? phone }))
  })

  server.post('/pair/access', async (request, reply) => {
    checkOrigin(request)
    const { key, phone, now, session } = await openSetupOf(request)
    const { app } = read(request, (sent) => readBody(appBody, sent))
    const origin = deps.ownOrigin(request)
    const actor = {
      accountId: key.scope.accountId,
      userId: null,
      actor: session.by,
      via: 'session',
      ...clientInfo(request.ip, request.headers['user-agent']),
    } as const
    if (app === 'agent') {
      const { result: pairing } = await changeWithAudit(deps.db, actor, now, async (tx, audit) => {
        const done = await createAgentCode(tx, deps.secrets, key, session.by, now)
        if (done !== undefined)
          audit({ action: 'phone.pair', kind: 'phone', id: phone.id, after: { name: phone.name, on_phone: true } })
        return done
      })
      if (pairing === undefined) throw tooMany()
      deps.onChange(key.scope.accountId, key.phoneId, false)
      return answer(reply, {
        app,
        fields: agentLine(origin, pairing.code),
        file: null,
        until: new Date(pairing.until).toISOString(),
      })
    }
    const signingKey = canSign(app) ? newSecret() : null
    const { result: access } = await changeWithAudit(deps.db, actor, now, async (tx, audit) => {
      const done = await createAddress(tx, deps.secrets, key, app, signingKey, now)
      const after = { app, signs: signingKey !== null, on_phone: true }
      const notice = { kind: 'app_let_in', facts: { name: phone.name, app, signs: signingKey !== null } } as const
      if (done !== undefined) audit({ action: 'phone.let_app_in', kind: 'phone', id: phone.id, after, notice })
      return done
    })
    if (access === undefined) throw tooMany()
    deps.knownPhones.forget(phone.id)
    deps.onChange(key.scope.accountId, key.phoneId, true)
    const guide = appGuide(app, { phone: phone.id, url: origin, token: access.token, signingKey, ...watchedBy(phone) })
    return answer(reply, { app, fields: guide.settings, file: guide.ruleFile, until: null })
  })
}

const tooMany = () => throttled(Math.ceil(setupLife_ms / 1000))

/** The line that the user pastes into Termux, with the one-time code at its end. */
const agentLine = (origin: string, code: string) => {
  // The address stands between single quotes of a shell.
  const quoted = origin.replaceAll("'", '%27')
  const base = quoted.replace(/\/+$/, '')
  const value = `curl -fsS '${base}/agent/install' | sh -s -- '${pairingLink(code, quoted)}'`
  return [{ key: 'setup', label: 'Termux', value, multiline: true }]
}
