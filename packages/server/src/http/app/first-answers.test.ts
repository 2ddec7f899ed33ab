import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstPage, firstQueries } from '@sanad/contract/dashboard/first-queries'
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
