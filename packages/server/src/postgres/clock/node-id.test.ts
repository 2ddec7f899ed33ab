import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { machinesOf, nodeIdIn } from './node-id.ts'

test('processes of one machine are counted as one machine, nodes without a parent as one each', () => {
  const [machine, other] = [randomUUID(), randomUUID()]
  const ids = [...[machine, machine, machine, other].map(nodeIdIn), nodeIdIn(undefined), nodeIdIn(undefined)]
  assert.equal(new Set(ids).size, 6)
  assert.equal(machinesOf(ids), 4)
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
})
