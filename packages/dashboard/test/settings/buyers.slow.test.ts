/** An owner finds and erases the number of a buyer under Settings, Data kept. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { desktop, expectGood, openDashboard, phone } from '../browser.ts'

const { service, open, signIn } = await openDashboard()
const { origin, sql } = service
const shots = process.env.SANAD_SHOTS

const look = async (page: Awaited<ReturnType<typeof open>>, name: string): Promise<void> => {
  await expectGood(page, name)
  if (shots !== undefined) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true })
}
const number = '779341256'
test('the number is found, typed again, and erased', async () => {
  assert.equal((await service.create()).status, 201)
  for (const [device, name, words] of [
    [desktop, 'buyers-desktop', ['Mobile number of the buyer', 'Find', 'Erase the number', 'Found: 1', 'Erased: 1']],
    [{ ...phone, scheme: 'dark' }, 'buyers-phone', ['رقم جوال المشتري', 'بحث', 'مسح الرقم', 'وُجد: 1', 'مُسح: 1']],
  ] as const) {
    await sql(
      `update intents set notes = 'call 0${number}' where id = (select id from intents order by id desc limit 1)`,
    )
    const [label, find, erase, found, erased] = words
    const page = await open(device)
    await signIn(page)
    await page.goto(`${origin}/settings/retention`)
    await page.getByLabel(label).fill('12')
    await page.getByRole('button', { name: find, exact: true }).click()
    await page.locator('[aria-invalid="true"]').waitFor()
    await page.getByLabel(label).fill(`+967 ${number}`)
    await page.getByRole('button', { name: find, exact: true }).click()
    await page.getByText(found).first().waitFor()
    await look(page, `${name}-found`)
    await page.getByRole('button', { name: erase }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(label).fill('779341257')
    assert.ok(await dialog.getByRole('button', { name: erase }).isDisabled())
    await dialog.getByLabel(label).fill(`+967${number}`)
    await look(page, `${name}-confirm`)
    await dialog.getByRole('button', { name: erase }).click()
    await page.getByText(erased).first().waitFor()
    await look(page, `${name}-erased`)
    assert.deepEqual(await sql(`select id from intents where notes like '%${number}%'`), [])
  }
})
