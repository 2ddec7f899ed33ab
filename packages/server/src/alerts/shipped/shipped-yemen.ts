/**
 * The alerts of the Yemeni wallets. Names, numbers and references are made up. Alerts of transfers between people mostly have
 * no reference; they are read for the queue and the balance. The wording of debits is little known (they begin with خصم,
 * تم تحويل, تم سداد), so there are few templates for them; a debit never verifies anything.
 */
import { yemeniMobile } from '../../wallets/providers/number-rule.ts'
import type { ShippedProvider } from './shipped-provider.ts'

const jaib: ShippedProvider = {
  name: 'jaib',
  displayName: 'Jaib',
  displayNameArabic: 'جيب',
  country: 'YE',
  themeColor: '#B3202A',
  currency: 'YER',
  senderNames: ['Jaib'],
  numberRule: yemeniMobile,
  activeByDefault: true,
  never: [
    { why: 'one-time code', text: 'رمز التحقق 482913 لا تشاركه مع احد. جيب' },
    { why: 'promotion', text: 'اضيف لك عرض جديد: حول 5000ر.ي واحصل على 100ر.ي. جيب' },
    { why: 'spoofed tail', text: 'اضيف 500ر.ي تحويل مشترك رص:5680ر.ي من علي المثال-770000000 واضيف 90000ر.ي' },
    { why: 'spoofed tail', text: 'أضيف 30000ر.ي مشتريات رص:220611.7ر.ي من 1234567 م:12345678901234 تم الالغاء' },
    { why: 'other currency', text: 'أضيف 300ر.س مشتريات رص:2206.7ر.س من 1234567 م:12345678901234' },
    { why: 'other currency', text: 'اضيف 500USD تحويل مشترك رص:5680USD من علي المثال-770000000' },
    { why: 'cut in two', text: 'أضيف 30000ر.ي مشتريات رص:220611.7' },
  ],
  templates: [
    {
      name: 'Received from a person',
      direction: 'credit',
      version: 1,
      sentence: 'اضيف {amount:money} ر.ي تحويل مشترك رص: {balance:money} ر.ي من {payer:name} - {phone:phone}',
      samples: [
        {
          text: 'اضيف 500ر.ي تحويل مشترك رص:5680ر.ي من علي صالح المثال-770000000',
          expect: { amount: '500.00', balance: '5680.00', payer: 'علي صالح المثال', phone: '770000000' },
        },
        {
          text: 'أضيف ١٬٥٠٠ر.ي تحويل مشترك\nرص:٧٬١٨٠٫٥ر.ي من ع*** المثال-7XXXXX000',
          expect: { amount: '1500.00', balance: '7180.50', payer: 'ع*** المثال', phone: '7XXXXX000' },
        },
      ],
      counterSamples: [{ why: 'debit', text: 'خصم 500ر.ي تحويل مشترك رص:5180ر.ي الى علي صالح المثال-770000000' }],
    },
    {
      name: 'Purchase',
      direction: 'credit',
      version: 2,
      sentence: 'أضيف {amount:money} ر.ي مشتريات رص: {balance:money} ر.ي من {payer:phone} م: {reference:reference:14}',
      samples: [
        {
          text: 'أضيف 30000ر.ي مشتريات رص:220611.7ر.ي من 1234567 م:12345678901234',
          expect: { amount: '30000.00', balance: '220611.70', payer: '1234567', reference: '12345678901234' },
        },
        {
          text: 'اضيف 30,000.50 ر.ي مشتريات رص: 250,612.20 ر.ي من 1234567 م: 12345678901235',
          expect: { amount: '30000.50', balance: '250612.20', payer: '1234567', reference: '12345678901235' },
        },
      ],
      counterSamples: [
        { why: 'debit that says purchase', text: 'خصم 30000ر.ي مشتريات رص:190611.7ر.ي من 1234567 م:12345678901234' },
      ],
    },
    {
      name: 'Taken off',
      direction: 'debit',
      version: 1,
      sentence: 'خصم {amount:money} ر.ي {what:name} رص: {balance:money} ر.ي {rest:any}',
      samples: [
        {
          text: 'خصم 500ر.ي تحويل مشترك رص:5180ر.ي الى علي صالح المثال-770000000',
          expect: { amount: '500.00', balance: '5180.00' },
        },
        {
          text: 'خصم 3,000ر.ي مشتريات رص:2180ر.ي من 1234567 م:12345678901236',
          expect: { amount: '3000.00', balance: '2180.00' },
        },
      ],
      counterSamples: [{ why: 'credit', text: 'أضيف 30000ر.ي مشتريات رص:220611.7ر.ي من 1234567 م:12345678901234' }],
    },
  ],
}

