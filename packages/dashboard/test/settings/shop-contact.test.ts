/** The shop is asked for the contact that its buyers see, is reminded of it, and the poster asks buyers for what they need. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askAt } from '../../../server/test/support/story.ts'
import { desktop, expectGood, openDashboard, phone } from '../browser.ts'

const { service, open, signIn } = await openDashboard()
const { origin, token } = service
const shots = process.env.SANAD_SHOTS

const look = async (page: Awaited<ReturnType<typeof open>>, name: string): Promise<void> => {
  await expectGood(page, name)
  if (shots !== undefined) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true })
}

test('the contact is asked for while setting up, can be skipped, and is reminded of until it is there', async () => {
  const page = await open(phone)
  await signIn(page)
  await page.getByText('لا يستطيع المشتري التواصل معك').waitFor()
  await look(page, 'today-without-contact')
  await page.goto(`${origin}/first-payment`)
  await page.getByRole('heading', { name: 'كيف يتواصل معك المشتري؟' }).waitFor()
  await look(page, 'first-payment-contact')
  await page.getByRole('button', { name: 'ليس الآن' }).click()
  await page.getByRole('heading', { name: 'كيف يتواصل معك المشتري؟' }).waitFor({ state: 'detached' })
  await page.goto(`${origin}/`)
  await page.getByRole('link', { name: 'إضافة رقم للتواصل' }).click()
  await page.getByText('لا يستطيع المشتري التواصل معك').waitFor()
  await look(page, 'settings-without-contact')

  const other = await open(desktop)
  await signIn(other)
  await other.goto(`${origin}/first-payment`)
  await other.getByRole('heading', { name: 'How can buyers contact you?' }).waitFor()
  await look(other, 'first-payment-contact-desktop')
  await other.getByLabel('WhatsApp number').fill('shop')
  await other.getByRole('button', { name: 'Save' }).click()
  await other.getByText('Write the number with its country code').waitFor()
  await other.getByLabel('WhatsApp number').fill('٧٧٠ ٠٠٠ ٠٠٠')
  await other.getByRole('button', { name: 'Save' }).click()
  await other.getByText('Buyers see it on every payment page').waitFor()
  // The page with the reminder hears of it.
  await page.getByText('لا يستطيع المشتري التواصل معك').waitFor({ state: 'detached' })
  const [stored] = await service.sql(`select whatsapp from checkout_pages where whatsapp <> ''`)
  assert.deepEqual(stored, ['967770000000'])
})

test('the poster asks for the transaction number only where a wallet needs it', async () => {
  const { main, second } = service.demo.wallets
  const linkOf = async (wallets: string[]): Promise<string> => {
    const answer = await askAt(`${origin}/api/v1/checkout/links/`, 'POST', { token, body: { amount: '1500', wallets } })
    return `${origin}/payment-links/${answer.body.id}/poster`
  }
  await service.sql(`update wallets set unique_amounts = 'more', unique_amounts_most = 99 where id = $1`, [second])
  const page = await open(phone)
  await signIn(page)
  for (const [wallets, text] of [
    [[main], 'اكتب رقم العملية'],
    [[second], 'لا تحتاج رقم العملية'],
    [[main, second], 'أكمل ما تطلبه الصفحة'],
  ] as const) {
    await page.goto(await linkOf([...wallets]))
    await page.getByText(text).waitFor()
    await look(page, `poster-${wallets.length}-${wallets[0] === main}`)
  }
})
