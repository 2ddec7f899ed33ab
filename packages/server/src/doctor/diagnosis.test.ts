import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DatabaseFacts, diagnoseDatabase, diagnoseMachine, type MachineFacts } from './diagnosis.ts'
import { type Finding, worst } from './finding.ts'

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
  nodes: { running: 2, machines: 2, ofThisMachine: 1, wrongClocks: [] },
  wrongClock_ms: undefined,
  sharesLimits: true,
  phones: { on: 4, silent: 0 },
  endpoints: { unreachable: 0, oldestDelivery_s: 3 },
  unreadAlerts: 0,
  twinWallets: 0,
  frozenAccounts: 0,
  movedAccounts: 0,
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
    [{ memoryLimit_bytes: 384 * megabyte }, ['memory wrong']],
    [{ memoryLimit_bytes: 255 * megabyte, embedded: false }, ['memory wrong']],
    [{ memoryLimit_bytes: 256 * megabyte, embedded: false }, ['memory warning']],
    [{ memoryLimit_bytes: 384 * megabyte, embedded: false }, []],
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
        nodes: { running, machines: Math.max(1, running), ofThisMachine: 1, wrongClocks: [] },
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

test('the processes of one machine count their connections each and the limits together', () => {
  const facts = (processes: number, running: number) => ({
    ...database,
    sharesLimits: false,
    nodes: { running, machines: 1, ofThisMachine: processes, wrongClocks: [] },
  })
  const says = (processes: number, running: number, part: string) =>
    diagnoseDatabase(facts(processes, running)).find((finding) => finding.part === part)!.says
  // Before its start, too: settings of three processes need room for three.
  for (const running of [0, 3])
    assert.match(says(3, running, 'connections'), /^Nodes: 3\. They may open 78 connections; /)
  assert.equal(says(3, 3, 'redis'), 'The parent of the processes counts the limits.')
  assert.deepEqual(found(diagnoseDatabase(facts(3, 3)).filter(({ part }) => part === 'redis')), [])
})

test('each fault that the database knows is found', () => {
  const cases: [Partial<DatabaseFacts>, string[]][] = [
    [{ wrongClock_ms: -7_200_000 }, ['clock wrong']],
    [{ wrongClock_ms: 7_200_000 }, ['clock wrong']],
    [{ nodes: { running: 2, machines: 2, ofThisMachine: 1, wrongClocks: ['one +7200 s'] } }, ['node_clocks wrong']],
    [{ sharesLimits: false }, ['redis warning']],
    [{ sharesLimits: false, nodes: { running: 1, machines: 1, ofThisMachine: 1, wrongClocks: [] } }, []],
    [{ phones: { on: 4, silent: 1 } }, ['phones wrong']],
    [{ endpoints: { unreachable: 1, oldestDelivery_s: 0 } }, ['endpoints wrong']],
    [{ endpoints: { unreachable: 0, oldestDelivery_s: 601 } }, ['webhooks wrong']],
    [{ twinWallets: 1 }, ['twin_wallets wrong']],
    [{ frozenAccounts: 1 }, ['frozen warning']],
    [{ movedAccounts: 1 }, ['forwarding warning']],
    [{ unreadAlerts: 1 }, ['unread_alerts warning']],
    [{ backup: undefined }, ['backup warning']],
    [{ backup: { age_ms: 1, isOld: true, isBroken: false } }, ['backup wrong']],
    [{ backup: { age_ms: 1, isOld: false, isBroken: true } }, ['backup wrong']],
  ]
  for (const [change, expected] of cases)
    assert.deepEqual(found(diagnoseDatabase({ ...database, ...change })), expected, JSON.stringify(change))
})
