/**
 * How the messages that buyers get from the companies of their wallets contain a reference, as data with samples. A company whose
 * wording is known has sentences, in the language of alert templates (`alerts/templates/template-sentence.ts`); they read a whole
 * message or nothing. The phrases stand before a reference in the messages of any company. Names and numbers are made up. Pure data.
 */

export type BuyerSample = {
  /** The company of the wallet, by its key; empty: any. */
  readonly provider: string
  readonly text: string
  /** Null: none may be read, because the message contains no reference, or two. */
  readonly reference: string | null
  /** The amount that a sentence reads from the message. */
  readonly amount?: string
}

export type CompanyMessages = {
  readonly sentences: readonly string[]
  /** How many digits every reference of the company has; undefined: not known. */
  readonly digits?: number
}

/** By the key of the provider. Lengths and wordings are those of the shipped alert templates. */
export const companyMessages: Readonly<Record<string, CompanyMessages>> = {
  jaib: {
    sentences: ['خصم {amount:money} ر.ي مشتريات رص: {balance:money} ر.ي من {payer:phone} م: {reference:reference:14}'],
    digits: 14,
  },
  jawali: {
    sentences: ['تم سداد مبلغ {amount:money} YER كقيمة مشتريات بمرجع {reference:reference} رصيدك هو {balance:money}'],
    digits: 12,
  },
  mfloos: {
    sentences: ['تم سحب مبلغ {amount:money} YER من: {payer:name} المرجع: {reference:reference:9}'],
    digits: 9,
  },
}

/** Phrases before a reference, spelled as by `unifySpelling`. None may be the end of a longer word: a message may be cut anywhere. */
export const phrases: readonly string[] = [
  'رقم العمليه',
  'رقم عمليه',
  'رقم الحركه',
  'رقم المعامله',
  'رقم الحواله',
  'رقم المرجع',
  'رقم مرجعي',
  'الرقم المرجعي',
  'المرجع',
  'بمرجع',
  'مرجع',
  'العمليه رقم',
  'عمليه رقم',
  'حواله رقم',
  'transaction id',
  'transaction number',
  'transaction no',
  'transaction ref',
  'txn id',
  'trx id',
  'txnid',
  'trxid',
  'reference number',
  'reference no',
  'reference',
  'ref no',
  'ref',
]

export const buyerSamples: readonly BuyerSample[] = [
  {
    provider: 'jawali',
    text: 'تم تحويل مبلغ 1500 YER الى 770000000 رقم العملية 220700001234 رصيدك هو 256613.19',
    reference: '220700001234',
  },
  {
    provider: 'jawali',
    text: 'تم سداد مبلغ 36000 YER كقيمة مشتريات بمرجع 123456789012 رصيدك هو 100.00',
    reference: '123456789012',
    amount: '36000.00',
  },
  {
    provider: 'jawali',
    text: 'تم سداد مبلغ ٢٬٠٠٠ YER كقيمه مشتريات بمرجع ١٢٣٤٥٦٧٨٩٠١٤ رصيدك هو ٢٥٤٬٦١٣٫١٩',
    reference: '123456789014',
    amount: '2000.00',
  },
  {
    provider: 'jaib',
    text: 'خصم 3,000ر.ي مشتريات رص:2180ر.ي من 1234567 م:12345678901236',
    reference: '12345678901236',
    amount: '3000.00',
  },
  {
    provider: 'mfloos',
    text: 'تم سحب مبلغ 300.00 YER من: علي المثال المرجع:123456789',
    reference: '123456789',
    amount: '300.00',
  },
  { provider: '', text: 'تم دفع ١٥٠٠ ر.ي لمتجر المثال، رقم العملية: ٢٢٠٧٠٠٠٠١٢٣٤، شكرا لك', reference: '220700001234' },
  {
    provider: '',
    text: 'You sent 1,500 YER to 770000000. Ref: AB12CD34EF. Balance 20,000',
    reference: 'AB12CD34EF',
  },
  { provider: '', text: 'Transaction ID 998877665544 completed. Amount 1500', reference: '998877665544' },
  { provider: '', text: 'Your transfer is done, txn id TX-2207-0000-1234; thank you', reference: 'TX-2207-0000-1234' },
  { provider: 'jaib', text: 'خصم 500ر.ي تحويل مشترك رص:5180ر.ي الى علي صالح المثال-770000000', reference: null },
  { provider: '', text: 'تم التحويل الى حساب رقم: 770000000 بنجاح وشكرا', reference: null },
  { provider: '', text: 'رمز التحقق 482913 لا تشاركه مع احد', reference: null },
  { provider: '', text: 'رقم العملية 111122223333 ورقم المرجع 444455556666 شكرا', reference: null },
]
