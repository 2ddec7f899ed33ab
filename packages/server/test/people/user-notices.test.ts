/**
 * Notices about the sign-in and the membership of users: to themselves and to the owners of their accounts, in the dashboard and by
 * mail over real SMTP.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { generate } from 'otplib'
import { pino } from 'pino'
import { ownersMailer } from '../../src/accounts/notices/email-owners.ts'
import { watchWrongSignIn } from '../../src/accounts/watch/watch-sign-ins.ts'
import type { MailOutcome, SendMailNow } from '../../src/core/email.ts'
import { type AccountId, randomId } from '../../src/core/ids.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { openMail } from '../../src/mail.ts'
import { notifyOwners } from '../../src/work/notify-owners.ts'
import { notifyUsers } from '../../src/work/notify-users.ts'
import { smtpServer } from '../support/servers/smtp-server.ts'
import { type Answer, askAt, openTestService } from '../support/story.ts'
import { askWith, createMember, dashboardAt, storyPassword, type TestMember } from '../support/users.ts'

const publicUrl = 'https://pay.example.com'
const service = await openTestService({ SANAD_LIMITS: 'off' })
const { clock, sql, db } = service
const smtp = await smtpServer()
const mail = openMail({ url: smtp.url, from: 'Sanad <sanad@sanad.test>' }, pino({ level: 'silent' }))
after(async () => {
  await mail.close()
  await smtp.close()
})

const zone = zoneOf('Asia/Aden')
/** Sends everything that waits, and returns who got which subject and text. */
const sendAll = async (sendNow: SendMailNow = mail.sendNow) => {
  const deps = { db, clock, zone, origin: publicUrl, sendNow }
  while (await notifyOwners({ ...deps, emailOwners: ownersMailer(db, sendNow) }));
  while (await notifyUsers(deps));
  return smtp.received.splice(0).map(({ to, subject, text }) => ({ to: to[0]!, subject, text }))
}

const shop = async () => {
  const accountId = randomId<AccountId>()
  await sql(`insert into accounts (id, name, status, created_at) values ($1, 'A shop', 'ACTIVE', now())`, [accountId])
  const [owner, other, cashier] = [
    await createMember(service, accountId, 'owner'),
    await createMember(service, accountId, 'owner'),
    await createMember(service, accountId, 'cashier'),
  ]
  return { accountId, owner: owner!, other: other!, cashier: cashier! }
}

