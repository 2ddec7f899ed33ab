/**
 * A user creates a template from a message that was not understood, in a real browser: by keyboard on a desktop, by mouse
 * and touch on a phone.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { hidingBy } from '../../../server/src/alerts/hidden/hidden-text.ts'
import { zoneOf } from '../../../server/src/core/zone.ts'
import { rereadForTemplate } from '../../../server/src/matching/reread/reread-templates.ts'
import { phone as phoneOf } from '../../../server/test/support/phone.ts'
import { createMembers } from '../../../server/test/support/users.ts'
import { desktop, eventually, expectGood, openDashboard, phone } from '../browser.ts'

const { service, openAs, visit } = await openDashboard()
const staff = await createMembers(service)
const shopPhone = phoneOf(service.origin, service.clock.now, service.demo.device)

let sent = 0
/** The phone reports a message. Returns a function that reads the stored alert: its state, amount and reference. */
const report = async (text: string): Promise<() => Promise<readonly (string | null)[]>> => {
  const client_id = `templates-${++sent}`
  const alert = { client_id, kind: 'sms', sender: 'Jawali', text, sim_slot: 'SIM1', received_at: service.clock.now() }
  assert.equal((await shopPhone.alerts([alert])).status, 200)
  return async () =>
    (await service.sql('select state, amount::text, reference from alerts where client_id = $1', [client_id]))[0]!
}

/** Reads stored alerts with the new templates, as the service does every few seconds. */
const readAgain = async (): Promise<void> => {
  while (
    await rereadForTemplate(
      { db: service.db, zone: zoneOf('Asia/Aden'), hiding: hidingBy(service.masterKey) },
      service.clock.now(),
    )
  );
}

const press = async (page: Page, ...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key)
}
const wordAt = (page: Page, text: string) => page.locator('[data-word]', { hasText: new RegExp(`^${text}$`) })

