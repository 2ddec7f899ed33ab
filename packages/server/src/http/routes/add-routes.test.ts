/** The steps of a call, in the order of decision 7. */
import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { test } from 'node:test'
import { operation } from '@sanad/contract/operation'
import fastify, { type FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { zoneOf } from '../../core/zone.ts'
import {
  invalid,
  notAuthenticated,
  notFound,
  type Problem,
  permissionDenied,
  sendProblem,
  throttled,
} from '../answers.ts'
import { addRoutes } from './add-routes.ts'
import { ifInvalid, makeRoute, type OpenCall, type RouteMaker, readLate } from './route.ts'

const described = { access: 'key', tag: 'Shop', summary: 'For this test', status: 200 } as const
const change = operation({
  ...described,
  id: 'change',
  method: 'PATCH',
  path: '/things/{id}/',
  query: { size: { schema: Type.Unsafe<'S'>({ type: 'string', enum: ['S'] }) } },
  body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 5 }) }),
  answer: Type.Object({ name: Type.String(), found: Type.String() }),
})
const show = operation({ ...described, id: 'show', method: 'GET', path: '/things/{id}/', answer: Type.String() })

const known = '7d0f3a52-8a52-4c3e-9a56-1f0f3a528a52'
const unknown = '00000000-0000-4000-8000-000000000000'
const route = makeRoute as RouteMaker<'key', OpenCall, ReturnType<typeof makeRoute<OpenCall>>>

const server = (): FastifyInstance => {
  const app = fastify()
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  app.decorateRequest('noted', undefined)
  app.setErrorHandler((problem, _, reply) => sendProblem(reply, problem as unknown as Problem))
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    request.sentType = request.headers['content-type']
    done(null, body)
  })
  return app
}
const caller = () => ({ now: 0, zone: () => zoneOf('Asia/Aden') })

