/**
 * A day of mischief: somebody with an owner's password does in one day everything that owners are told of. In the evening another owner
 * reads the notices, in the dashboard and by mail over real SMTP: each thing is there once, in both languages, with how to undo it; and
 * the undoing works.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { generate } from 'otplib'
import { pino } from 'pino'
import { ownersMailer } from '../../src/accounts/notices/email-owners.ts'
import { minute_ms } from '../../src/core/duration.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { openMail } from '../../src/mail.ts'
import { notifyOwners } from '../../src/work/notify-owners.ts'
import { notifyUsers } from '../../src/work/notify-users.ts'
import { openAttacks } from '../attacks/attack-story.ts'
import { smtpServer } from '../support/servers/smtp-server.ts'
import { transferText } from '../support/sms-texts.ts'
import { type Answer, askAt } from '../support/story.ts'
import { askWith, createMember, dashboardAt, provingWith, storyPassword } from '../support/users.ts'

const publicUrl = 'https://pay.example.com'
const story = await openAttacks({ SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' })
const { accountId, clock, db, demo, newShop, ok, order, origin, sql } = story
const smtp = await smtpServer()
const mail = openMail({ url: smtp.url, from: 'Sanad <sanad@sanad.test>' }, pino({ level: 'silent' }))
after(async () => {
  await mail.close()
  await smtp.close()
})

const victim = await createMember(story, accountId, 'owner')
const reader = await createMember(story, accountId, 'owner')
const helper = await createMember(story, accountId, 'manager')
const removed = await createMember(story, accountId, 'owner')

const signIn = (password: string, more: Record<string, string> = {}) =>
  askAt(dashboardAt(origin, '/session/'), 'POST', {
    body: { email: victim.email, password, ...more },
    headers: { origin, 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; rv:130.0) Gecko/20100101 Firefox/130.0' },
  })
const sessionOf = (answer: Answer): string => {
  assert.equal(answer.status, 200, answer.text)
  return /sanad_session=([^;]+)/.exec(String(answer.headers['set-cookie']))![1]!
}

type Notice = {
  id: string
  kind: string
  at: string
  object: { kind: string; id: string }
  facts: Record<string, unknown>
}
const noticesOf = async (): Promise<Notice[]> => ok(await reader.ask('GET', '/notices/?page_size=100')).body.results

const sendAll = async () => {
  const deps = { db, clock, zone: zoneOf('Asia/Aden'), origin: publicUrl, sendNow: mail.sendNow }
  while (await notifyOwners({ ...deps, emailOwners: ownersMailer(db, mail.sendNow) }));
  while (await notifyUsers(deps));
  return smtp.received.splice(0).map(({ to, subject, text }) => ({ to: to[0]!, subject, text }))
}

// Before the day: what is there, and what its making tells.
const endpoint = ok(
  await reader.ask('POST', '/webhooks/', { body: { url: 'http://127.0.0.1:9/before', kinds: ['payment.verified'] } }),
).body.webhook.id as string
const provider = ok(await reader.ask('POST', '/providers/', { body: { name: 'own-bank' } })).body.id as string
const shop = await newShop()
ok(await shop.sms(transferText('120', '9120', '770000001')))
const [[alert]] = (await sql(`select id::text from alerts where wallet_id = $1`, [shop.wallet])) as [[string]]
await sendAll()
const earlier = new Set((await noticesOf()).map(({ id }) => id))

/** What the day told the reader, oldest first. */
const told = async () => (await noticesOf()).filter(({ id }) => !earlier.has(id)).reverse()

const done: Record<string, string> = {}

