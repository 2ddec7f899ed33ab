/**
 * A service, a merchant's server that records requests and answers as the test decides, and senders for its webhooks.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { readCidrs } from '../../src/core/cidr.ts'
import type { AccountId } from '../../src/core/ids.ts'
import { deriveKey, seal, unseal } from '../../src/core/seal.ts'
import { type Db, openDatabase } from '../../src/postgres/connection/database.ts'
import { receiverCaller } from '../../src/webhooks/calling/call-receiver.ts'
import { type SenderDeps, webhookSender } from '../../src/webhooks/sending/sender.ts'
import type { WebhookSettings } from '../../src/webhooks/settings.ts'
import { openMerchantServer } from '../support/merchant-server.ts'
import { phone } from '../support/phone.ts'
import { purchaseText } from '../support/sms-texts.ts'
import { openTestService } from '../support/story.ts'

export const senderStory = async () => {
  const service = await openTestService({ SANAD_LIMITS: 'off', SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' })
  const { clock, demo, sql } = service
  const handset = phone(service.origin, clock.now, demo.device)
  const accountId = (await sql('select account_id from devices where id = $1', [demo.device.id]))[0]![0] as AccountId
  const key = deriveKey(service.masterKey, 'webhook secrets')

  /** How the merchant's server answers each path; a path that is not here gets 200. */
  const answers = new Map<string, (response: ServerResponse, times: number) => void>()
  const { calls, at, callsAt } = await openMerchantServer(({ path }, response) => {
    const answer = answers.get(path)
    if (answer === undefined) response.end('thank you')
    else answer(response, callsAt(path).length)
  })

  const newEndpoint = async (
    path: string,
    kinds = ['payment.verified'],
    more: { secret?: string; wallet?: string } = {},
  ) => {
    const id = randomUUID()
    const secret = more.secret ?? `whsec_${id}`
    await sql(
      `insert into webhook_endpoints (account_id, id, url, wallet_id, kinds, secret_sealed, created_at)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [
        accountId,
        id,
        path.startsWith('http') ? path : at(path),
        more.wallet ?? null,
        kinds,
        seal(key, secret, id),
        new Date(clock.now()).toISOString(),
      ],
    )
    return { id, secret }
  }
  const enabledOnly = (id: string) => sql('update webhook_endpoints set enabled = (id = $1)', [id])

  const alertOf = (reference: string) => ({
    client_id: reference,
    kind: 'sms',
    sender: 'Jawali',
    text: purchaseText('1500.00', reference),
    sim_slot: 'SIM1',
    received_at: iso(clock.now()),
  })

  let count = 0
  const newReference = () => String(880_000_000_000 + ++count)
  /** Creates an intent and verifies it: its reference is attached and its alert is reported. */
  const pay = async (): Promise<{ id: string; reference: string }> => {
    const reference = newReference()
    const intent = (await service.create({ external_order_id: `order ${reference}` })).body
    await service.ask('PATCH', `/intents/${intent.id}/`, { body: { reference } })
    await handset.alerts([alertOf(reference)])
    return { id: intent.id, reference }
  }

  const until = async (goal: string, done: () => boolean | Promise<boolean>): Promise<void> => {
    for (let tries = 0; tries < 3000; tries++) {
      if (await done()) return
      await delay(10)
    }
    assert.fail(`did not happen: ${goal}`)
  }
  const waiting = async (): Promise<number> => Number((await sql('select count(*) from deliveries'))[0]![0])

  const startSender = (
    settings: Partial<WebhookSettings> = {},
    more: Partial<Pick<SenderDeps, 'unseal' | 'load'>> & { readonly wrapDb?: (db: Db) => Db } = {},
  ) => {
    const db = openDatabase({ url: service.databaseUrl, connections: 4, application: 'sender', onFault: () => {} })
    const allow = readCidrs('127.0.0.0/8')
    assert.ok(allow.ok)
    const receivers = receiverCaller({ development: true, allow: allow.list })
    const faults: unknown[] = []
    const sender = webhookSender({
      db: more.wrapDb?.(db) ?? db,
      clock,
      call: receivers.call,
      unseal: more.unseal ?? ((sealed, id) => unseal(key, sealed, id)),
      wholeUrl: ({ url }) => url,
      unsealHeaders: () => ({ 'x-shop': 'bakery' }),
      userAgent: 'Sanad/test',
      random: () => 0,
      settings: { poll_ms: 20, ...settings },
      onFault: (fault) => faults.push(fault),
      ...(more.load && { load: more.load }),
    })
    sender.start()
    return {
      wake: sender.wake,
      async stop(expected: readonly unknown[] = []) {
        await sender.stop()
        receivers.close()
        await db.close()
        assert.deepEqual(faults, expected)
      },
    }
  }

  const health = async (id: string) =>
    (
      await sql(
        `select enabled, network_failures, open_until, open_step, slow_start, failing_since, failures, warned_at, misconfigured
           from webhook_endpoints where id = $1`,
        [id],
      )
    )[0]!
  const attemptsOf = async (id: string): Promise<number> =>
    Number((await sql('select count(*) from delivery_attempts where endpoint_id = $1', [id]))[0]![0])
  const iso = (at: number) => new Date(at).toISOString()
  return {
    service,
    clock,
    demo,
    sql,
    handset,
    accountId,
    calls,
    answers,
    at,
    callsAt,
    newEndpoint,
    enabledOnly,
    alertOf,
    newReference,
    pay,
    until,
    waiting,
    startSender,
    health,
    attemptsOf,
    iso,
  }
}
