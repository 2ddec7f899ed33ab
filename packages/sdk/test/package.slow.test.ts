/**
 * The package as a merchant installs it: packed, installed offline into an empty project, imported, its types compiled, and its
 * command run against the service.
 */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { verifyWebhook } from '@sanad/sdk'
import Fastify from 'fastify'
import { guide } from '../../server/src/http/guide/guide-pages.ts'
import { openMerchantServer } from '../../server/test/support/merchant-server.ts'
import { phone } from '../../server/test/support/phone.ts'
import { purchaseText } from '../../server/test/support/sms-texts.ts'
import { openTestService } from '../../server/test/support/story.ts'

const root = resolve(import.meta.dirname, '../../..')
const project = mkdtempSync(join(tmpdir(), 'sanad-sdk-'))
after(() => rmSync(project, { recursive: true, force: true }))

const run = (command: string, args: readonly string[], cwd: string): string => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  assert.equal(status, 0, `${command} ${args.join(' ')}\n${stdout}${stderr}`)
  return stdout
}

const program = `
import { memoryStore, Sanad, SanadError, webhooks, verifyWebhook, type Intent } from '@sanad/sdk'
import { createFakeSanad } from '@sanad/sdk/testing'

const fake = createFakeSanad()
const sanad = new Sanad(fake.options)
const wallet = fake.wallets[0]!.id
const { intent } = await sanad.checkout.start({ orderId: 'A-1', wallet, amount: '5.00', store: memoryStore() })
fake.pay({ wallet, amount: '5.00', reference: 'R-1' })
const paid: Intent = await sanad.intents.attachReference(intent.id, 'R-1')
const [webhook] = await fake.webhooks()
const event = await webhooks.verify(webhook!.body, webhook!.headers['x-service-signature'], fake.signingSecret, {
  now: fake.now(),
})
if (event.event !== 'payment.verified' || verifyWebhook !== webhooks.verify) throw new Error('another event')
try {
  await sanad.intents.attachReference(intent.id, 'R-2')
} catch (fault) {
  // @ts-expect-error No such code.
  if (fault instanceof SanadError && fault.has('no_such_code')) throw fault
  // @ts-expect-error Amounts are strings.
  if (paid.status !== 'VERIFIED') await sanad.intents.create({ wallet, amount: 5 })
  console.log(paid.status, event.order_id)
}
`

test('the tarball has no file but those of the package, installs offline, runs and compiles', () => {
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', project], join(root, 'packages/sdk')))
  const names: string[] = packed.files.map(({ path }: { path: string }) => path)
  assert.ok(
    names.every((name) => /^(bin\/|src\/|types\/|README\.md$|package\.json$|LICENSE$)/.test(name)),
    names.join(' '),
  )
  assert.ok(names.includes('types/merchant-api.d.ts') && names.includes('src/testing/ledger.js'))

  writeFileSync(join(project, 'package.json'), '{ "name": "shop", "private": true, "type": "module" }')
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(project, packed.filename)], project)
  writeFileSync(join(project, 'shop.ts'), program)
  assert.equal(run(process.execPath, ['--no-warnings', 'shop.ts'], project).trim(), 'VERIFIED A-1')

  // The strictest options, and the declarations themselves are checked, without the types of Node.
  const options = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2023', 'dom'],
    types: [],
  }
  const compilerOptions = { ...options, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['shop.ts'] }))
  run(join(root, 'node_modules/.bin/tsc'), ['-p', project], project)
})

