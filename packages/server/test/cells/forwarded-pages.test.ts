/** 0131: buyers with a page, a link or a voucher of the old cell go on paying: forms, scripts, streams, pictures. */
import assert from 'node:assert/strict'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { askAt } from '../support/story.ts'
import { createMembers } from '../support/users.ts'
import { lineOf, openTwoCells } from './forwarding-story.ts'

// The old cell reads where accounts are by `GET /wallets/`, very often. Links that no cell knows are limited.
const cells = await openTwoCells({
  SANAD_LIMITS: JSON.stringify({
    wallets: { burst: 1_000_000, sustained: 1_000_000 },
    pay_unknown: { burst: 5 },
    ingest_failure: { burst: 5 },
  }),
})
const { old, other, copyBack, switchOver } = cells
const { demo } = old

/** As the shop's server makes it, in the cell that has the account. */
const newCheckout = async (): Promise<{ readonly id: string; readonly page: string }> => {
  const made = await askAt(`${other.origin}/api/v1/checkout/sessions/`, 'POST', {
    token: other.token,
    body: { amount: '1500.00' },
  })
  assert.equal(made.status, 201, made.text)
  return { id: made.body.id, page: new URL(made.body.url).pathname }
}
const linkBody = { description: 'Coffee', min_amount: '1.00', max_amount: '5000.00' }
const { owner } = await createMembers(other)
const newLink = async (): Promise<string> => {
  const made = await owner.ask('POST', '/payment-links/', { body: linkBody })
  assert.equal(made.status, 201, made.text)
  return new URL(made.body.url).pathname
}

const intentsInOld = async (): Promise<number> => Number((await old.sql('select count(*) from intents'))[0]![0])

/** The events of a page's stream at the old address. */
const streamOf = (page: string): Promise<{ readonly head: IncomingMessage; next(): Promise<string>; end(): void }> =>
  new Promise((done, failed) => {
    const request = httpRequest(`${old.origin}${page}/stream/`, { agent: false }, (head) => {
      const parts: string[] = []
      let wake = (): void => {}
      head.on('data', (part: Buffer) => {
        parts.push(
          ...part
            .toString()
            .split('\n\n')
            .filter((text) => text.startsWith('data:')),
        )
        wake()
      })
      head.on('error', () => {})
      done({
        head,
        async next() {
          while (parts.length === 0)
            await new Promise<void>((woken) => {
              wake = woken
            })
          return parts.shift()!
        },
        end: () => request.destroy(),
      })
    })
    request.on('error', failed)
    request.end()
  })

const before = await newCheckout()
const linkBefore = await newLink()
await copyBack(['payment_links', 'checkouts'])
assert.equal((await old.open(before.page)).status, 200)
const openedBefore = await streamOf(before.page)
await openedBefore.next()
const closed = new Promise<void>((done) => openedBefore.head.on('close', () => done()))
await switchOver()
const inOld = await intentsInOld()

test('a stream that was open before the move ends, so that the page opens another one', async () => {
  await closed
})

test('a page, its form, its state and its stream are those of the new cell', async () => {
  const shown = await old.open(before.page)
  assert.deepEqual([shown.status, (await lineOf(old, shown)).forwarded], [200, other.origin])
  assert.match(String(shown.headers['content-security-policy']), /form-action 'self'/)
  const head = await askAt(`${old.origin}${before.page}`, 'HEAD', {})
  assert.deepEqual([head.status, head.text], [200, ''])

  const chosen = await old.submit(`${before.page}/wallet/`, { wallet: demo.wallets.main })
  assert.equal(chosen.status, 303)
  assert.ok(String(chosen.headers.location).startsWith(before.page))
  const [[id]] = (await other.sql('select intent_id from checkout_intents where checkout_id = $1', [before.id])) as [
    [string],
  ]
  const stream = await streamOf(before.page)
  const first = await stream.next()
  const sent = await old.send(`${before.page}/reference/`, { reference: '700123456789' })
  assert.equal((await lineOf(old, sent)).forwarded, other.origin)
  assert.notEqual(await stream.next(), first)
  stream.end()
  assert.equal((await other.sql('select reference from intents where id = $1', [id]))[0]![0], '700123456789')
  assert.match((await old.open(`${before.page}/state/`)).text, /\w/)
  assert.equal(await intentsInOld(), inOld, 'the rows that stayed are as they were')
})

test('what is made in the new cell is found at the old address too: a link leads a buyer to a new checkout', async () => {
  assert.equal((await old.open(linkBefore)).status, 200)
  const entered = await old.submit(linkBefore, { amount: '25' })
  assert.equal(entered.status, 303, entered.text)
  const page = String(entered.headers.location)
  assert.match(page, /^\/pay\/[\w-]{27}\?/)
  const shown = await old.open(page)
  assert.deepEqual([shown.status, (await lineOf(old, shown)).forwarded], [200, other.origin])
  assert.equal((await old.open(`${linkBefore}/seen`)).status, 200)
  const { page: later } = await newCheckout()
  // More than the limit of unknown links: half a city may share an address.
  for (let times = 0; times < 8; times++) assert.equal((await old.open(later)).status, 200)
})

test('the page that sets up a phone, whose session is in the new cell, looks for progress as often as it likes', async () => {
  const added = (await owner.ask('POST', '/phones/', { body: { name: 'New phone' } })).body
  const body = { code: added.pairing.code, model: 'SM-A145' }
  const opened = await askAt(`${other.origin}/pair/session`, 'POST', { body })
  assert.equal(opened.status, 200, opened.text)
  const cookie = String(opened.headers['set-cookie']).split(';')[0]!
  const look = () => askAt(`${old.origin}/pair/session`, 'GET', { headers: { cookie } })
  for (let times = 0; times < 8; times++) assert.equal((await look()).status, 200)
})

test('an address that no cell knows gets the page "unknown" of the old cell', async () => {
  for (const path of [
    `/pay/${'x'.repeat(27)}`,
    '/pay/short',
    `/voucher/${'y'.repeat(27)}`,
    `/pay/logo/${'z'.repeat(43)}`,
  ]) {
    const answer = await old.open(path)
    assert.equal(answer.status, 404, path)
    assert.equal((await lineOf(old, answer)).forwarded, undefined)
  }
  assert.ok((await cells.forwardedCalls('unknown')) >= 3)
})

test('a form that is sent while the new cell is away keeps what the buyer typed', async () => {
  const [row] = await old.sql('select origin from account_moves')
  await old.sql(`update account_moves set origin = 'http://127.0.0.1:1'`)
  await cells.untilSeen(({ status, headers }) => status === 503 && headers['retry-after'] === '5')
  const form = await old.submit(`${before.page}/reference/`, { reference: '700123456789' })
  assert.equal(form.status, 303)
  assert.match(String(form.headers.location), /error=errorFault&typed=700123456789/)
  const page = await old.open(before.page)
  assert.deepEqual([page.status, page.headers['retry-after']], [503, '5'])
  assert.match(page.text, /<html/)
  await old.sql('update account_moves set origin = $1', [row![0]])
  await cells.untilSeen(({ status }) => status === 200)
  assert.equal((await old.open(before.page)).status, 200)
})
