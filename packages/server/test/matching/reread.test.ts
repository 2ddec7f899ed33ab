/** Unreadable alerts are reread when a template is published, whichever node published it and whichever node stored them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftTemplate, publishTemplate } from '../../src/alerts/publishing/publish-template.ts'
import { shippedProviderId } from '../../src/alerts/shipped/ship-templates.ts'
import type { TemplateId } from '../../src/core/ids.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { rereadForTemplate } from '../../src/matching/reread/reread-templates.ts'
import { queueStory } from '../support/queue-story.ts'
import { openTestService } from '../support/story.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const publishDraft = (id: TemplateId) => service.db.transaction((tx) => publishTemplate(tx, id))
const { clock, sql } = service
const { record, report, readReport } = await queueStory(service)
const deps = { db: service.db, zone: zoneOf('Asia/Aden'), readReport, hiding: readReport.hiding }
const readAgain = async () => {
  while (await rereadForTemplate(deps, clock.now()));
}
const wording = (verb: string, reference: string) => `${verb} مبلغ 70.00 YER رقم العملية ${reference} شكرا`
const publish = async (verb: string) => {
  const draft = {
    providerId: shippedProviderId('jawali'),
    accountId: null,
    name: verb,
    senderNames: ['Jawali'],
    direction: 'credit',
    currency: 'YER',
    sentence: `${verb} مبلغ {amount:money} YER رقم العملية {reference:reference} شكرا`,
    samples: [{ text: wording(verb, 'NEW-9'), expect: { amount: '70.00', reference: 'NEW-9' } }],
    counterSamples: [{ text: 'خصم مبلغ 70.00', why: 'debit' }],
  } as const
  const id = await draftTemplate(service.db, draft, undefined, clock.now())
  assert.equal((await publishDraft(id)).kind, 'published')
  return id
}
const stateOf = async (text: string) => (await sql('select state from alerts where raw_text = $1', [text]))[0]![0]

test('a node that does not have the new template yet does not reread alerts with the old templates', async () => {
  await readAgain()
  const [first, second] = [wording('وصلك', 'NEW-0001'), wording('وصلك', 'NEW-0002')]
  await record([report(first)])
  assert.equal(await stateOf(first), 'unread')
  const id = await publish('وصلك')
  await readAgain()
  assert.equal(await stateOf(first), 'waiting')
  // This node still does not know the template, and stores the alert as unread.
  await record([report(second)])
  assert.equal(await stateOf(second), 'unread')
  assert.equal(await rereadForTemplate(deps, clock.now()), false)
  clock.advance(60_000)
  await readAgain()
  assert.equal(await stateOf(second), 'waiting')
  assert.deepEqual(await sql('select reread from alert_templates where id = $1', [id]), [['t']])
  clock.advance(60_000)
  assert.equal(await rereadForTemplate(deps, clock.now()), false)
})

test('an alert that cannot be stored again stays unread, and the others are reread', async () => {
  const [bad, good] = [wording('أتاك', 'BAD-0001'), wording('أتاك', 'NEW-0003')]
  await record([report(bad), report(good)])
  await sql(`create function refuse_it() returns trigger language plpgsql as $$
    begin
      if new.reference = 'BAD-0001' then raise unique_violation; end if;
      return new;
    end $$`)
  await sql('create trigger refuse_it before update on alerts for each row execute function refuse_it()')
  await publish('أتاك')
  const faults: unknown[] = []
  while (await rereadForTemplate({ ...deps, onFault: (fault) => faults.push(fault) }, clock.now()));
  assert.deepEqual([await stateOf(bad), await stateOf(good), faults.length], ['unread', 'waiting', 1])
  await sql('drop trigger refuse_it on alerts')
})
