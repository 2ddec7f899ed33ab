/**
 * 0087: a member who was given some wallets gets no byte of another wallet, and changes no row of it: every call of the contract, as
 * every role that can be limited, with the objects of the own and of the other wallet. A new call is covered as soon as it is
 * described.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { dashboardOperations } from '@sanad/contract/dashboard/operations'
import type { Operation } from '@sanad/contract/operation'
import { type Action, isLimitedOut, type MemberRole, mayDo } from '../../../src/accounts/people/permission.ts'
import { queueStory } from '../../support/queue-story.ts'
import { type Answer, openTestService } from '../../support/story.ts'
import { createMember, type TestMember } from '../../support/users.ts'
import { type BranchObjects, plantBranch } from './branch-objects.ts'

const service = await openTestService({ SANAD_LIMITS: 'off', SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' })
const { demo, clock, sql } = service
const story = await queueStory(service)
const { owner, accountId } = story
// A phone that was connected today is a doubt.
clock.advance(2 * 24 * 3_600_000)

const own = await plantBranch(service, story, {
  walletId: demo.wallets.main,
  simSlot: 'SIM1',
  mark: 'OwnBranch',
  digits: '4217',
  payer: 'سالم المثال',
})
const other = await plantBranch(service, story, {
  walletId: demo.wallets.second,
  simSlot: 'SIM2',
  mark: 'OtherBranch',
  digits: '8391',
  payer: 'زاهر المثال',
})
// What belongs to no wallet: a message that nobody understood, a checkout for every wallet.
await story.record([story.report('A text that no template reads OtherBranch 8391', { simSlot: '' })])
const everyWallet = await owner.ask('POST', '/checkouts/', {
  body: { amount: '8391.99', description: 'for all OtherBranch' },
})
assert.equal(everyWallet.status, 201, everyWallet.text)
const endpoint = await owner.ask('POST', '/webhooks/', { body: { url: 'http://127.0.0.1:9/OtherBranch' } })
assert.equal(endpoint.status, 201, endpoint.text)

const limitedRoles = ['manager', 'cashier', 'viewer'] as const
const limit = async (member: TestMember, wallets: readonly string[] | null): Promise<void> => {
  const answer = await owner.ask('PATCH', `/members/${member.userId}/`, { body: { wallets } })
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(answer.body.wallets, wallets)
}
const limited = {} as Record<(typeof limitedRoles)[number], TestMember>
for (const role of limitedRoles) {
  limited[role] = await createMember(service, accountId, role)
  await limit(limited[role], [own.walletId])
}
clock.advance(2_000)

const markers = [...other.markers, everyWallet.body.id, endpoint.body.webhook.id]
const leakIn = (text: string): string | undefined => markers.find((marker) => text.includes(marker))
const name = ({ method, path }: Operation): string => `${method} ${path}`
const codeOf = (answer: Answer): string => answer.body?.errors?.[0]?.code ?? ''
// Signing out would end the session of this test, and the stream never ends. Other tests cover both. Leaving ends the membership.
const excluded = new Set(['signOut', 'openStream', 'leaveAccount', 'endOtherSessions'])
const tested = dashboardOperations.filter(
  ({ id, access }) => access !== 'open' && access !== 'operator' && !excluded.has(id),
)

/** The paths of a call: with the objects of a branch where it names one, or with an unknown id. */
const pathsOf = (operation: Operation, objects: BranchObjects): string[] => {
  if (!operation.path.includes('{')) return [operation.path]
  const prefix = Object.keys(objects.ids).find((candidate) => operation.path.startsWith(candidate))
  const ids = prefix === undefined ? [randomUUID()] : objects.ids[prefix]!
  return ids.map((id) => operation.path.replace('{id}', id).replaceAll(/\{\w+\}/g, () => randomUUID()))
}
const today = new Date(clock.now()).toISOString().slice(0, 10)
/** Values of query fields that ask for the other wallet. */
const asking: Readonly<Record<string, string>> = {
  wallet: other.walletId,
  wallet_id: other.walletId,
  q: 'OtherBranch',
  search: 'OtherBranch',
  reference: '8391',
  amount: '8391.01',
  order: 'OtherBranch',
  intent: other.ids['/intents/{id}/']![0]!,
  link: other.ids['/payment-links/{id}/']![0]!,
  date: today,
}
const queriesOf = ({ query = {}, method }: Operation): string[] => {
  if (method !== 'GET') return ['']
  const named = Object.keys(query).filter((field) => field in asking)
  return ['', ...named.map((field) => `?${field}=${encodeURIComponent(asking[field]!)}`)]
}
const bodiesOf = (operation: Operation): unknown[] => {
  if (operation.method === 'GET' || operation.method === 'DELETE') return [undefined]
  const fill = (wallet: string) =>
    JSON.parse(
      JSON.stringify(operation.example ?? {}).replaceAll(/\{(\w+)\}/g, (_, field) =>
        field === 'wallet' ? wallet : field === 'account' ? accountId : randomUUID(),
      ),
    )
  const bodies = [fill(other.walletId)]
  const [intent] = other.ids['/intents/{id}/']!
  if (/"intent"/.test(JSON.stringify(operation.body ?? {}))) bodies.push({ ...bodies[0], intent })
  if (/"wallets"/.test(JSON.stringify(operation.body ?? {}))) bodies.push({ ...bodies[0], wallets: [other.walletId] })
  if (/"from"/.test(JSON.stringify(operation.body ?? {}))) bodies.push({ ...bodies[0], from: intent })
  return bodies
}

