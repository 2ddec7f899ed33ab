/** Wallets in a real browser: the form of a new wallet and its next steps, a second phone, and a duplicate account number. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAccount } from '../../../server/src/wallets/entries/create-account.ts'
import { createMember, createMembers } from '../../../server/test/support/users.ts'
import { all } from '../../src/words/all.ts'
import {
  desktop,
  eventually,
  expectGood,
  expectNoFaults,
  phone as narrow,
  openDashboard,
  textPattern,
} from '../browser.ts'

const { service, openAs, visit } = await openDashboard()
const { demo, sql } = service
const staff = await createMembers(service)

for (const look of [narrow, desktop]) {
  const { language } = look
  const numbered = (key: keyof typeof all.en & keyof typeof all.ar, n: number): string =>
    all[language][key].replace('{{n}}', new Intl.NumberFormat('en').format(n))

  test(`a message of an unknown sender links to the wallet form, filled with its sender and phone, ${language}`, async () => {
    const page = await openAs(staff.manager, look)
    await visit(page, `/wallets?new=1&sender=Jaib&phone=${demo.device.id}`)
    const form = page.getByRole('dialog')
    await form.waitFor()
    const sender = form.getByLabel(textPattern(language, 'wallets.sender')).first()
    await eventually(async () => assert.equal(await sender.inputValue(), 'Jaib'))
    const first = form.getByRole('combobox', { name: numbered('wallets.phoneNumber', 1), exact: true })
    // The name appears when the phones are loaded.
    await page.waitForFunction(
      (select) => (select as HTMLSelectElement).selectedOptions[0]?.label === 'Shop phone',
      await first.elementHandle(),
    )
  })

  test(`a wallet gets a second phone with its SIM, and the list shows the state of each, ${language}`, async () => {
    const backup = `Backup ${language}`
    await staff.owner.ask('POST', '/phones/', { body: { name: backup } })
    const page = await openAs(staff.manager, look)
    await visit(page, '/wallets')
    const row = page.locator('tr, article, li, .card').filter({ hasText: 'Second wallet' }).last()
    await row.getByRole('button', { name: textPattern(language, 'part.change') }).click()
    const form = page.getByRole('dialog')
    await form.getByRole('button', { name: textPattern(language, 'act.addPhone') }).click()
    await form.getByRole('combobox', { name: numbered('wallets.phoneNumber', 2), exact: true }).selectOption(backup)
    await form.getByRole('combobox', { name: numbered('wallets.simNumber', 2), exact: true }).selectOption('SIM 1')
    await expectGood(page, 'the form of a wallet with two phones')
    await form.locator('button[type=submit]').click()
    await form.waitFor({ state: 'detached' })
    await row.getByText(backup).first().waitFor()
    await row.getByText(all[language]['wallets.phone.off']).first().waitFor()
    await expectGood(page, 'the list')
    const bound = `select d.name, f.sim_slot from wallet_phones f join devices d on d.id = f.device_id where f.wallet_id = $1`
    assert.deepEqual(await sql(bound, [demo.wallets.second]), [[backup, 'SIM1']])

    // After the first phone is removed, the second one is the first.
    await row.getByRole('button', { name: textPattern(language, 'part.change') }).click()
    await form
      .getByRole('button', { name: textPattern(language, 'wallets.removePhone') })
      .first()
      .click()
    await form.locator('button[type=submit]').click()
    await form.waitFor({ state: 'detached' })
    assert.deepEqual(await sql(bound, [demo.wallets.second]), [])
    await sql(`update wallets set device_id = $2, sim_slot = 'SIM2' where id = $1`, [
      demo.wallets.second,
      demo.device.id,
    ])
  })

  test(`the account number of another wallet is refused beside the field, with that wallet’s name, ${language}`, async () => {
    const page = await openAs(staff.manager, look)
    await visit(page, '/wallets')
    await page.getByRole('button', { name: textPattern(language, 'act.addWallet') }).click()
    const form = page.getByRole('dialog')
    const fill = (key: 'field.name' | 'field.accountNumber', text: string) =>
      form.getByRole('textbox', { name: new RegExp(`^${all[language][key]}`) }).fill(text)
    await fill('field.name', 'Twin')
    await form
      .getByRole('combobox', { name: new RegExp(`^${all[language]['field.provider']}`) })
      .selectOption(language === 'ar' ? 'جوالي' : 'Jawali')
    await fill('field.accountNumber', '+967 771 000 001')
    await form.locator('button[type=submit]').click()
    const [before] = all[language]['refused.wallet_exists'].split('{{wallet}}')
    await form.getByText(before!.trim()).filter({ hasText: 'Main wallet' }).waitFor()
    await expectGood(page, 'the refusal')
  })
}

/** The owner of a shop that has nothing yet. */
const newOwner = async () =>
  createMember(service, await createAccount(service.db, 'A new shop', null, service.clock.now()), 'owner')

