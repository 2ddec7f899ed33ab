/**
 * Calls every operation of the dashboard API's contract: without a session, as each role, with ids of another account, and
 * from a page of another site. A new operation is covered as soon as it is described.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { dashboardOperations } from '@sanad/contract/dashboard/operations'
import type { Operation } from '@sanad/contract/operation'
import { type Action, type MemberRole, mayDo, permissions, roles } from '../../../src/accounts/people/permission.ts'
import { type Answer, askAt, openTestService } from '../../support/story.ts'
import { createMembers, dashboardAt } from '../../support/users.ts'
import { otherAccountObjects, type PathIds } from './other-account-objects.ts'

const service = await openTestService({ SANAD_LIMITS: 'off', SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' })
const members = await createMembers(service)
const foreign = await otherAccountObjects(service, members.otherId)

const fill = (text: string, ids: PathIds): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name) => ids[name] ?? randomUUID())
const ownIds: PathIds = { account: members.accountId, wallet: service.demo.wallets.main, phone: service.demo.device.id }
const bodyFor = (operation: Operation, ids = ownIds): unknown => {
  if (operation.method === 'GET' || operation.method === 'DELETE') return undefined
  return JSON.parse(fill(JSON.stringify(operation.example ?? {}), ids))
}
const codeOf = (answer: Answer): string => answer.body?.errors?.[0]?.code ?? ''
const may = (role: MemberRole, access: string): boolean =>
  access === 'self' || (access !== 'operator' && mayDo(role, access as Action))
const name = ({ method, path }: Operation): string => `${method} ${path}`

const signedIn = dashboardOperations.filter(({ access }) => access !== 'open')
const writes = signedIn.filter(({ method }) => method !== 'GET')
// Signing out and making the browser a counter would end the session of this test, and the stream never ends. Other tests cover them.
const excluded = new Set(['signOut', 'openCounter', 'openStream'])
const tested = signedIn.filter(({ id }) => !excluded.has(id))

test('every operation has a unique name, a slash at its end, and an action of the role table', () => {
  const names = dashboardOperations.map(({ id }) => id)
  assert.equal(new Set(names).size, names.length)
  assert.equal(new Set(dashboardOperations.map(name)).size, names.length)
  for (const { path, access } of dashboardOperations) {
    assert.match(path, /^\/.*\/$/)
    assert.ok(['open', 'self', 'operator'].includes(access) || Object.hasOwn(permissions, access), access)
  }
})

test('every action of the role table is used by an operation', () => {
  const used = new Set(dashboardOperations.map(({ access }) => access))
  assert.deepEqual(
    Object.keys(permissions).filter((action) => !used.has(action)),
    [],
  )
})

test('the published document has the same operations', () => {
  const file = join(resolve(import.meta.dirname, '../../../../..'), 'openapi/dashboard.json')
  const { paths } = JSON.parse(readFileSync(file, 'utf8'))
  const published = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
  )
  assert.deepEqual(published.sort(), dashboardOperations.map(name).sort())
})

test('without a session every operation is 401, and changes nothing', async () => {
  for (const operation of signedIn) {
    const url = dashboardAt(service.origin, fill(operation.path, {}))
    const answer = await askAt(url, operation.method, { token: null, body: bodyFor(operation) })
    assert.equal(answer.status, 401, `${name(operation)}: ${answer.text}`)
    assert.equal(codeOf(answer), 'not_authenticated', name(operation))
    const forged = await askAt(url, operation.method, {
      token: null,
      headers: { cookie: 'sanad_session=forged', origin: service.origin },
      body: bodyFor(operation),
    })
    assert.equal(forged.status, 401, `${name(operation)}: ${forged.text}`)
  }
})

test('an API key of a merchant is refused everywhere', async () => {
  for (const operation of signedIn) {
    const url = dashboardAt(service.origin, fill(operation.path, {}))
    const answer = await askAt(url, operation.method, { token: service.token, body: bodyFor(operation) })
    assert.equal(answer.status, 403, `${name(operation)}: ${answer.text}`)
  }
})

for (const role of roles) {
  test(`a ${role} may do what the role table allows, and nothing else`, async () => {
    for (const operation of tested) {
      // Unknown ids: an allowed operation answers 404, and nothing is changed.
      const answer = await members[role].ask(operation.method, fill(operation.path, {}), { body: bodyFor(operation) })
      const described = `${name(operation)} as ${role}: ${answer.status} ${answer.text}`
      assert.ok(answer.status < 500, described)
      if (may(role, operation.access)) assert.ok(![401, 403, 405].includes(answer.status), described)
      else assert.equal(`${answer.status} ${codeOf(answer)}`, '403 permission_denied', described)
    }
  })
}

test('an operator may call every operation for operators', async () => {
  for (const operation of tested.filter(({ access }) => access === 'operator')) {
    const answer = await members.operator.ask(operation.method, fill(operation.path, {}), { body: bodyFor(operation) })
    assert.ok(![401, 403, 405].includes(answer.status) && answer.status < 500, `${name(operation)}: ${answer.text}`)
  }
})

test('objects of another account are not found', async () => {
  const prefixes = Object.keys(foreign).sort((a, b) => b.length - a.length)
  for (const operation of tested.filter(({ path, access }) => path.includes('{') && access !== 'operator')) {
    const prefix = prefixes.find((candidate) => operation.path.startsWith(candidate))
    assert.ok(prefix, `other-account-objects.ts has nothing for ${operation.path}`)
    const path = fill(operation.path, foreign[prefix]!)
    const answer = await members.owner.ask(operation.method, path, { body: bodyFor(operation) })
    assert.equal(`${answer.status} ${codeOf(answer)}`, '404 not_found', `${name(operation)}: ${answer.text}`)
    if (operation.method !== 'GET') continue
    // The owner of the object can read it.
    const theirs = await members.stranger.ask('GET', path)
    assert.equal(theirs.status, 200, `${name(operation)}: ${theirs.text}`)
  }
})

test('objects of another account cannot be named in a body', async () => {
  const idOf = (kind: string): string => foreign[`/${kind}/{id}/`]!.id!
  const ids: PathIds = { account: members.otherId, wallet: idOf('wallets'), provider: idOf('providers') }
  const naming = tested.filter(
    ({ path, access, example }) =>
      /"\{\w+\}"/.test(JSON.stringify(example ?? '')) && access !== 'operator' && !path.includes('{'),
  )
  assert.ok(naming.length >= 5, naming.map(name).join())
  for (const operation of naming) {
    for (const [, field] of JSON.stringify(operation.example).matchAll(/"\{(\w+)\}"/g))
      assert.ok(ids[field!], `add an id of the other account for {${field}}`)
    const answer = await members.owner.ask(operation.method, operation.path, { body: bodyFor(operation, ids) })
    const described = `${name(operation)}: ${answer.status} ${answer.text}`
    assert.ok([400, 403, 404].includes(answer.status), described)
    assert.match(codeOf(answer), /^(does_not_exist|not_found|\w+_unknown|account_not_allowed)$/, described)
  }
})

test('objects of another account are not found below an object of the own account either', async () => {
  const created = await members.owner.ask('POST', '/webhooks/', { body: { url: 'http://127.0.0.1:9/hook' } })
  const own: PathIds = { ...foreign['/webhooks/{id}/'], id: created.body.webhook.id }
  const inside = tested.filter(({ path }) => path.split('{').length > 2)
  assert.ok(inside.length >= 5)
  for (const operation of inside) {
    assert.match(operation.path, /^\/webhooks\//, 'this test needs an own object for this path as well')
    const answer = await members.owner.ask(operation.method, fill(operation.path, own), { body: bodyFor(operation) })
    assert.equal(`${answer.status} ${codeOf(answer)}`, '404 not_found', `${name(operation)}: ${answer.text}`)
  }
})

/** Operations without a check of the origin: a script gets its token without a page; reading changes nothing. */
const fromAnywhere = new Set(['issueToken', 'showInvitation', 'showCounterHere'])
const fromOurPages = [
  ...writes,
  ...dashboardOperations.filter(({ access, id }) => access === 'open' && !fromAnywhere.has(id)),
]

test('CSRF: a change from a page of another site, or without an origin, is refused', async () => {
  assert.ok(fromOurPages.length > writes.length + 3)
  for (const operation of fromOurPages) {
    for (const origin of ['https://elsewhere.example', 'null', '(none)', `${service.origin}.elsewhere.example`]) {
      const answer = await members.owner.ask(operation.method, fill(operation.path, {}), {
        body: bodyFor(operation),
        headers: { origin },
      })
      assert.equal(`${answer.status} ${codeOf(answer)}`, '403 origin_not_allowed', `${name(operation)} from ${origin}`)
    }
  }
})

test('a method that a path does not have is answered with 405 and Allow', async () => {
  for (const path of new Set(signedIn.map((operation) => operation.path))) {
    const methods = dashboardOperations
      .filter((operation) => operation.path === path)
      .map(({ method }) => method as string)
    const answer = await members.owner.ask('PROPFIND', fill(path, {}))
    assert.equal(answer.status, 405, `${path}: ${answer.text}`)
    for (const method of methods) assert.ok(String(answer.headers.allow).includes(method))
  }
})
