import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { stagesOf } from './funnel-stages.ts'

const buyer = fc.constantFrom('opened', 'started', 'chosen', 'sent', 'paid', 'paid unsent')

test('every buyer is in one stage, and the stages add up to all who opened a link', () => {
  fc.assert(
    fc.property(fc.array(buyer, { maxLength: 50 }), (buyers) => {
      const count = (...kinds: string[]): number => buyers.filter((kind) => kinds.includes(kind)).length
      const stages = stagesOf({
        opened: buyers.length,
        started: buyers.length - count('opened'),
        chosen: count('chosen', 'sent', 'paid', 'paid unsent'),
        sent: count('sent', 'paid'),
        paid: count('paid', 'paid unsent'),
        paid_unsent: count('paid unsent'),
      })
      assert.deepEqual(stages, [
        count('paid', 'paid unsent'),
        count('sent'),
        count('chosen'),
        count('opened', 'started'),
      ])
      assert.equal(
        stages.reduce((sum, stage) => sum + stage, 0),
        buyers.length,
      )
    }),
  )
})