type Notice = {
  id: string
  kind: string
  by: string
  facts: Record<string, unknown>
  seen: boolean
  object: { kind: string }
}
const noticesOf = async (member: Pick<TestMember, 'ask'>, query = ''): Promise<Notice[]> => {
  const answer = await member.ask('GET', `/notices/${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.results
}
const kindsOf = async (member: Pick<TestMember, 'ask'>) => (await noticesOf(member)).map(({ kind }) => kind)

const firefox = 'Mozilla/5.0 (Windows NT 10.0; rv:130.0) Gecko/20100101 Firefox/130.0'
const signIn = (email: string, more: { password?: string; code?: string; cookie?: string; agent?: string } = {}) =>
  askAt(dashboardAt(service.origin, '/session/'), 'POST', {
    body: { email, password: more.password ?? storyPassword, ...(more.code === undefined ? {} : { code: more.code }) },
    headers: {
      origin: service.origin,
      'user-agent': more.agent ?? firefox,
      ...(more.cookie === undefined ? {} : { cookie: more.cookie }),
    },
  })
const cookie = (answer: Answer, name: string): string => {
  assert.equal(answer.status, 200, answer.text)
  return new RegExp(`${name}=([^;]+)`).exec(String(answer.headers['set-cookie']))![1]!
}
const deviceOf = (answer: Answer): string => `sanad_device=${cookie(answer, 'sanad_device')}`
const token = (email: string) =>
  askAt(dashboardAt(service.origin, '/token/'), 'POST', {
    body: { email, password: storyPassword },
    headers: { origin: service.origin },
  })

test('a sign-in from a new browser is told to the user and to the owners, each once, by mail and in the dashboard', async () => {
  const { owner, other, cashier } = await shop()
  const first = await signIn(cashier.email)
  const [own, ...more] = await noticesOf(cashier)
  assert.deepEqual(more, [])
  assert.equal(own!.kind, 'sign_in_new')
  assert.deepEqual(own!.facts, { address: '127.0.0.1', browser: 'Firefox', system: 'Windows' })
  for (const one of [owner, other]) {
    const [notice] = await noticesOf(one)
    assert.equal(notice!.facts.name, cashier.email)
  }
  const letters = await sendAll()
  assert.deepEqual(letters.map(({ to }) => to).sort(), [owner.email, other.email, cashier.email].sort())
  const letter = letters.find(({ to }) => to === cashier.email)!
  assert.match(letter.subject, /دخول من متصفح جديد.*A sign-in to Sanad from a new browser/)
  assert.equal(letter.text.split(`${publicUrl}/settings/you\n`).length, 3, 'where to undo it, in both languages')
  assert.match(letter.text, /end that session in your settings now, and change your password/)
  assert.match(letter.text, /Network address: 127\.0\.0\.1/)
  assert.match(letters.find(({ to }) => to === owner.email)!.text, /settings\/members/)

  await signIn(cashier.email, { cookie: deviceOf(first) })
  await signIn(cashier.email, { cookie: deviceOf(first), agent: 'another program' })
  assert.equal((await noticesOf(cashier)).length, 1, 'the browser is known, whatever it says of itself')
  await signIn(other.email, { cookie: deviceOf(first) })
  assert.deepEqual(await kindsOf(other), ['sign_in_new', 'sign_in_new'], 'it is not known for another user')
  // Not the last character: some of its bits are not part of the signature.
  const forged = deviceOf(first).replace(/.(?=.{8}$)/, (changed) => (changed === 'A' ? 'B' : 'A'))
  await signIn(cashier.email, { cookie: forged })
  assert.equal((await noticesOf(cashier)).length, 2, 'a changed cookie is no known browser')
  const stored = JSON.stringify(await sql(`select encode(hash, 'base64') from known_browsers`))
  assert.ok(!stored.includes(cookie(first, 'sanad_device').split('.')[0]!), 'only its hash is stored')
  await sendAll()
})

test('an owner alone is told of their own sign-in once, and the first sign-in of a new user is not told', async () => {
  const { accountId, owner } = await shop()
  await sql(`delete from members where account_id = $1 and user_id <> $2`, [accountId, owner.userId])
  await signIn(owner.email)
  assert.deepEqual(await kindsOf(owner), ['sign_in_new'])
  assert.deepEqual(
    (await sendAll()).map(({ to }) => to),
    [owner.email],
  )
  const { cashier } = await shop()
  await sql('delete from sessions where user_id = $1', [cashier.userId])
  const session = cookie(await signIn(cashier.email), 'sanad_session')
  assert.deepEqual(await kindsOf({ ask: askWith(service, session) }), [])
})

test('a token of a script is told once for its network address', async () => {
  const { cashier } = await shop()
  for (let n = 0; n < 3; n++) assert.equal((await token(cashier.email)).status, 200)
  const [notice, ...more] = await noticesOf(cashier)
  assert.deepEqual([notice!.kind, notice!.facts.script, more.length], ['sign_in_new', true, 0])
  await sendAll()
})

test('many sign-ins without a cookie are five notices and five mails, and the last one counts the others', async () => {
  const { owner, other, cashier } = await shop()
  for (let n = 0; n < 12; n++) {
    clock.advance(1_000)
    await signIn(cashier.email)
  }
  for (const one of [owner, cashier]) {
    const notices = await noticesOf(one)
    assert.deepEqual(
      notices.map(({ facts }) => facts.more ?? 0),
      [7, 0, 0, 0, 0],
    )
  }
  const letters = await sendAll()
  for (const { email } of [owner, other, cashier]) assert.equal(letters.filter(({ to }) => to === email).length, 5)
})

test('ten wrong sign-ins are one notice and one mail for each, however many follow, with their number', async () => {
  const { owner, other, cashier } = await shop()
  const wrong = () => signIn(cashier.email, { password: 'not the password' })
  for (let n = 0; n < 9; n++) assert.equal((await wrong()).status, 401)
  assert.deepEqual(await kindsOf(cashier), [], 'nine are not told')
  assert.equal((await signIn(cashier.email, { cookie: 'x=y' })).status, 200)
  await sendAll()
  const before = (await noticesOf(cashier)).length
  await wrong()
  assert.equal((await noticesOf(cashier)).length, before + 1, 'a right one in between changes nothing')
  assert.deepEqual((await sendAll()).map(({ to }) => to).sort(), [owner.email, other.email, cashier.email].sort())
  await Promise.all(Array.from({ length: 15 }, wrong))
  const [notice] = await noticesOf(owner)
  assert.deepEqual([notice!.kind, notice!.facts.count, notice!.facts.name], ['sign_in_wrong', 25, cashier.email])
  assert.deepEqual(await sendAll(), [], 'no second mail within six hours')
  clock.advance(6 * 3_600_000)
  for (let n = 0; n < 10; n++) await wrong()
  const letters = await sendAll()
  assert.equal(letters.length, 3)
  assert.match(letters[0]!.text, /Tries: 10/)
  assert.doesNotMatch(JSON.stringify(letters), /not the password/)
})

test('wrong passwords in the dialog that asks for a proof count together with wrong sign-ins', async () => {
  const { cashier } = await shop()
  const dialog = () => cashier.askUnproved('POST', '/session/proof/', { body: { password: 'not the password' } })
  for (let n = 0; n < 5; n++) assert.equal((await signIn(cashier.email, { password: 'not the password' })).status, 401)
  for (let n = 0; n < 4; n++) assert.equal((await dialog()).status, 400)
  assert.deepEqual(await kindsOf(cashier), [], 'nine are not told')
  assert.equal((await dialog()).status, 400)
  const [notice, ...more] = await noticesOf(cashier)
  assert.deepEqual([notice!.kind, notice!.facts.count, more.length], ['sign_in_wrong', 10, 0])
  await sendAll()
})

test('wrong sign-ins of many nodes at once are counted exactly, and an address that nobody has fills no table', async () => {
  const { cashier } = await shop()
  const from = { address: '203.0.113.9', agent: '' }
  const tried = (email: string) => db.transaction((tx) => watchWrongSignIn(tx, email, from, clock.now()))
  await Promise.all(Array.from({ length: 40 }, () => tried(cashier.email)))
  const [notice, ...more] = await noticesOf(cashier)
  assert.deepEqual([notice!.facts.count, more.length], [40, 0])
  for (let n = 0; n < 400; n++) await tried(`nobody-${n}@sanad.example`)
  const [[rows]] = (await sql(
    `select count(*)::int from sign_in_failures where user_key < '00000000-0000-0000-0000-000000000100'`,
  )) as [[string]]
  assert.ok(Number(rows) <= 256, String(rows))
  await sendAll()
})

test('a second factor that is set up, a used recovery code, new codes and its end are told to the user and to owners', async () => {
  const { owner, cashier } = await shop()
  const begun = (await cashier.ask('POST', '/me/second_factor/', { body: { password: storyPassword } })).body
  const code = () => generate({ secret: begun.secret, epoch: Math.floor(clock.now() / 1000) })
  const on = await cashier.ask('POST', '/me/second_factor/confirm/', { body: { code: await code() } })
  assert.equal(on.status, 200, on.text)
  const ask = askWith(service, cookie(on, 'sanad_session'))
  const [used, spare] = on.body.recovery_codes
  const signedIn = await signIn(cashier.email, { code: used })
  assert.equal(signedIn.status, 200, signedIn.text)
  clock.advance(60_000)
  const renewed = await ask('POST', '/me/second_factor/recovery_codes/', {
    body: { password: storyPassword, code: await code() },
  })
  assert.equal(renewed.status, 200, renewed.text)
  clock.advance(60_000)
  const off = await ask('POST', '/me/second_factor/off/', { body: { password: storyPassword, code: await code() } })
  assert.ok(off.status < 300, off.text)
  const changes = ['app_off', 'recovery_codes_made', 'recovery_code_used', 'app_on']
  const told = (notices: Notice[]) => notices.flatMap(({ facts }) => facts.change ?? [])
  assert.deepEqual(told(await noticesOf(owner)), changes)
  const after = cookie(await signIn(cashier.email), 'sanad_session')
  assert.deepEqual(told(await noticesOf({ ask: askWith(service, after) })), changes)
  const letters = await sendAll()
  assert.match(letters.map(({ text }) => text).join(), /Recovery codes left: 9/)
  for (const secret of [begun.secret, used, spare]) assert.ok(!JSON.stringify(letters).includes(secret))
})

test('a new owner and a removed one are told to owners and to the removed, who still get what happened before', async () => {
  const { accountId, owner, other, cashier } = await shop()
  const up = await owner.ask('PATCH', `/members/${cashier.userId}/`, { body: { role: 'owner' } })
  assert.equal(up.status, 200, up.text)
  const [added] = await noticesOf(other)
  assert.deepEqual([added!.kind, added!.facts.name], ['owner_added', cashier.email])
  assert.deepEqual((await noticesOf(cashier)).map(({ kind }) => kind).sort(), ['owner_added', 'role_changed'])
  await sendAll()

  // An intruder in the session of an owner: makes a key, and removes the other owners before any mail is sent.
  assert.equal((await owner.ask('POST', '/keys/', { body: { name: 'mine' } })).status, 201)
  for (const one of [other, cashier]) assert.equal((await owner.ask('DELETE', `/members/${one.userId}/`)).status, 204)
  const letters = await sendAll()
  const told = (email: string) =>
    letters
      .filter(({ to }) => to === email)
      .map(({ subject }) => subject)
      .join('\n')
  for (const { email } of [other, cashier]) {
    assert.match(told(email), /You are no member any more: A shop/)
    assert.match(told(email), /An API key was made/)
  }
  assert.match(told(owner.email), /An owner was removed/)
  const [[left]] = (await sql('select count(*)::int from members where account_id = $1', [accountId])) as [[string]]
  assert.equal(Number(left), 1)
})

test('a dead mail server loses nothing, and two workers at once send each mail once', async () => {
  const { cashier } = await shop()
  const password = await cashier.ask('POST', '/me/password/', {
    body: { password: storyPassword, new_password: 'Another long password 41' },
  })
  assert.ok(password.status < 300, password.text)
  const dead: SendMailNow = async (): Promise<MailOutcome> => 'unavailable'
  assert.deepEqual(await sendAll(dead), [])
  assert.deepEqual(await sendAll(), [], 'taken by the worker that failed')
  clock.advance(300_001)
  const [one, two] = await Promise.all([sendAll(), sendAll()])
  const letters = [...one, ...two]
  assert.deepEqual(
    letters.map(({ to }) => to),
    [cashier.email],
  )
  assert.match(letters[0]!.text, /Your password on Sanad was changed/)
  assert.match(letters[0]!.text, /pay\.example\.com\/forgot/)
  clock.advance(300_001)
  assert.deepEqual(await sendAll(), [])
})

test('members read what is about themselves alone, and mark it as seen for themselves', async () => {
  const { owner, cashier } = await shop()
  assert.equal((await owner.ask('POST', '/keys/', { body: { name: 'mine' } })).status, 201)
  await signIn(cashier.email)
  const [own, ...more] = await noticesOf(cashier)
  assert.deepEqual([own!.kind, more.length], ['sign_in_new', 0])
  assert.deepEqual((await kindsOf(owner)).sort(), ['key_created', 'sign_in_new'])
  const [key] = (await noticesOf(owner)).filter(({ kind }) => kind === 'key_created')
  assert.equal((await cashier.ask('POST', `/notices/${key!.id}/seen/`, { body: {} })).status, 404)
  assert.equal((await owner.ask('POST', `/notices/${own!.id}/seen/`, { body: {} })).status, 404)
  assert.equal((await cashier.ask('POST', `/notices/${own!.id}/seen/`, { body: {} })).status, 200)
  assert.deepEqual(await noticesOf(cashier, '?unseen=1'), [])
  assert.equal((await noticesOf(owner, '?unseen=1')).length, 2)
  const pages: string[] = []
  for (let next: string | null = ''; next !== null; ) {
    const after = next === '' ? '' : `&after=${encodeURIComponent(next)}`
    const answer = await owner.ask('GET', `/notices/?page_size=1${after}`)
    pages.push(...answer.body.results.map(({ id }: Notice) => id))
    next = answer.body.next
  }
  assert.equal(new Set(pages).size, 2)
  await sendAll()
})
