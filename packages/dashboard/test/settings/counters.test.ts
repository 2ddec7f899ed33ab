/**
 * The counter in a browser: an owner adds cashiers and makes the browser a counter; cashiers switch in two touches; wrong PINs end in a
 * pause; another tab follows; the counter is locked without a touch.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createMember, createMembers } from '../../../server/test/support/users.ts'
import {
  bothLanguages,
  desktop,
  eventually,
  expectGood,
  expectKeyboard,
  expectNoFaults,
  openDashboard,
  phone,
  textPattern,
} from '../browser.ts'

const { service, openAs, visit } = await openDashboard()
const { accountId } = await createMembers(service)
const picture = async (page: Page, name: string): Promise<void> => {
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${name}.png` })
}

/** The button at the top that names the cashier. */
const cashierButton = (page: Page, name: string) => page.locator('header').getByRole('button').filter({ hasText: name })

const enter = async (page: Page, pin: string): Promise<void> => {
  for (const digit of pin) await page.keyboard.press(digit)
}

for (const language of bothLanguages) {
  const looks =
    language === 'ar'
      ? ([
          { ...phone, language },
          { ...desktop, language, scheme: 'dark' },
        ] as const)
      : ([
          { ...desktop, language },
          { ...phone, language, scheme: 'dark' },
        ] as const)
  for (const look of looks)
    test(`an owner makes a browser a counter, and cashiers take turns: ${language}, ${look.width}, ${look.scheme}`, async () => {
      const name = `${language}-${look.width}`
      const owner = await createMember(service, accountId, 'owner')
      const [amal, basim] = [`أمل ${name}`, `Basim ${name}`]
      const page = await openAs(owner, look)
      await visit(page, '/settings/members')
      for (const [cashier, pin] of [
        [amal, '482915'],
        [basim, '730164'],
      ] as const) {
        await page.getByRole('button', { name: textPattern(language, 'cashier.add') }).click()
        const dialog = page.getByRole('dialog')
        await dialog.locator('input').nth(0).fill(cashier)
        await dialog.locator('input').nth(1).fill(pin)
        await dialog.locator('input').nth(2).fill(pin)
        if (cashier === amal) {
          await expectNoFaults(page, `a new cashier, ${name}`)
          await picture(page, `add-${name}`)
        }
        await page.keyboard.press('Enter')
        await dialog.waitFor({ state: 'detached' })
        await page.getByText(cashier).first().waitFor()
      }
      await expectGood(page, `members, ${name}`)
      await picture(page, `members-${name}`)
      await page
        .getByRole('button', { name: textPattern(language, 'tills.make') })
        .first()
        .click()
      await page.getByRole('dialog').locator('input').first().fill(`Till ${name}`)
      await page.keyboard.press('Enter')

      // The page is loaded again, and shows names only.
      await page.getByRole('heading', { name: textPattern(language, 'till.who') }).waitFor()
      assert.equal(await page.locator('nav').count(), 0)
      await expectGood(page, `locked, ${name}`)
      await expectKeyboard(page, `locked, ${name}`)
      await picture(page, `locked-${name}`)
      await page.getByRole('button', { name: amal }).click()
      await page.getByRole('heading', { name: amal }).waitFor()
      await expectGood(page, `PIN, ${name}`)
      await picture(page, `pin-${name}`)
      await enter(page, '195037')
      await page.getByText(textPattern(language, 'till.wrong')).waitFor()
      await enter(page, '482915')
      const who = cashierButton(page, amal)
      await who.waitFor()
      await page.getByRole('main').getByRole('textbox').first().waitFor()
      await expectGood(page, `counter, ${name}`)
      await picture(page, `counter-${name}`)

      // A second tab of the same browser follows.
      const tab = await page.context().newPage()
      await visit(tab, '/counter')
      await cashierButton(tab, amal).waitFor()

      // Two touches: the name at the top, another name; then the PIN.
      await page.bringToFront()
      await who.click()
      await page.getByRole('button', { name: basim }).click()
      await picture(page, `switch-${name}`)
      await enter(page, '730164')
      await cashierButton(page, basim).waitFor()
      await cashierButton(tab, basim).waitFor()
      await tab.close()

      // Five wrong PINs: the pad waits, and says how long.
      await cashierButton(page, basim).click()
      await page.getByRole('button', { name: textPattern(language, 'till.lock') }).click()
      await page.getByRole('button', { name: amal }).click()
      for (let i = 0; i < 5; i++) {
        const tried = page.waitForResponse((response) => response.url().endsWith('/counters/here/pin/'))
        await enter(page, '195037')
        await tried
        await page.getByRole('alert').waitFor()
      }
      await page.getByText(textPattern(language, 'till.askOwner')).waitFor()
      assert.equal(await page.getByRole('button', { name: '1', exact: true }).isDisabled(), true)
      await expectNoFaults(page, `paused, ${name}`)
      await picture(page, `paused-${name}`)

      const [other] = await service.sql('select id from counters where name = $1', [`Till ${name}`])
      const elsewhere = await openAs(await createMember(service, accountId, 'owner'), look)
      await visit(elsewhere, '/settings/members')
      await elsewhere.getByText(`Till ${name}`).waitFor()
      await expectGood(elsewhere, `counters, ${name}`)
      await elsewhere.getByRole('heading', { name: textPattern(language, 'tills.title') }).scrollIntoViewIfNeeded()
      await picture(elsewhere, `counters-${name}`)
      await service.sql('update counters set ended_at = now() where id = $1', [other![0]])
      // An ended counter shows the sign-in page.
      await eventually(async () => assert.equal(await page.locator('input[name=email]').count(), 1))
    })
}