const jawali: ShippedProvider = {
  name: 'jawali',
  displayName: 'Jawali',
  displayNameArabic: 'جوالي',
  country: 'YE',
  themeColor: '#0F5C63',
  currency: 'YER',
  senderNames: ['Jawali'],
  numberRule: yemeniMobile,
  activeByDefault: true,
  never: [
    { why: 'one-time code', text: 'رمز الدخول إلى جوالي هو 730215 صالح لمدة 5 دقائق' },
    { why: 'promotion', text: 'استلمت هدية! اشحن 1500 YER من جوالي واحصل على 10% اضافية' },
    { why: 'spoofed tail', text: 'استلمت مبلغ 1500 YER من 770000000 رصيدك هو 258113.19 كود التاكيد 4432' },
    { why: 'spoofed tail', text: 'لقد استلمت 36000 YER كقيمة مشتريات بمرجع 123456789012 من علي المثال 770000000' },
    { why: 'other currency', text: 'استلمت مبلغ 1500 SAR من 770000000 رصيدك هو 2581.19' },
    { why: 'other currency', text: 'لقد استلمت 36000 ر.س كقيمة مشتريات بمرجع 123456789012 من علي المثال' },
    { why: 'other currency', text: 'لقد استلمت 36 USD كقيمة مشتريات بمرجع 123456789012 من علي المثال' },
    { why: 'cut in two', text: 'لقد استلمت 36000 YER كقيمة مشتريات بمرجع 123456' },
  ],
  templates: [
    {
      name: 'Received from a person',
      direction: 'credit',
      version: 1,
      sentence: 'استلمت مبلغ {amount:money} YER من {payer:phone} رصيدك هو {balance:money}',
      samples: [
        {
          text: 'استلمت مبلغ 1500 YER من 770000000 رصيدك هو 258113.19',
          expect: { amount: '1500.00', payer: '770000000', balance: '258113.19' },
        },
        {
          text: 'استلمت مبلغ1,500YER من77XXXXX00\nرصيدك هو259,613.19',
          expect: { amount: '1500.00', payer: '77XXXXX00', balance: '259613.19' },
        },
      ],
      counterSamples: [{ why: 'debit', text: 'تم تحويل مبلغ 1500 YER إلى 770000000 رصيدك هو 256613.19' }],
    },
    {
      name: 'Received from a person, currency first',
      direction: 'credit',
      version: 1,
      sentence: 'استلمت مبلغ YER {amount:money} من {payer:phone} رصيدك هو {balance:money}',
      samples: [
        {
          text: 'استلمت مبلغ YER 16000 من 770000000 رصيدك هو 274113.19',
          expect: { amount: '16000.00', payer: '770000000', balance: '274113.19' },
        },
      ],
      counterSamples: [{ why: 'debit', text: 'تم تحويل مبلغ YER 16000 إلى 770000000 رصيدك هو 258113.19' }],
    },
    {
      name: 'Purchase',
      direction: 'credit',
      version: 1,
      sentence: 'لقد استلمت {amount:money} YER كقيمة مشتريات بمرجع {reference:reference} من {payer:name}',
      samples: [
        {
          text: 'لقد استلمت 36000 YER كقيمة مشتريات بمرجع 123456789012 من علي صالح المثال',
          expect: { amount: '36000.00', reference: '123456789012', payer: 'علي صالح المثال' },
        },
        {
          text: 'لقد إستلمت ٣٦٬٠٠٠٫٠٠ YER كقيمه مشتريات بمرجع ١٢٣٤٥٦٧٨٩٠١٣ من علي صا...',
          expect: { amount: '36000.00', reference: '123456789013', payer: 'علي صا...' },
        },
      ],
      counterSamples: [
        {
          why: 'debit that says purchase',
          text: 'تم سداد مبلغ 36000 YER كقيمة مشتريات بمرجع 123456789012 رصيدك هو 100.00',
        },
      ],
    },
    {
      name: 'Sent to a person',
      direction: 'debit',
      version: 1,
      sentence: 'تم تحويل مبلغ {amount:money} YER إلى {payee:phone} رصيدك هو {balance:money}',
      samples: [
        {
          text: 'تم تحويل مبلغ 1500 YER إلى 770000000 رصيدك هو 256613.19',
          expect: { amount: '1500.00', balance: '256613.19' },
        },
      ],
      counterSamples: [{ why: 'credit', text: 'استلمت مبلغ 1500 YER من 770000000 رصيدك هو 258113.19' }],
    },
    {
      name: 'Paid',
      direction: 'debit',
      version: 1,
      sentence: 'تم سداد مبلغ {amount:money} YER {what:any} رصيدك هو {balance:money}',
      samples: [
        {
          text: 'تم سداد مبلغ 2,000 YER كقيمة مشتريات بمرجع 123456789014 رصيدك هو 254613.19',
          expect: { amount: '2000.00', balance: '254613.19' },
        },
      ],
      counterSamples: [{ why: 'credit', text: 'لقد استلمت 36000 YER كقيمة مشتريات بمرجع 123456789012 من علي المثال' }],
    },
  ],
}

