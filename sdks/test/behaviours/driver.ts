/**
 * The driver programs: one for each SDK. A driver reads one command in JSON a line, does it with its SDK, and prints one answer in
 * JSON a line, in the same words in every language.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { findPhp, findPython } from '../../../packages/server/test/support/programs/sdk-languages.ts'

const drivers = join(import.meta.dirname, 'drivers')
const root = resolve(import.meta.dirname, '../../..')
const python = findPython()

/** How each driver is started. */
export const languages = {
  typescript: [process.execPath, '--no-warnings', join(drivers, 'typescript.ts')],
  php: [findPhp(), join(drivers, 'php.php')],
  python: [python, '-B', join(drivers, 'python.py')],
  'python async': [python, '-B', join(drivers, 'python.py'), 'async'],
} as const satisfies Record<string, readonly string[]>

export type Language = keyof typeof languages

export type Command =
  | { open: { url: string; clientId: string; clientSecret: string; timeout?: number; maxRetries?: number } }
  /** `call`: such as `intents.create`. The names are those of TypeScript; a list is read to its end. */
  | { call: string; args?: readonly unknown[]; key?: string }
  /** `store`: an address of record-store.ts. */
  | { start: { orderId: string; wallet: string; amount: string }; store: string }
  /** `body`: base64. `as`: `text`, `parsed` or bytes. Times in seconds; `inf` and `nan` are no JSON. */
  | { verify: { body: string; as: string; header: unknown; secret: unknown; now: number; tolerance?: number | string } }
  /** Lists the public methods, as `intents.create`. */
  | { methods: true }

/**
 * `fault`: `error 429 throttled`, `connection timeout`, `connection not_sanad 200`, `webhook too_old` or `argument`.
 * `waits`: in seconds, what the command would have waited.
 */
export type Done = {
  // biome-ignore lint/suspicious/noExplicitAny: what the API answers
  readonly value?: any
  readonly fault?: string
  readonly sentence?: string
  readonly retryAfter?: number | null
  readonly waits: readonly number[]
}

export const openDriver = (language: Language) => {
  const [command, ...args] = languages[language]
  const child = spawn(command, args, {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', LANG: 'C.UTF-8' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let printed = ''
  child.stderr.on('data', (chunk) => {
    printed += chunk
  })
  child.stdin.on('error', () => {})
  const closed = once(child, 'close')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    async ask(what: Command): Promise<Done> {
      child.stdin.write(`${JSON.stringify(what)}\n`)
      const { value, done } = await lines.next()
      assert.ok(
        !done && value.startsWith('{'),
        `the driver in ${language} ended at ${JSON.stringify(what)}\n${value}\n${printed}`,
      )
      return JSON.parse(value)
    },
    async close(): Promise<void> {
      child.stdin.end()
      await closed
    },
  }
}

export type Driver = ReturnType<typeof openDriver>
