/** The code in docs/webhooks.md runs and does what the guide says. The README's example has its own test. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { signatureHeader } from '../../server/src/webhooks/calling/signature.ts'
import { webhookDefaults } from '../../server/src/webhooks/settings.ts'

const sdk = join(import.meta.dirname, '..')
const guide = readFileSync(join(sdk, '../../docs/webhooks.md'), 'utf8')
const block = (language: string): string => new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(guide)![1]!

test('the receiver of the guide accepts an event once, compares its amount, and refuses a forged one', async () => {
  const listen = ".listen(0, '127.0.0.1', function () { console.log(this.address().port) })"
  const program = block('js').replace('.listen(3000)', listen)
  assert.ok(program.includes(listen))
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    // In this folder the program imports the SDK by its package name, as a merchant's program does.
    cwd: sdk,
    env: { SANAD_WEBHOOK_SECRET: 'made-up' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    let out = ''
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    await once(child.stdout, 'data')
    const send = async (body: string, secret: string, id = 'one'): Promise<number> => {
      const header = signatureHeader([secret], Math.floor(Date.now() / 1000), body)
      const headers = { 'x-service-signature': header, 'x-service-event-id': id }
      return (await fetch(`http://127.0.0.1:${Number.parseInt(out, 10)}/`, { method: 'POST', headers, body })).status
    }
    const event = {
      event: 'payment.verified',
      order_id: 'A-1001',
      base_amount: '1500.00',
      amount: '1500.00',
      currency: 'YER',
    }
    const body = JSON.stringify(event)
    assert.equal(await send(body, 'forged'), 400)
    assert.equal(await send(body, 'made-up'), 204)
    assert.equal(await send(body, 'made-up'), 204)
    assert.equal(await send('[]', 'made-up', 'two'), 400)
    for (const [n, wrong] of [{ base_amount: '1400.00' }, { order_id: 'طلب-١' }].entries())
      assert.equal(await send(JSON.stringify({ ...event, ...wrong }), 'made-up', `wrong ${n}`), 204)
    child.kill()
    await once(child, 'close')
    assert.deepEqual(out.trim().split('\n').slice(1), [
      'Order A-1001 is paid: 1500.00 YER',
      'Ask a user: 1400.00 YER arrived for order A-1001',
      'Ask a user: 1500.00 YER arrived for order طلب-١',
    ])
  } finally {
    child.kill('SIGKILL')
  }
})

test('the table of retries in the guide matches the schedule', () => {
  const units = { s: 1000, min: 60_000, h: 3_600_000 }
  const cells = /^\| After \| (.*) \|$/m.exec(guide)![1]!.split(' | ')
  const waits = cells.map((cell) => {
    const [n, unit] = cell === 'at once' ? ['0', 's'] : cell.split(' ')
    return Number(n) * units[unit as keyof typeof units]
  })
  const waits_ms = webhookDefaults.retry_waits_s.map((wait_s) => wait_s * 1000)
  assert.deepEqual(waits, waits_ms)
  assert.match(guide, new RegExp(`tried ${waits_ms.length} times`))
})