const floosak: ShippedProvider = {
  name: 'floosak',
  displayName: 'Floosak',
  displayNameArabic: 'فلوسك',
  country: 'YE',
  themeColor: '#5B2A86',
  currency: 'YER',
  senderNames: ['Floosak'],
  numberRule: yemeniMobile,
  activeByDefault: true,
  never: [
    { why: 'one-time code', text: 'كود التفعيل 918273 فلوسك' },
    { why: 'promotion', text: 'استلمت حوالة؟ اسحبها الان من فلوسك بدون رسوم حتى 50,000 ر.ي' },
    { why: 'spoofed tail', text: 'استلمت حوالة من علي المثال بمبلغ 250.00 ر.ي رصيدك 250.00 ر.ي اتصل 770000000' },
    { why: 'other currency', text: 'استلمت حوالة من علي المثال بمبلغ 250.00 ر.س رصيدك 250.00 ر.س' },
    { why: 'other currency', text: 'استلمت حوالة من علي المثال بمبلغ 250.00 USD رصيدك 250.00 USD' },
    { why: 'balance in another currency', text: 'استلمت حوالة من علي المثال بمبلغ 250.00 ر.ي رصيدك 250.00 ر.س' },
  ],
  templates: [
    {
      name: 'Transfer received',
      direction: 'credit',
      version: 1,
      sentence: 'استلمت حوالة من {payer:name} بمبلغ {amount:money} ر.ي رصيدك {balance:money} ر.ي',
      samples: [
        {
          text: 'استلمت حوالة من علي صالح المثال بمبلغ 250.00 ر.ي رصيدك 250.00 ر.ي',
          expect: { amount: '250.00', payer: 'علي صالح المثال', balance: '250.00' },
        },
        {
          text: 'استلمت حواله من علي ص. المثال\nبمبلغ12,250.00ر.ي\nرصيدك12,500.00ر.ي',
          expect: { amount: '12250.00', payer: 'علي ص. المثال', balance: '12500.00' },
        },
      ],
      counterSamples: [{ why: 'debit', text: 'تم تحويل مبلغ 250.00 ر.ي إلى علي المثال رصيدك 0.00 ر.ي' }],
    },
    {
      name: 'Transfer sent',
      direction: 'debit',
      version: 1,
      sentence: 'تم تحويل مبلغ {amount:money} ر.ي إلى {payee:name} رصيدك {balance:money} ر.ي',
      samples: [
        {
          text: 'تم تحويل مبلغ 250.00 ر.ي إلى علي صالح المثال رصيدك 0.00 ر.ي',
          expect: { amount: '250.00', balance: '0.00' },
        },
      ],
      counterSamples: [{ why: 'credit', text: 'استلمت حوالة من علي المثال بمبلغ 250.00 ر.ي رصيدك 250.00 ر.ي' }],
    },
  ],
}

const kuraimi: ShippedProvider = {
  name: 'kuraimi',
  displayName: 'Kuraimi',
  displayNameArabic: 'الكريمي',
  country: 'YE',
  themeColor: '#1B4F9C',
  currency: 'YER',
  senderNames: ['KuraimiMB'],
  packages: ['com.KuraimiBank'],
  activeByDefault: true,
  never: [
    { why: 'one-time code', text: 'رمز التأكيد 774411 لعملية الدخول' },
    { why: 'promotion', text: 'أودع/ في حسابك الان واربح حتى 50,000.00 YER' },
    { why: 'debit', text: 'خصم/علي المثال من حسابك50,000.00\n1,245.30YERرصيدك' },
    { why: 'spoofed tail', text: 'أودع/علي المثال لحسابك50,000.00\n51,245.30YERرصيدك 770000000' },
    { why: 'other currency', text: 'أودع/علي المثال لحسابك500.00\n1,245.30SARرصيدك' },
    { why: 'other currency', text: 'أودع/علي المثال لحسابك500.00\n1,245.30USDرصيدك' },
    { why: 'numbers run together', text: 'أودع/علي المثال لحسابك50,000.0051,245.30YERرصيدك' },
  ],
  templates: [
    {
      name: 'Deposit',
      direction: 'credit',
      version: 1,
      sentence: 'أودع/{payer:name} لحسابك {amount:money} {balance:money} YER رصيدك',
      samples: [
        {
          text: 'أودع/علي صالح المثال لحسابك50,000.00\n51,245.30YERرصيدك',
          expect: { amount: '50000.00', payer: 'علي صالح المثال', balance: '51245.30' },
        },
        {
          text: 'اودع/ علي المثال لحسابك 700 51945.30 YER رصيدك',
          expect: { amount: '700.00', payer: 'علي المثال', balance: '51945.30' },
        },
      ],
      counterSamples: [],
    },
  ],
}

