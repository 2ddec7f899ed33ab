import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type DatabaseFacts,
  diagnoseDatabase,
  diagnoseMachine,
  type Finding,
  type MachineFacts,
  worst,
} from './diagnosis.ts'

const megabyte = 1024 * 1024

const machine: MachineFacts = {
  nodeVersion: 'v24.1.0',
  memoryLimit_bytes: null,
  disk: { free_bytes: 50_000 * megabyte, path: '/data' },
  embedded: true,
  production: true,
  publicUrl: 'https://pay.example.com',
  onLoopback: true,
  trustProxy: 1,
  mailIsSet: true,
  limitsAreOn: true,
  key: 'environment',
}

const database: DatabaseFacts = {
  connections: { max: 100, reserved: 3, others: 2, ofOneNode: 26 },
  nodes: { running: 2, wrongClocks: [] },
  wrongClock: undefined,
  sharesLimits: true,
  phones: { on: 4, silent: 0 },
  endpoints: { unreachable: 0, oldestDelivery_s: 3 },
  unreadAlerts: 0,
  twinWallets: 0,
  backup: { age_ms: 3_600_000, isOld: false, isBroken: false },
}

const found = (findings: readonly Finding[]): string[] =>
  findings.filter(({ level }) => level !== 'ok').map(({ part, level }) => `${part} ${level}`)

test('a good installation has no finding, and every part was looked at once', () => {
  const all = [...diagnoseMachine(machine), ...diagnoseDatabase(database)]
  assert.deepEqual(found(all), [])
  assert.equal(worst(all), 'ok')
  assert.equal(new Set(all.map(({ part }) => part)).size, all.length)
})

test('each fault of the machine is found, with a cure', () => {
  const cases: [Partial<MachineFacts>, string[]][] = [
    [{ nodeVersion: 'v20.19.0' }, ['node wrong']],
    [{ nodeVersion: 'v22.18.9' }, ['node wrong']],
    [{ nodeVersion: 'v22.19.0' }, []],
    [{ memoryLimit_bytes: 256 * megabyte }, ['memory wrong']],
    [{ memoryLimit_bytes: 384 * megabyte }, ['memory warning']],
    [{ memoryLimit_bytes: 512 * megabyte }, []],
    [{ disk: { free_bytes: 100 * megabyte, path: '/data' } }, ['disk wrong']],
    [{ disk: { free_bytes: 1000 * megabyte, path: '/data' } }, ['disk warning']],
    [{ disk: { free_bytes: 1000 * megabyte, path: '/data' }, embedded: false }, []],
    [{ disk: null }, ['disk warning']],
    [{ key: { file: '/data/master.key', open: true } }, ['master_key wrong']],
    [{ key: { file: '/data/master.key', open: false } }, []],
    [{ publicUrl: undefined }, ['public_url wrong']],
    [{ publicUrl: undefined, production: false, onLoopback: true, trustProxy: 0 }, []],
    [{ publicUrl: 'http://shop.example.com' }, ['public_url warning']],
    [{ trustProxy: 0 }, ['proxy wrong']],
    // In a container, which cannot listen on loopback.
    [{ onLoopback: false }, []],
    [{ onLoopback: false, trustProxy: 0 }, ['proxy wrong']],
    [{ mailIsSet: false }, ['mail warning']],
    [{ mailIsSet: false, production: false }, []],
    [{ limitsAreOn: false }, ['limits warning']],
  ]
  for (const [change, expected] of cases) {
    const findings = diagnoseMachine({ ...machine, ...change })
    assert.deepEqual(found(findings), expected, JSON.stringify(change))
    for (const { level, cure } of findings) assert.equal(cure !== undefined, level !== 'ok')
  }
})

test('connections: what all nodes may open must fit, and one node more during a rolling restart', () => {
  const at = (max: number, running: number) =>
    found(
      diagnoseDatabase({
        ...database,
        nodes: { running, wrongClocks: [] },
        connections: { ...database.connections, max },
      }),
    )
  assert.deepEqual(at(57, 2), ['connections warning'])
  assert.deepEqual(at(56, 2), ['connections wrong'])
  assert.deepEqual(at(83, 2), [])
  assert.deepEqual(at(82, 2), ['connections warning'])
  // Without a running node, one is counted: the one that will start.
  assert.deepEqual(at(30, 0), ['connections wrong'])
})

test('the cure of connections is enough', () => {
  for (const max of [30, 56, 60, 82]) {
    const [finding] = diagnoseDatabase({ ...database, connections: { ...database.connections, max } }).filter(
      ({ part }) => part === 'connections',
    )
    const advised = Number(/max_connections to (\d+)/.exec(finding!.cure!)![1])
    const after = diagnoseDatabase({ ...database, connections: { ...database.connections, max: advised } })
    assert.ok(!found(after).includes('connections wrong'), String(max))
  }
})

test('each fault that the database knows is found', () => {
  const cases: [Partial<DatabaseFacts>, string[]][] = [
    [{ wrongClock: 'The clock of this machine is 2 h behind.' }, ['clock wrong']],
    [{ nodes: { running: 2, wrongClocks: ['one is 2 h ahead of the database'] } }, ['clock wrong']],
    [{ sharesLimits: false }, ['redis warning']],
    [{ sharesLimits: false, nodes: { running: 1, wrongClocks: [] } }, []],
    [{ phones: { on: 4, silent: 1 } }, ['phones wrong']],
    [{ endpoints: { unreachable: 1, oldestDelivery_s: 0 } }, ['endpoints wrong']],
    [{ endpoints: { unreachable: 0, oldestDelivery_s: 601 } }, ['endpoints wrong']],
    [{ twinWallets: 1 }, ['twin_wallets warning']],
    [{ unreadAlerts: 1 }, ['unread_alerts warning']],
    [{ backup: undefined }, ['backup warning']],
    [{ backup: { age_ms: 1, isOld: true, isBroken: false } }, ['backup wrong']],
    [{ backup: { age_ms: 1, isOld: false, isBroken: true } }, ['backup wrong']],
  ]
  for (const [change, expected] of cases)
    assert.deepEqual(found(diagnoseDatabase({ ...database, ...change })), expected, JSON.stringify(change))
})
