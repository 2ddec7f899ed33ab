/**
 * Notices to owners, in the dashboard and by mail over real SMTP: a phone was paired, an app connected, a signing key
 * replaced, an endpoint created or moved, an API key created or rotated. Every change of a phone's secret or signing key sets
 * `devices.paired_at`.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { changeWithAudit } from '../../src/accounts/audit/audit.ts'
import { ownersMailer } from '../../src/accounts/notices/email-owners.ts'
import { noticeLife_ms } from '../../src/accounts/notices/owner-notices.ts'
import { pruneNotices } from '../../src/accounts/notices/owner-notices-sql.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { openMail } from '../../src/mail.ts'
import { notifyOwners } from '../../src/work/notify-owners.ts'
import { smtpServer } from '../support/servers/smtp-server.ts'
import { askAt, openTestService } from '../support/story.ts'
import { openStream } from '../support/stream-client.ts'
import { createMember, createMembers, type TestMember } from '../support/users.ts'

const publicUrl = 'https://pay.example.com'
const service = await openTestService({ SANAD_LIMITS: 'off', SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' })
const { clock, demo, sql, db } = service
const members = await createMembers(service)
const smtp = await smtpServer()
const mail = openMail({ url: smtp.url, from: 'Sanad <sanad@sanad.test>' }, pino({ level: 'silent' }))
const emailOwners = ownersMailer(db, mail.sendNow)
const notify = () => notifyOwners({ db, clock, zone: zoneOf('Asia/Aden'), origin: publicUrl, emailOwners })
after(async () => {
  await mail.close()
  await smtp.close()
})

type Notice = Record<'id' | 'kind' | 'by' | 'at', string> & {
  object: { kind: string; id: string }
  facts: Record<string, unknown>
  seen: boolean
}
const noticesOf = async (member: TestMember, query = ''): Promise<Notice[]> => {
  const answer = await member.ask('GET', `/notices/${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.results
}
const owners = [demo.dashboard.email, members.owner.email].sort()
const byOwner = `A owner <${members.owner.email}>`
/** The notices since the last call, in the dashboard and by mail. Checks that exactly the owners got each mail. */
const newNotices = async (): Promise<{ notices: Notice[]; letters: { subject: string; text: string }[] }> => {
  const notices = await noticesOf(members.owner, '?unseen=1')
  if (notices.length > 0) await members.owner.ask('POST', `/notices/${notices[0]!.id}/seen/`, { body: { older: true } })
  while (await notify());
  const received = smtp.received.splice(0)
  assert.deepEqual(received.flatMap(({ to }) => to).sort(), notices.flatMap(() => owners).sort())
  return { notices, letters: received.filter(({ to }) => to[0] === members.owner.email) }
}
const askOwner = async (method: string, path: string, body?: unknown) => {
  const answer = await members.owner.ask(method, path, body === undefined ? {} : { body })
  assert.ok(answer.status < 300, answer.text)
  return answer.body
}
const pairedAt = async (id: string): Promise<number | null> => {
  const [row] = await sql('select (extract(epoch from paired_at) * 1000)::int8 from devices where id = $1', [id])
  return row![0] === null ? null : Number(row![0])
}
const pair = (code: string) =>
  askAt(`${service.origin}/api/v1/device/pair`, 'POST', { body: { code, model: 'Galaxy A05', agent: 'sanad' } })

test('a phone of the demo is paired from the start', async () => {
  assert.notEqual(await pairedAt(demo.device.id), null)
})

