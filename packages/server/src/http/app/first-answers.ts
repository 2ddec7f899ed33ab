/**
 * Answers the first queries of a screen together with the page, because on a slow network a query that must wait for a
 * script costs a second wait. The queries go to the dashboard’s own API, with all its checks and the cookie of the page’s
 * request. The screen fetches whatever is not answered here.
 */
import { type FirstQuery, firstQueries } from '@sanad/contract/dashboard/first-queries'
import { dashboardOperations } from '@sanad/contract/dashboard/operations'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { hasSessionCookie } from '../dashboard/authenticate.ts'

const base = '/api/v1/dashboard'
const paths = new Map(dashboardOperations.map(({ id, path }) => [id, path]))

/** The address of a query, without the base, as the dashboard writes it. */
export const addressOf = ({ call, query = {} }: FirstQuery, id = ''): string => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    parameters.set(
      name,
      String(value).replace('{id}', () => id),
    )
  return `${paths.get(call)!.replace('{id}', () => id)}${parameters.size === 0 ? '' : `?${parameters}`}`
}

const uuid = /^[0-9a-f-]{36}$/

/** The addresses that the screen with this URL fetches first. Empty for a screen with filters. */
const firstAddresses = (url: string): readonly string[] => {
  const [path = '', filter] = url.split('?')
  if (filter !== undefined) return []
  const [, screen, id = '', ...deeper] = path.split('/')
  if (deeper.length > 0) return []
  if (id === '') return (firstQueries[`/${screen}`] ?? []).map((query) => addressOf(query))
  return uuid.test(id) ? (firstQueries[`/${screen}/{id}`] ?? []).map((query) => addressOf(query, id)) : []
}

/**
 * `session` null: no user is signed in. `live`: the event id from which the screen's stream continues, so that the screen
 * misses no change while the page loads. The screen fetches whatever is left out.
 */
export type FirstAnswers = {
  readonly session?: unknown
  readonly live?: string
  readonly answers?: Readonly<Record<string, unknown>>
}

export const firstAnswers = async (app: FastifyInstance, request: FastifyRequest): Promise<FirstAnswers> => {
  const { cookie = '', host, 'user-agent': agent, 'x-forwarded-for': forwarded } = request.headers
  if (!hasSessionCookie(cookie)) return { session: null }
  const call = async (path: string, account?: string, method: 'GET' | 'HEAD' = 'GET') => {
    const answer = await app.inject({
      method,
      url: `${base}${path}`,
      remoteAddress: request.socket.remoteAddress ?? request.ip,
      headers: {
        cookie,
        host,
        ...(agent === undefined ? {} : { 'user-agent': agent }),
        ...(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }),
        ...(account === undefined ? {} : { 'x-sanad-account': account }),
      },
    })
    return { status: answer.statusCode, text: answer.body, eventId: answer.headers['last-event-id'] }
  }
  const session = await call('/session/')
  if (session.status === 401 && session.text.includes('"counter_locked"')) {
    const here = await call('/counters/here/')
    return here.status === 200 ? { answers: { [`${base}/counters/here/`]: JSON.parse(here.text) } } : {}
  }
  if (session.status === 401) return { session: null }
  if (session.status !== 200) return {}
  const me = JSON.parse(session.text) as { account: { id: string } | null }
  const account = me.account?.id
  const answers: Record<string, unknown> = {}
  // Read before the answers: a hint of a change that they already contain does no harm.
  const { eventId } = account === undefined ? {} : await call('/stream/', account, 'HEAD')
  const callAll = (addresses: readonly string[]) =>
    Promise.all(
      addresses.map(async (address) => {
        const { status, text } = await call(address, account)
        if (status === 200) answers[address] = JSON.parse(text)
      }),
    )
  if (account !== undefined) {
    await callAll(firstAddresses(request.url))
  }
  return {
    session: me,
    ...(typeof eventId === 'string' ? { live: eventId } : {}),
    answers: Object.fromEntries(Object.entries(answers).map(([path, answer]) => [`${base}${path}`, answer])),
  }
}
