/** The steps of the set-up page fit the settings that are created for each app; makers of phones are recognised. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setupApps } from '@sanad/contract/kinds'
import type { PhoneId } from '../../core/ids.ts'
import { appGuide } from '../device/adapters/app-guide.ts'
import { appSteps } from './app-steps.ts'
import { batterySteps } from './battery-steps.ts'
import { languageFor } from './pair-words.ts'

const input = {
  phone: '00000000-0000-4000-8000-000000000001' as PhoneId,
  url: 'https://pay.example.com/',
  token: 'token',
  signingKey: 'key',
  senders: ['Jaib', 'ONE Cash (1)'],
  simSlot: '' as const,
}

test('the page has the steps of every app, in the order in which they are offered', () => {
  assert.deepEqual(
    appSteps.map(({ app }) => app),
    setupApps,
  )
})

test('every value that a step copies is among the settings of its app, in the same order', () => {
  for (const { app, settings, afterwards } of appSteps) {
    if (app === 'agent') continue
    const created = appGuide(app, input).settings.map(({ key }) => key)
    const copied = settings.flatMap(({ field }) => field ?? [])
    assert.ok(copied.length > 0, app)
    if (afterwards !== undefined) assert.ok(created.includes(afterwards.field!), app)
    assert.deepEqual(
      copied,
      created.filter((key) => copied.includes(key)),
      app,
    )
  }
})

test('several senders become one regular expression that matches each whole sender and no other', () => {
  const value = appGuide('sms-forwarder', input).settings.find(({ key }) => key === 'sender')!.value
  for (const sender of input.senders) assert.match(sender, new RegExp(value))
  for (const sender of ['Jaib2', 'xJaib', 'ONE Cash 1']) assert.doesNotMatch(sender, new RegExp(value))
})

test('the maker of a phone is recognised by the model in the user agent of its browser', () => {
  const makerOf = (model: string): string =>
    batterySteps.find(({ models }) => new RegExp(models).test(model.toUpperCase()))?.maker ?? 'other'
  const models = {
    'SM-A145F': 'samsung',
    'Redmi WriteAudit 12': 'xiaomi',
    M2006C3LG: 'xiaomi',
    '22101316G': 'xiaomi',
    'HUAWEI P30': 'huawei',
    'ANE-LX1': 'huawei',
    CPH2239: 'oppo',
    RMX3085: 'oppo',
    'TECNO BG6': 'tecno',
    'Infinix X6525': 'infinix',
    'Pixel 7': 'other',
    K: 'other',
  }
  for (const [model, maker] of Object.entries(models))
    assert.equal(
      makerOf(`${model} Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/120.0.0.0`),
      maker,
      model,
    )
})

test('the language is the first of Arabic and English that the browser accepts, else Arabic', () => {
  assert.deepEqual(
    ['ar', 'en-US,ar', 'fr, ar;q=0.5', 'de', ''].map((accepts) => languageFor(undefined, accepts)),
    ['ar', 'en', 'ar', 'ar', 'ar'],
  )
  assert.equal(languageFor('en', 'ar'), 'en')
  assert.equal(languageFor('xx', 'en'), 'en')
})
