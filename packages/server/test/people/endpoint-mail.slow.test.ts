/**
 * Owners get mail about a failing endpoint before it is disabled, and when it is disabled. The tests use real payments, a
 * receiver that fails for days of a moved clock, and real SMTP. Two nodes send each mail once, and no mail is lost when the
 * mail server is away.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { ownersMailer } from '../../src/accounts/notices/email-owners.ts'
import { day_ms } from '../../src/core/duration.ts'
import type { UserId } from '../../src/core/ids.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { openMail } from '../../src/mail.ts'
import { endpointSecrets } from '../../src/webhooks/endpoints/endpoint-secrets.ts'
import { createEndpoint } from '../../src/webhooks/endpoints/manage-endpoints.ts'
import { notifyOwners } from '../../src/work/notify-owners.ts'
import { mailProxy } from '../support/mail-proxy.ts'
import { phone } from '../support/phone.ts'
import { smtpServer } from '../support/servers/smtp-server.ts'
import { purchaseText } from '../support/sms-texts.ts'
import { askAt, openTestService, type TestService } from '../support/story.ts'
import { createMember, createMembers, lastingToken, type TestMember } from '../support/users.ts'

const publicUrl = 'https://pay.example.com'
const from = 'Sanad <sanad@sanad.test>'

/** The receiver's answer to each path. */
const answers = new Map<string, number>()
const receiver = createServer((request, response) => {
  request.resume().on('end', () => {
    response.statusCode = answers.get(new URL(request.url!, 'http://here').pathname) ?? 200
    response.end()
  })
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
const at = (path: string) => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`

const smtp = await smtpServer()
const mailServer = await mailProxy(smtp.url)

const webhooks = {
  SANAD_LIMITS: 'off',
  SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  SANAD_WEBHOOKS: '{"poll_ms": 20, "retry_jitter": 0}',
}
const mailed = { SANAD_SMTP_URL: mailServer.url, SANAD_MAIL_FROM: from, PUBLIC_URL: publicUrl }

after(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await mailServer.close()
  await smtp.close()
})

const until = async (
  description: string,
  done: () => boolean | Promise<boolean>,
  facts: () => Promise<string> = async () => '',
): Promise<void> => {
  for (let tries = 0; tries < 3000; tries++) {
    if (await done()) return
    await delay(10)
  }
  assert.fail(`this never happened: ${description} ${await facts()}`)
}

/** Functions that pay, create an endpoint, and let days pass. */
const shopIn = async (service: TestService, staff: { readonly owner: TestMember }) => {
  const { clock, demo, sql } = service
  const handset = phone(service.origin, clock.now, demo.device)
  const { userId, accountId } = staff.owner
  const token = await lastingToken(service, { userId, accountId }, 300 * 86_400)
  const count = async (text: string, values: unknown[] = []) => Number((await sql(text, values))[0]![0])
  let number = 0
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await askAt(`${service.origin}/api/v1/dashboard${path}`, method, { token, body })
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }
  let mostCounted = 0
  /** Never less than before: a count that runs while a day's partition is attached misses the rows that move into it. */
  const attempts = async (): Promise<number> => {
    mostCounted = Math.max(mostCounted, await count('select count(*) from delivery_attempts'))
    return mostCounted
  }
  const underWay = () => count('select count(*) from deliveries where lease_id is not null')
  return {
    ask,
    count,
    /** Makes a payment that is verified. */
    async pay(): Promise<void> {
      const reference = String(770_000_000_000 + ++number)
      const client = { 'SERVICE-CLIENT-ID': demo.client_id, 'SERVICE-CLIENT-SECRET': demo.client_secret }
      const issued = await askAt(`${service.base}/token`, 'POST', { headers: client })
      const authorized = { token: issued.body.access_token }
      const intent = await service.ask('POST', '/intents/', {
        ...authorized,
        body: { wallet: demo.wallets.main, amount: '1500.00' },
      })
      await service.ask('PATCH', `/intents/${intent.body.id}/`, { ...authorized, body: { reference } })
      const text = purchaseText('1500.00', reference)
      const received_at = new Date(clock.now()).toISOString()
      const sent = { client_id: reference, kind: 'sms', sender: 'Jawali', text, sim_slot: 'SIM1', received_at }
      const answer = await handset.alerts([sent])
      assert.equal(answer.body.results[0].status, 'accepted')
    },
    async endpoint(path: string): Promise<{ readonly id: string; readonly secret: string }> {
      // Not over HTTP: that would send a notice of the new endpoint as well (see notices.test.ts).
      const deps = { secrets: endpointSecrets(service.masterKey), settings: service.config.webhooks }
      const headers = { Authorization: 'Bearer open-sesame' }
      const settings = { url: at(path), walletId: null, kinds: ['payment.verified'], headers, enabled: true }
      const created = await service.db.transaction((tx) =>
        createEndpoint(tx, deps, wholeAccount(accountId), settings as never, clock.now()),
      )
      if ('refused' in created) return assert.fail(created.refused)
      return { id: created.endpoint.id, secret: created.secret }
    },
    /** Runs the action and waits until `more` attempts have been recorded since. */
    async tried(more: number, action: () => unknown): Promise<void> {
      const before = await attempts()
      await action()
      await until(
        'the attempts are recorded',
        async () => (await attempts()) === before + more && (await underWay()) === 0,
        async () =>
          `${await attempts()} attempts instead of ${before + more}, ${await underWay()} under way, now ${clock.now()}: ` +
          JSON.stringify(await sql('select attempt, (extract(epoch from due_at) * 1000)::int8 from deliveries')),
      )
    },
    /** The time of the next attempt; Infinity if there is none. */
    async nextDue(): Promise<number> {
      const [due] = (await sql('select (extract(epoch from min(due_at)) * 1000)::int8 from deliveries'))[0]!
      return due === null ? Number.POSITIVE_INFINITY : Number(due)
    },
    /** Moves the clock to `end`, and on the way to the time of each attempt. */
    async goOnUntil(end: number): Promise<void> {
      for (let due = await this.nextDue(); due < end; due = await this.nextDue())
        await this.tried(1, () => clock.set(Math.max(due, clock.now())))
      clock.set(end)
    },
    /** Waits until `notices` notices exist and all of them have been mailed. */
    allMailed: (notices: number) =>
      until(`${notices} notices are mailed`, async () => {
        const [[existing, mailedCount]] = (await sql('select count(*), count(told_at) from owner_notices')) as [
          string[],
        ]
        assert.ok(Number(existing) <= notices, `${existing} notices`)
        return Number(mailedCount) === notices
      }),
  }
}

/** The mails so far; they are removed from the list. */
const takeMails = () => smtp.received.splice(0)
const recipientsOf = (letters: readonly { to: readonly string[] }[]) => letters.flatMap(({ to }) => to).sort()

const assertWithout = (text: string, secrets: readonly string[]): void => {
  for (const secret of ['open-sesame', 'token=', 'hunter2', '4f9b1c7e2d8a6b5c', ...secrets])
    assert.ok(!text.includes(secret), `${secret} in ${text}`)
}

test('an endpoint that fails for days: only the owners get mail, one warning and then one that it was disabled', async () => {
  const service = await openTestService({ ...webhooks, ...mailed })
  const { clock, demo, sql } = service
  const staff = await createMembers(service)
  const left = await createMember(service, staff.accountId, 'owner')
  await sql('update users set disabled_at = $2 where id = $1', [left.userId, new Date(clock.now()).toISOString()])
  const owners = [demo.dashboard.email, staff.owner.email].sort()
  const shop = await shopIn(service, staff)
  // Two nodes.
  for (const node of [await service.startNode(), await service.startNode()]) node.service.work()
  const path = '/shop/hooks-4f9b1c7e2d8a6b5c'
  const { id, secret } = await shop.endpoint(`${path}?token=hunter2`)
  answers.set(path, 500)

  const since = clock.now()
  await shop.tried(1, shop.pay)
  await shop.goOnUntil(since + 3 * day_ms - 1_000)
  await shop.tried(1, shop.pay)
  assert.equal(await shop.count('select failures from webhook_endpoints'), 14)
  assert.equal(await shop.count('select count(*) from owner_notices'), 0, 'a second too early')
  await shop.tried(1, async () => clock.set(await shop.nextDue()))
  await shop.allMailed(1)
  const warnings = takeMails()
  assert.deepEqual(recipientsOf(warnings), owners)
  for (const { subject, text } of warnings) {
    assert.match(subject, /إشعارات المتجر لا تصل/)
    assert.match(subject, /Payment notices do not arrive/)
    assert.ok(
      text.includes('Since: 2026-01-02 06:04 +03:00') && text.includes('منذ: \u20682026-01-02 06:04 +03:00\u2069'),
      text,
    )
    assert.ok(text.includes('Failed attempts: 15') && text.includes('عدد المحاولات الفاشلة: 15'))
    assert.ok(
      text.includes('is disabled on: 2026-01-07 06:04 +03:00') &&
        text.includes('في: \u20682026-01-07 06:04 +03:00\u2069'),
    )
    assert.ok(text.includes(`${at('/shop/hook')}`.slice(0, -4)), 'which endpoint it is')
    assert.equal(text.split(`${publicUrl}/webhooks/${id}\n`).length, 3, 'where to look, in both languages')
    assert.match(text, /answers 200/)
    assertWithout(subject + text, [secret, demo.client_secret])
  }

  await shop.goOnUntil(since + 5 * day_ms - 1_000)
  assert.ok((await shop.count('select failures from webhook_endpoints')) >= 20)
  await shop.tried(1, shop.pay)
  assert.equal((await shop.ask('GET', `/webhooks/${id}/`)).enabled, true, 'a second too early')
  assert.deepEqual(takeMails(), [], 'warned once')
  await shop.tried(1, async () => clock.set(await shop.nextDue()))
  await shop.allMailed(2)
  const disabled = takeMails()
  assert.deepEqual(recipientsOf(disabled), owners)
  for (const { subject, text } of disabled) {
    assert.match(subject, /أُوقفت إشعارات المتجر/)
    assert.match(subject, /Payment notices were disabled/)
    assert.ok(text.includes('Since: 2026-01-02 06:04 +03:00'))
    assert.match(text, /enable the endpoint in the dashboard, and have sent what it missed/)
    assert.match(text, /فعّل عنوان الاستقبال من لوحة التحكم/)
    assert.equal(text.split(`${publicUrl}/webhooks/${id}\n`).length, 3)
    assertWithout(subject + text, [secret, demo.client_secret])
  }
  const { enabled, disabled: why } = await shop.ask('GET', `/webhooks/${id}/`)
  assert.deepEqual([enabled, why.why], [false, 'failing'])
  await until('what waits has ended', async () => (await shop.nextDue()) === Number.POSITIVE_INFINITY)

  // After it is enabled again, the warning is sent after another three days, not before.
  clock.advance(day_ms)
  await shop.ask('PATCH', `/webhooks/${id}/`, { enabled: true })
  const again = clock.now()
  await shop.tried(1, shop.pay)
  assert.equal((await shop.ask('GET', `/webhooks/${id}/`)).health.failures, 1)
  await shop.goOnUntil(again + 3 * day_ms - 1_000)
  assert.equal(await shop.count('select count(*) from owner_notices'), 2)
  assert.deepEqual(takeMails(), [])
  await shop.goOnUntil(again + 4 * day_ms)
  await shop.allMailed(3)
  const anew = takeMails()
  assert.deepEqual(recipientsOf(anew), owners)
  for (const { subject, text } of anew) {
    assert.match(subject, /do not arrive/)
    assert.ok(text.includes('Since: 2026-01-08 06:04 +03:00') && text.includes('Failed attempts: 14'), text)
  }

  // One success ends the failure.
  answers.delete(path)
  await shop.tried(1, shop.pay)
  await shop.goOnUntil(again + 8 * day_ms)
  assert.equal((await shop.ask('GET', `/webhooks/${id}/`)).health.failing_since, null)
  assert.deepEqual(takeMails(), [])
  assert.equal(new Set(mailServer.ids).size, 6, 'every mail has its own message id')
  assert.equal(mailServer.ids.length, 6)
  assert.deepEqual(
    service.lines.filter((logged) => JSON.parse(logged).level >= 50),
    [],
  )
})

test('while the mail server fails, mails wait and are sent later; only a lost SMTP answer causes a second mail', async (t) => {
  // Without mail settings the service works, and mails wait.
  const service = await openTestService(webhooks)
  const { clock, demo, sql } = service
  const staff = await createMembers(service)
  const owners = [demo.dashboard.email, staff.owner.email]
  const shop = await shopIn(service, staff)
  const node = await service.startNode()
  node.service.work()
  const log = pino({ level: 'silent' })
  const notifiers = [1, 2].map(() => {
    const mail = openMail({ url: mailServer.url, from }, log)
    service.atEnd(() => mail.close())
    const emailOwners = ownersMailer(service.db, mail.sendNow)
    return () => notifyOwners({ db: service.db, clock, zone: zoneOf('Asia/Aden'), origin: publicUrl, emailOwners })
  })
  const [notify] = notifiers as [() => Promise<boolean>]
  /** Another attempt, after the lease of the previous attempt has ended. */
  const later = async (): Promise<boolean> => {
    clock.advance(300_000)
    return notify()
  }
  let number = 0
  /** Creates an endpoint that answers 410 and is disabled, so that there is a mail to send at once. */
  const gone = async (): Promise<string> => {
    const path = `/gone/${++number}`
    answers.set(path, 410)
    const { id } = await shop.endpoint(path)
    await shop.tried(1, shop.pay)
    assert.equal((await shop.ask('GET', `/webhooks/${id}/`)).disabled.why, 'gone')
    return id
  }
  const waitingNotices = () => shop.count('select count(*) from owner_notices where told_at is null')
  const takeIds = () => mailServer.ids.splice(0)
  takeIds()

  await t.test('without mail settings nothing breaks, and mail set up later sends what still applies', async () => {
    await gone()
    assert.equal(await waitingNotices(), 1)
    assert.deepEqual(takeMails(), [])
    assert.deepEqual(
      service.lines.filter((logged) => JSON.parse(logged).level >= 40),
      [],
    )
    clock.advance(10 * day_ms)
    assert.equal(await notify(), true)
    assert.equal(await waitingNotices(), 0)
    const letters = takeMails()
    assert.deepEqual(recipientsOf(letters), owners.toSorted())
    assert.match(letters[0]!.text, /because your server answered 410/)
    assert.match(letters[0]!.text, /ردّ بالحالة 410/)
    assert.equal(await notify(), false)
  })

  await t.test('a mail server that is down: retried after some minutes, and each owner gets one mail', async () => {
    mailServer.goDown()
    await gone()
    assert.equal(await notify(), false)
    assert.equal(await notify(), false, 'not again at once')
    assert.equal(await later(), false)
    assert.equal(await waitingNotices(), 1)
    mailServer.comeBack()
    assert.equal(await notify(), false, 'not yet')
    assert.equal(await later(), true)
    assert.equal(await waitingNotices(), 0)
    assert.equal(await later(), false)
    assert.deepEqual(recipientsOf(takeMails()), owners.toSorted())
  })

  await t.test('two nodes at once send each mail once', async () => {
    const ids = [await gone(), await gone(), await gone(), await gone()]
    const work = async (notifyOnce: () => Promise<boolean>): Promise<void> => {
      while (await notifyOnce());
    }
    await Promise.all(notifiers.map(work))
    assert.equal(await waitingNotices(), 0)
    const letters = takeMails()
    assert.equal(letters.length, owners.length * ids.length)
    for (const id of ids)
      assert.deepEqual(recipientsOf(letters.filter(({ text }) => text.includes(id))), owners.toSorted())
  })

  await t.test('a deferred mailbox neither delays nor repeats the mail to the other owner', async () => {
    await gone()
    smtp.answers.push('451 come again')
    assert.equal(await notify(), true)
    assert.deepEqual(recipientsOf(takeMails()), [owners[1]])
    assert.equal(await waitingNotices(), 1)
    assert.equal(await later(), true)
    assert.deepEqual(recipientsOf(takeMails()), [owners[0]])
    assert.equal(await waitingNotices(), 0)
  })

  await t.test('a mailbox that refuses permanently is not tried again', async () => {
    await gone()
    smtp.answers.push('550 no such person')
    assert.equal(await notify(), true)
    assert.deepEqual(recipientsOf(takeMails()), [owners[1]])
    assert.equal(await waitingNotices(), 0)
    assert.equal(await later(), false)
  })

  await t.test('a lost SMTP answer: the mail is sent again with the same message id, and no other is', async () => {
    takeIds()
    await gone()
    mailServer.breakAfterNext()
    assert.equal(await notify(), false)
    assert.equal(await later(), true)
    assert.equal(await waitingNotices(), 0)
    assert.deepEqual(recipientsOf(takeMails()), [owners[0]!, ...owners].toSorted())
    const [first, again, other, ...more] = takeIds()
    assert.equal(first, again)
    assert.match(first!, /^<[\w-]{36}\.[\w-]{36}@sanad\.test>$/)
    assert.notEqual(first, other)
    assert.deepEqual(more, [])
  })

  await t.test('a former owner gets nothing when the mail server is back, and a new owner does', async () => {
    mailServer.goDown()
    await gone()
    assert.equal(await notify(), false)
    await sql(`update members set role = 'manager' where user_id = $1`, [staff.owner.userId])
    const joined = await createMember(service, staff.accountId, 'owner')
    mailServer.comeBack()
    assert.equal(await later(), true)
    assert.deepEqual(recipientsOf(takeMails()), [demo.dashboard.email, joined.email].toSorted())
    await sql(`update members set role = 'owner' where user_id = $1`, [staff.owner.userId])
    await sql('delete from members where user_id = $1', [joined.userId as UserId])
  })

  await t.test(
    'a mail about an endpoint that was enabled or deleted meanwhile, or that is weeks old, is not sent',
    async () => {
      mailServer.goDown()
      const [enabled, deleted] = [await gone(), await gone()]
      await shop.ask('PATCH', `/webhooks/${enabled}/`, { enabled: true })
      await shop.ask('DELETE', `/webhooks/${deleted}/`)
      mailServer.comeBack()
      assert.equal(await later(), true)
      assert.equal(await later(), true)
      await shop.ask('DELETE', `/webhooks/${enabled}/`)
      await gone()
      clock.advance(30 * day_ms)
      assert.equal(await notify(), true)
      assert.equal(await waitingNotices(), 0)
      assert.deepEqual(takeMails(), [])
    },
  )
})
