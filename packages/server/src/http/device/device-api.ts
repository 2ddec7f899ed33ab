/** The native protocol of phones, under `/api/v1/device`: pair, alerts, heartbeat. */
import type { FastifyInstance } from 'fastify'
import type { Instant } from '../../core/clock.ts'
import type { Zone } from '../../core/zone.ts'
import type { AnswerAlerts, Recorded } from '../../matching/report/record-alerts.ts'
import type { AboutPhone, Paired } from '../../wallets/pairing/pair-phone.ts'
import type { AnswerOnce } from '../../wallets/phones/answer-once.ts'
import type { Heartbeats } from '../../wallets/phones/heartbeat.ts'
import { openSelfTest } from '../../wallets/phones/self-test.ts'
import { invalid, sendJson, throttled } from '../answers.ts'
import { heartbeatReader } from '../body/device/heartbeat-body.ts'
import { readPair } from '../body/device/pair-body.ts'
import { addressKey } from '../limits/address-key.ts'
import { sentBody } from '../routes/sent-body.ts'
import { configOf } from './config-answer.ts'
import { addPost, type PostRoute, seconds, take, wrongSignature } from './phone-route.ts'
import { type ReportedAlert, readAlerts } from './reported-alerts.ts'
import { authenticatePhone, mustBeSigned, type SignedDeps } from './signed-request.ts'

export const deviceBase = '/api/v1/device'

/** Undefined: the code is not valid. */
export type PairPhone = (typed: string, about: AboutPhone, now: Instant) => Promise<Paired | undefined>

export type DeviceDeps = SignedDeps & {
  readonly zone: Zone
  readonly pair: PairPhone
  readonly once: AnswerOnce
  readonly pulse: Heartbeats
  readonly answer: AnswerAlerts
}

export const deviceApi = (deps: DeviceDeps) => async (app: FastifyInstance) => {
  for (const route of [pair(deps), alerts(deps), heartbeat(deps)]) addPost(app, route)
}

/** Every attempt is counted per address before the code is checked, so a right guess counts too. */
const pair = (deps: DeviceDeps): PostRoute => ({
  url: '/pair',
  async handle(request, reply) {
    const now = deps.clock.now()
    const verdict = await take(deps, 'pairing', addressKey(request.ip), now)
    if (!verdict.allowed) throw throttled(verdict.retryAfterS)
    const reading = readPair(sentBody(request))
    if (reading.kind === 'no') throw invalid(reading.errors)
    const paired = await deps.pair(reading.value.code, reading.value.about, now)
    const phone = paired && (await deps.knownPhones.load(paired.phoneId))
    if (paired === undefined || phone === undefined)
      throw wrongSignature('This code is wrong, used or expired. Create a new one on the dashboard.')
    reply.header('cache-control', 'no-store').header('pragma', 'no-cache')
    const answer = {
      device_id: paired.phoneId,
      secret: paired.secret,
      secret_version: paired.secretVersion,
      server_time: seconds(now),
      config: configOf(phone),
    }
    return sendJson(reply, 200, JSON.stringify(answer))
  },
})

const alerts = (deps: DeviceDeps): PostRoute => ({
  url: '/alerts',
  before: mustBeSigned(deps),
  async handle(request, reply) {
    const now = deps.clock.now()
    const { phone, requestId } = await authenticatePhone(deps, request, now)
    const write = (results: readonly Result[]): string =>
      JSON.stringify({
        results,
        server_time: seconds(now),
        switched_on: phone.on,
        config_version: configOf(phone).version,
      })
    const reading = readAlerts(sentBody(request), deps.zone, now)
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
  },
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

const heartbeat = (deps: DeviceDeps): PostRoute => {
  const read = heartbeatReader(deps.zone)
  return {
    url: '/heartbeat',
    before: mustBeSigned(deps),
    async handle(request, reply) {
      const now = deps.clock.now()
      const { phone, requestId } = await authenticatePhone(deps, request, now)
      const answer = await deps.once(
        { phoneId: phone.id, requestId },
        async () => {
          const reading = read(sentBody(request), now)
          if (reading.kind === 'no') throw invalid(reading.errors)
          await deps.pulse.beat(phone, reading.value, 'heartbeat', now)
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
    },
  }
}
