import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filtersIn, lastMomentOf, withFilters } from './url-filters.ts'

test('an empty value removes its filter, and the other filters stay', () => {
  const params = new URLSearchParams('status=PENDING&page=3')
  assert.equal(withFilters(params, { page: '', wallet: 'w' }).toString(), 'status=PENDING&wallet=w')
  assert.equal(params.toString(), 'status=PENDING&page=3')
})

test('a filter until a day includes the whole day', () => {
  assert.equal(lastMomentOf('2026-01-05'), '2026-01-05T23:59:59.999999')
  assert.equal(lastMomentOf(undefined), undefined)
  assert.equal(lastMomentOf(''), '')
  assert.equal(lastMomentOf('2026-01-05T10:00'), '2026-01-05T10:00', 'a time in the address stays as it is')
})

test('the named filters of the URL are sent as they are, also values that the service refuses', () => {
  const params = new URLSearchParams('status=PENDING,PAID&search=&page=2')
  assert.deepEqual(filtersIn<'listIntents'>(params, ['search', 'status', 'wallet']), {
    search: '',
    status: 'PENDING,PAID',
    wallet: undefined,
  })
  // @ts-expect-error no parameter of this call
  filtersIn<'listIntents'>(params, ['state'])
})
