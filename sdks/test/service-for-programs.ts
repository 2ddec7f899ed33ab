/**
 * The service for programs in other languages: one demo merchant, its addresses in the environment, and an address at which a
 * program says that money arrives or that time passes.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { guide } from '../../packages/server/src/http/guide/guide-pages.ts'
import { phone } from '../../packages/server/test/support/phone.ts'
import { purchaseText } from '../../packages/server/test/support/sms-texts.ts'
import { askAt, openTestService } from '../../packages/server/test/support/story.ts'

export const openServiceForPrograms = async (env: Record<string, string> = {}) => {
  const service = await openTestService(env)
  const { demo } = service
  const shopPhone = phone(service.origin, () => service.clock.now(), demo.device)

  const pay = async ({ amount, reference, test }: { amount: string; reference: string; test?: boolean }) => {
    if (test) {
      const body = { wallet: demo.wallets.test, amount, reference }
      const token = demo.dashboard.user_token
      const answer = await askAt(`${service.origin}/api/v1/dashboard/test-payment/`, 'POST', { token, body })
      assert.ok(answer.status < 300, answer.text)
      return
    }
    const text = purchaseText(amount, reference)
    const report = { client_id: `programs-${reference}`, kind: 'sms', sender: 'Jawali', text, sim_slot: 'SIM1' }
    const answer = await shopPhone.alerts([{ ...report, received_at: String(Math.floor(service.clock.now() / 1000)) }])
    assert.equal(answer.status, 200, answer.text)
  }
  const advance = ({ ms }: { ms: number }): void => service.clock.advance(ms)

  const control = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    try {
      const facts = JSON.parse(text)
      if (request.url === '/pay') await pay(facts)
      else if (request.url === '/advance') advance(facts)
      else throw new Error(`nothing is at ${request.url}`)
      response.end('done')
    } catch (fault) {
      response.writeHead(500).end(String(fault))
    }
  }).listen(0, '127.0.0.1')
  await once(control, 'listening')
  service.atEnd(async () => {
    control.closeAllConnections()
    control.close()
    await once(control, 'close')
  })
  const { port } = control.address() as AddressInfo

  return {
    service,
    pay,
    advance,
    env: {
      SANAD_URL: service.origin,
      SANAD_CLIENT_ID: demo.client_id,
      SANAD_CLIENT_SECRET: demo.client_secret,
      SANAD_WALLET: demo.wallets.main,
      SANAD_TEST_WALLET: demo.wallets.test,
      SANAD_CONTROL: `http://127.0.0.1:${port}`,
    },
  }
}

/** Runs a program to its end and returns what it printed. Fails, with that, if the program fails. */
export const runProgram = async (
  command: string,
  args: readonly string[],
  { cwd, env = {}, input = '' }: { cwd: string; env?: Record<string, string>; input?: string },
): Promise<string> => {
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', LANG: 'C.UTF-8', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      printed += chunk
    })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  assert.equal(code, 0, `${command} ${args.join(' ')}\n${printed}`)
  return printed
}

/** A file that every service hands out under `/docs/guide/`. */
export const handedOut = async (name: string, type: string): Promise<Buffer> => {
  const pages = Fastify()
  await pages.register(guide)
  const answer = await pages.inject(`/docs/guide/${name}`)
  await pages.close()
  assert.deepEqual([answer.statusCode, answer.headers['content-type']], [200, type])
  return answer.rawPayload
}
