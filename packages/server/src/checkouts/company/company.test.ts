import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appLinkTo, localizedCompany } from './company.ts'

const provider = {
  key: 'example',
  displayName: 'Example',
  displayNameArabic: '',
  paySteps: { ar: [], en: [] },
  appLink: '',
}

test('a company without an Arabic name is shown with its other name', () => {
  const { ar, en } = localizedCompany(provider)
  assert.deepEqual([ar.name, en.name], ['Example', 'Example'])
  assert.equal(localizedCompany({ ...provider, displayNameArabic: 'مثال' }).ar.name, 'مثال')
})

test('the account and the amount are put into the link of the app, escaped', () => {
  const { en } = localizedCompany({ ...provider, appLink: 'example://pay?to={account}&sum={amount}&again={account}' })
  assert.equal(
    appLinkTo(en, '77 1&x=$&', '1500.50'),
    'example://pay?to=77%201%26x%3D%24%26&sum=1500.50&again=77%201%26x%3D%24%26',
  )
  assert.equal(appLinkTo(localizedCompany(provider).en, '771', '1'), undefined)
})