/** `refuse`: the steps that refuse. Every step may answer at once or later. */
const api = (refuse: ReadonlySet<string>, later: boolean, late = false, withBody = false) => {
  const steps: string[] = []
  const step = <T>(name: string, problem: () => Problem, value: T): T | Promise<T> => {
    const run = (): T => {
      steps.push(name)
      if (refuse.has(name)) throw problem()
      return value
    }
    return later ? Promise.resolve().then(run) : run()
  }
  const app = server()
  const find = async ({ path }: { path: { id: string } }): Promise<string> => {
    steps.push('find')
    if (path.id !== known) throw notFound()
    return 'a thing'
  }
  addRoutes<OpenCall>(
    app,
    {
      clock: { now: () => 0 },
      authenticate: (request) => {
        if (withBody) steps.push(`body of ${(request.body as Buffer | undefined)?.length}`)
        return step('authenticate', () => notAuthenticated(), caller())
      },
      count: () => step('count', () => throttled(1), undefined),
      permit: () => step('permit', () => permissionDenied(), caller()),
      ...(withBody
        ? { beforeBody: () => step('beforeBody', () => notAuthenticated(), undefined), configOf: () => ({}) }
        : { describe: (path: string) => JSON.stringify({ path }) }),
    },
    [
      route(change, late ? ifInvalid(find) : find, (call, found) => {
        steps.push('handle')
        if (call.body.name === 'no') throw invalid([{ code: 'no', detail: 'No.', attr: 'name' }])
        return { name: call.body.name, found: String(found) }
      }),
      route(show, async () => 'shown'),
    ],
  )
  const ask = async (method: string, id: string, body?: unknown, query = '') => {
    const answer = await app.inject({
      method: method as 'GET',
      url: `/things/${id}/${query}`,
      ...(body === undefined ? {} : { payload: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    return { status: answer.statusCode, text: answer.body, allow: answer.headers.allow }
  }
  return { ask, steps }
}

for (const later of [false, true]) {
  test(`the first step that refuses a call answers it, ${later ? 'later' : 'at once'}`, async () => {
    const order = ['authenticate', 'count', 'permit'] as const
    const statuses = { authenticate: 401, count: 429, permit: 403 }
    for (const [at, name] of order.entries()) {
      const { ask, steps } = api(new Set(order.slice(at)), later)
      // Everything after it would be refused too: the method, the object, the query and the body.
      const answer = await ask('PATCH', 'x', { name: 7 }, '?size=x')
      assert.equal(answer.status, statuses[name])
      assert.equal(answer.allow, 'PATCH, GET, HEAD, OPTIONS')
      assert.deepEqual(steps, order.slice(0, at + 1))
    }
  })
}

test('a method that the path lacks is refused after the limits and before the permission', async () => {
  for (const method of ['DELETE', 'PROPFIND']) {
    const { ask, steps } = api(new Set(['permit']), false)
    assert.equal((await ask(method, known)).status, 405, method)
    assert.deepEqual(steps, ['authenticate', 'count'])
  }
  assert.equal((await api(new Set(), false).ask('OPTIONS', known)).text, '{"path":"/things/{id}/"}')
})

test('an unknown object is 404 whatever was sent; then query and body are read, then the handler runs', async () => {
  const { ask, steps } = api(new Set(), false)
  for (const id of ['x', unknown]) assert.equal((await ask('PATCH', id, { name: 7 }, '?size=x')).status, 404)
  assert.match((await ask('PATCH', known, { name: 7 }, '?size=x')).text, /"attr":"size"/)
  assert.match((await ask('PATCH', known, {})).text, /"code":"required"/)
  assert.ok(!steps.includes('handle'))
  const changed = await ask('PATCH', known.toUpperCase(), { name: ' new ' }, '?size=S')
  assert.equal(changed.text, '{"name":"new","found":"a thing"}')
  assert.equal((await ask('GET', known)).text, '"shown"')
  assert.equal((await ask('HEAD', known)).status, 200)
})

test('an object that the handler finds by itself is looked up only if the request is invalid', async () => {
  const { ask, steps } = api(new Set(), false, true)
  assert.equal((await ask('PATCH', unknown, { name: 'new' })).status, 200)
  // A refusal of the handler does not look it up either.
  assert.equal((await ask('PATCH', unknown, { name: 'no' })).status, 400)
  assert.ok(!steps.includes('find'))
  assert.equal((await ask('PATCH', unknown, {})).status, 404)
  assert.equal((await ask('PATCH', known, {})).status, 400)
})

for (const later of [false, true]) {
  test(`a caller who signs the body is known when it is there; without it only the method and what lacks a signature is refused, ${later ? 'later' : 'at once'}`, async () => {
    const order = ['beforeBody', 'authenticate', 'count', 'permit'] as const
    const statuses = { beforeBody: 401, authenticate: 401, count: 429, permit: 403 }
    for (const [at, name] of order.entries()) {
      const { ask, steps } = api(new Set(order.slice(at)), later, false, true)
      const answer = await ask('PATCH', 'x', { name: 7 }, '?size=x')
      assert.deepEqual([answer.status, answer.allow], [statuses[name], undefined])
      assert.deepEqual(steps, ['beforeBody', 'body of 10', ...order.slice(1)].slice(0, at === 0 ? 1 : at + 2))
    }
    for (const method of ['DELETE', 'PROPFIND', 'OPTIONS']) {
      const { ask, steps } = api(new Set(), later, false, true)
      const answer = await ask(method, known)
      assert.deepEqual([answer.status, answer.allow], [405, 'PATCH, GET'], method)
      assert.deepEqual(steps, [])
    }
    const { ask } = api(new Set(), later, false, true)
    assert.equal((await ask('PATCH', known, { name: 'new' })).text, '{"name":"new","found":"a thing"}')
    assert.equal((await ask('GET', known)).text, '"shown"')
  })
}

test('a handler that may answer without the body reads it itself, and then refuses it', async () => {
  const app = server()
  const said = readLate(operation({ ...described, id: 'say', method: 'POST', path: '/', body: change.body }))
  let needed = false
  addRoutes<OpenCall>(
    app,
    { clock: { now: () => 0 }, authenticate: caller, count: () => {}, permit: (it) => it, configOf: () => ({}) },
    [route(said, ({ body, reply }) => reply.send(needed ? body().name : 'nothing read'))],
  )
  const ask = async () => (await app.inject({ method: 'POST', url: '/' })).body
  assert.equal(await ask(), 'nothing read')
  needed = true
  assert.match(await ask(), /"attr":"name"/)
})
