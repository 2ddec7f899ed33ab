/** Providers with names in two languages, country and payment steps: listed, set by members and operators, and shipped. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { shippedProviderId, shipTemplates } from '../../src/alerts/shipped/ship-templates.ts'
import { errorsOf, openTestService } from '../support/story.ts'
import { createMembers } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { manager, owner, viewer, stranger, operator } = await createMembers(service)

type Listed = { readonly id: string; readonly name: string; readonly country: string }

const listed = async (member = viewer, page_size = 200): Promise<Listed[]> => {
  const all: Listed[] = []
  for (let after = ''; ; ) {
    const { body } = await member.ask('GET', `/providers/?page_size=${page_size}${after}`)
    all.push(...body.results)
    if (body.next === null) return all
    after = `&after=${body.next}`
  }
}
const shipped = (all: readonly Listed[]) => all.filter(({ name }) => !name.startsWith('own-')).map(({ name }) => name)
const yemen = ['jaib', 'jawali', 'kuraimi', 'mfloos', 'one-cash']

test('a provider has both names, its senders, its country and steps in both languages', async () => {
  const { body } = await viewer.ask('GET', `/providers/${shippedProviderId('jaib')}/`)
  assert.deepEqual(
    [body.display_name, body.display_name_ar, body.country, body.sender_names, body.own_pay_steps],
    ['Jaib', 'جيب', 'YE', ['Jaib'], false],
  )
  assert.match(body.theme_color, /^#[0-9A-F]{6}$/)
  assert.equal(body.pay_steps.ar.length, 3)
  assert.match(body.pay_steps.ar[0], /جيب/)
  assert.match(body.pay_steps.en[0], /Jaib/)
})

test('the providers of the account’s country come first, then the others by country, on pages of any size', async () => {
  const all = await listed()
  const order = shipped(all)
  assert.deepEqual(
    order.filter((name) => yemen.includes(name)),
    yemen,
  )
  assert.deepEqual(order.slice(-3), ['bkash', 'vodafone-cash', 'mpesa'], 'Bangladesh, Egypt, Kenya')
  for (const size of [1, 3, 5])
    assert.deepEqual(
      (await listed(viewer, size)).map(({ id }) => id),
      all.map(({ id }) => id),
    )

  assert.equal((await owner.ask('GET', '/account/')).body.country, 'YE')
  const moved = await owner.ask('PATCH', '/account/', { body: { country: 'eg' } })
  assert.equal(moved.body.country, 'EG')
  // The provider of test wallets has no country.
  assert.deepEqual(
    shipped(await listed())
      .slice(0, 2)
      .sort(),
    ['sanad-test', 'vodafone-cash'],
  )
  assert.deepEqual(shipped(await listed(stranger)), order, 'the list of another account has not changed')
  for (const country of ['', 'XX', 'Yemen', null, 5])
    assert.equal((await owner.ask('PATCH', '/account/', { body: { country } })).status, 400, String(country))
  assert.equal((await owner.ask('GET', '/account/')).body.country, 'EG')
  await owner.ask('PATCH', '/account/', { body: { country: 'YE' } })
})

test('an account’s own provider has both names, a colour and steps; bad input changes nothing', async () => {
  const body = {
    name: 'own-bank',
    display_name: 'Village Bank',
    display_name_ar: 'بنك القرية',
    theme_color: '#336699',
    pay_steps: { ar: ['افتح التطبيق.', 'حوّل المبلغ.'] },
  }
  const created = await manager.ask('POST', '/providers/', { body })
  assert.equal(created.status, 201, created.text)
  assert.deepEqual([created.body.display_name_ar, created.body.country], ['بنك القرية', ''])
  assert.deepEqual(created.body.pay_steps.ar, ['افتح التطبيق.', 'حوّل المبلغ.'])
  assert.match(created.body.pay_steps.en[0], /Village Bank/, 'the other language has the general steps')
  assert.equal(created.body.own_pay_steps, true)
  const path = `/providers/${created.body.id}/`
  const bad: [object, string][] = [
    [{ country: 'ZZ' }, 'invalid@country'],
    [{ display_name_ar: 'ا'.repeat(101) }, 'max_length@display_name_ar'],
    [{ pay_steps: { ar: [''] } }, 'blank@pay_steps.ar.0'],
    [{ pay_steps: { en: ['x'.repeat(201)] } }, 'max_length@pay_steps.en.0'],
    [{ pay_steps: { en: Array(7).fill('x') } }, 'max_length@pay_steps.en.non_field_errors'],
  ]
  for (const [changes, error] of bad)
    assert.deepEqual(errorsOf(await manager.ask('PATCH', path, { body: { display_name: 'No', ...changes } })), [error])
  assert.deepEqual((await viewer.ask('GET', path)).body, created.body)
  const reset = await manager.ask('PATCH', path, { body: { pay_steps: {}, country: 'ye' } })
  assert.deepEqual(
    [reset.body.own_pay_steps, reset.body.country, reset.body.display_name],
    [false, 'YE', 'Village Bank'],
  )
  const [[entry]] = (await service.sql(
    `select after::text from audit_log where object_id = $1 and action = 'provider.update' order by id desc limit 1`,
    [created.body.id],
  )) as [[string]]
  const after = JSON.parse(entry)
  assert.deepEqual([after.country, after.pay_steps, after.display_name_ar], ['YE', { ar: [], en: [] }, 'بنك القرية'])
  // A new wallet shows its provider's name in both languages.
  const wallet = { name: 'Shop', account_number: '771000777', provider: created.body.id }
  const createdWallet = await manager.ask('POST', '/wallets/', { body: wallet })
  assert.deepEqual(
    [createdWallet.body.provider.display_name, createdWallet.body.provider.display_name_ar],
    ['Village Bank', 'بنك القرية'],
  )
})

test('an operator sets the names, the country and the steps of a shared provider, for every account', async () => {
  const created = await operator.ask('POST', '/operator/providers/', {
    body: {
      name: 'own-shared',
      display_name: 'Shared',
      display_name_ar: 'مشتركة',
      country: 'om',
      theme_color: '#102030',
    },
  })
  assert.equal(created.status, 201, created.text)
  assert.deepEqual(
    [created.body.country, created.body.display_name_ar, created.body.own_pay_steps],
    ['OM', 'مشتركة', false],
  )
  const path = `/operator/providers/${created.body.id}/`
  const changed = await operator.ask('PATCH', path, { body: { pay_steps: { ar: ['ادفع.'], en: ['Pay.'] } } })
  assert.deepEqual(changed.body.pay_steps, { ar: ['ادفع.'], en: ['Pay.'] })
  assert.equal(changed.body.display_name_ar, 'مشتركة', 'what is left out stays')
  assert.deepEqual(errorsOf(await operator.ask('PATCH', path, { body: { country: 'Oman' } })), ['max_length@country'])
  const { body } = await stranger.ask('GET', `/providers/${created.body.id}/`)
  assert.deepEqual(body.pay_steps, { ar: ['ادفع.'], en: ['Pay.'] })
})

test('the merchant API shows only its six fields of a provider', async () => {
  const { body } = await service.ask('GET', '/wallets/')
  assert.deepEqual(Object.keys(body[0].provider).sort(), [
    'display_name',
    'id',
    'logo_url',
    'name',
    'provider_status',
    'theme_color',
  ])
})

test('a start adds the Arabic names that an older database lacks, and keeps what an operator has set', async () => {
  const [jaib, kuraimi] = [shippedProviderId('jaib'), shippedProviderId('kuraimi')]
  await service.sql(`update providers set display_name_ar = '', country = '' where id = $1`, [jaib])
  await service.sql(`update providers set display_name_ar = 'بنك الكريمي' where id = $1`, [kuraimi])
  await shipTemplates(service.db, service.clock.now())
  const names = await service.sql('select display_name_ar, country from providers where id = any($1) order by name', [
    [jaib, kuraimi],
  ])
  assert.deepEqual(names, [
    ['جيب', 'YE'],
    ['بنك الكريمي', 'YE'],
  ])
})

test('names that buyers and members read are one line, without a link and without marks that change direction', async () => {
  const names = ['a\nb', 'see https://bad.example', 'a\u202eb', 'a\u2066b', '\u2067']
  for (const name of names) {
    const wallet = await manager.ask('POST', '/wallets/', {
      body: { name, account_number: '771000099', provider: randomUUID() },
    })
    assert.ok(errorsOf(wallet).includes('invalid@name'), wallet.text)
    for (const path of ['/providers/', '/keys/']) {
      const refused = await owner.ask('POST', path, { body: { name } })
      assert.deepEqual([refused.status, errorsOf(refused)], [400, ['invalid@name']], path)
    }
  }
})