// Installed by the test above.
test('npx --no sanad in a project that has only the package: listen forwards a real event, trigger and logs answer', async () => {
  const service = await openTestService()
  // The service serves the same package as npm packs.
  const served = join(project, 'served')
  mkdirSync(served)
  writeFileSync(join(served, 'package.json'), '{ "name": "shop", "private": true }')
  const pages = Fastify()
  await pages.register(guide)
  const answer = await pages.inject({
    url: '/docs/guide/sanad-sdk.tgz',
    headers: { 'accept-encoding': 'gzip' },
  })
  assert.deepEqual([answer.statusCode, answer.headers['content-type']], [200, 'application/gzip'])
  writeFileSync(join(served, 'sanad-sdk.tgz'), answer.rawPayload)
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', './sanad-sdk.tgz'], served)
  const [packed, downloaded] = [project, served].map((folder) => join(folder, 'node_modules/@sanad/sdk'))
  assert.equal(run('diff', ['-r', packed!, downloaded!], project), '')
  const { callsAt, at } = await openMerchantServer((_, response) => void response.writeHead(200).end())
  const { client_id, client_secret, device } = service.demo
  // The Node of the machine, not the one that runs the tests.
  const PATH = String(process.env.PATH)
    .split(':')
    .filter((folder) => !folder.includes('node_modules'))
    .join(':')
  const env = { PATH, HOME: project, SANAD_URL: service.origin, SANAD_CLIENT_ID: client_id }
  const sanad = (args: readonly string[], secret = client_secret) => {
    // `listen` runs the program directly: npx itself ends by the signal of Ctrl-C, whatever the command returns.
    const [program, ...before] = args[0] === 'listen' ? ['node_modules/.bin/sanad'] : ['npx', '--no-install', 'sanad']
    const child = spawn(program!, [...before, ...args], { cwd: served, env: { ...env, SANAD_CLIENT_SECRET: secret } })
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        text += chunk
      })
    const prints = async (pattern: RegExp): Promise<RegExpExecArray> => {
      for (let tries = 0; tries < 3_000 && child.exitCode === null; tries++) {
        const found = pattern.exec(text)
        if (found !== null) return found
        await new Promise((done) => setTimeout(done, 10))
      }
      throw new Error(`it never prints ${pattern}: ${text}`)
    }
    const ended = once(child, 'close').then(([code]) => ({ code, text }))
    return { child, prints, ended }
  }

  const listener = sanad(['listen', '--forward-to', at('/hooks')])
  const secret = (await listener.prints(/valid for this run: (whsec_[\w-]+)/))[1]!
  const intent = (await service.create({ external_order_id: 'packed' })).body
  await service.ask('PATCH', `/intents/${intent.id}/`, { body: { reference: '870000000001' } })
  const text = purchaseText('1500.00', '870000000001')
  await phone(service.origin, service.clock.now, device).alerts([
    { client_id: 'packed', kind: 'sms', sender: 'Jawali', text, sim_slot: 'SIM1' },
  ])
  await listener.prints(new RegExp(intent.id))
  const [forwarded] = callsAt('/hooks')
  const event = await verifyWebhook(forwarded!.body, String(forwarded!.headers['x-service-signature']), secret)
  assert.equal(event.event, 'payment.verified')
  listener.child.kill('SIGINT')
  const stopped = await listener.ended
  assert.equal(stopped.code, 0, stopped.text)
  assert.match(stopped.text, /Stopped\. 1 event heard\.$/m)

  const [triggered, logged, wrong, others, help, live, healthy] = await Promise.all([
    sanad(['trigger', 'payment.expired']).ended,
    sanad(['logs', '--method', 'PATCH']).ended,
    sanad(['listen'], 'wrong').ended,
    sanad(['start']).ended,
    sanad(['--help']).ended,
    sanad(['phone', '--amount', '1500.00']).ended,
    sanad(['doctor', '--webhook', at('/hooks'), '--secret', 'whsec_x']).ended,
  ])
  assert.deepEqual([live.code, /A test payment needs a test key/.test(live.text)], [1, true], live.text)
  // The receiver of this test checks no signature.
  assert.match(
    healthy.text,
    /ok +API key: The service accepts it\.[\s\S]*WRONG +receiver: It does not refuse a wrong signature/,
  )
  assert.match(triggered.text, /payment\.expired was made up, as a test/)
  assert.match(logged.text, new RegExp(`PATCH /api/v1/merchant/intents/${intent.id}/ {2}200`))
  assert.equal(wrong.code, 1)
  assert.match(
    wrong.text,
    /does not accept this client id and secret \(401\)\. Check SANAD_CLIENT_ID and SANAD_CLIENT_SECRET/,
  )
  assert.equal(others.code, 1)
  assert.match(others.text, /unknown command 'start'\. This package has phone, listen, trigger, logs, doctor/)
  assert.deepEqual([help.code, /^ {2}listen /m.test(help.text)], [0, true])
})