test('a new owner goes from the empty start page to a wallet, its phone and a test, in Arabic on a phone', async () => {
  const owner = await newOwner()
  const page = await openAs(owner, narrow)
  await visit(page, '/')
  await page.getByRole('link', { name: all.ar['act.addWallet'] }).click()
  const form = page.getByRole('dialog')
  const provider = form.getByRole('combobox', { name: new RegExp(`^${all.ar['field.provider']}`) })
  const field = (key: 'field.name' | 'field.accountNumber' | 'wallets.sender') =>
    form.getByRole('textbox', { name: new RegExp(`^${all.ar[key]}`) })
  await provider.getByRole('option', { name: 'جيب' }).waitFor({ state: 'attached' })
  // The companies of Yemen first, then those of other countries under their names; the test wallet's is not offered.
  const groups = await provider
    .locator('optgroup')
    .evaluateAll((groups: HTMLOptGroupElement[]) => groups.map(({ label }) => label))
  assert.deepEqual(groups, ['اليمن', 'بنغلاديش', 'مصر', 'كينيا'])
  assert.equal(await provider.getByText('محفظة تجريبية').count(), 0)
  await provider.selectOption('الكريمي')
  await provider.selectOption('جيب')
  await page.waitForFunction(
    (input) => (input as HTMLInputElement).value === 'Jaib',
    await field('wallets.sender').elementHandle(),
  )
  assert.equal(await field('field.name').inputValue(), 'جيب')
  // A sender must be exact: one that differs by case gets a note.
  await field('wallets.sender').fill('JAIB')
  await form.getByText(all.ar['wallets.senderMeant'].split('{{sender}}')[0]!.trim()).waitFor()
  await form.getByRole('button', { name: 'Jaib', exact: true }).click()
  await form.getByText(all.ar['wallets.senderMeant'].split('{{sender}}')[0]!.trim()).waitFor({ state: 'detached' })
  await field('field.accountNumber').fill('770000009')
  await expectGood(page, 'the form of a new wallet')
  await form.locator('button[type=submit]').click()

  const connect = form.getByRole('link', { name: all.ar['wallets.newPhone'] })
  await connect.waitFor()
  const [[id, sender]] = (await sql('select id, sender_name from wallets where account_id = $1 and not is_test', [
    owner.accountId,
  ])) as [[string, string]]
  assert.equal(sender, 'Jaib')
  assert.equal(await connect.getAttribute('href'), `/phones?new=1&wallet=${id}`)
  // Most messages of this company carry no reference: unique amounts are suggested, and can be set here.
  const note = form.getByRole('note')
  await note.getByText(textPattern('ar', 'amounts.templates')).waitFor()
  await expectNoFaults(page, 'the step of the phone')
  await note.getByRole('button', { name: all.ar['amounts.open'] }).click()
  const amounts = form.getByRole('form', { name: all.ar['amounts.title'] })
  await amounts.getByLabel(all.ar['amounts.state']).selectOption('more')
  await amounts.getByRole('button', { name: all.ar['amounts.save'] }).click()
  await amounts.getByRole('status').waitFor()
  assert.deepEqual(await sql('select unique_amounts from wallets where id = $1', [id]), [['more']])
  // An existing phone is offered without a reload; after it is chosen, the test is the next step.
  const { body } = await owner.ask('POST', '/phones/', { body: { name: 'هاتف المحل' } })
  await form.getByRole('button', { name: textPattern('ar', 'wallets.usePhone') }).click()
  const tryIt = form.getByRole('link', { name: all.ar['wallets.test.go'] })
  await tryIt.waitFor()
  assert.equal(await tryIt.getAttribute('href'), `/phones/${body.phone.id}`)
  assert.deepEqual(await sql('select device_id from wallets where id = $1', [id]), [[body.phone.id]])
})

test('the button of an empty screen opens its form', async () => {
  const page = await openAs(await newOwner(), desktop)
  const dialogs = [
    ['/keys', 'keys.new'],
    ['/phones', 'act.addPhone'],
    ['/webhooks', 'act.addEndpoint'],
    ['/intents', 'intents.new'],
    ['/settings/members', 'members.invite'],
  ] as const
  for (const [path, key] of dialogs) {
    await visit(page, path)
    await page.locator('main .card').getByRole('button', { name: all.en[key] }).click()
    await page.getByRole('dialog').waitFor()
  }
  for (const [path, key] of [
    ['/', 'act.addWallet'],
    ['/wallets?new=1', undefined],
    ['/webhooks?new=1', undefined],
  ] as const) {
    await visit(page, path)
    if (key !== undefined) await page.getByRole('link', { name: all.en[key] }).click()
    await page.getByRole('dialog').waitFor()
  }
})
