/** The keys of the dashboard in a real browser: `?` lists them, keys open screens, and nothing happens while the user types. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createMembers } from '../../server/test/support/users.ts'
import { bothLanguages, desktop, eventually, expectNoFaults, openDashboard, phone, textPattern } from './browser.ts'

const { service, openAs, visit } = await openDashboard()
const staff = await createMembers(service)

const pathOf = (page: Page): string => new URL(page.url()).pathname
const at = (page: Page, path: string): Promise<void> => eventually(async () => assert.equal(pathOf(page), path), 10_000)

/** A key as an Arabic layout sends it: another sign at the same place. */
const pressArabic = (page: Page, key: string, code: string, shiftKey = false): Promise<void> =>
  page.evaluate(
    (init) =>
      void document.body.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true })),
    { key, code, shiftKey },
  )

for (const language of bothLanguages)
  test(`? shows the list of keys in a dialog, and Escape closes it, ${language}`, async () => {
    const page = await openAs(staff.owner, { ...desktop, language })
    await visit(page, '/intents')
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: textPattern(language, 'shortcuts.title') })
    await dialog.waitFor()
    for (const key of [
      'shortcuts.search',
      'shortcuts.open./',
      'shortcuts.open./counter/new',
      'shortcuts.list',
    ] as const)
      await dialog.getByText(textPattern(language, key)).waitFor()
    await expectNoFaults(page, `keys, ${language}`)
    // An open dialog keeps the keys.
    await page.keyboard.press('n')
    assert.equal(pathOf(page), '/intents')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

test('keys open the main screens, on a Latin and on an Arabic layout', async () => {
  const page = await openAs(staff.owner)
  await visit(page, '/wallets')
  for (const [keys, path] of [
    ['gi', '/intents'],
    ['gu', '/unmatched'],
    ['gt', '/'],
    ['n', '/counter/new'],
  ] as const) {
    for (const key of keys) await page.keyboard.press(key)
    await at(page, path)
  }
  await pressArabic(page, 'ل', 'KeyG')
  await pressArabic(page, 'ه', 'KeyI')
  await at(page, '/intents')
  await pressArabic(page, '؟', 'Slash', true)
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await pressArabic(page, 'ظ', 'Slash')
  await page.waitForFunction(() => document.activeElement?.tagName === 'INPUT')
})

test('keys do nothing while the user types, and with a modifier', async () => {
  const page = await openAs(staff.owner)
  await visit(page, '/intents')
  await page.locator('main input').first().focus()
  await page.keyboard.type('gtn?')
  await page.locator('main input').first().blur()
  await page.keyboard.press('Alt+n')
  await page.keyboard.press('Shift+N')
  assert.equal(pathOf(page), '/intents')
  assert.equal(await page.getByRole('dialog').count(), 0)
})

test('a role has only the keys of its screens', async () => {
  const page = await openAs(staff.viewer, { ...phone, width: 1440 })
  await visit(page, '/intents')
  await page.keyboard.press('n')
  assert.equal(pathOf(page), '/intents')
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog')
  await dialog.getByText(textPattern('ar', 'shortcuts.open./intents')).waitFor()
  assert.equal(await dialog.getByText(textPattern('ar', 'shortcuts.open./counter/new')).count(), 0)
})