test('everything that owners are told of happens in one day', async () => {
  for (let n = 0; n < 10; n++) assert.equal((await signIn('a guess')).status, 401)
  clock.advance(20 * minute_ms)
  const attacker = provingWith(askWith(story, sessionOf(await signIn(storyPassword))), storyPassword)
  const act = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    clock.advance(20 * minute_ms)
    return ok(await attacker(method, path, body === undefined ? {} : { body }))
  }
  done.key = (await act('POST', '/keys/', { name: 'a spare' })).body.key.client_id
  await act('PATCH', `/webhooks/${endpoint}/`, { url: 'http://127.0.0.1:9/elsewhere' })
  const pairing = (await act('POST', '/phones/', { name: 'A spare phone' })).body
  ok(await askAt(`${origin}/api/v1/device/pair`, 'POST', { body: { code: pairing.pairing.code, model: 'Made up' } }))
  done.phone = pairing.phone.id
  await act('PATCH', `/wallets/${demo.wallets.main}/`, { sender_name: 'ELSEWHERE' })
  const draft = await act('POST', '/templates/', {
    provider,
    name: 'Easy money',
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
  await act('POST', `/templates/${draft.body.id}/publish/`)
  done.template = draft.body.id
  // An honest order of the day.
  done.short = (await order(shop.wallet, '500.00')).id
  await act('POST', `/unmatched/${alert}/book/`, {
    intent: done.short,
    alert_amount: '120.00',
    intent_amount: '500.00',
  })
  await act('PATCH', `/members/${helper.userId}/`, { role: 'owner' })
  await act('DELETE', `/members/${removed.userId}/`)
  // The last thing: it ends the other sessions of the victim.
  clock.advance(20 * minute_ms)
  const begun = ok(await attacker('POST', '/me/second_factor/', { body: { password: storyPassword } })).body
  const code = await generate({ secret: begun.secret, epoch: Math.floor(clock.now() / 1000) })
  ok(await attacker('POST', '/me/second_factor/confirm/', { body: { code } }))
})

const expected = [
  'sign_in_wrong',
  'sign_in_new',
  'key_created',
  'webhook_moved',
  'phone_paired',
  'trust_changed',
  'template_published',
  'booked_short',
  'owner_added',
  'owner_removed',
  'second_factor_changed',
]

test('in the evening another owner reads each thing once, in its order, with whom and where it concerns', async () => {
  const notices = await told()
  assert.deepEqual(
    notices.map(({ kind }) => kind),
    expected,
  )
  const of = (kind: string) => notices.find((one) => one.kind === kind)!
  for (const kind of ['sign_in_wrong', 'sign_in_new', 'second_factor_changed'])
    assert.equal(of(kind).facts.name, victim.email, kind)
  assert.equal(of('sign_in_wrong').facts.count, 10)
  assert.equal(of('owner_added').facts.name, helper.email)
  assert.equal(of('owner_removed').facts.name, removed.email)
  assert.equal(of('key_created').object.id, done.key)
  assert.equal(of('phone_paired').object.id, done.phone)
  assert.equal(of('booked_short').facts.forgiven_amount, '380.00')
})

test('the mails say it in both languages, once each, with how to undo it and the page for it', async () => {
  const letters = (await sendAll()).filter(({ to }) => to === reader.email)
  assert.equal(letters.length, expected.length, letters.map(({ subject }) => subject).join('\n'))
  /** Each subject, what it says to do, and the page. */
  const wanted: readonly (readonly [subject: RegExp, undo: RegExp, page: string])[] = [
    [/Wrong sign-ins/, /require one of all members/, '/settings/members'],
    [/A sign-in from a new browser/, /remove them from the account now/, '/settings/members'],
    [/An API key was made/, /revoke the key/, '/keys'],
    [/An endpoint was moved/, /disable the endpoint/, `/webhooks/${endpoint}`],
    [/A phone was paired/, /switch the phone off/, `/phones/${done.phone}`],
    [/Other messages prove payments now/, /change/, `/wallets/${demo.wallets.main}`],
    [/A template was published/, /retire the template/, `/templates/${done.template}`],
    [/Less than the order was booked/, /ask whoever booked it/, `/intents/${done.short}`],
    [/A new owner/, /give them another role or remove them now/, '/settings/members'],
    [/An owner was removed/, /invite them again as an owner/, '/settings/members'],
    [/A member's second factor was changed/, /remove them from the account now/, '/settings/members'],
  ]
  for (const [subject, undo, page] of wanted) {
    const found = letters.filter((letter) => subject.test(letter.subject))
    assert.equal(found.length, 1, `${subject}: ${letters.map((letter) => letter.subject).join('\n')}`)
    const { subject: line, text } = found[0]!
    assert.match(line, /\p{Script=Arabic}/u)
    assert.match(text, undo)
    // The sentence, its facts and the way to undo it come twice: the page stands under both.
    assert.ok(text.split(`${publicUrl}${page}`).length >= 3, `${page} twice in ${text}`)
    assert.ok((text.match(/\p{Script=Arabic}+/gu) ?? []).length > 10, text)
    assert.ok(!text.includes(storyPassword) && !text.includes('a guess'))
  }
})

test('what the notices say to do works: afterwards nothing of the day is left, and nobody of it gets in', async () => {
  const undo = async (method: string, path: string, body?: unknown) =>
    ok(await reader.ask(method, path, body === undefined ? {} : { body }))
  await undo('POST', `/keys/${done.key}/revoke/`)
  await undo('PATCH', `/webhooks/${endpoint}/`, { enabled: false })
  await undo('PATCH', `/phones/${done.phone}/`, { switched_on: false })
  await undo('POST', `/templates/${done.template}/retire/`)
  await undo('PATCH', `/wallets/${demo.wallets.main}/`, { sender_name: 'Jawali' })
  await undo('PATCH', `/members/${helper.userId}/`, { role: 'manager' })
  await undo('POST', '/invitations/', { email: removed.email, role: 'owner' })
  await undo('DELETE', `/members/${victim.userId}/`)
  assert.equal((await helper.ask('GET', '/keys/')).status, 403)
  const gone = await victim.ask('GET', '/wallets/')
  assert.ok([401, 403].includes(gone.status), gone.text)
  const keys = ok(await reader.ask('GET', '/keys/')).body.results as { client_id: string; revoked_at?: string | null }[]
  assert.ok(!keys.some(({ client_id: id, revoked_at: revoked }) => id === done.key && revoked === null))
  assert.equal(ok(await reader.ask('GET', `/webhooks/${endpoint}/`)).body.enabled, false)
  assert.equal(ok(await reader.ask('GET', `/phones/${done.phone}/`)).body.switched_on, false)
  assert.equal(ok(await reader.ask('GET', `/wallets/${demo.wallets.main}/`)).body.sender_name, 'Jawali')
})
