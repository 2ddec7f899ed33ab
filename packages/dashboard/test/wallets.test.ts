/**
 * Wallets in a real browser: a second phone is added and shown, and a duplicate account number is refused with a text.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languages } from '../../server/test/support/runs.ts'
import { createMembers } from '../../server/test/support/users.ts'
import { all } from '../src/words/all.ts'
import {
  desktop,
  eventually,
  expectFits,
  expectNoFaults,
  phone as narrow,
  openDashboard,
  textPattern,
} from './browser.ts'

const { service, openAs, visit, complaints } = await openDashboard()
const { demo, sql } = service
const staff = await createMembers(service)

for (const look of [narrow, desktop].filter(({ language }) => languages.includes(language))) {
  const { language } = look
  const named = (key: keyof typeof all.en & keyof typeof all.ar, n: number): string =>
    all[language][key].replace('{{n}}', new Intl.NumberFormat('en').format(n))

  test(`a message of an unknown sender links to the wallet form, filled with its sender and phone, ${language}`, async () => {
    const page = await openAs(staff.manager, look)
    await visit(page, `/wallets?new=1&sender=Jaib&phone=${demo.device.id}`)
    const form = page.getByRole('dialog')
    await form.waitFor()
    const sender = form.getByLabel(textPattern(language, 'wallets.sender')).first()
    await eventually(async () => assert.equal(await sender.inputValue(), 'Jaib'))
    const first = form.getByRole('combobox', { name: named('wallets.phoneNumber', 1), exact: true })
    // The name appears when the phones are loaded.
    await page.waitForFunction(
      (select) => (select as HTMLSelectElement).selectedOptions[0]?.label === 'Shop phone',
      await first.elementHandle(),
    )
    await page.context().close()
  })

  test(`a wallet gets a second phone with its SIM, and the list shows the state of each, ${language}`, async () => {
    const backup = `Backup ${language}`
    await staff.owner.ask('POST', '/phones/', { body: { name: backup } })
    const page = await openAs(staff.manager, look)
    await visit(page, '/wallets')
    const row = page.locator('tr, article, li, .card').filter({ hasText: 'Second wallet' }).last()
    await row.getByRole('button', { name: textPattern(language, 'part.change') }).click()
    const form = page.getByRole('dialog')
    await form.getByRole('button', { name: textPattern(language, 'wallets.addPhone') }).click()
    await form.getByRole('combobox', { name: named('wallets.phoneNumber', 2), exact: true }).selectOption(backup)
    await form.getByRole('combobox', { name: named('wallets.simNumber', 2), exact: true }).selectOption('SIM 1')
    await expectNoFaults(page, 'the form of a wallet with two phones')
    await expectFits(page, 'the form of a wallet with two phones')
    await form.locator('button[type=submit]').click()
    await form.waitFor({ state: 'detached' })
    await row.getByText(backup).first().waitFor()
    await row.getByText(all[language]['wallets.phone.off']).first().waitFor()
    await expectNoFaults(page, 'the list')
    await expectFits(page, 'the list')
    const bound = `select d.name, f.sim_slot from wallet_phones f join devices d on d.id = f.device_id where f.wallet_id = $1`
    assert.deepEqual(await sql(bound, [demo.wallets.second]), [[backup, 'SIM1']])

    // Removing the first makes the second the first.
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
    await page.context().close()
  })

  test(`the account number of another wallet is refused beside the field, with that wallet’s name, ${language}`, async () => {
    const page = await openAs(staff.manager, look)
    await visit(page, '/wallets')
    await page.getByRole('button', { name: textPattern(language, 'wallets.new') }).click()
    const form = page.getByRole('dialog')
    const fill = (key: 'wallets.name' | 'wallets.number', text: string) =>
      form.getByRole('textbox', { name: new RegExp(`^${all[language][key]}`) }).fill(text)
    await fill('wallets.name', 'Twin')
    await form
      .getByRole('combobox', { name: new RegExp(`^${all[language]['wallets.provider']}`) })
      .selectOption('Jawali')
    await fill('wallets.number', '+967 771 000 001')
    await form.locator('button[type=submit]').click()
    const [before] = all[language]['refused.wallet_exists'].split('{{wallet}}')
    await form.getByText(before!.trim()).filter({ hasText: 'Main wallet' }).waitFor()
    await expectNoFaults(page, 'the refusal')
    await expectFits(page, 'the refusal')
    await page.context().close()
  })
}

test('no errors in the console', () => assert.deepEqual(complaints, []))
