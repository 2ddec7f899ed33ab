/**
 * Latin text, numbers and addresses inside Arabic are shown in their own order: from left to right, in one piece. A real browser
 * lays out every Arabic text of every package, with values in it that begin and end in signs, and the places of the letters are
 * measured. Without isolation `https://` is shown as `//:https`, and `+967 77` as `77 967+`.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownerNoticeKinds, userNoticeKinds } from '@sanad/contract/kinds'
import type { OwnerNotice, UserNotice } from '../../../server/src/accounts/notices/owner-notice.ts'
import { invitationEmail } from '../../../server/src/accounts/people/user-emails.ts'
import { apiReference } from '../../../server/src/api-reference.ts'
import type { Config } from '../../../server/src/config.ts'
import { zoneOf } from '../../../server/src/core/zone.ts'
import { guidePages } from '../../../server/src/http/guide/guide-book.ts'
import { appSteps } from '../../../server/src/http/pair/app-steps.ts'
import { batterySteps } from '../../../server/src/http/pair/battery-steps.ts'
import { html } from '../../../server/src/http/pair/pair-page.ts'
import { pairWords } from '../../../server/src/http/pair/pair-words.ts'
import { wordsOfNotice } from '../../../server/src/http/pay/no-contact-words.ts'
import { sentence } from '../../../server/src/http/pay/page-parts.ts'
import { pageWords } from '../../../server/src/http/pay/page-words.ts'
import { voucherWords } from '../../../server/src/http/voucher/voucher-words.ts'
import { payStepsOf } from '../../../server/src/wallets/providers/pay-steps.ts'
import { userNoticeEmail } from '../../../server/src/work/member-notice-email.ts'
import { noticeEmail } from '../../../server/src/work/notice-email.ts'
import { all } from '../../src/words/all.ts'
import { translateIn } from '../../src/words/language.ts'
import { faultText } from '../../src/words/template-faults.ts'
import { openDashboard, phone } from '../browser.ts'
import { disordered } from '../measures.ts'

const { service, open } = await openDashboard({}, (app) => apiReference({} as Config)(app))

/** One paragraph for each text, as a page in Arabic shows it. */
const showing = async (texts: readonly string[], style = ''): Promise<string[]> => {
  const page = await open(phone)
  const rows = texts.map((text) => `<p style="${style}">${text}</p>`).join('')
  await page.setContent(`<!doctype html><html lang="ar" dir="rtl"><body style="width: 9000px">${rows}</body></html>`)
  const wrong = await disordered(page)
  await page.context().close()
  return wrong
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Values that end in signs, in numbers and in another direction. */
const values = ['+967 770 123 456', 'https://shop.example/hook/', 'Shop (2)', 'B-7/', '2026-01-05 06:04 +03:00']

const withValues = (text: string, fill: (value: string) => string): string[] =>
  /\{\{?\w+\}/.test(text) ? values.map(fill) : [fill('')]

test('the measure finds what is out of order', async () => {
  const wrong = await showing([
    'يبدأ بـ https://.',
    'اللون #RRGGBB.',
    'الرقم 770 123 456 هنا',
    'القيمة {account} هنا',
    'أكثر بنسبة \u206815\u2069%',
  ])
  assert.equal(wrong.length, 5, wrong.join('\n'))
  assert.deepEqual(
    await showing(['يبدأ بـ \u2066https://\u2069.', 'نفّذ: pkg install -y termux-api', 'API أو (Webhooks)']),
    [],
  )
})

test('every Arabic text of the dashboard shows Latin text, numbers and values in their own order', async () => {
  const t = translateIn('ar') as (key: string, values: Record<string, string | number>) => string
  const texts = Object.keys(all.ar).flatMap((key) =>
    withValues(all.ar[key as keyof typeof all.ar], (value) => {
      const facts = Object.fromEntries(
        [...all.ar[key as keyof typeof all.ar].matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => [name!, value]),
      )
      const base = key.replace(/_(?:zero|one|two|few|many|other)$/, '')
      const count = { zero: 0, one: 1, two: 2, few: 3, many: 11, other: 100 }[key.slice(base.length + 1)]
      return escaped(t(base, count === undefined ? facts : { ...facts, count }))
    }),
  )
  assert.ok(texts.length > 2000, `only ${texts.length} texts were found`)
  assert.deepEqual(await showing(texts), [])
})

test('the faults of a template show braces and values in their own order', async () => {
  const faults = [
    'A backslash stands only before x',
    'This } closes nothing.',
    'This { is never closed.',
    '{Amount} is not a slot. x',
    '{reference:reference} ends the sentence, so a cut reference would look whole. x',
    'It does not read its sample "received 1,500 YER (+967)".',
  ]
  assert.deepEqual(await showing(faults.map((fault) => escaped(faultText(fault, 'ar')))), [])
})

test('the buyer’s page, its steps and the set-up page of a phone show values in their own order', async () => {
  const facts = (value: string) => new Proxy({}, { get: () => value }) as Record<string, string>
  const filled = (text: string, value: string): string => html(text.replaceAll(/\{\w+\}/g, `\u2068${value}\u2069`))
  const texts = [
    ...[...Object.values(pageWords.ar), ...Object.values(wordsOfNotice('ar'))].flatMap((text) =>
      withValues(text, (value) => sentence(text, facts(value)).text),
    ),
    ...Object.values(voucherWords.ar)
      .flatMap((text) => (typeof text === 'string' ? [text] : Object.values(text)))
      .flatMap((text) => withValues(text, (value) => sentence(text, facts(value)).text)),
    // The checkout API answers with these steps too, so they have no marks: the name of a company is plain words.
    ...payStepsOf({ displayName: 'Cash Wallet', displayNameArabic: '', paySteps: { ar: [], en: [] } }).ar,
    ...Object.values(pairWords.ar).flatMap((text) => withValues(text, (value) => filled(text, value))),
    ...appSteps.flatMap((app) =>
      [
        app.name,
        app.good,
        app.warning,
        app.installNote,
        app.batteryNote,
        app.trial,
        ...(app.byFile ?? []),
        ...app.settings.map(({ text }) => text),
      ]
        .flatMap((text) => text?.ar ?? [])
        .map((text) => html(text)),
    ),
    ...batterySteps.flatMap(({ name, steps }) =>
      [name, ...steps].map((text) => filled(text.ar, 'SMS Gateway (SMSGate)')),
    ),
  ]
  assert.deepEqual(await showing(texts), [])
})

test('the Arabic lines of emails show names, times and amounts in their own order, and addresses without a mark', async () => {
  const facts = {
    name: 'Shop phone (2)',
    model: 'SM-A12 +',
    app: 'SMS Gateway (SMSGate)',
    senders: 'Jaib, ONE (1)',
    more_senders: 3,
    packages: 'com.example.wallet',
    reasons: 'sender,app',
    from: 'https://shop.example/old/',
    to: 'https://shop.example/hook/',
    payment: 'NR4RE',
    order: 'B-7/',
    asked_amount: '1500.00',
    arrived_amount: '1400.00',
    forgiven_amount: '100.00',
    currency: 'YER',
    address: '203.0.113.7',
    browser: 'Firefox',
    system: 'Windows',
    script: true,
    change: 'passkey_added' as const,
    count: 12,
    more: 3,
    account: 'Shop (2)',
    role: 'cashier' as const,
    role_before: 'owner' as const,
    due_at: service.clock.now(),
  }
  const at = service.clock.now()
  const notice = (kind: OwnerNotice['kind']) =>
    ({ kind, facts, by: 'Amal <amal@shop.example>', at, objectKind: 'phone', objectId: 'x' }) as unknown as OwnerNotice
  const emails = [
    ...ownerNoticeKinds.map((kind) =>
      noticeEmail(notice(kind), 'Shop (2)', zoneOf('Asia/Aden'), 'https://pay.example'),
    ),
    invitationEmail({
      to: 'a@b.example',
      account: 'Shop (2)',
      role: 'cashier',
      by: 'Amal <amal@shop.example>',
      link: 'https://pay.example/invitation#a',
    }),
    ...userNoticeKinds.map((kind) =>
      userNoticeEmail(
        { ...notice('sign_in_new'), kind } as unknown as UserNotice,
        zoneOf('Asia/Aden'),
        'https://pay.example',
      ),
    ),
  ]
  const lines = emails.flatMap(({ text }) => text.split('----------')[0]!.split('\n'))
  for (const line of lines.filter((text) => text.includes('://'))) assert.match(line, /^https:\/\/[\x21-\x7e]+$/)
  assert.ok(lines.some((line) => line.includes('\u2068')))
  // Every line of a plain text has the direction of its first letter.
  assert.deepEqual(await showing(lines.map(escaped), 'unicode-bidi: plaintext'), [])
  for (const { subject } of emails)
    assert.doesNotMatch(subject, /[\u2066-\u2069]/, 'some mail programs show marks in a subject')
})

test('the pages of the guide show Latin text in its own order', async () => {
  const page = await open({ ...phone, width: 1440 })
  const wrong: string[] = []
  for (const name of guidePages) {
    await page.goto(`${service.origin}/docs/guide/ar/${name}`)
    await page.locator('main, article').first().waitFor()
    wrong.push(...(await disordered(page)).map((text) => `${name}: ${text}`))
  }
  assert.deepEqual(wrong, [])
})
