/** API keys with limits: made, shown and changed on the screen of keys. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMembers } from '../../../server/test/support/users.ts'
import { expectGood, expectNoFaults, type Look, openDashboard, textPattern } from '../browser.ts'

const { service, openAs, visit } = await openDashboard({}, undefined, { consoleErrors: 'allowed' })
const { owner } = await createMembers(service)
const looks: Look[] = [
  { language: 'ar', width: 390, scheme: 'light' },
  { language: 'en', width: 1440, scheme: 'dark' },
]

for (const look of looks)
  test(`a read-only key with addresses is made, shown with its limits, and changed, ${look.language}`, async () => {
    const page = await openAs(owner, look)
    /** Part of a label: fields that are required have a mark behind it. */
    const part = (key: Parameters<typeof textPattern>[1]) =>
      new RegExp(textPattern(look.language, key).source.slice(1, -1))
    const words = (key: Parameters<typeof textPattern>[1]) => textPattern(look.language, key)
    await visit(page, '/keys')
    await page
      .getByRole('button', { name: words('keys.new') })
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    const name = `Shop ${look.language}`
    await dialog.getByRole('textbox').first().fill(name)
    await dialog.getByRole('switch').click()
    await dialog.getByLabel(part('keys.addresses')).first().fill('shop.example')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: words('keys.new') }).click()
    await dialog
      .getByText(/shop\.example|غير صحيحة/)
      .first()
      .waitFor()
    await dialog.getByLabel(part('keys.addresses')).first().press('Backspace')
    await dialog.getByLabel(part('keys.addresses')).first().fill('203.0.113.7')
    await page.keyboard.press('Enter')
    await expectNoFaults(page, look.language)
    if (process.env.SANAD_PICTURES)
      await page.screenshot({ path: `${process.env.SANAD_PICTURES}/form-${look.language}.png` })
    await dialog.getByRole('button', { name: words('keys.new') }).click()
    await page.getByText(words('keys.made')).first().waitFor()
    await page.keyboard.press('Escape')
    const { body } = await owner.ask('GET', '/keys/?page_size=200')
    const made = body.results.find((key: { name: string }) => key.name === name)
    assert.deepEqual([made.read_only, made.addresses, made.test], [true, ['203.0.113.7/32'], false])
    await visit(page, '/keys')
    await page.getByText(words('keys.readOnly')).first().waitFor()
    if (process.env.SANAD_PICTURES)
      await page.screenshot({ path: `${process.env.SANAD_PICTURES}/list-${look.language}.png`, fullPage: true })
    await expectGood(page, look.language)
  })
