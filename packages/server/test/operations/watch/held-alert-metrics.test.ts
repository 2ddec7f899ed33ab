/** The figures count a report by its first state: an alert that was held and then released is counted once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { phone } from '../../support/phone.ts'
import { purchaseText } from '../../support/sms-texts.ts'
import { openTestService } from '../../support/story.ts'
import { createMembers } from '../../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { clock, create, demo, figures, origin, sql, ask } = service

const counted = async (): Promise<Record<string, number>> =>
  Object.fromEntries(
    [...(await figures()).matchAll(/^sanad_alerts_total\{state="(\w+)"\} ([1-9]\d*)$/gm)].map(([, state, count]) => [
      state!,
      Number(count),
    ]),
  )

test('an alert that was held and then released, and matched by that, is counted once, as held', async () => {
  const { owner } = await createMembers(service)
  // A phone that was connected today is a doubt.
  clock.advance(2 * 24 * 3_600_000)
  const reference = '220700066601'
  const intent = (await create({ amount: '1500.00' })).body
  await ask('PATCH', `/intents/${intent.id}/`, { body: { reference } })
  await sql('update devices set switched_on = false where id = $1', [demo.device.id])
  const report = {
    client_id: 'held-1',
    kind: 'sms',
    sender: 'Jawali',
    text: purchaseText('1500', reference, 'علي صالح المثال'),
    sim_slot: 'SIM1',
    received_at: new Date(clock.now()).toISOString(),
  }
  const reporter = phone(origin, clock.now, demo.device)
  assert.equal((await reporter.alerts([report])).status, 200)
  assert.deepEqual(await counted(), { held: 1 })
  await sql('update devices set switched_on = true where id = $1', [demo.device.id])
  const [row] = await sql('select id from alerts where reference = $1', [reference])
  const released = await owner.ask('POST', `/unmatched/${row![0]}/release/`)
  assert.equal(released.status, 200, released.text)
  assert.equal((await ask('GET', `/intents/${intent.id}/`)).body.status, 'VERIFIED')
  assert.deepEqual(await counted(), { held: 1 })
  assert.equal((await reporter.alerts([report])).status, 200)
  assert.deepEqual(await counted(), { held: 1, repeated: 1 })
})
