import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SHIPPED_PROVIDERS } from '../../alerts/shipped/shipped-templates.ts'
import { fromProvidersApp, isPackageName } from './provider-packages.ts'

test('an SMS counts by its sender, a notification only if its app is the provider’s', () => {
  const packages = ['com.example.wallet', 'com.example.wallet.merchant']
  assert.ok(fromProvidersApp('sms', '', packages))
  assert.ok(fromProvidersApp('sms', '', []))
  // A report that contradicts itself is judged by its package.
  assert.ok(fromProvidersApp('sms', packages[0]!, packages))
  assert.ok(!fromProvidersApp('sms', 'com.example.other', packages))
  assert.ok(fromProvidersApp('notification', 'com.example.wallet', packages))
  for (const other of ['', 'com.example', 'com.example.wallet2', 'com.example.Wallet', 'com.evil'])
    assert.ok(!fromProvidersApp('notification', other, packages), other)
})

test('if the packages of a provider are unknown, no notification counts, with or without a package', () => {
  for (const name of ['', 'com.example.wallet']) assert.ok(!fromProvidersApp('notification', name, []))
})

test('a package name must have the form that Android requires', () => {
  for (const name of ['com.example.wallet', 'com.KuraimiBank', 'a.b', 'com.x_1.y2'])
    assert.ok(isPackageName(name), name)
  for (const name of [
    '',
    'wallet',
    'com.',
    '.com',
    'com..x',
    'com.1x',
    'com.ex-ample',
    'com.x y',
    `com.${'x'.repeat(150)}`,
  ])
    assert.ok(!isPackageName(name), name)
})

test('every shipped package name is well formed, and no two providers share one', () => {
  const all = SHIPPED_PROVIDERS.flatMap(({ packages = [] }) => packages)
  assert.ok(all.every(isPackageName))
  assert.equal(new Set(all).size, all.length)
})
