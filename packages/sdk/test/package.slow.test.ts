/** The package as a merchant installs it: packed, installed offline into an empty project, imported, and its types compiled. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'

const root = resolve(import.meta.dirname, '../../..')
const place = mkdtempSync(join(tmpdir(), 'sanad-sdk-'))
after(() => rmSync(place, { recursive: true, force: true }))

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

test('the tarball has the sources and the types alone, installs offline, runs and compiles', () => {
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', place], join(root, 'packages/sdk')))
  const names: string[] = packed.files.map(({ path }: { path: string }) => path)
  assert.ok(
    names.every((name) => /^(src\/|types\/|README\.md$|package\.json$|LICENSE$)/.test(name)),
    names.join(' '),
  )
  assert.ok(names.includes('types/merchant-api.d.ts') && names.includes('src/testing/ledger.js'))

  writeFileSync(join(place, 'package.json'), '{ "name": "shop", "private": true, "type": "module" }')
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(place, packed.filename)], place)
  writeFileSync(join(place, 'shop.ts'), program)
  assert.equal(run(process.execPath, ['--no-warnings', 'shop.ts'], place).trim(), 'VERIFIED A-1')

  // As strict as a compiler can be, and with the declarations themselves checked. Only the names of types need Node's.
  const options = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2023', 'dom'],
    types: [],
  }
  const compilerOptions = { ...options, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true }
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['shop.ts'] }))
  run(join(root, 'node_modules/.bin/tsc'), ['-p', place], place)
})