test('a template is made by keyboard from an unread alert, previewed on stored alerts, published, and reads the alert', async () => {
  const readAlert = await report('Jawali bonus 700 YER, ref 77701 from Ali Saleh. Enjoy')
  assert.equal((await readAlert())[0], 'unread')
  const page = await openAs(staff.owner, desktop)
  await visit(page, '/unmatched?state=unread')
  await page.locator('button[aria-expanded]').filter({ hasText: 'Amount not read' }).first().click()
  await page.click('a:has-text("Create a template from this message")')
  await page.waitForSelector('h2:has-text("What is each part?")')

  // From the first word to the amount; Enter opens the choice of slots.
  await wordAt(page, 'Jawali').focus()
  await press(page, 'ArrowRight', 'ArrowRight', 'Enter')
  await page.waitForSelector('button:focus:has-text("Amount")')
  await press(page, 'Enter')
  await page.waitForSelector('ruby[data-slot=amount]:has-text("700")')
  // The focus is on the marked word again, and moves on to the reference.
  await press(page, 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter')
  await page.waitForSelector('button:focus:has-text("Amount")')
  await press(page, 'ArrowRight', 'Enter')
  await page.waitForSelector('ruby[data-slot=reference]:has-text("77701")')
  // Two words together are the payer.
  await press(page, 'ArrowRight', 'ArrowRight', 'Shift+ArrowRight', 'Enter')
  await page.waitForSelector('button:focus:has-text("Amount")')
  await press(page, 'ArrowRight', 'ArrowRight', 'Enter')
  await page.waitForSelector('ruby[data-slot=payer]:has-text("Ali Saleh")')
  const sentence = page.getByRole('textbox', { name: 'Sentence' })
  const expected = 'Jawali bonus {amount:money} YER, ref {reference:reference} from {payer:name}. Enjoy'
  await page.waitForFunction(
    (text) => [...document.querySelectorAll('textarea')].some(({ value }) => value === text),
    expected,
  )

  // The page shows what the template reads here and in stored alerts; the preview changes nothing.
  await page.waitForSelector('dd:has-text("700.00 YER")')
  await page.waitForSelector('tr:has-text("77701") [data-differs=true]')
  assert.equal((await readAlert())[0], 'unread')
  await expectGood(page, 'a new template')

  // The sentence is edited by hand, with a mistake, and then made from the marks again.
  await sentence.fill('received {amount:mony}')
  await page.waitForSelector('text=There is no slot type "mony"')
  await page.click('button:has-text("Back to the marks")')
  await eventually(async () => assert.equal(await sentence.inputValue(), expected))

  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Bonus')
  await page.click('button:has-text("Save draft")')
  await page.waitForSelector('h1:text("Bonus")')
  await page.waitForSelector('text=It has no counter-sample')
  const publish = page.getByRole('button', { name: 'Publish' })
  await eventually(async () => assert.equal(await publish.isDisabled(), true))
  await expectGood(page, 'a draft')
  await page.click('button:has-text("Add a counter-sample")')
  await page.getByRole('textbox', { name: 'Text' }).fill('Jawali takes 700 YER, ref 77701 from Ali Saleh. Sorry')
  await page.getByRole('textbox', { name: 'Why' }).fill('Money out')
  await expectGood(page, 'a counter-sample')
  await page.click('[role=dialog] button:has-text("Save")')
  await page.waitForSelector('text=It can be published')
  await publish.click()
  await page.waitForSelector('[role=dialog] >> text=1 stored message that was not understood will be read now')
  await expectGood(page, 'the confirmation before publishing')
  await page.click('[role=dialog] button:has-text("Publish")')
  await page.waitForSelector('main >> text="Active"')
  await readAgain()
  const [state, amount, reference] = await readAlert()
  assert.deepEqual([state, amount, reference], ['waiting', '70000', '77701'])
})

test('a pasted message is marked by mouse and by touch on a narrow screen, in Arabic', async () => {
  const message = 'كسبت 2,500 ر.ي مكافأة من جوالي، مرجع 88801 رصيدك 9,000 ر.ي شكرا لك'
  const readAlert = await report(message)
  assert.equal((await readAlert())[0], 'unread')
  const page = await openAs(staff.owner, phone)
  await visit(page, '/templates')
  await page.waitForSelector('h1:text("نماذج الرسائل")')
  await expectGood(page, 'all templates')
  await page.click('a:has-text("نموذج جديد")')
  await page.getByRole('textbox', { name: 'الرسالة' }).fill(message)
  assert.equal(
    await page
      .locator('[data-word]')
      .first()
      .evaluate((word) => getComputedStyle(word).direction),
    'rtl',
  )

  // The mouse selects the amount from one edge to the other.
  const amount = wordAt(page, '2,500')
  await amount.scrollIntoViewIfNeeded()
  const box = (await amount.boundingBox())!
  await page.mouse.move(box.x + 1, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.move(box.x + box.width - 1, box.y + box.height / 2)
  await page.mouse.up()
  await page.waitForSelector('text=«\u20682,500\u2069» هو:')
  await page.getByRole('button', { name: 'المبلغ', exact: true }).click()
  await page.waitForSelector('ruby[data-slot=amount]:has-text("2,500")')
  // A tap selects a word. One button adds the next word, another removes it.
  await wordAt(page, '88801').click()
  await page.click('button:has-text("زيادة كلمة")')
  await page.waitForSelector('text=«\u206888801 رصيدك\u2069» هو:')
  await page.click('button:has-text("إنقاص كلمة")')
  await page.getByRole('button', { name: 'رقم العملية', exact: true }).click()
  await wordAt(page, '9,000').click()
  await page.getByRole('button', { name: 'الرسوم', exact: true }).click()
  // A wrong mark is removed, and the right one is set.
  await page.click('button[aria-label*="9,000"]')
  await page.waitForSelector('ruby[data-slot=fee]', { state: 'detached' })
  await wordAt(page, '9,000').click()
  await page.getByRole('button', { name: 'الرصيد', exact: true }).click()
  await page.waitForSelector('dd:has-text("2,500.00 ر.ي")')

  await page.getByRole('combobox', { name: 'شركة المحفظة' }).selectOption('جوالي')
  await page.getByRole('textbox', { name: 'الاسم', exact: true }).fill('مكافأة')
  await page.waitForSelector('li:has-text("88801") [data-differs=true]')
  await expectGood(page, 'a new template')
  await page.click('button:has-text("حفظ المسودة")')
  await page.waitForSelector('h1:text("مكافأة")')
  await page.waitForSelector('text=بلا مثال مضاد')
  await page.click('button:has-text("إضافة مثال مضاد")')
  await page.getByRole('textbox', { name: 'النص' }).fill('خصم 2,500 ر.ي مرجع 88801')
  await page.click('[role=dialog] button:has-text("حفظ")')
  await page.waitForSelector('text=يمكن نشره')
  await expectGood(page, 'a draft')
  await page.getByRole('button', { name: 'نشر', exact: true }).click()
  await page.waitForSelector('[role=dialog] >> text=رسالة محفوظة واحدة لم تُفهم')
  await page.locator('[role=dialog]').getByRole('button', { name: 'نشر', exact: true }).click()
  await page.waitForSelector('main >> text="مفعّل"')
  await readAgain()
  assert.deepEqual(await readAlert(), ['waiting', '250000', '88801'])
})

test('a viewer sees templates and cannot change them', async () => {
  const page = await openAs(staff.viewer, desktop)
  await visit(page, '/templates')
  await page.waitForSelector('h2:has-text("Jawali")')
  assert.equal(await page.locator('text=New template').count(), 0)
  await page.locator('tbody tr', { hasText: 'Operator’s' }).first().click()
  await page.waitForSelector('text=This template belongs to the operator')
  await page.waitForSelector('h2:has-text("Must be read")')
  assert.equal(await page.locator('main button', { hasText: /Publish|Copy|Save|Add/ }).count(), 0)
  await expectGood(page, 'the operator’s template')
})