/** The rows that belong to the other wallet, of all tables of the account. */
const tables = (
  await sql(`select table_name from information_schema.columns
              where table_schema = 'public' and column_name = 'account_id'
                and table_name not in ('sessions', 'audit_log', 'api_calls', 'devices', 'intent_hours', 'member_wallets', 'members')
                and table_name in (select table_name from information_schema.tables where table_type = 'BASE TABLE')
              order by 1`)
).map(([table]) => table!)
const rowsOfOther = async (): Promise<string[]> => {
  const each = tables.map(
    (table) => `select '${table} ' || t::text as row from ${table} t where account_id = '${accountId}'`,
  )
  const rows = await sql(each.join(' union all '))
  return rows
    .map(([row]) => row as string)
    .filter((row) => leakIn(row) !== undefined)
    .toSorted()
}

test('the walk would notice a leak: the owner gets what is marked by most calls that read', async () => {
  const seen = new Set<string>()
  for (const operation of tested.filter(({ method }) => method === 'GET'))
    for (const path of pathsOf(operation, other))
      for (const query of queriesOf(operation)) {
        const answer = await owner.ask('GET', `${path}${query}`)
        assert.ok(answer.status < 500, `${name(operation)}: ${answer.text}`)
        if (leakIn(answer.text) !== undefined) seen.add(operation.id)
      }
  for (const id of [
    'listIntents',
    'intentsCsv',
    'showIntent',
    'listUnmatched',
    'showAlert',
    'listAlerts',
    'search',
    'showOverview',
    'showCounter',
    'listRoll',
    'showDayClose',
    'showDaySums',
    'downloadDaySums',
    'listWallets',
    'showWallet',
    'listCheckouts',
    'showCheckout',
    'listPaymentLinks',
    'showPaymentLink',
    'showShift',
    'downloadShift',
    'listWebhooks',
    'listAudit',
  ])
    assert.ok(seen.has(id), `the owner does not see the marker by ${id}; seen: ${[...seen]}`)
})

for (const role of limitedRoles)
  test(`a ${role} with one wallet gets nothing of the other by any call, and changes none of its rows`, async () => {
    const problems: string[] = []
    const member = limited[role]
    const before = await rowsOfOther()
    assert.ok(before.length > 30, String(before.length))
    for (const operation of tested) {
      const action = operation.access as Action
      const mayRole = operation.access === 'self' || mayDo(role as MemberRole, action)
      const out = operation.access !== 'self' && isLimitedOut({ role, wallets: [own.walletId] }, action)
      // Own objects too: an answer about them must not name the other wallet.
      for (const objects of [other, own])
        for (const path of pathsOf(operation, objects))
          for (const query of queriesOf(operation))
            for (const body of bodiesOf(operation)) {
              if (objects === own && operation.method !== 'GET' && /cancel|dismiss|switch/.test(operation.id)) continue
              const answer = await member.ask(operation.method, `${path}${query}`, { body }).catch((fault) => {
                // An answer that is not described, such as a 500.
                problems.push(`${name(operation)} ${path}${query} ${JSON.stringify(body) ?? ''}: ${fault}`)
              })
              if (answer === undefined) continue
              const described = `${name(operation)} ${path}${query} ${JSON.stringify(body) ?? ''}: ${answer.status} ${answer.text.slice(0, 300)}`
              if (answer.status >= 500) problems.push(described)
              if (!mayRole || out) {
                if (codeOf(answer) !== 'permission_denied') problems.push(`not refused: ${described}`)
                if (out && !/wallets/.test(answer.text)) problems.push(`no reason: ${described}`)
              }
              const sent = `${path}${query}${JSON.stringify(body) ?? ''}`
              const leak = markers.find(
                (marker) => answer.text.includes(marker) && !(answer.status >= 400 && sent.includes(marker)),
              )
              if (leak !== undefined) problems.push(`LEAK ${leak}: ${described}`)
              if (objects === other && prefixed(operation, objects) && answer.status < 400)
                problems.push(`allowed: ${described}`)
            }
      const now = await rowsOfOther()
      if (JSON.stringify(now) !== JSON.stringify(before))
        problems.push(
          `CHANGED by ${name(operation)}: ${now
            .filter((row) => !before.includes(row))
            .join('\n  ')
            .slice(0, 600)}`,
        )
      if (JSON.stringify(now) !== JSON.stringify(before)) before.splice(0, before.length, ...now)
    }
    assert.deepEqual(problems, [], `${problems.length} problems\n${problems.slice(0, 60).join('\n')}`)
  })

function prefixed(operation: Operation, objects: BranchObjects): boolean {
  return (
    !operation.path.startsWith('/shifts/') &&
    Object.keys(objects.ids).some((candidate) => operation.path.startsWith(candidate))
  )
}
