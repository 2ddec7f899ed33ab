/** HTTP calls of a benchmark over kept connections, by undici: one process makes many of them and looks at each answer. */
import { Agent, request } from 'undici'

export type Asked = {
  readonly method?: 'GET' | 'POST' | 'PATCH'
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}
export type Answered = {
  readonly status: number
  readonly text: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

export type Caller = { call(url: string, asked?: Asked): Promise<Answered>; close(): Promise<void> }

export const openCaller = (connections: number): Caller => {
  const dispatcher = new Agent({ connections, pipelining: 1, allowH2: false })
  return {
    async call(url, { method = 'GET', token, headers = {}, body } = {}) {
      const answer = await request(url, {
        method,
        dispatcher,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: answer.statusCode, text: await answer.body.text(), headers: answer.headers }
    },
    close: () => dispatcher.close(),
  }
}

/** Does `count` pieces of work, so many of them at once; the results are in order. */
export const inParallel = async <T>(atOnce: number, count: number, work: (n: number) => Promise<T>): Promise<T[]> => {
  const results: T[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) results[n] = await work(n)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}