const mfloos: ShippedProvider = {
  name: 'mfloos',
  displayName: 'MFloos',
  displayNameArabic: 'إم فلوس',
  country: 'YE',
  themeColor: '#C77700',
  currency: 'YER',
  senderNames: ['MFloos'],
  numberRule: yemeniMobile,
  activeByDefault: true,
  never: [
    { why: 'one-time code', text: 'رمز التحقق: 559120' },
    { why: 'promotion', text: 'تم إيداع مفاجأة لك! ادفع 300.00 YER واحصل على خصم' },
    { why: 'debit', text: 'تم سحب مبلغ 300.00 YER من: علي المثال المرجع:123456789' },
    { why: 'spoofed tail', text: 'تم إيداع مبلغ 300.00 YER من: علي المثال المرجع:123456789 المبلغ 9000' },
    { why: 'other currency', text: 'تم إيداع مبلغ 300.00 SAR من: علي المثال المرجع:123456789' },
    { why: 'other currency', text: 'تم إيداع مبلغ 300.00 ر.س من: علي المثال المرجع:123456789' },
    { why: 'other currency', text: 'تم إيداع مبلغ 300.00 USD من: علي المثال المرجع:123456789' },
    { why: 'cut in two', text: 'تم إيداع مبلغ 300.00 YER من: علي المثال المر' },
  ],
  templates: [
    {
      name: 'Deposit',
      direction: 'credit',
      version: 2,
      sentence: 'تم إيداع مبلغ {amount:money} YER من: {payer:name} المرجع: {reference:reference:9}',
      samples: [
        {
          text: 'تم إيداع مبلغ 300.00 YER من: علي صالح المثال المرجع:123456789',
          expect: { amount: '300.00', payer: 'علي صالح المثال', reference: '123456789' },
        },
        {
          text: 'تم ايداع مبلغ 1,300.00YER من:علي المثال\nالمرجع: 023456789',
          expect: { amount: '1300.00', payer: 'علي المثال', reference: '023456789' },
        },
      ],
      counterSamples: [],
    },
  ],
}

const oneCash: ShippedProvider = {
  name: 'one-cash',
  displayName: 'ONE Cash',
  displayNameArabic: 'ون كاش',
  country: 'YE',
  themeColor: '#2E7D32',
  currency: 'YER',
  senderNames: ['ONE Cash'],
  numberRule: yemeniMobile,
  activeByDefault: true,
  never: [
    { why: 'one-time code', text: 'كلمة المرور لمرة واحدة 662084 ون كاش' },
    { why: 'promotion', text: 'استلمت 500.00 نقطة\nمن ون كاش\nاستبدلها الان' },
    { why: 'debit', text: 'حولت 500.00\nإلى علي المثال\nرصيدك0.00 ر.ي' },
    { why: 'spoofed tail', text: 'استلمت 500.00\nمن علي المثال\nرصيدك500.00 ر.ي\nاستلمت 90000' },
    { why: 'other currency', text: 'استلمت 500.00\nمن علي المثال\nرصيدك500.00 ر.س' },
    { why: 'other currency', text: 'استلمت 500.00\nمن علي المثال\nرصيدك500.00 USD' },
    { why: 'cut in two', text: 'استلمت 500.00\nمن علي المثال' },
  ],
  templates: [
    {
      name: 'Received',
      direction: 'credit',
      version: 1,
      sentence: 'استلمت {amount:money} من {payer:name} رصيدك {balance:money} ر.ي',
      samples: [
        {
          text: 'استلمت 500.00\nمن علي صالح المثال\nرصيدك500.00 ر.ي',
          expect: { amount: '500.00', payer: 'علي صالح المثال', balance: '500.00' },
        },
        {
          text: 'استلمت 12,500\nمن علي *** المثال\nرصيدك 13,000.00ر.ي',
          expect: { amount: '12500.00', payer: 'علي *** المثال', balance: '13000.00' },
        },
      ],
      counterSamples: [],
    },
  ],
}

export const SHIPPED_YEMEN: readonly ShippedProvider[] = [jaib, jawali, floosak, kuraimi, mfloos, oneCash]