test('pairing a phone, and pairing it again, sends a notice when the code is used, with the user who created it', async () => {
  const phoneAnswer = await askOwner('POST', '/phones/', { name: 'Shop phone' })
  const { id } = phoneAnswer.phone
  assert.equal(await pairedAt(id), null)
  assert.deepEqual((await newNotices()).notices, [], 'a code that nobody has used pairs nothing')
  assert.equal((await pair('AAAAA-AAAAA')).status, 401)
  assert.deepEqual((await newNotices()).notices, [])

  clock.advance(60_000)
  assert.equal((await pair(phoneAnswer.pairing.code)).status, 200)
  assert.equal(await pairedAt(id), clock.now())
  const first = await newNotices()
  const [notice] = first.notices
  assert.deepEqual(first.notices, [
    {
      id: notice!.id,
      kind: 'phone_paired',
      at: '2026-01-02T06:05:05.678000+03:00',
      object: { kind: 'phone', id },
      by: byOwner,
      facts: { name: 'Shop phone', again: false, model: 'Galaxy A05' },
      seen: false,
    },
  ])
  const [letter] = first.letters
  assert.match(letter!.subject, /رُبط هاتف/)
  assert.match(letter!.subject, /A phone was paired/)
  for (const line of [
    'Phone: Shop phone',
    'الهاتف: \u2068Shop phone\u2069',
    `By: ${byOwner}`,
    'At: 2026-01-02 06:05 +03:00',
  ])
    assert.ok(letter!.text.includes(line), `${line} in ${letter!.text}`)
  assert.equal(letter!.text.split(`${publicUrl}/phones/${id}\n`).length, 3, 'where to look, in both languages')

  clock.advance(60_000)
  const again = await askOwner('POST', `/phones/${id}/pairing/`)
  assert.ok((await pairedAt(id))! < clock.now(), 'a code alone proves nothing')
  clock.advance(60_000)
  assert.equal((await pair(again.pairing.code)).status, 200)
  assert.equal(await pairedAt(id), clock.now())
  assert.equal((await askOwner('GET', `/phones/${id}/`)).paired_at, '2026-01-02T06:07:05.678000+03:00')
  await askOwner('PATCH', '/account/', { time_zone: 'America/New_York' })
  const second = await newNotices()
  await askOwner('PATCH', '/account/', { time_zone: '' })
  const inZone = 'At: 2026-01-01 22:07 -05:00'
  assert.ok(second.letters[0]!.text.includes(inZone), `in the zone of the account: ${second.letters[0]!.text}`)
  assert.deepEqual(
    second.notices.map(({ kind, facts }) => [kind, facts.again]),
    [['phone_paired', true]],
  )
  assert.match(second.letters[0]!.subject, /A phone was paired again/)
  assert.equal((await pair(again.pairing.code)).status, 401)
  assert.deepEqual((await newNotices()).notices, [], 'a used code pairs nothing')
})

test('connecting an app, and replacing or removing a signing key, sends a notice and sets paired_at', async () => {
  const ways: [string, string, unknown, string, Record<string, unknown>][] = [
    ['POST', 'ingest/', { app: 'sms-to-url' }, 'app_let_in', { app: 'sms-to-url', signs: true }],
    ['POST', 'ingest/', { app: 'text' }, 'app_let_in', { app: 'text', signs: false }],
    ['PUT', 'signing-key/', { signing_key: 'of-the-app' }, 'signing_key_set', { signs: true }],
    ['PUT', 'signing-key/', { signing_key: null }, 'signing_key_set', { signs: false }],
  ]
  for (const [method, path, body, kind, facts] of ways) {
    clock.advance(60_000)
    const { name } = await askOwner('GET', `/phones/${demo.device.id}/`)
    await askOwner(method, `/phones/${demo.device.id}/${path}`, body)
    assert.equal(await pairedAt(demo.device.id), clock.now(), path)
    const { notices, letters } = await newNotices()
    assert.deepEqual(
      notices.map(({ kind, by, object, facts }) => [kind, by, object.id, facts]),
      [[kind, byOwner, demo.device.id, { name, ...facts }]],
    )
    assert.ok(letters[0]!.text.includes(`Phone: ${name}`), letters[0]!.text)
    assert.ok(!letters[0]!.text.includes('of-the-app'))
  }
})

test('changes that do not affect a phone’s secrets do not change paired_at, and send no notice', async () => {
  const before = await pairedAt(demo.device.id)
  clock.advance(60_000)
  await askOwner('PATCH', `/phones/${demo.device.id}/`, { name: 'Another name' })
  await askOwner('PATCH', `/phones/${demo.device.id}/`, { switched_on: false })
  await askOwner('PATCH', `/phones/${demo.device.id}/`, { switched_on: true })
  await askOwner('POST', `/phones/${demo.device.id}/pairing/`)
  assert.equal(await pairedAt(demo.device.id), before)
  assert.deepEqual((await newNotices()).notices, [])
})

