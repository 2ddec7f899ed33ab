import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { countUp, planSends, type Scenario, seededRandom } from './scenario.ts'
import { wordingOf } from './wordings.ts'

const now = Date.parse('2026-01-02T03:04:05.678Z')
const scenario = (more: Partial<Scenario> = {}): Scenario => ({
  content: { wording: wordingOf('jaib', true)!, amount: 150000n, currency: 'YER' },
  reference: null,
  sender: 'Jaib',
  simSlot: 'SIM1',
  balance: 1000000n,
  payer: 'علي المثال',
  phone: '771234567',
  style: {},
  count: 1,
  late_s: 0,
  repeats: 0,
  newIds: false,
  shuffled: false,
  spoofed: null,
  wrongAmount: false,
  ...more,
})
const plan = (more: Partial<Scenario>, seed = 1) => {
  let ids = 0
  return planSends(scenario(more), { random: seededRandom(seed), newId: () => `id-${++ids}` }, now)
}

test('the same seed gives the same list, and shuffling changes only the order', () => {
  const options = fc.record({
    count: fc.integer({ min: 1, max: 12 }),
    repeats: fc.integer({ min: 0, max: 3 }),
    newIds: fc.boolean(),
    late_s: fc.integer({ min: 0, max: 100_000 }),
  })
  fc.assert(
    fc.property(options, fc.nat(), (more, seed) => {
      const [ordered, shuffled] = [plan(more, seed), plan({ ...more, shuffled: true }, seed)]
      assert.deepEqual(shuffled, plan({ ...more, shuffled: true }, seed))
      assert.equal(ordered.length, more.count * (1 + more.repeats))
      const contents = (list: typeof ordered) => list.map((send) => `${send.clientId} ${send.text}`).sort()
      assert.deepEqual(contents(shuffled), contents(ordered))
      assert.equal(new Set(ordered.map((send) => send.clientId)).size, more.newIds ? ordered.length : more.count)
      assert.equal(new Set(ordered.map((send) => send.reference)).size, more.count)
      for (const send of ordered) assert.ok(send.sentAt % 1000 === 0 && send.sentAt <= now - more.late_s * 1000)
    }),
  )
})

test('balances continue from one payment to the next', () => {
  assert.deepEqual(
    plan({ count: 3, reference: '10' }).map(({ text }) => /رص:(\S+?)ر/.exec(text)![1]),
    ['11500', '13000', '14500'],
  )
})

test('given references count up and keep their zeros; generated ones look like the wallet’s', () => {
  assert.deepEqual(
    [0, 1, 2].map((by) => countUp('0098', by)),
    ['0098', '0099', '0100'],
  )
  assert.equal(countUp('TEST-A', 1), 'TEST-A-2')
  assert.equal(countUp('9'.repeat(30), 1), `1${'0'.repeat(30)}`)
  assert.match(plan({})[0]!.reference!, /^[1-9]\d{13}$/)
})

test('unusual messages are planned as asked for, each with its list of oddities', () => {
  const [plain] = plan({ reference: '1234' })
  const odd = (more: Partial<Scenario>) => plan({ reference: '1234', ...more })[0]!
  const spoofed = odd({ spoofed: 'sender' })
  assert.notEqual(spoofed.sender, 'Jaib')
  assert.equal(spoofed.sender.length, 4)
  assert.equal(spoofed.text, plain!.text)
  assert.ok(odd({ spoofed: 'tail' }).text.startsWith(plain!.text))
  assert.equal(odd({ wrongAmount: true }).amount, 149900n)
  assert.equal(
    plan({ content: { ...scenario().content, amount: 50n } as Scenario['content'], wrongAmount: true })[0]!.amount,
    150n,
  )
  assert.equal(odd({ late_s: 60 }).sentAt, Math.floor(now / 1000 - 60) * 1000)
  assert.deepEqual(odd({ late_s: 60, spoofed: 'tail', wrongAmount: true }).oddities, [
    'wrong amount',
    '60 s late',
    'spoofed tail',
  ])
})

test('a text of the caller is sent in the chosen style, without an amount and a reference', () => {
  const [send] = plan({ content: { text: 'مرحبا 12' }, style: { digits: 'arabic' } })
  assert.equal(send!.text, 'مرحبا ١٢')
  assert.deepEqual([send!.amount, send!.reference], [null, null])
})
