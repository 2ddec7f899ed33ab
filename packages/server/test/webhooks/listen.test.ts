/** `sanad listen` in development: a process of its own, and webhooks sent to it. */
import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { signatureHeader } from '../../src/webhooks/calling/signature.ts'
import { bareEnvironment } from '../support/bare-environment.ts'

const main = join(import.meta.dirname, '../../src/main.ts')
const running = new Set<ChildProcess>()
after(async () => {
  for (const child of running) {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
})

const secret = 'made-up-signing-secret'
const now_s = (): number => Math.floor(Date.now() / 1000)
const verified = JSON.stringify({
  event: 'payment.verified',
  payment_id: '7Q2M4K9XTB',
  intent_id: '019b7cab-76aa-7f10-8b2d-6c8e0a2c4e5f',
  order_id: 'طلب-١٠٠٢',
  reference: '220700001234',
  base_amount: '1250000.50',
  amount: '1250000.50',
  currency: 'YER',
  status: 'VERIFIED',
  verified_at: '2026-01-02T06:06:10.250000+03:00',
  manual_override: false,
})

const run = (args: readonly string[]) => {
  const child = spawn(process.execPath, [main, 'listen', '--port', '0', ...args], {
    // The command must work without a data directory and a database.
    env: { ...bareEnvironment, SANAD_DATA_DIR: '/nowhere/at/all' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let [out, err] = ['', '']
  const waiting = new Set<() => void>()
  const onOutput = (): void => {
    for (const check of waiting) check()
  }
  child.stdout.on('data', (chunk) => {
    out += chunk
    onOutput()
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
    onOutput()
  })
  const ended = new Promise<number | null>((done) =>
    child.on('close', (code) => {
      running.delete(child)
      done(code)
      onOutput()
    }),
  )
  /** Waits until stdout and stderr together match the pattern. */
  const waitForOutput = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((done, fail) => {
      const check = (): void => {
        const found = pattern.exec(out + err)
        if (found === null && child.exitCode === null && child.signalCode === null) return
        waiting.delete(check)
        if (found === null) fail(new Error(`it ended without ${pattern}: ${out}${err}`))
        else done(found)
      }
      waiting.add(check)
      check()
    })
  return { child, ended, waitForOutput, out: () => out, err: () => err }
}

const listening = async (...args: string[]) => {
  const listener = run(args)
  const url = (await listener.waitForOutput(/at (http:\/\/127\.0\.0\.1:\d+)\//))[1]!
  const send = async (
    body: string | Buffer,
    { header = signatureHeader([secret], now_s(), body), id = 'event-1', attempt = '1', test = false } = {},
  ): Promise<number> => {
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'x-service-event-id': id,
      'x-service-delivery-id': 'delivery-1',
      'x-service-attempt': attempt,
    }
    if (test) headers['x-service-test'] = 'true'
    if (header !== '') headers['x-service-signature'] = header
    return (await fetch(`${url}/hooks`, { method: 'POST', headers, body })).status
  }
  const stop = async (): Promise<string> => {
    listener.child.kill('SIGINT')
    assert.equal(await listener.ended, 0)
    return listener.out()
  }
  return { ...listener, url, send, stop }
}

test('an event is shown with its kind, amount, order, reference, ids and a valid signature', async () => {
  const { send, stop } = await listening('--secret', secret)
  assert.equal(await send(verified), 200)
  assert.equal(await send(verified, { attempt: '2' }), 200)
  assert.equal(await send(verified, { id: 'event-2', test: true }), 200)
  const out = await stop()
  assert.match(out, /^\d\d:\d\d:\d\d {2}payment\.verified {2}1,250,000\.50 YER$/m)
  assert.match(out, /^ {2}signature +right$/m)
  assert.match(out, /^ {2}order_id +طلب-١٠٠٢$/m)
  assert.match(out, /^ {2}reference +220700001234$/m)
  assert.match(out, /^ {2}X-Service-Event-Id +event-1$/m)
  assert.match(out, /^ {2}X-Service-Event-Id +event-1 {2}\(seen before: drop it\)$/m)
  assert.match(out, /^ {2}X-Service-Attempt +2$/m)
  assert.match(out, /^ {2}answered +200$/m)
  assert.match(out, /payment\.verified {2}1,250,000\.50 YER {2}\(test\)$/m)
  assert.match(out, /^Stopped\. 3 webhooks heard: 3 signed rightly, 0 not\.$/m)
})

test('an invalid signature is shown with the reason, and the secret is never printed', async () => {
  const { send, stop, err } = await listening('--secret', secret)
  await send(verified, { header: signatureHeader(['another'], now_s(), verified) })
  await send(verified, { header: signatureHeader([secret], now_s() - 900, verified) })
  await send(verified, { header: signatureHeader([secret], now_s() + 900, verified) })
  await send(verified, { header: '' })
  await send(verified, { header: 'nonsense' })
  const out = await stop()
  assert.match(out, /WRONG \(no_match\): No signature matches/)
  assert.match(out, /WRONG \(too_old\): The signature is 90\d s old/)
  assert.match(out, /WRONG \(too_new\): /)
  assert.match(out, /WRONG \(missing_header\): /)
  assert.match(out, /WRONG \(malformed_header\): /)
  assert.match(out, /5 webhooks heard: 0 signed rightly, 5 not\./)
  assert.ok(!(out + err()).includes(secret))
})

test('two secrets can be given during a rotation; without one, the listener prints that it checks nothing', async () => {
  const both = await listening('--secret', 'the-old-one', '--secret', secret)
  await both.send(verified)
  assert.match(await both.stop(), /1 webhook heard: 1 signed rightly/)
  const none = await listening()
  await none.send(verified)
  const out = await none.stop()
  assert.match(out, /^Signatures are not checked: give the endpoint's secret with --secret\.$/m)
  assert.match(out, /^ {2}signature +not checked/m)
  assert.match(out, /^Stopped\. 1 webhook heard\.$/m)
})

test('--json prints one object a line and nothing else; --answer sets the status of the answers', async () => {
  const { send, stop, err } = await listening('--json', '--secret', secret, '--answer', '500')
  assert.equal(await send(verified), 500)
  assert.equal(await send('not JSON', { header: signatureHeader(['another'], now_s(), 'not JSON') }), 500)
  const [first, second, ...more] = (await stop()).trimEnd().split('\n')
  assert.deepEqual(more, [])
  const { at, ...webhook } = JSON.parse(first!)
  assert.ok(Date.parse(at) > 0)
  assert.deepEqual(webhook, {
    path: '/hooks',
    signature: { kind: 'right' },
    event_id: 'event-1',
    delivery_id: 'delivery-1',
    attempt: '1',
    test: false,
    again: false,
    forwarded: null,
    answered: 500,
    body: JSON.parse(verified),
  })
  const unsigned = JSON.parse(second!)
  assert.deepEqual([unsigned.body, unsigned.signature.code, unsigned.again], ['not JSON', 'no_match', true])
  assert.match(err(), /^Listening for webhooks/)
})

test("the same bytes and headers are forwarded to the developer's program, and its answer comes back", async () => {
  const forwarded: { body: string; headers: Record<string, unknown> }[] = []
  const app = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    forwarded.push({ body: Buffer.concat(chunks).toString(), headers: request.headers })
    response.writeHead(forwarded.length === 1 ? 503 : 202).end()
  }).listen(0, '127.0.0.1')
  // If the test fails before the server is closed, it must not keep this process alive.
  app.unref()
  await once(app, 'listening')
  const to = `http://127.0.0.1:${(app.address() as AddressInfo).port}/webhooks`
  const { send, stop } = await listening('--secret', secret, '--forward-to', to)
  const header = signatureHeader([secret], now_s(), verified)
  assert.equal(await send(verified, { header }), 503)
  assert.equal(await send(verified, { header, attempt: '2' }), 202)
  assert.deepEqual(
    forwarded.map(({ body, headers }) => [body, headers['x-service-signature'], headers['x-service-attempt']]),
    [
      [verified, header, '1'],
      [verified, header, '2'],
    ],
  )
  app.closeAllConnections()
  app.close()
  await once(app, 'close')
  assert.equal(await send(verified), 502)
  const out = await stop()
  assert.match(out, /^ {2}forwarded +503, \d+ ms, from http:/m)
  assert.match(out, /^ {2}forwarded +failed: nothing listens there/m)
})

test('terminal escape sequences and line breaks in a request are not printed as such', async () => {
  const { send, stop } = await listening('--secret', secret)
  await send(
    JSON.stringify({ event: 'payment.\u001b[2Jverified', order_id: 'a\u202eb\nc\u009bd', '\u001b]0;x\u0007': 1 }),
  )
  await send('\u001b[31m')
  await send('')
  // Joiners are part of words and emoji, so they are printed.
  const joined = 'عربي English 👨‍👩‍👧 می‌خواهم'
  await send(JSON.stringify({ event: 'payment.verified', order_id: joined }))
  const out = await stop()
  assert.doesNotMatch(out.replace(/\n/g, ''), /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
  assert.ok(out.includes(`  ${joined}\n`), out)
  assert.match(out, /^ {2}order_id +a\\u202eb\\u000ac\\u009bd$/m)
  assert.match(out, /payment\.\\u001b\[2Jverified/)
})

test('a body over 1 MiB is refused, and so is any method but POST', async () => {
  const { send, stop, url } = await listening()
  assert.equal(await send('x'.repeat(1024 * 1024)), 200)
  assert.equal(await send(Buffer.alloc(1024 * 1024 + 1, 'x')), 413)
  const answer = await fetch(url)
  assert.equal(answer.status, 405)
  assert.equal(answer.headers.get('allow'), 'POST')
  const out = await stop()
  assert.match(out, /1 webhook heard/)
  assert.ok(out.length < 5000)
})

test('Ctrl-C stops the listener while a request is in flight', async () => {
  const { stop, url } = await listening()
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf')
  assert.match(await stop(), /0 webhooks heard/)
  socket.destroy()
})

test('a port in use, a loop and invalid options are refused, each with one sentence', async () => {
  const { url, stop } = await listening()
  const port = new URL(url).port
  const portInUse = run(['--port', port])
  assert.equal(await portInUse.ended, 1)
  assert.match(
    portInUse.err(),
    new RegExp(`^Port ${port} of 127\\.0\\.0\\.1 is taken by another program: give a free one\\.`),
  )
  await stop()
  const forwardsToItself = run(['--port', port, '--forward-to', `http://localhost:${port}/again`])
  assert.equal(await forwardsToItself.ended, 1)
  assert.match(forwardsToItself.err(), /^--forward-to \S+ is this listener itself/)
  const refused = [
    run(['--forward-to', 'ftp://shop.example']),
    run(['--answer', '99']),
    run(['--secret', '']),
    run(['--port', '70000']),
  ]
  for (const command of refused) {
    assert.equal(await command.ended, 1)
    assert.match(command.err(), /^error: option '--/)
  }
})