test('creating, moving and rotating an endpoint sends a notice with old and new host, without parts that may be secret', async () => {
  const hidden = 'T0000000000000000/B1111111111111111'
  const newEndpoint = await askOwner('POST', '/webhooks/', {
    url: `http://127.0.0.1:9/${hidden}?token=hunter2`,
    headers: { Authorization: 'Bearer open-sesame' },
  })
  const { id } = newEndpoint.webhook
  const created = await newNotices()
  assert.deepEqual(
    created.notices.map(({ kind, object, facts }) => [kind, object, facts]),
    [['webhook_created', { kind: 'webhook', id }, { to: 'http://127.0.0.1:9/T000…/B111…' }]],
  )
  await askOwner('PATCH', `/webhooks/${id}/`, { kinds: ['payment.verified'], enabled: false })
  await askOwner('PATCH', `/webhooks/${id}/`, { url: `http://127.0.0.1:9/${hidden}?token=hunter2`, enabled: true })
  assert.deepEqual((await newNotices()).notices, [], 'its address has not changed')
  await askOwner('PATCH', `/webhooks/${id}/`, { url: 'http://127.0.0.2:9/hook' })
  const moved = await newNotices()
  const facts = { from: 'http://127.0.0.1:9/T000…/B111…', to: 'http://127.0.0.2:9/hook' }
  assert.deepEqual(
    moved.notices.map(({ kind, by, facts: moveFacts }) => [kind, by, moveFacts]),
    [['webhook_moved', byOwner, facts]],
  )
  const [letter] = moved.letters
  assert.match(letter!.subject, /نُقل عنوان الاستقبال/)
  for (const line of [`Address before: ${facts.from}`, `New address: ${facts.to}`, `العنوان الجديد:\n${facts.to}\n`])
    assert.ok(letter!.text.includes(line), letter!.text)
  const rotated = await askOwner('POST', `/webhooks/${id}/rotate/`, {})
  const renewed = await newNotices()
  assert.deepEqual(
    renewed.notices.map(({ kind }) => kind),
    ['webhook_rotated'],
  )
  const everything = JSON.stringify([created, moved, renewed])
  for (const secret of ['hunter2', 'open-sesame', hidden, newEndpoint.secret, rotated.secret])
    assert.ok(!everything.includes(secret), secret)
})

test('creating and rotating an API key sends a notice; renaming and revoking it does not', async () => {
  const newKey = await askOwner('POST', '/keys/', { name: 'Web shop' })
  const id = newKey.key.client_id
  const created = await newNotices()
  assert.deepEqual(
    created.notices.map(({ kind, object, facts }) => [kind, object, facts]),
    [['key_created', { kind: 'key', id }, { name: 'Web shop' }]],
  )
  assert.ok(
    created.letters[0]!.text.includes('Key: Web shop') && created.letters[0]!.text.includes(`${publicUrl}/keys\n`),
  )
  await askOwner('PATCH', `/keys/${id}/`, { name: 'Another' })
  assert.deepEqual((await newNotices()).notices, [])
  const rotated = await askOwner('POST', `/keys/${id}/rotate/`, { overlap_s: 0 })
  const renewed = await newNotices()
  assert.deepEqual(
    renewed.notices.map(({ kind, facts }) => [kind, facts]),
    [['key_rotated', { name: 'Another' }]],
  )
  await askOwner('POST', `/keys/${id}/revoke/`)
  assert.equal((await members.owner.ask('POST', `/keys/${id}/rotate/`, { body: { overlap_s: 0 } })).status, 400)
  assert.deepEqual((await newNotices()).notices, [], 'a refused change sends no notice')
  const everything = JSON.stringify([created, renewed])
  for (const secret of [newKey.client_secret, rotated.client_secret]) assert.ok(!everything.includes(secret))
})

const newDraft = (provider: string) => ({
  provider,
  name: 'A draft',
  sender_names: ['+967770000000'],
  sentence: 'You received {amount:money} YER, reference {reference:reference}. Thank you',
  samples: [
    {
      text: 'You received 1,500.00 YER, reference 123456789. Thank you',
      expect: { amount: '1500.00', reference: '123456789' },
    },
  ],
  counter_samples: [{ text: 'You paid 1,500.00 YER, reference 123456789. Thank you', why: 'debit' }],
})

