/**
 * The provider of test wallets: no phone company sends such alerts, so nothing real can be taken for one. People choose the
 * references of test payments, of any length, so the sentence goes on after it: a text that was cut has no full stop.
 */
import type { ShippedProvider } from './shipped-provider.ts'

export const SHIPPED_TEST: ShippedProvider = {
  name: 'sanad-test',
  displayName: 'Test wallet',
  displayNameArabic: 'محفظة تجريبية',
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
