/** Providers and templates in the dashboard: a template is drafted, tried on samples and stored alerts, published and retired. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hidingBy } from '../../src/alerts/hidden/hidden-text.ts'
import { templateLookup } from '../../src/alerts/publishing/template-lookup.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { reportReader } from '../../src/matching/reading/read-report.ts'
import { rereadForTemplate } from '../../src/matching/reread/reread-templates.ts'
import { phone } from '../support/phone.ts'
import { transferText } from '../support/sms-texts.ts'
import { type Answer, errorsOf, openTestService } from '../support/story.ts'
import { createMembers } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const members = await createMembers(service)
const { manager, viewer, stranger } = members
const { clock, demo } = service
const shopPhone = phone(service.origin, clock.now, demo.device)
const [[jawali]] = (await service.sql('select provider_id from wallets where id = $1', [demo.wallets.main])) as [
  [string],
]

const text = (amount: string, reference: string): string => `Jawali bonus ${amount} YER, ref ${reference}. Enjoy`
const content = {
  provider: jawali,
  name: 'Bonus',
  sender_names: ['Jawali'],
  direction: 'credit',
  currency: 'YER',
  sentence: 'Jawali bonus {amount:money} YER, ref {reference:reference}. Enjoy',
  samples: [{ text: text('1,500', '55501'), expect: { amount: '1500', reference: '55501' } }],
  counter_samples: [{ text: 'Jawali takes 1,500 YER, ref 55501. Sorry', why: 'debit' }],
}
const draft = async (fields: object = {}) => {
  const answer = await manager.ask('POST', '/templates/', { body: { ...content, ...fields } })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
const act = (id: string, action: string): Promise<Answer> => manager.ask('POST', `/templates/${id}/${action}/`)
const patch = (id: string, body: unknown): Promise<Answer> => manager.ask('PATCH', `/templates/${id}/`, { body })
const bench = async (id: string) => (await viewer.ask('GET', `/templates/${id}/bench/`)).body
let sent = 0
const report = async (message: string, sender = 'Jawali', from = shopPhone): Promise<string> => {
  const alert = {
    client_id: `t-${++sent}`,
    kind: 'sms',
    sender,
    text: message,
    sim_slot: 'SIM1',
    received_at: clock.now(),
  }
  assert.equal((await from.alerts([alert])).status, 200)
  clock.advance(6_000)
  const [[state]] = (await service.sql('select state from alerts where client_id = $1', [`t-${sent}`])) as [[string]]
  return state
}
const remove = async (id: string): Promise<void> => {
  await act(id, 'retire')
  await manager.ask('DELETE', `/templates/${id}/`)
}

test('the operator’s providers and templates are visible, and cannot be changed', async () => {
  const { body } = await viewer.ask('GET', '/providers/?page_size=200')
  const shared = body.results.find(({ name }: { name: string }) => name === 'jawali')
  assert.deepEqual([shared.shared, shared.sender_names.includes('Jawali')], [true, true])
  assert.ok(shared.active_templates > 0 && shared.wallets > 0)
  assert.deepEqual(errorsOf(await manager.ask('PATCH', `/providers/${jawali}/`, { body: { name: 'mine' } })), [
    'read_only@non_field_errors',
  ])
  const templates = await viewer.ask('GET', `/templates/?provider=${jawali}&status=active`)
  const [template] = templates.body.results
  assert.equal(template.shared, true)
  assert.equal((await bench(template.id)).green, true)
  assert.deepEqual(errorsOf(await patch(template.id, { name: 'mine' })), ['read_only@non_field_errors'])
  for (const action of ['publish', 'retire'])
    assert.deepEqual(errorsOf(await act(template.id, action)), ['read_only@non_field_errors'])
  assert.deepEqual(errorsOf(await manager.ask('DELETE', `/templates/${template.id}/`)), ['read_only@non_field_errors'])
})

test('an account’s own provider is added and changed, and no other account sees it', async () => {
  const body = {
    name: 'village',
    display_name: 'Village Bank',
    theme_color: '#ff8800',
    logo_url: 'https://x.example/l.png',
  }
  const created = await manager.ask('POST', '/providers/', { body })
  assert.equal(created.status, 201, created.text)
  assert.deepEqual([created.body.shared, created.body.theme_color], [false, '#FF8800'])
  const changed = await manager.ask('PATCH', `/providers/${created.body.id}/`, {
    body: { provider_status: 'MAINTENANCE' },
  })
  assert.equal(changed.body.provider_status, 'MAINTENANCE')
  assert.equal((await stranger.ask('GET', `/providers/${created.body.id}/`)).status, 404)
  assert.equal((await stranger.ask('PATCH', `/providers/${created.body.id}/`, { body: {} })).status, 404)
  const theirs = { ...content, provider: created.body.id }
  assert.deepEqual(errorsOf(await stranger.ask('POST', '/templates/', { body: theirs })), ['does_not_exist@provider'])
  for (const bad of [
    { theme_color: 'red' },
    { logo_url: 'javascript:alert(1)' },
    { logo_url: 'https://a:b@x.example/' },
  ])
    assert.equal((await manager.ask('PATCH', `/providers/${created.body.id}/`, { body: bad })).status, 400)
})

test('the packages of a provider’s app can be set for own providers, bounded and well formed', async () => {
  const body = { name: 'app-bank', packages: ['com.example.wallet', 'com.example.wallet', 'com.example.Shop'] }
  const created = await manager.ask('POST', '/providers/', { body })
  assert.equal(created.status, 201, created.text)
  assert.deepEqual(created.body.packages, ['com.example.wallet', 'com.example.Shop'])
  const path = `/providers/${created.body.id}/`
  const twenty = Array.from({ length: 20 }, (_, i) => `com.example.wallet${i}`)
  assert.deepEqual((await manager.ask('PATCH', path, { body: { packages: twenty } })).body.packages, twenty)
  for (const [packages, error] of [
    [[...twenty, 'com.example.more'], 'max_length@packages.non_field_errors'],
    [['wallet'], 'invalid@packages.0'],
    [['com.example.wallet', 'com example'], 'invalid@packages.1'],
    ['com.example.wallet', 'not_a_list@packages.non_field_errors'],
  ] as const)
    assert.deepEqual(errorsOf(await manager.ask('PATCH', path, { body: { packages } })), [error])
  // A field that is not sent stays.
  assert.deepEqual((await manager.ask('PATCH', path, { body: { display_name: 'App Bank' } })).body.packages, twenty)
  assert.deepEqual((await manager.ask('PATCH', path, { body: { packages: [] } })).body.packages, [])
  const { body: providers } = await viewer.ask('GET', '/providers/?page_size=200')
  const packagesOf = (name: string) =>
    providers.results.find((provider: { name: string }) => provider.name === name).packages
  assert.deepEqual([packagesOf('kuraimi'), packagesOf('jawali')], [['com.KuraimiBank'], []])
  const [[logged]] = (await service.sql(
    "select after->'packages' from audit_log where object_id = $1 and action = 'provider.update' order by id desc limit 1",
    [created.body.id],
  )) as [[unknown]]
  assert.deepEqual(typeof logged === 'string' ? JSON.parse(logged) : logged, [])
})

test('a template that could misread a truncated message is not published, and the refusal says what to write', async () => {
  const cut = (sentence: string, reference: string, message: string) =>
    draft({ sentence, name: sentence, samples: [{ text: message, expect: { amount: '1500', reference } }] })
  const bare = await cut(
    'Jawali bonus {amount:money} YER, ref {reference:reference}',
    '55501',
    'Jawali bonus 1,500 YER, ref 55501',
  )
  const refused = await act(bare.id, 'publish')
  assert.deepEqual(errorsOf(refused), ['template_not_green@non_field_errors'])
  assert.match(refused.body.errors[0].detail, /Write its length, such as \{reference:reference:12\}/)
  await patch(bare.id, { sentence: 'Jawali bonus {amount:money} YER, ref {reference:reference:5}' })
  assert.equal((await act(bare.id, 'publish')).status, 200)
  await report('Jawali bonus 7,700 YER, ref 7770')
  await report('Jawali bonus 8,800 YER, ref 88801')
  assert.deepEqual(
    await service.sql('select amount, reference from alerts where amount in (770000, 880000) order by amount'),
    [
      ['770000', null],
      ['880000', '88801'],
    ],
  )
  await remove(bare.id)
})

test('a template that reads the balance as the amount is not published, not even for an own provider', async () => {
  const provider = (await manager.ask('POST', '/providers/', { body: { name: 'mine' } })).body.id
  const genuine = transferText('1500', '258113.19')
  const fraud = {
    provider,
    sender_names: ['Mine'],
    counter_samples: [{ text: 'تم تحويل مبلغ 1500 YER', why: 'debit' }],
  }
  for (const [sentence, sample] of [
    ['استلمت مبلغ {fee:money} YER من {payer:phone} رصيدك هو {amount:money}', genuine],
    ['استلمت مبلغ {x:any} YER من {y:any} هو {amount:money}', genuine],
  ] as const) {
    const created = await draft({ ...fraud, sentence, samples: [{ text: sample, expect: { amount: '258113.19' } }] })
    const refused = await act(created.id, 'publish')
    assert.equal(refused.status, 400, sentence)
    assert.match(refused.body.errors[0].detail, /balance/)
  }
  // Even an unpublished template does not read the balance of a genuine text as its amount.
  const sentence = 'استلمت مبلغ {x:any} YER من {y:any} هو {amount:money}'
  const tried = await manager.ask('POST', '/templates/read/', { body: { sentence, text: genuine } })
  assert.equal(tried.body.reading, null)
  const honest = await manager.ask('POST', '/templates/read/', {
    body: { sentence: 'استلمت مبلغ {amount:money} YER من {payer:phone} رصيدك هو {balance:money}', text: genuine },
  })
  assert.deepEqual([honest.body.reading.amount, honest.body.reading.balance], ['1500.00', '258113.19'])
})

test('a draft shows the reading of each sample, and is published only when all are right', async () => {
  const created = await draft({
    samples: [
      { text: text('1,500', '55501'), expect: { amount: '1500.00', reference: '55501' } },
      { text: text('1,500', '55502'), expect: { amount: '1501', reference: '55502' } },
    ],
    counter_samples: [
      { text: text('9', '99999'), why: 'read all the same' },
      { text: 'Your code is 1', why: 'a code' },
    ],
  })
  assert.deepEqual([created.status, created.version, created.shared], ['draft', 1, false])
  const red = await bench(created.id)
  assert.equal(red.green, false)
  assert.deepEqual(
    red.samples.map(({ green }: { green: boolean }) => green),
    [true, false],
  )
  assert.equal(red.samples[1].reading.amount, '1500.00')
  assert.deepEqual(
    red.counter_samples.map(({ green }: { green: boolean }) => green),
    [false, true],
  )
  const refused = await act(created.id, 'publish')
  assert.equal(refused.status, 400)
  assert.deepEqual(new Set(errorsOf(refused)), new Set(['template_not_green@non_field_errors']))
  assert.equal(refused.body.errors.length, red.failures.length)

  await patch(created.id, { samples: content.samples, counter_samples: content.counter_samples })
  assert.equal((await bench(created.id)).green, true)
  assert.equal((await act(created.id, 'publish')).body.status, 'active')
  assert.deepEqual(errorsOf(await act(created.id, 'publish')), ['template_not_draft@non_field_errors'])
  assert.deepEqual(errorsOf(await patch(created.id, { name: 'x' })), ['template_not_draft@non_field_errors'])
  assert.deepEqual(errorsOf(await manager.ask('DELETE', `/templates/${created.id}/`)), [
    'template_not_draft@non_field_errors',
  ])
  const log = await service.sql(`select action from audit_log where object_id = $1 order by id`, [created.id])
  assert.deepEqual(log.flat(), ['template.create', 'template.update', 'template.publish'])
  await remove(created.id)
})

test('a published template reads the account’s alerts from the next one on, and no other account’s', async () => {
  assert.equal(await report(text('700', '77701')), 'unread')
  const created = await draft()
  assert.equal((await act(created.id, 'publish')).status, 200)
  assert.equal(await report(text('700', '77702')), 'waiting')
  // The other account has a wallet of the same provider, and a phone of its own.
  const seen = await stranger.ask('GET', `/templates/?provider=${jawali}&page_size=200`)
  assert.ok(!seen.body.results.some(({ id }: { id: string }) => id === created.id))
  const readReport = reportReader(service.db, templateLookup(service.db), hidingBy(service.masterKey))
  const [[theirPhone]] = (await service.sql('select device_id from wallets where id = $1', [demo.other.wallet])) as [
    [string],
  ]
  const fromPhone = {
    clientId: 'x',
    kind: 'sms',
    sender: 'Jawali',
    package: '',
    title: '',
    text: text('700', '77703'),
  } as const
  const times = { simSlot: '', sentAt: null, phoneReceivedAt: null } as const
  const theirs = await readReport(
    wholeAccount(members.otherId),
    theirPhone as never,
    { ...fromPhone, ...times },
    clock.now(),
  )
  assert.equal(theirs.kind, 'unread')
  // Alerts that could not be read before are read again, for this account.
  while (
    await rereadForTemplate(
      { db: service.db, zone: zoneOf('Asia/Aden'), hiding: hidingBy(service.masterKey) },
      clock.now(),
    )
  );
  const [[state]] = (await service.sql(`select state from alerts where raw_text like '%77701%'`)) as [[string]]
  assert.notEqual(state, 'unread')
  assert.equal((await act(created.id, 'retire')).body.status, 'retired')
  assert.deepEqual(errorsOf(await act(created.id, 'retire')), ['template_not_active@non_field_errors'])
  assert.equal(await report(text('700', '77704')), 'unread')
})

test('the next version is drafted beside the active version, which is retired when the draft is published', async () => {
  const created = await draft()
  await act(created.id, 'publish')
  const next = await act(created.id, 'draft')
  assert.equal(next.status, 201, next.text)
  assert.deepEqual([next.body.version, next.body.lineage, next.body.status], [2, created.lineage, 'draft'])
  assert.deepEqual(errorsOf(await act(created.id, 'draft')), ['template_draft_exists@non_field_errors'])
  await patch(next.body.id, {
    sentence: `${content.sentence} it`,
    samples: [{ text: `${text('5', '12345')} it`, expect: { amount: '5', reference: '12345' } }],
  })
  assert.equal((await act(next.body.id, 'publish')).status, 200)
  assert.equal((await manager.ask('GET', `/templates/${created.id}/`)).body.status, 'retired')
  const { body } = await manager.ask('GET', `/templates/?provider=${jawali}&page_size=200`)
  const versions = body.results.filter(({ lineage }: { lineage: string }) => lineage === created.lineage)
  assert.deepEqual(
    versions.map(({ version }: { version: number }) => version),
    [2, 1],
  )
  await remove(next.body.id)
})

test('a copy of an operator’s template is an own draft, and must not contradict its original', async () => {
  const { body } = await manager.ask('GET', `/templates/?provider=${jawali}&status=active&page_size=200`)
  const shared = body.results.find(({ sentence }: { sentence: string }) => sentence.includes('{reference:'))
  const copy = await act(shared.id, 'draft')
  assert.equal(copy.status, 201, copy.text)
  assert.deepEqual([copy.body.shared, copy.body.sentence, copy.body.version], [false, shared.sentence, 1])
  assert.notEqual(copy.body.lineage, shared.lineage)
  // The same sentence with the direction debit: two templates would read one text differently.
  await patch(copy.body.id, { direction: 'debit' })
  const refused = await act(copy.body.id, 'publish')
  assert.equal(refused.status, 400)
  assert.match(refused.text, /differently/)
  await remove(copy.body.id)
})

test('of two contradicting drafts that are published at once, one is published', async () => {
  const credit = await draft({ name: 'As a credit' })
  const debit = await draft({ name: 'As a debit', direction: 'debit', counter_samples: [] })
  const answers = await Promise.all([act(credit.id, 'publish'), act(debit.id, 'publish')])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
  for (const { id } of [credit, debit]) await remove(id)
})

test('a template is tried on a text without being saved', async () => {
  const read = async (body: object) => (await viewer.ask('POST', '/templates/read/', { body })).body
  const good = await read({ sentence: content.sentence, text: text('١٬٥٠٠', '55501') })
  assert.equal(good.error, null)
  assert.deepEqual(good.slots, [
    { name: 'amount', type: 'money', value: '1500.00' },
    { name: 'reference', type: 'reference', value: '55501' },
  ])
  assert.equal(good.reading.amount, '1500.00')
  assert.deepEqual((await read({ sentence: content.sentence, text: 'hello' })).slots, [])
  const broken = await read({ sentence: 'received {amount:mony}', text: 'x' })
  assert.deepEqual([broken.error.at, broken.reading], [9, null])
})

test('a template is made from a text and the marked parts of it', async () => {
  const message = text('1,500', '55501')
  const mark = (slot: string, part: string) => ({
    from: message.indexOf(part),
    to: message.indexOf(part) + part.length,
    slot,
  })
  const marks = [mark('amount', '1,500'), mark('reference', '55501')]
  const { body } = await manager.ask('POST', '/templates/sentence/', { body: { text: message, marks } })
  assert.equal(body.sentence, content.sentence)
  assert.deepEqual(body.expect, { amount: '1500.00', reference: '55501' })
  const none = await manager.ask('POST', '/templates/sentence/', { body: { text: message, marks: [] } })
  assert.match(none.body.error.detail, /amount:money/)
})

test('a preview shows what stored alerts would become, and changes none of them', async () => {
  await report(text('900', '99901'))
  await report(text('900', '99902'))
  const before = await service.sql('select id, state, amount from alerts order by id')
  const body = { provider: jawali, sender_names: ['Jawali'], sentence: content.sentence }
  const preview = await viewer.ask('POST', '/templates/preview/', { body })
  assert.equal(preview.status, 200, preview.text)
  const [last] = preview.body.results
  assert.deepEqual(
    [last.is.kind, last.would_be.kind, last.would_be.amount, last.differs],
    ['unread', 'read', '900.00', true],
  )
  assert.ok(preview.body.would_read >= 2 && preview.body.differ >= 2)
  const other = await viewer.ask('POST', '/templates/preview/', {
    body: { ...body, sentence: 'other {amount:money} YER' },
  })
  assert.equal(other.body.would_read, 0)
  assert.equal((await viewer.ask('POST', '/templates/preview/', { body: { ...body, limit: 1 } })).body.looked_at, 1)
  const elsewhere = await stranger.ask('POST', '/templates/preview/', { body })
  assert.equal(elsewhere.body.looked_at, 0)
  assert.deepEqual(await service.sql('select id, state, amount from alerts order by id'), before)
  const unknown = await viewer.ask('POST', '/templates/preview/', { body: { ...body, replaces: members.otherId } })
  assert.equal(unknown.status, 404)
})

test('the bodies of templates are bounded, and invalid ones are refused field by field', async () => {
  const create = async (body: object) =>
    errorsOf(await manager.ask('POST', '/templates/', { body: { ...content, ...body } }))
  assert.deepEqual(await create({ sentence: 'x'.repeat(2001) }), ['max_length@sentence'])
  assert.deepEqual(await create({ samples: Array(21).fill(content.samples[0]) }), [
    'max_length@samples.non_field_errors',
  ])
  assert.deepEqual(await create({ samples: [{ text: 'x'.repeat(1001), expect: {} }] }), [
    'max_length@samples.0.text',
    'required@samples.0.expect.amount',
  ])
  assert.deepEqual(await create({ sender_names: Array(21).fill('a') }), ['max_length@sender_names.non_field_errors'])
  assert.deepEqual(await create({ currency: 'Rial', direction: 'both' }), [
    'invalid_choice@direction',
    'invalid@currency',
  ])
  assert.deepEqual(errorsOf(await manager.ask('GET', '/templates/?provider=x&status=y')), [
    'invalid@provider',
    'invalid_choice@status',
  ])
  const marks = Array(13).fill({ from: 0, to: 1, slot: 'amount' })
  assert.equal((await manager.ask('POST', '/templates/sentence/', { body: { text: 'a', marks } })).status, 400)
  for (const path of ['/templates/read/', '/templates/sentence/', '/templates/preview/', '/templates/', '/providers/'])
    for (const body of ['[', '[1]', '"x"', '{"sentence":"\\ud800","text":"\\u0000"}', '{"marks":{"a":1}}'])
      assert.equal((await manager.ask('POST', path, { body })).status, 400, `${path} ${body}`)
})
