/**
 * Unique amounts in a real browser: they are suggested with figures, an owner switches them on for a wallet, and the page of
 * an intent shows which amount to send.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languages } from '../../../server/test/support/runs.ts'
import { createMembers } from '../../../server/test/support/users.ts'
import { desktop, expectGood, openDashboard, phone, textPattern } from '../browser.ts'

const { service, openAs, visit } = await openDashboard()
const { demo, clock, sql } = service
const staff = await createMembers(service)

for (const language of languages) {
  test(`an owner switches unique amounts on, and an intent shows the exact amount to send, ${language}`, async () => {
    const page = await openAs(staff.owner, language === 'ar' ? phone : desktop)
    const [[name]] = (await sql('select name from wallets where id = $1', [demo.wallets.main])) as [[string]]
    if (language === 'ar') {
      // The start page suggests unique amounts with the figures, and links to the setting.
      await visit(page, '/')
      const note = page.getByRole('note').filter({ hasText: name })
      await note.getByText(textPattern(language, 'amounts.templates')).waitFor()
      await expectGood(page, 'the suggestion on the start page')
      await note.getByRole('link', { name: textPattern(language, 'amounts.open') }).click()
    } else {
      await visit(page, '/wallets')
      const row = page.locator('tr, li').filter({ hasText: name }).first()
      await row.getByRole('button', { name: textPattern(language, 'part.change') }).click()
    }
    const form = page.getByRole('form', { name: textPattern(language, 'amounts.title') })
    const state = form.getByLabel(textPattern(language, 'amounts.state'))
    const most = form.getByLabel(textPattern(language, 'amounts.most'))
    const save = form.getByRole('button', { name: textPattern(language, 'amounts.save') })
    // Without a number they are not switched on, and the field says why. They can be switched off.
    await state.selectOption('more')
    await most.fill('')
    await save.click()
    await form.getByText(textPattern(language, 'amounts.mostRefused')).waitFor()
    await state.selectOption('off')
    await save.click()
    await form.getByRole('status').waitFor()
    await state.selectOption('more')
    await form.getByRole('status').waitFor({ state: 'detached' })
    await most.fill('50')
    await save.click()
    await form.getByRole('status').waitFor()
    await expectGood(page, 'the unique amounts of a wallet')
    const stored = await sql('select unique_amounts, unique_amounts_most from wallets where id = $1', [
      demo.wallets.main,
    ])
    assert.deepEqual(stored, [['more', '50']])

    clock.advance(2_000)
    const { body } = await service.create({ amount: '1500.00', external_order_id: 'unique' })
    assert.equal(body.payable_amount, '1501.00')
    await visit(page, `/intents/${body.id}`)
    await page.getByRole('note').filter({ hasText: '1,501' }).waitFor()
    await page.getByText(textPattern(language, 'line.createdUnique')).waitFor()
    await expectGood(page, 'an order with a unique amount')
    await sql(`update wallets set unique_amounts = 'off', version = version + 1 where id = $1`, [demo.wallets.main])
  })
}
