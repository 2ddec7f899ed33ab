/** The measurement of a move between two cells works: every figure is there, and no call of a neighbour fails. In seconds. */
// The end of the file stops what the harness has started, for good.
import '../../packages/server/test/runner/own-process.ts'
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { cleanUp } from '../harness/processes.ts'
import { isFactMet, withoutFigure } from '../harness/report.ts'
import { measureMove } from './move.ts'

after(cleanUp)

test('an account of some thousand intents is moved, and each figure is a number', async () => {
  const section = await measureMove({
    tools: { wrk: '', pgbench: '' },
    seconds: 1,
    rounds: 1,
    large: 0,
    small: true,
    overload_s: 0,
    keep: undefined,
    prepareOnly: false,
    named: undefined,
    draw: undefined,
    isSelected: () => true,
    print: () => {},
  })
  assert.deepEqual(withoutFigure(section), [])
  const facts = new Map(section.facts!.map((fact) => [fact.name, fact]))
  assert.ok(facts.get('copied')!.value > facts.get('moved')!.value)
  const failed = facts.get('neighbour: failed')!
  assert.ok(isFactMet(failed), `${failed.value} calls failed`)
})
