import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batteryOf, networkOf } from './phone-health.ts'
import { phonePrograms } from './phone-programs.ts'
import { type FaultKind, readJson, runProgram, TermuxFault } from './run-program.ts'

const fails = async (work: Promise<unknown>, kind: FaultKind): Promise<void> => {
  await assert.rejects(work, (fault) => fault instanceof TermuxFault && fault.kind === kind)
}

test('a program’s output is returned; a program that is missing, fails or hangs is a fault', async () => {
  assert.equal(await runProgram('sh', ['-c', 'echo one']), 'one\n')
  await fails(runProgram('no-such-program-of-termux', []), 'missing')
  await fails(runProgram('sh', ['-c', 'exit 3']), 'silent')
  // What the script started ends too: otherwise its output would stay open.
  await fails(runProgram('sh', ['-c', 'sleep 60'], 200), 'silent')
  await fails(runProgram('sh', ['-c', 'head -c 20000000 /dev/zero']), 'unreadable')
})

test('a fault that Termux prints as JSON is recognised by its kind', () => {
  const kindOf = (output: string): FaultKind | undefined => {
    try {
      readJson('termux-sms-list', output)
      return undefined
    } catch (fault) {
      return (fault as TermuxFault).kind
    }
  }
  assert.equal(kindOf('[]'), undefined)
  assert.equal(kindOf(' \n'), 'silent')
  assert.equal(kindOf('{ "error": "Please grant the following permission to use this command: READ_SMS" }'), 'refused')
  assert.equal(kindOf('{ "API_ERROR": "No current connection" }'), 'silent')
  assert.equal(kindOf('termux-sms-list: illegal option -t'), 'unreadable')
})

test('battery and network are read as Termux prints them; missing values are left out', () => {
  assert.deepEqual(batteryOf({ percentage: 41.6, plugged: 'UNPLUGGED' }), { battery: 42, charging: false })
  assert.deepEqual(batteryOf({ percentage: 100, plugged: 'PLUGGED_AC' }), { battery: 100, charging: true })
  assert.deepEqual(batteryOf({ percentage: -1 }), {})
  assert.deepEqual(batteryOf(undefined), {})
  assert.equal(networkOf({ supplicant_state: 'COMPLETED' }, undefined), 'wifi')
  assert.equal(
    networkOf({ supplicant_state: 'DISCONNECTED' }, { data_state: 'connected', network_type: 'edge' }),
    'edge',
  )
  assert.equal(networkOf(undefined, { data_state: 'connected', network_type: 'unknown' }), 'mobile')
  assert.equal(networkOf(undefined, { data_state: 'disconnected', network_type: 'lte' }), 'none')
  assert.equal(networkOf(undefined, undefined), undefined)
})

test('the time zone is Android’s; without it the environment’s; without both Node’s', async () => {
  const zone = (property: string, environment?: string) => phonePrograms(async () => property, environment).timeZone()
  assert.equal(await zone('Asia/Aden\n', 'Europe/Berlin'), 'Asia/Aden')
  assert.equal(await zone('', 'Europe/Berlin'), 'Europe/Berlin')
  assert.equal(await zone('Asia/Nowhere', 'Europe/Berlin'), 'Europe/Berlin')
  assert.equal(await zone('', undefined), Intl.DateTimeFormat().resolvedOptions().timeZone)
})
