/** The native protocol of phones, under `/api/v1/device`: pair, alerts, heartbeat. */
import { type Heartbeat, pairPhone, reportAlerts, sendHeartbeat } from '@sanad/contract/device/operations'
import type { FastifyInstance } from 'fastify'
import type { Instant } from '../../core/clock.ts'
import type { AnswerAlerts, Recorded } from '../../matching/report/record-alerts.ts'
import type { AboutPhone, Paired } from '../../wallets/pairing/pair-phone.ts'
import type { AnswerOnce } from '../../wallets/phones/answer-once.ts'
import type { Health, Heartbeats } from '../../wallets/phones/heartbeat.ts'
import { openSelfTest } from '../../wallets/phones/self-test.ts'
import { invalid, sendJson, throttled } from '../answers.ts'
import type { ReadBody } from '../body/schema-reader.ts'
import { addressKey } from '../limits/address-key.ts'
import { type Api, addRoutes } from '../routes/add-routes.ts'
import { asSent, makeRoute, type OpenCall, type Route, type RouteMaker, readBy, readLate } from '../routes/route.ts'
import { configOf } from './config-answer.ts'
import { seconds, take, wrongSignature } from './phone-route.ts'
import { type ReportedAlert, readAlerts } from './reported-alerts.ts'
import { type SignedCall, type SignedDeps, signedApi } from './signed-request.ts'

export const deviceBase = '/api/v1/device'

/** Undefined: the code is not valid. */
export type PairPhone = (typed: string, about: AboutPhone, now: Instant) => Promise<Paired | undefined>

export type DeviceDeps = SignedDeps & {
  readonly pair: PairPhone
  readonly once: AnswerOnce
  readonly pulse: Heartbeats
  readonly answer: AnswerAlerts
}

export const deviceApi = (deps: DeviceDeps) => async (app: FastifyInstance) => {
  addRoutes(app, pairingApi(deps), [pair(deps)])
  addRoutes(app, signedApi(deps), [alerts(deps), heartbeat(deps)])
}

const openRoute = makeRoute as RouteMaker<'open', OpenCall, Route<OpenCall>>
const signedRoute = makeRoute as RouteMaker<'phone', SignedCall, Route<SignedCall>>

/** Every attempt is counted per address before the code is checked, so a right guess counts too. */
const pairingApi = (deps: DeviceDeps): Api<OpenCall> => ({
  clock: deps.clock,
  configOf: () => ({}),
  beforeBody: () => {},
  authenticate: (_request, _operation, now) => ({ now, zone: () => deps.zone }),
  async count(_caller, request, _operation, now) {
    const verdict = await take(deps, 'pairing', addressKey(request.ip), now)
    if (!verdict.allowed) throw throttled(verdict.retryAfterS)
  },
  permit: (caller) => caller,
})

const pair = (deps: DeviceDeps): Route<OpenCall> =>
  openRoute(pairPhone, async ({ body: { code, ...about }, reply, now }) => {
    const paired = await deps.pair(code, about, now)
    const phone = paired && (await deps.knownPhones.load(paired.phoneId))
    if (paired === undefined || phone === undefined)
      throw wrongSignature('This code is wrong, used or expired. Create a new one on the dashboard.')
    reply.header('pragma', 'no-cache')
    return {
      device_id: paired.phoneId,
      secret: paired.secret,
      secret_version: paired.secretVersion,
      server_time: seconds(now),
      config: configOf(phone),
    }
  })

const alerts = (deps: DeviceDeps): Route<SignedCall> =>
  signedRoute(readBy(reportAlerts, asSent), async ({ phone, requestId, body, reply, now }) => {
    const write = (results: readonly Result[]): string =>
      JSON.stringify({
        results,
        server_time: seconds(now),
        switched_on: phone.on,
        config_version: configOf(phone).version,
      })
    const reading = readAlerts(body, deps.zone, now)
    const reported = reading.kind === 'ok' ? reading.value : []
    const reports = reported.flatMap(({ report }) => report ?? [])
    const from = { accountId: phone.accountId, phoneId: phone.id, adapter: 'native', trusted: true }
    const answer =
      reports.length > 0
        ? await deps.answer(
            from,
            reports,
            { id: requestId, write: (recorded) => write(resultsOf(reported, recorded)) },
            now,
          )
        : await deps.once(
            { phoneId: phone.id, requestId },
            async () => {
              if (reading.kind === 'no') throw invalid(reading.errors)
              return write(resultsOf(reported, []))
            },
            now,
          )
    await deps.pulse.seen(phone, true, now).catch(deps.onFault)
    return sendJson(reply, 200, answer)
  })

type Result = { client_id: string | null; status: Recorded | 'invalid' }

/** One result for each element, in the order of the request. */
const resultsOf = (reported: readonly ReportedAlert[], recorded: readonly Recorded[]): Result[] => {
  let next = 0
  return reported.map(({ clientId, valid, report }) => {
    const status = report === undefined ? undefined : recorded[next++]
    return { client_id: clientId, status: valid && status !== undefined ? status : 'invalid' }
  })
}

/** A call that is sent again gets its answer again, whatever its body is now. */
const heartbeat = (deps: DeviceDeps): Route<SignedCall> =>
  signedRoute(readLate(sendHeartbeat), async ({ phone, requestId, body, reply, now }) => {
    const answer = await deps.once(
      { phoneId: phone.id, requestId },
      async () => {
        await deps.pulse.beat(phone, healthIn(body(), now), 'heartbeat', now)
        const config = configOf(phone)
        const selfTest = openSelfTest(phone.selfTest, now)
        return JSON.stringify({
          server_time: seconds(now),
          switched_on: phone.on,
          config_version: config.version,
          config,
          // An agent that knows the self-test answers it by reporting a message of its own.
          self_test_until: selfTest === undefined ? null : seconds(selfTest.until),
        })
      },
      now,
    )
    return sendJson(reply, 200, answer)
  })

const iso = (when: Instant): string => new Date(when).toISOString()

/** Times are stored as ISO 8601 in UTC; beside the phone's clock its difference from the service's clock is stored. */
const healthIn = (sent: ReadBody<typeof Heartbeat>, now: Instant): Health => {
  const { clock, oldest_unsent_at: oldest, ...rest } = sent
  return {
    ...rest,
    clock: iso(clock),
    clock_off_s: Math.round((clock - now) / 1000),
    ...(oldest === undefined ? {} : { oldest_unsent_at: iso(oldest) }),
  }
}
