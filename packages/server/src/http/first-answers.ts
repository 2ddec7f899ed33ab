/**
 * What a screen asks first, answered together with the page: on a slow network each question that waits for a script waits
 * twice. The answers are those of the dashboard's own calls, with every check that they make, for the person whose cookie
 * the page was asked for with. Whatever is not here the screen asks for itself, as it does for everything later on.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bringsSession } from './dashboard/authenticate.ts'

const base = '/api/v1/dashboard'

/** By the screen's path, as it stands without filters. A name in braces is that part of the path. */
const questions: Readonly<Record<string, readonly string[]>> = {
  '/': ['/overview/', '/intents/?status=VERIFIED&page_size=1', '/notices/?unseen=1&page_size=5'],
  '/intents': ['/intents/?page=1&page_size=20', '/wallets/'],
  '/intents/{id}': ['/intents/{id}/'],
  '/unmatched': ['/unmatched/?page_size=25', '/unmatched/counts/', '/wallets/'],
  '/unmatched/{id}': ['/unmatched/{id}/'],
  '/wallets': ['/wallets/'],
  '/phones': ['/phones/'],
  '/phones/{id}': ['/phones/{id}/', '/phones/{id}/alerts/?page_size=20', '/phones/{id}/hidden/'],
  '/templates': ['/providers/?page_size=200', '/templates/?page_size=200'],
  '/webhooks': ['/webhooks/'],
  '/webhooks/{id}': ['/webhooks/{id}/', '/webhooks/{id}/deliveries/?state=all&page_size=25', '/webhooks/{id}/replays/'],
  '/keys': ['/keys/'],
  '/day-close': ['/wallets/'],
  '/settings': ['/sessions/', '/me/second_factor/'],
}

/** What a screen asks once it knows the first answers: of the day close, the day of the wallet that it begins with. */
const next = (path: string, answers: Readonly<Record<string, unknown>>): readonly string[] => {
  if (path !== '/day-close') return []
  const known = Object.entries(answers).find(([asked]) => asked.startsWith('/day-close/?'))?.[1]
  if (known !== undefined) {
    const { wallet, day } = known as { wallet: { id: string }; day: string }
    return [`/day-close/lines/?wallet=${wallet.id}&day=${day}`]
  }
  type Wallets = { results: { id: string; is_test: boolean; last_alert_at: string | null }[] }
  const { results = [] } = (answers['/wallets/'] ?? {}) as Partial<Wallets>
  const wallet = results.find(({ is_test, last_alert_at }) => !is_test && last_alert_at !== null) ?? results[0]
  return wallet === undefined ? [] : [`/day-close/?wallet=${wallet.id}`, `/day-close/days/?wallet=${wallet.id}&days=10`]
}

const uuid = /^[0-9a-f-]{36}$/

const asks = (url: string): readonly string[] => {
  const [path = '', filter] = url.split('?')
  if (filter !== undefined) return []
  const [, screen, id = '', ...deeper] = path.split('/')
  if (deeper.length > 0) return []
  if (id === '') return questions[`/${screen}`] ?? []
  return uuid.test(id) ? (questions[`/${screen}/{id}`] ?? []).map((one) => one.replace('{id}', id)) : []
}

/**
 * Null: nobody is signed in. Left out: the screen must ask. `live`: where its stream goes on from, so that nothing is
 * missed that happens while the page is on its way.
 */
export type FirstAnswers = {
  readonly session?: unknown
  readonly live?: string
  readonly answers?: Readonly<Record<string, unknown>>
}

export const firstAnswers = async (app: FastifyInstance, request: FastifyRequest): Promise<FirstAnswers> => {
  const { cookie = '', host, 'user-agent': agent, 'x-forwarded-for': forwarded } = request.headers
  if (!bringsSession(cookie)) return { session: null }
  const ask = async (path: string, account?: string, method: 'GET' | 'HEAD' = 'GET') => {
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
    return { status: answer.statusCode, text: answer.body, place: answer.headers['last-event-id'] }
  }
  const session = await ask('/session/')
  if (session.status === 401) return { session: null }
  if (session.status !== 200) return {}
  const me = JSON.parse(session.text) as { account: { id: string } | null }
  const account = me.account?.id
  const answers: Record<string, unknown> = {}
  // Before the answers: a hint of what they know already does no harm.
  const { place } = account === undefined ? {} : await ask('/stream/', account, 'HEAD')
  const askAll = (paths: readonly string[]) =>
    Promise.all(
      paths.map(async (path) => {
        const { status, text } = await ask(path, account)
        if (status === 200) answers[path] = JSON.parse(text)
      }),
    )
  if (account !== undefined) {
    await askAll(asks(request.url))
    await askAll(next(request.url, answers))
    await askAll(next(request.url, answers))
  }
  return {
    session: me,
    ...(typeof place === 'string' ? { live: place } : {}),
    answers: Object.fromEntries(Object.entries(answers).map(([path, answer]) => [`${base}${path}`, answer])),
  }
}
