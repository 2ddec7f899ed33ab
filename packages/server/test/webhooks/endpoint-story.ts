/**
 * Webhook endpoints for tests, managed over HTTP: a service, a receiver on loopback, and a record of every answer, so
 * that each file can check at its end that none contained a secret.
 */
import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { createUser } from '../../src/accounts/members/create-user.ts'
import { openTokens } from '../../src/accounts/sessions/token.ts'
import { type AccountId, type EventId, timeOrderedId, type UserId } from '../../src/core/ids.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { insertEvents } from '../../src/webhooks/event-sql.ts'
import { openMerchantServer, type ReceivedCall } from '../support/merchant-server.ts'
import { type Answer, type Ask, askAt, openTestService } from '../support/story.ts'
import { lastingToken } from '../support/users.ts'

export const endpointStory = async () => {
  const service = await openTestService({
    SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    SANAD_LIMITS: '{"webhook_test": {"burst": 8}}',
  })
  const { clock, demo, db, sql } = service
  const tokens = openTokens(service.masterKey)
  const accountOf = async (wallet: string) =>
    (await sql('select account_id from wallets where id = $1', [wallet]))[0]![0] as AccountId
  const accountId = await accountOf(demo.wallets.main)
  const otherId = await accountOf(demo.other.wallet)
  const [owner] = (await sql('select user_id from members where account_id = $1', [accountId]))[0] as [UserId]
  const token = await lastingToken(service, { userId: owner, accountId }, 86_400)
  const newMember = async (account: AccountId, role: 'owner' | 'manager' | 'viewer' = 'owner') => {
    const fields = { email: `${randomUUID()}@sanad.example`, name: '', passwordHash: 'none', role }
    const id = (await db.transaction((tx) => createUser(tx, wholeAccount(account), fields, clock.now())))!
    return { id, token: await lastingToken(service, { userId: id, accountId: account }, 86_400) }
  }
  const stranger = await newMember(otherId)

  /** Only the answer that creates a secret may contain it. In `otherAnswers` that answer is stored without the secret. */
  const secrets = new Set<string>()
  const otherAnswers: string[] = []

  const ask = async (method: string, path: string, options: Ask = {}): Promise<Answer> => {
    const answer = await askAt(`${service.origin}/api/v1/dashboard${path}`, method, { token, ...options })
    const createsSecret =
      method === 'POST' && (path === '/webhooks/' || path.endsWith('/rotate/')) && answer.status < 300
    if (createsSecret) {
      secrets.add(answer.body.secret)
      otherAnswers.push(answer.text.replace(/"secret":"[^"]*"/g, '"secret":"?"'))
    } else otherAnswers.push(answer.text)
    return answer
  }

  const { calls, at } = await openMerchantServer(({ path }, response) => {
    if (path.startsWith('/fails')) response.writeHead(500)
    if (path.startsWith('/moved')) response.writeHead(302, { location: 'http://169.254.169.254/' })
    response.end('thank you')
  })
  const lastAt = (path: string): ReceivedCall => calls.findLast((call) => call.path === path)!

  const create = (body: Record<string, unknown> = {}): Promise<Answer> =>
    ask('POST', '/webhooks/', { body: { url: at('/ok'), ...body } })
  const newEndpoint = async (body: Record<string, unknown> = {}): Promise<{ id: string; secret: string }> => {
    const answer = await create(body)
    assert.equal(answer.status, 201, answer.text)
    return { id: answer.body.webhook.id, secret: answer.body.secret }
  }
  const value = async (text: string, values: unknown[] = []) => (await sql(text, values))[0]![0]

  const storeEvents = async (count: number, kind: 'payment.verified' | 'payment.unmatched' = 'payment.verified') => {
    const events = Array.from({ length: count }, () => ({
      accountId,
      id: timeOrderedId<EventId>(clock.now()),
      kind,
      walletId: demo.wallets.main,
      intentId: null,
      alertId: randomUUID() as never,
      body: JSON.stringify({ event: kind }),
      createdAt: clock.now(),
    }))
    await insertEvents(db, events)
    return events.map((event) => event.id)
  }

  /** A test that starts a minute later than the one before it, with all earlier endpoints deleted. */
  const story = (name: string, work: () => Promise<void>): void =>
    void test(name, async () => {
      clock.advance(61_000)
      await sql(`update webhook_endpoints set deleted_at = now(), enabled = false where deleted_at is null`)
      await work()
    })

  /** Call this last. The least numbers make sure that the file did create secrets and get answers. */
  const noSecretLeaks = (least: { readonly secrets: number; readonly answers: number }): void =>
    story('only the answer that creates a secret contains it: no other answer, log line or audit entry', async () => {
      assert.ok(
        secrets.size >= least.secrets && otherAnswers.length >= least.answers,
        `${secrets.size} secrets, ${otherAnswers.length} answers`,
      )
      const answers = otherAnswers.join('\n')
      const log = service.lines.join('\n')
      const auditLog = (await sql('select row_to_json(a)::text from audit_log a')).flat().join('\n')
      for (const secret of secrets) {
        assert.ok(!answers.includes(secret), `an answer contains ${secret}`)
        assert.ok(!log.includes(secret), `the log contains ${secret}`)
        assert.ok(!auditLog.includes(secret), `the audit log contains ${secret}`)
      }
    })

  return {
    service,
    tokens,
    accountId,
    token,
    newMember,
    stranger,
    secrets,
    ask,
    calls,
    at,
    lastAt,
    create,
    newEndpoint,
    value,
    storeEvents,
    story,
    noSecretLeaks,
  }
}

/** How many signatures a request has, and whether a secret signed it. */
export const signaturesOf = ({ headers, body }: ReceivedCall) => {
  const [t = '', ...signed] = String(headers['x-service-signature']).split(',')
  const isSignedBy = (secret: string) =>
    signed.includes(
      `v1=${createHmac('sha256', secret)
        .update(`${t.slice(2)}.${body}`)
        .digest('hex')}`,
    )
  return { count: signed.length, by: isSignedBy }
}
