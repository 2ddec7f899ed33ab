/** The samples of the reference, each run as it stands there: the commands in a shell, the programs as one module, in their order. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { codeSamples } from '@sanad/contract/merchant-openapi/code-samples'
import { openTestService } from '../support/story.ts'

const service = await openTestService()
const { demo } = service
const run = promisify(execFile)
const sourceOf = (call: string, label: string): string =>
  codeSamples[call]!.find((sample) => sample.label === label)!.source

const env = {
  PATH: process.env.PATH ?? '',
  SANAD_URL: service.origin,
  SANAD_CLIENT_ID: demo.client_id,
  SANAD_CLIENT_SECRET: demo.client_secret,
}

test('curl: from the token to the reference', async () => {
  const known: Record<string, string> = { BASE_URL: service.base, KEY: randomUUID(), WALLET: demo.wallets.main }
  const answerTo = async (call: string) => {
    const command = ['-euo', 'pipefail', '-c', sourceOf(call, 'curl')]
    const { stdout } = await run('bash', command, { env: { ...env, ...known } })
    const answer = JSON.parse(stdout)
    assert.equal(answer.errors, undefined, `${call}: ${stdout}`)
    return answer
  }
  known.TOKEN = (await answerTo('createToken')).access_token
  assert.ok((await answerTo('listWallets')).some((wallet: { is_test: boolean }) => wallet.is_test))
  const intent = await answerTo('createIntent')
  known.INTENT = intent.id
  assert.equal(intent.external_order_id, 'ORDER-1042')
  assert.equal((await answerTo('attachReference')).reference, '220700001234')
  assert.equal((await answerTo('retrieveIntent')).id, intent.id)
  assert.equal((await answerTo('listIntents')).count, 0)
})

test('SDK: the same calls, as one program', async () => {
  // The reference of the commands is held by their intent.
  service.clock.advance(3_600_000)
  const calls = ['createToken', 'listWallets', 'createIntent', 'retrieveIntent', 'attachReference', 'listIntents']
  const program = `${calls.map((call) => sourceOf(call, '@sanad/sdk')).join('\n')}\nconsole.log(status, paid_amount)`
  // In this folder the program imports the SDK by its name, as a merchant's program does.
  const cwd = join(import.meta.dirname, '../../../sdk')
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { cwd, env })
  assert.deepEqual(stdout.trim().split('\n'), ['ORDER-1042 EXPIRED', 'ORDER-1042 PENDING', 'PENDING null'])
})

test('every call has its samples run here', () => {
  assert.deepEqual(Object.keys(codeSamples).sort(), [
    'attachReference',
    'createIntent',
    'createToken',
    'listIntents',
    'listWallets',
    'retrieveIntent',
  ])
})
