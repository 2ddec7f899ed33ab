/** Addresses that are not proved, in a browser: the badge, the proving mail, and requests that an owner confirms or declines. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type AddressInfo, connect, createServer } from 'node:net'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { smtpServer, tokenIn } from '../../../server/test/support/servers/smtp-server.ts'
import { accountOfWallet, createMember, type TestMember } from '../../../server/test/support/users.ts'
import { desktop, eventually, expectGood, type Look, openDashboard, phone } from '../browser.ts'

const smtp = await smtpServer()
// Mail needs PUBLIC_URL before the service has its port: pages reach the service through this port.
let target = 0
const proxy = createServer((socket) => {
  const upstream = connect(target, '127.0.0.1')
  for (const [from, to] of [
    [socket, upstream],
    [upstream, socket],
  ] as const)
    from.on('error', () => to.destroy()).pipe(to)
})
await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening))
const origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
const {
  service,
  open,
  openAs: openDirectlyAs,
} = await openDashboard({ SANAD_SMTP_URL: smtp.url, SANAD_MAIL_FROM: 'sanad@sanad.test', PUBLIC_URL: origin })
target = Number(new URL(service.origin).port)
service.atEnd(async () => {
  proxy.close()
  await smtp.close()
})
const openAs = (user: TestMember, look: Look = desktop) => openDirectlyAs(user, look, { origin })
const visit = async (page: Page, path: string): Promise<void> => {
  await page.goto(`${origin}${path}`)
  await page.waitForSelector('main h1')
}
const accountId = await accountOfWallet(service, service.demo.wallets.main)
const password = 'a password of a story'

/** A member whose address is not proved, or waits for an owner. */
const newMember = async (state: 'unproved' | 'request') => {
  const member = await createMember(service, accountId, 'cashier')
  const time = new Date(service.clock.now()).toISOString()
  if (state === 'unproved') await service.sql('update users set proved_at = null where id = $1', [member.userId])
  else await service.sql('update members set request_since = $2 where user_id = $1', [member.userId, time])
  return member
}

const texts = {
  ar: { unproved: 'البريد غير مؤكد', confirm: 'تأكيد', decline: 'رفض', prove: 'إرسال رابط تأكيد' },
  en: { unproved: 'Address not proved', confirm: 'Confirm', decline: 'Decline', prove: 'Send a proving mail' },
} as const

for (const look of [phone, desktop])
  test(`an owner confirms and declines requests by one touch, and sends a proving mail, ${look.language} at ${look.width}`, async () => {
    const words = texts[look.language]
    const owner = await createMember(service, accountId, 'owner')
    const [kept, declined, unproved] = [
      await newMember('request'),
      await newMember('request'),
      await newMember('unproved'),
    ]
    const page = await openAs(owner, look)
    await visit(page, '/settings/members')
    await page.getByText(words.unproved).first().waitFor()
    await expectGood(page, '/settings/members')
    await page.getByRole('button', { name: `${words.confirm}: ${kept.email}` }).click()
    await page.getByRole('button', { name: `${words.confirm}: ${kept.email}` }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: `${words.decline}: ${declined.email}` }).click()
    await page.getByRole('button', { name: `${words.decline}: ${declined.email}` }).waitFor({ state: 'detached' })
    const members = await service.sql(
      `select user_id, request_since is null from members where user_id = any ($1::uuid[])`,
      [[kept.userId, declined.userId]],
    )
    assert.deepEqual(members, [[kept.userId, 't']])
    await page.getByRole('button', { name: words.prove }).first().click()
    await page.getByRole('status').getByText(unproved.email).waitFor()
    await smtp.letterTo(unproved.email, /address/)
    await service.sql('update users set proved_at = now() where id = $1', [unproved.userId])
  })

test('a user who is not signed in signs in on the page of the link, and proves the address', async () => {
  const member = await newMember('unproved')
  const page = await openAs(member)
  await visit(page, '/settings/you')
  await page.getByRole('button', { name: 'Send me a link' }).click()
  await page.getByRole('status').getByText(member.email).waitFor()
  const token = tokenIn(await smtp.letterTo(member.email, /address/))
  await page.context().close()

  const other = await open()
  await other.goto(`${origin}/address#${token}`)
  await other.fill('input[name=email]', member.email)
  await other.fill('input[name=password]', password)
  await other.keyboard.press('Enter')
  await other.getByRole('button', { name: 'It is my address' }).click()
  await eventually(async () => {
    const [row] = await service.sql('select proved_at is not null from users where id = $1', [member.userId])
    assert.deepEqual(row, ['t'])
  })
  await other.waitForURL(/settings\/you/)
  assert.equal(await other.getByText('Your address is not proved').count(), 0)
})

test('a user whose only membership is a request is told so, and may leave', async () => {
  const email = `waiting-${randomUUID().slice(0, 8)}@sanad.example`
  const member = await newMember('request')
  await service.sql('update users set email = $2 where id = $1', [member.userId, email])
  const page = await openAs(member)
  await visit(page, '/')
  await page.getByText(/An owner has to confirm that you belong to: .*Demo shop/).waitFor()
  await visit(page, '/settings/you')
  await page.getByText('Waits for an owner').waitFor()
  await page.getByRole('button', { name: 'Leave: Demo shop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await eventually(async () =>
    assert.deepEqual(await service.sql('select 1 from members where user_id = $1', [member.userId]), []),
  )
})
