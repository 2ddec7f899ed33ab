/** The dialog that asks for a proof of the person: the step continues by itself afterwards; cancelled, nothing is changed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMember, createMembers, storyPassword } from '../../../server/test/support/users.ts'
import { bothLanguages, desktop, eventually, expectGood, openDashboard, phone, textPattern } from '../browser.ts'

const { service, openAs, visit } = await openDashboard()
const { accountId } = await createMembers(service)
const keyNames = async (): Promise<string[]> =>
  (await service.sql('select name from api_keys where account_id = $1 order by name', [accountId])).map(([name]) =>
    String(name),
  )

for (const language of bothLanguages) {
  const look = language === 'ar' ? { ...phone, language } : { ...desktop, language, scheme: 'dark' as const }
  test(`a new key is asked for once: wrong, cancelled with what was typed kept, then made, ${language}`, async () => {
    const owner = await createMember(service, accountId, 'owner')
    const page = await openAs(owner, look)
    service.clock.advance(11 * 60_000)
    await visit(page, '/keys')
    await page
      .getByRole('button', { name: textPattern(language, 'keys.new') })
      .first()
      .click()
    const name = `Proved ${language}`
    const form = page.getByRole('dialog').first()
    await form.getByRole('textbox').fill(name)
    const before = await keyNames()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: textPattern(language, 'proof.title') })
    await dialog.waitFor()
    await eventually(async () =>
      assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('name')), 'password'),
    )
    await expectGood(page, `the proof, ${language}`)
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/proof-${language}.png` })

    // Escape closes this dialog alone; the form stays with what was typed, and says that nothing was changed.
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await form.getByRole('alert').getByText(textPattern(language, 'refused.confirmation_required')).waitFor()
    assert.equal(await form.getByRole('textbox').inputValue(), name)
    assert.deepEqual(await keyNames(), before)
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/proof-cancelled-${language}.png` })

    await form.getByRole('textbox').focus()
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    // A keyboard user cannot leave the dialog.
    for (let i = 0; i < 6; i++) {
      await page.keyboard.press('Tab')
      assert.ok(
        await page.evaluate(() => {
          const at = document.activeElement
          return at === document.body || at?.closest('dialog') !== null
        }),
      )
    }
    const field = dialog.locator('input[name=password]')
    await field.fill('not the password')
    await page.keyboard.press('Enter')
    await dialog.getByText(textPattern(language, 'refused.password_wrong')).waitFor()
    await field.fill(storyPassword)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await eventually(async () => assert.deepEqual(await keyNames(), [...before, name].sort()))
  })
}

test('a table of all payments is downloaded after the proof', async () => {
  const viewer = await createMember(service, accountId, 'viewer')
  const page = await openAs(viewer)
  service.clock.advance(11 * 60_000)
  await visit(page, '/intents')
  const button = page.getByRole('link', { name: textPattern('en', 'act.csv') })
  await button.click()
  const dialog = page.getByRole('dialog', { name: textPattern('en', 'proof.title') })
  await dialog.getByRole('button', { name: textPattern('en', 'part.cancel') }).click()
  await dialog.waitFor({ state: 'detached' })
  await eventually(async () => assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'A'))
  await button.click()
  await dialog.locator('input[name=password]').fill(storyPassword)
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  assert.match(download.suggestedFilename(), /^intents-.*\.csv$/)
  // Within ten minutes nothing is asked.
  const [second] = await Promise.all([page.waitForEvent('download'), button.click()])
  assert.match(second.suggestedFilename(), /^intents-.*\.csv$/)
})
