import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { columnAt, columnSpans, keyTarget, labelledColumns, levelsOf, stackOf, topOf } from './geometry.ts'

test('the top of the axis is a round number, and never below the largest value', () => {
  assert.deepEqual([0, 1, 1.5, 2, 3, 5, 7, 10, 110_580].map(topOf), [1, 1, 1.5, 2, 3, 5, 8, 10, 150_000])
  assert.deepEqual([Number.NaN, -5].map(topOf), [1, 1])
  fc.assert(
    fc.property(fc.double({ min: 0.01, max: 1e15, noNaN: true }), (most) => {
      const top = topOf(most)
      assert.ok(top >= most * (1 - 1e-9) && top <= most * 10, `${top} for ${most}`)
    }),
  )
})

test('columns lie side by side, inside the width, and never overlap', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 2_000 }), (count, width) => {
      const spans = columnSpans(count, width)
      assert.equal(spans.length, count)
      for (const [i, { x, width: own }] of spans.entries()) {
        assert.ok(own > 0 && x >= 0 && x + own <= width + 1e-6)
        if (i > 0) assert.ok(spans[i - 1]!.x + spans[i - 1]!.width <= x + 1e-6)
      }
    }),
  )
})

test('the blocks of a stack have the height of their values, stay inside the picture, and what is above zero is seen', () => {
  const values = fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(values, (stack) => {
      const top = topOf(stack.reduce((sum, value) => sum + value, 0))
      const blocks = stackOf(stack, top, 120)
      for (const [i, { y, height }] of blocks.entries()) {
        assert.ok(y >= 0 && y + height <= 120 + 1e-6)
        assert.equal(height > 0, stack[i]! > 0)
        if (stack[i]! > 0) assert.ok(Math.abs(height - Math.max(1, (stack[i]! / top) * 120)) < 1e-6)
      }
    }),
  )
  assert.deepEqual(stackOf([50, 50], 100, 100), [
    { y: 50, height: 50 },
    { y: 0, height: 50 },
  ])
})

test('the usual has a level over each column, and none where it is zero', () => {
  assert.equal(levelsOf([0, 5, 10], 10, 30, 100), 'M10 50H20M20 1H30')
  assert.equal(levelsOf([], 10, 30, 100), '')
})

test('the last column always has a label, and labels have room', () => {
  assert.deepEqual(labelledColumns(14, 310), [1, 3, 5, 7, 9, 11, 13])
  assert.deepEqual(labelledColumns(3, 900), [0, 1, 2])
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 50, max: 1_500 }), (count, width) => {
      const labelled = labelledColumns(count, width)
      assert.equal(labelled.at(-1), count - 1)
      const step = width / count
      for (const [i, index] of labelled.entries()) if (i > 0) assert.ok((index - labelled[i - 1]!) * step >= 44 - 1e-6)
    }),
  )
})

test('a touch anywhere over a picture chooses the column that is drawn there', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 60, max: 1_500 }), (count, width) => {
      for (const [i, { x, width: own }] of columnSpans(count, width).entries())
        for (const at of [x, x + own / 2, x + own - 0.01]) assert.equal(columnAt(at, width, count), i)
    }),
  )
  assert.deepEqual([columnAt(-5, 100, 4), columnAt(500, 100, 4), columnAt(0, 0, 4)], [0, 3, 0])
})

test('arrow keys begin at the last column, stay inside, and other keys do nothing', () => {
  assert.deepEqual(
    ['ArrowLeft', 'ArrowRight', 'Home', 'End', 'Tab'].map((key) => keyTarget(key, -1, 14)),
    [13, 13, 0, 13, undefined],
  )
  assert.deepEqual(
    [keyTarget('ArrowLeft', 0, 14), keyTarget('ArrowRight', 13, 14), keyTarget('ArrowUp', 3, 14)],
    [0, 13, 4],
  )
})
