import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstPage, firstQueries, firstWallet } from '@sanad/contract/dashboard/first-queries'
import { dashboardOperations } from '@sanad/contract/dashboard/operations'
import { addressOf } from './first-answers.ts'

test('every first query is a GET of the contract, with parameters that it describes', () => {
  for (const [screen, queries] of Object.entries(firstQueries))
    for (const { call, query = {} } of queries) {
      const operation = dashboardOperations.find(({ id }) => id === call)
      assert.equal(operation?.method, 'GET', `${screen}: ${call}`)
      for (const name of Object.keys(query)) assert.ok(operation?.query?.[name], `${call} has no parameter ${name}`)
      assert.equal(operation?.path.includes('{'), screen.includes('{') && operation?.path.includes('{'), call)
    }
})

test('the address of a first query equals the address that the dashboard fetches', () => {
  assert.equal(addressOf({ call: 'listWallets' }), '/wallets/')
  assert.equal(addressOf({ call: 'listIntents', query: firstPage.latestPaid }), '/intents/?status=VERIFIED&page_size=1')
  assert.equal(
    addressOf({ call: 'listDeliveries', query: firstPage.deliveries }, 'abc'),
    '/webhooks/abc/deliveries/?state=all&page_size=25',
  )
})

test('the day close begins with the first real wallet that has an alert, else with the first wallet', () => {
  const test = { is_test: true, last_alert_at: '2026-01-01' }
  const quiet = { is_test: false, last_alert_at: null }
  const busy = { is_test: false, last_alert_at: '2026-01-01' }
  assert.equal(firstWallet([test, quiet, busy]), busy)
  assert.equal(firstWallet([test, quiet]), test)
  assert.equal(firstWallet([]), undefined)
})