test('a published template sends a notice with its senders, whoever published it, and so does a retired one', async () => {
  const provider = (await askOwner('POST', '/providers/', { name: 'own-bank' })).id
  const first = await askOwner('POST', '/templates/', newDraft(provider))
  await askOwner('POST', `/templates/${first.id}/publish/`)
  const byOwnerItself = await newNotices()
  assert.deepEqual(
    byOwnerItself.notices.map(({ kind, by }) => [kind, by]),
    [['template_published', byOwner]],
    'the session of an owner may be stolen',
  )
  const { ask } = members.manager
  const next = await ask('POST', `/templates/${first.id}/draft/`)
  const published = await ask('POST', `/templates/${next.body.id}/publish/`)
  assert.equal(published.status, 200, published.text)
  const { notices, letters } = await newNotices()
  assert.deepEqual(
    notices.map(({ kind, facts }) => [kind, facts]),
    [['template_published', { name: 'A draft', senders: '+967770000000' }]],
  )
  assert.ok(letters[0]!.text.includes('Senders: +967770000000'), letters[0]!.text)
  assert.equal((await ask('POST', `/templates/${next.body.id}/retire/`)).status, 200)
  const retired = await newNotices()
  assert.deepEqual(
    retired.notices.map(({ kind, facts }) => [kind, facts]),
    [['template_retired', { name: 'A draft' }]],
  )
})

test('another sender of a wallet, a looser limit and another app send a notice, made by an owner or confirmed', async () => {
  const wallet = demo.wallets.main
  await askOwner('PATCH', `/wallets/${wallet}/`, { sender_name: 'OTHER' })
  const changed = await newNotices()
  assert.deepEqual(
    changed.notices.map(({ kind, facts, object }) => [kind, facts.reasons, facts.senders, object]),
    [['trust_changed', 'sender', 'OTHER', { kind: 'wallet', id: wallet }]],
  )
  assert.ok(changed.letters[0]!.text.includes(`${publicUrl}/wallets/${wallet}\n`), changed.letters[0]!.text)
  await askOwner('PATCH', `/wallets/${wallet}/`, { review_broken_chains: false })
  assert.deepEqual(
    (await newNotices()).notices.map(({ kind, facts }) => [kind, facts.reasons]),
    [['trust_changed', 'review_broken_chains']],
  )
  await askOwner('PATCH', `/wallets/${wallet}/`, { review_broken_chains: true })
  assert.deepEqual((await newNotices()).notices, [], 'a stricter limit is not told')
  const { ask } = members.manager
  const asked = await ask('POST', `/wallets/${wallet}/ask/`, { body: { sender_name: 'THIRD' } })
  assert.equal(asked.status, 201, asked.text)
  assert.deepEqual(
    (await newNotices()).notices.map(({ kind }) => kind),
    ['approval_asked'],
  )
  await askOwner('POST', `/approvals/${asked.body.id}/confirm/`)
  assert.deepEqual(
    (await newNotices()).notices.map(({ kind, facts }) => [kind, facts.senders]),
    [['trust_changed', 'THIRD']],
  )
})

test('a manager who asks for an approval sends a notice and an email with what it changes', async () => {
  const { ask } = members.manager
  const provider = (await ask('POST', '/providers/', { body: { name: 'asked-bank' } })).body.id
  const draft = await ask('POST', '/templates/', { body: newDraft(provider) })
  const asked = await ask('POST', `/templates/${draft.body.id}/ask/`)
  assert.equal(asked.status, 201, asked.text)
  const { notices, letters } = await newNotices()
  assert.deepEqual(
    notices.map(({ kind, facts, object }) => [kind, facts, object]),
    [
      [
        'approval_asked',
        { name: 'A draft', reasons: 'sender', senders: '+967770000000' },
        { kind: 'approval', id: asked.body.id },
      ],
    ],
  )
  const { text } = letters[0]!
  for (const part of [
    'Senders: +967770000000',
    'Asked for: messages of a new sender would count',
    'احتساب رسائل مرسل جديد',
  ])
    assert.ok(text.includes(part), text)
  assert.ok(text.includes(`/approvals/${asked.body.id}`), text)
})

test('a notice and its change are stored together or not at all', async () => {
  const actor = {
    accountId: members.accountId,
    userId: null,
    actor: 'x',
    via: 'command',
    address: '',
    agent: '',
  } as const
  const failing = changeWithAudit(db, actor, clock.now(), async (_, audit) => {
    audit({ action: 'key.create', kind: 'key', id: 'k', notice: { kind: 'key_created', facts: { name: 'Never' } } })
    audit({ action: 'key.create', kind: 'key', id: 'k', after: { client_secret: 'x' } })
  })
  await assert.rejects(failing, /would hold a secret/)
  assert.deepEqual((await newNotices()).notices, [])
})

