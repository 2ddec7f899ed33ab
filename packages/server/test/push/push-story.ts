/** A service with members, a phone, and a push service of the tests' own; the two loops are run by hand, at the test's time. */
import assert from 'node:assert/strict'
import { readCidrs } from '../../src/core/cidr.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { announceUnmatched } from '../../src/matching/queue/announce-unmatched.ts'
import { type Db, openDatabase } from '../../src/postgres/connection/database.ts'
import { pushCollector } from '../../src/push/collect-pushes.ts'
import { openPushKeys } from '../../src/push/push-keys.ts'
import { type SendPushDeps, sendPushes } from '../../src/push/send-pushes.ts'
import { subscriptionSealer } from '../../src/push/subscription.ts'
import { receiverCaller } from '../../src/webhooks/calling/call-receiver.ts'
import { phone } from '../support/phone.ts'
import { purchaseText } from '../support/sms-texts.ts'
import { openTestService, type TestService } from '../support/story.ts'
import { createMember, createMembers, type TestMember } from '../support/users.ts'
import { openPushService, type TestSubscription } from './push-service.ts'

export const pushStory = async () =>
  pushStoryOf(await openTestService({ SANAD_LIMITS: 'off', SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.1' }))

export const pushStoryOf = async (service: TestService) => {
  const { clock, db, demo, sql } = service
  const members = await createMembers(service)
  const { accountId } = members
  const push = await openPushService()
  const handset = phone(service.origin, clock.now, demo.device)
  const zone = zoneOf('Asia/Aden')
  const keys = await openPushKeys(db, service.masterKey, clock.now())
  const allow = readCidrs('127.0.0.1')
  assert.ok(allow.ok)
  const receivers = receiverCaller({ development: true, allow: allow.list })
  service.atEnd(async () => receivers.close())
  const faults: unknown[] = []

  /** A node: its own collector, and a sender. */
  const newNode = (more: Partial<SendPushDeps> = {}) => {
    const collector = pushCollector(more.db ?? db)
    const deps: SendPushDeps = {
      db,
      clock,
      zone,
      keys,
      subscriptions: subscriptionSealer(service.masterKey),
      call: receivers.call,
      subject: 'mailto:push@sanad.example',
      userAgent: 'Sanad/test',
      onFault: (fault) => faults.push(fault),
      random: () => 0,
      ...more,
    }
    const collect = async (): Promise<void> => {
      collector.touch(accountId)
      while (await collector.collectPushes(clock.now()));
    }
    return {
      collect,
      send: () => sendPushes(deps),
      /** What the loops do within some seconds: announce, collect, gather, send. */
      async run() {
        await announceUnmatched(db, zone, 500, clock.now())
        await collect()
        clock.advance(3_000)
        while (await sendPushes(deps));
      },
    }
  }
  const node = newNode()

  const subscribe = async (member: TestMember): Promise<TestSubscription & { readonly id: string }> => {
    const subscription = push.newSubscription()
    const answer = await member.ask('POST', '/notifications/devices/', { body: subscription.body })
    assert.equal(answer.status, 201, answer.text)
    // What happens in the same millisecond is not before the subscription.
    clock.advance(1)
    return { ...subscription, id: answer.body.id }
  }

  let count = 0
  const newReference = (): string => String(770_000_000_000 + ++count)
  /** Money that nobody asked for. */
  const walkIn = async (amount: string, payer = 'علي صالح المثال'): Promise<string> => {
    const reference = newReference()
    const answer = await handset.alerts([
      {
        client_id: reference,
        kind: 'sms',
        sender: 'Jawali',
        text: purchaseText(amount, reference, payer),
        sim_slot: 'SIM1',
        received_at: new Date(clock.now()).toISOString(),
      },
    ])
    assert.equal(answer.status, 200, answer.text)
    return reference
  }

  return {
    ...service,
    ...members,
    push,
    node,
    newNode,
    handset,
    subscribe,
    walkIn,
    newReference,
    faults,
    keys,
    newMember: (role: 'owner' | 'manager' | 'cashier' | 'viewer') => createMember(service, accountId, role),
    openDb: (): Db =>
      openDatabase({ url: service.databaseUrl, connections: 4, application: 'node', onFault: () => {} }),
    devices: async (): Promise<string[]> =>
      (await sql('select id from push_devices order by created_at')).map(([id]) => id as string),
  }
}

export type PushStory = Awaited<ReturnType<typeof pushStory>>
