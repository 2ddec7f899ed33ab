/**
 * Wallets of other countries, which show that the template language works beyond Yemen. They are not active on a new
 * installation, because Sanad collects in YER; an operator in such a country can publish them. The data is made up.
 */
import type { ShippedProvider } from './shipped-provider.ts'

const bkash: ShippedProvider = {
  name: 'bkash',
  displayName: 'bKash',
  displayNameArabic: 'بي كاش',
  country: 'BD',
  themeColor: '#A8155B',
  currency: 'BDT',
  senderNames: ['bKash'],
  packages: ['com.bKash.customerapp'],
  activeByDefault: false,
  never: [
    { why: 'one-time code', text: 'Your bKash verification code is 482913. It expires in 2 minutes.' },
    { why: 'promotion', text: 'You have received Tk 50.00 cashback offer! Pay Tk 500.00 to get it.' },
    {
      why: 'debit',
      text: 'Send Money Tk 1,500.00 to 01700000000 successful. Fee Tk 5.00. Balance Tk 18,783.41. TrxID 9AB1C2D3E4 at 02/01/2026 10:20',
    },
    {
      why: 'other currency',
      text: 'You have received USD 1,500.00 from 01700000000. Fee USD 0.00. Balance USD 20,288.41. TrxID 9AB1C2D3E4 at 02/01/2026 10:15',
    },
  ],
  templates: [
    {
      name: 'Received',
      direction: 'credit',
      version: 1,
      sentence:
        'You have received Tk {amount:money} from {payer:phone}. Fee Tk {fee:money}. Balance Tk {balance:money}. TrxID {reference:reference} at {when:any}',
      samples: [
        {
          text: 'You have received Tk 1,500.00 from 01700000000. Fee Tk 0.00. Balance Tk 20,288.41. TrxID 9AB1C2D3E4 at 02/01/2026 10:15',
          expect: {
            amount: '1500.00',
            payer: '01700000000',
            fee: '0.00',
            balance: '20288.41',
            reference: '9AB1C2D3E4',
          },
        },
      ],
      counterSamples: [],
    },
  ],
}

const mpesa: ShippedProvider = {
  name: 'mpesa',
  displayName: 'M-Pesa',
  displayNameArabic: 'إم بيسا',
  country: 'KE',
  themeColor: '#1F8A3B',
  currency: 'KES',
  senderNames: ['MPESA'],
  packages: ['com.safaricom.mpesa.lifestyle'],
  activeByDefault: false,
  never: [
    { why: 'one-time code', text: 'Your M-PESA one time PIN is 482913.' },
    { why: 'promotion', text: 'Confirmed.You have received 50 bonus points. Pay Ksh300.00 to double them.' },
    {
      why: 'debit',
      text: 'QAB1C2D3E5 Confirmed. Ksh300.00 sent to JANE EXAMPLE 0700000000 on 2/1/26 at 10:20 AM New M-PESA balance is Ksh934.00.',
    },
    {
      why: 'other currency',
      text: 'QAB1C2D3E4 Confirmed.You have received USD300.00 from JANE EXAMPLE 0700000000 on 2/1/26 at 10:15 AM New M-PESA balance is USD1,234.00.',
    },
  ],
  templates: [
    {
      name: 'Received',
      direction: 'credit',
      version: 2,
      sentence:
        '{reference:reference:10} Confirmed. You have received Ksh {amount:money} from {payer:name} {phone:phone} on {date:any} at {time:any} New M-PESA balance is Ksh {balance:money}.',
      samples: [
        {
          text: 'QAB1C2D3E4 Confirmed.You have received Ksh300.00 from JANE EXAMPLE 0700000000 on 2/1/26 at 10:15 AM New M-PESA balance is Ksh1,234.00.',
          expect: {
            amount: '300.00',
            payer: 'JANE EXAMPLE',
            phone: '0700000000',
            balance: '1234.00',
            reference: 'QAB1C2D3E4',
          },
        },
      ],
      counterSamples: [],
    },
  ],
}

const vodafoneCash: ShippedProvider = {
  name: 'vodafone-cash',
  displayName: 'Vodafone Cash',
  displayNameArabic: 'فودافون كاش',
  country: 'EG',
  themeColor: '#8E1B1B',
  currency: 'EGP',
  senderNames: ['VF-Cash'],
  packages: ['com.emeint.android.myservices'],
  activeByDefault: false,
  never: [
    { why: 'one-time code', text: 'كود التحقق 482913 فودافون كاش' },
    { why: 'promotion', text: 'تم استلام طلبك! ادفع 400.00 جنيه من محفظتك واكسب' },
    { why: 'debit', text: 'تم تحويل 400.00 جنيه إلى ALI EXAMPLE 01000000000 رقم العملية: 123456789012' },
    {
      why: 'other currency',
      text: 'تم استلام 400.00 USD من ALI EXAMPLE 01000000000 إلى محفظتك 01000000001 رقم العملية: 123456789012',
    },
  ],
  templates: [
    {
      name: 'Received',
      direction: 'credit',
      version: 2,
      sentence:
        'تم استلام {amount:money} جنيه من {payer:name} {phone:phone} إلى محفظتك {wallet:phone} رقم العملية: {reference:reference:12}',
      samples: [
        {
          text: 'تم استلام 400.00 جنيه من ALI EXAMPLE 01000000000 إلى محفظتك 01000000001 رقم العملية: 123456789012',
          expect: { amount: '400.00', payer: 'ALI EXAMPLE', phone: '01000000000', reference: '123456789012' },
        },
      ],
      counterSamples: [],
    },
  ],
}

export const SHIPPED_ELSEWHERE: readonly ShippedProvider[] = [bkash, mpesa, vodafoneCash]