test('each owner marks notices as seen only for themselves; the list is paged, the newest first', async () => {
  const second = await createMember(service, members.accountId, 'owner')
  const total = (await noticesOf(second)).length
  assert.ok(total >= 10)
  assert.ok((await noticesOf(second)).every(({ seen }) => !seen))
  assert.ok((await noticesOf(members.owner)).every(({ seen }) => seen))
  const page = (await second.ask('GET', '/notices/?page_size=4')).body
  assert.equal(page.results.length, 4)
  const next = (await second.ask('GET', `/notices/?page_size=4&after=${page.next}`)).body
  const ids = [...page.results, ...next.results].map(({ id }: Notice) => id)
  assert.deepEqual(ids, ids.toSorted().reverse())
  assert.equal(new Set(ids).size, 8)

  const marked = await second.ask('POST', `/notices/${ids[2]}/seen/`, { body: {} })
  assert.deepEqual([marked.status, marked.body.id, marked.body.seen], [200, ids[2], true])
  assert.equal((await second.ask('POST', `/notices/${ids[2]}/seen/`)).status, 200, 'again is no fault')
  assert.equal((await noticesOf(second, '?unseen=1')).length, total - 1)
  await second.ask('POST', `/notices/${ids[4]}/seen/`, { body: { older: true } })
  assert.deepEqual(
    (await noticesOf(second, '?unseen=1')).map(({ id }) => id),
    [ids[0], ids[1], ids[3]],
  )
  assert.deepEqual(await sql('select count(*) from owner_notices where cardinality(seen_users) > 2'), [['0']])
  assert.deepEqual(await noticesOf(members.stranger), [])
  await sql('delete from members where user_id = $1', [second.userId])
})

test('a notice is on the stream of owners only', async () => {
  const [owner, manager] = await Promise.all(
    [members.owner, members.manager].map(({ session }) =>
      openStream(service.origin, { cookie: `sanad_session=${session.token}` }),
    ),
  )
  await askOwner('POST', `/phones/${demo.device.id}/ingest/`, { app: 'text' })
  await owner!.untilHint('notice', '')
  await askOwner('PATCH', `/phones/${demo.device.id}/`, { name: 'Shop phone 2' })
  await manager!.until((events) => events.filter(({ data }) => data.includes('"phone"')).length >= 2)
  assert.ok(!manager!.hints().some((hint) => hint.startsWith('notice')), manager!.hints().join())
  owner!.hangUp()
  manager!.hangUp()
  await newNotices()
})

test('every owner gets the email, in an account with many owners too', async () => {
  await sql(
    `with inserted as (
       insert into users (id, email, name, password_hash, created_at)
       select gen_random_uuid(), 'owner-' || n || '@sanad.example', 'One of many', '', now() from generate_series(1, 60) as n
       returning id)
     insert into members (account_id, user_id, role, created_at) select $1, id, 'owner', now() from inserted`,
    [members.accountId],
  )
  await askOwner('POST', `/phones/${demo.device.id}/ingest/`, { app: 'text' })
  while (await notify());
  const receivers = smtp.received.splice(0).flatMap(({ to }) => to)
  assert.deepEqual([receivers.length, new Set(receivers).size], [62, 62])
  await sql(`delete from members where user_id in (select id from users where name = 'One of many')`)
})

test('notices are deleted after 90 days', async () => {
  const before = (await noticesOf(members.owner)).length
  assert.ok(before > 0)
  const [[oldest]] = (await sql('select (extract(epoch from min(at)) * 1000)::int8 from owner_notices')) as [[string]]
  const end = Number(oldest) + noticeLife_ms
  assert.deepEqual(await pruneNotices(db, end - noticeLife_ms, 100), [], 'to the instant')
  clock.set(end + 365 * 86_400_000)
  await pruneNotices(db, clock.now() - noticeLife_ms, 2)
  assert.deepEqual(await sql('select count(*) from owner_notices where account_id = $1', [members.accountId]), [
    [String(before - 2)],
  ])
})
