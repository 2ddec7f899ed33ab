/**
 * The provider of test wallets. No wallet company sends such alerts, so no real alert can be taken for one. Members choose the
 * references of test payments, of any length; so the sentence ends with a full stop, which a text that was cut does not have.
 */
import type { ShippedProvider } from './shipped-provider.ts'

export const SHIPPED_TEST: ShippedProvider = {
  name: 'sanad-test',
  displayName: 'Test wallet',
  displayNameArabic: 'محفظة تجريبية',
  country: '',
  themeColor: '#5C6675',
  currency: 'YER',
  senderNames: ['SanadTest'],
  activeByDefault: true,
  never: [{ why: 'promotion', text: 'Test payments are free this week' }],
  templates: [
    {
      name: 'Test payment',
      direction: 'credit',
      version: 2,
      sentence: 'Test payment of {amount:money} YER, reference {reference:reference}.',
      samples: [
        {
          text: 'Test payment of 1,500.00 YER, reference TEST-0001.',
          expect: { amount: '1500.00', reference: 'TEST-0001' },
        },
      ],
      counterSamples: [{ why: 'another currency', text: 'Test payment of 1,500.00 SAR, reference TEST-0001.' }],
    },
  ],
}
