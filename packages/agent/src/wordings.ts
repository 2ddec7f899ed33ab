/**
 * The wordings of the wallets' alerts for incoming money, as seen in public code: one function each. Names and numbers
 * of people are made up. What phones and networks do to a text (other digits, separators, invisible marks, line breaks)
 * is applied afterwards. Pure.
 */

export type ProviderName = 'jaib' | 'jawali' | 'floosak' | 'kuraimi' | 'mfloos' | 'one-cash' | 'sanad-test'

/** Amounts are whole numbers of minor units: 1500.00 is 150000n. */
export type PaymentFacts = {
  readonly amount: bigint
  readonly reference: string
  /** After this payment. */
  readonly balance: bigint
  readonly payer: string
  readonly phone: string
  /** `YER`, `SAR`, `USD`; any other is written as its code. */
  readonly currency: string
}

export type Wording = {
  readonly provider: ProviderName
  readonly name: 'person' | 'person, currency first' | 'purchase' | 'deposit' | 'transfer' | 'test payment'
  /** The sender of the message. */
  readonly sender: string
  /** The format of this wallet's references; undefined: the wording contains no reference. */
  readonly reference?: { readonly prefix: string; readonly digits: number }
  readonly write: (payment: PaymentFacts, number: Spelling) => string
}

export type Style = {
  /** Thousands separators everywhere, whatever the wallet's own format is. */
  readonly separators?: boolean
  readonly digits?: 'latin' | 'arabic'
  /** Direction marks around numbers, as right-to-left keyboards and networks add them. */
  readonly marks?: boolean
  /** A line break before each number. */
  readonly newlines?: boolean
}

/** The three amount formats of the wallets. */
export type Spelling = {
  /** `30000`, `220611.7` */
  readonly short: (amount: bigint) => string
  /** `250.00` */
  readonly full: (amount: bigint) => string
  /** `50,000.00` */
  readonly grouped: (amount: bigint) => string
}

const full = (amount: bigint): string => {
  const digits = amount.toString().padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}
const short = (amount: bigint): string => full(amount).replace(/\.?0{1,2}$/, '')
const grouped = (amount: bigint): string => full(amount).replace(/\B(?=(\d{3})+\.)/g, ',')

/** Also used in the output of the simulated phone. */
export const spellings: Spelling = { short, full, grouped }

const symbols: Readonly<Record<string, string>> = { YER: 'ر.ي', SAR: 'ر.س' }
const symbol = (currency: string): string => symbols[currency] ?? currency

export const wordings: readonly Wording[] = [
  {
    provider: 'jaib',
    name: 'person',
    sender: 'Jaib',
    write: ({ amount, balance, payer, phone, currency }, { short }) =>
      `اضيف ${short(amount)}${symbol(currency)} تحويل مشترك رص:${short(balance)}${symbol(currency)} من ${payer}-${phone}`,
  },
  {
    provider: 'jaib',
    name: 'purchase',
    sender: 'Jaib',
    reference: { prefix: '', digits: 14 },
    // The payer is shown only as a seven-digit number.
    write: ({ amount, balance, phone, reference, currency }, { short }) =>
      `أضيف ${short(amount)}${symbol(currency)} مشتريات رص:${short(balance)}${symbol(currency)} من ${phone.slice(-7)} م:${reference}`,
  },
  {
    provider: 'jawali',
    name: 'person',
    sender: 'Jawali',
    write: ({ amount, balance, phone, currency }, { short, full }) =>
      `استلمت مبلغ ${short(amount)} ${currency} من ${phone} رصيدك هو ${full(balance)}`,
  },
  {
    provider: 'jawali',
    name: 'person, currency first',
    sender: 'Jawali',
    write: ({ amount, balance, phone, currency }, { short, full }) =>
      `استلمت مبلغ ${currency} ${short(amount)} من ${phone} رصيدك هو ${full(balance)}`,
  },
  {
    provider: 'jawali',
    name: 'purchase',
    sender: 'Jawali',
    reference: { prefix: '', digits: 12 },
    write: ({ amount, reference, payer, currency }, { short }) =>
      `لقد استلمت ${short(amount)} ${currency} كقيمة مشتريات بمرجع ${reference} من ${payer}`,
  },
  {
    provider: 'floosak',
    name: 'transfer',
    sender: 'Floosak',
    write: ({ amount, balance, payer, currency }, { full }) =>
      `استلمت حوالة من ${payer} بمبلغ ${full(amount)} ${symbol(currency)} رصيدك ${full(balance)} ${symbol(currency)}`,
  },
  {
    provider: 'kuraimi',
    name: 'deposit',
    sender: 'KuraimiMB',
    write: ({ amount, balance, payer, currency }, { grouped }) =>
      `أودع/${payer} لحسابك${grouped(amount)}\n${grouped(balance)}${currency}رصيدك`,
  },
  {
    provider: 'mfloos',
    name: 'deposit',
    sender: 'MFloos',
    reference: { prefix: '', digits: 9 },
    write: ({ amount, reference, payer, currency }, { full }) =>
      `تم إيداع مبلغ ${full(amount)} ${currency} من: ${payer} المرجع:${reference}`,
  },
  {
    provider: 'one-cash',
    name: 'person',
    sender: 'ONE Cash',
    write: ({ amount, balance, payer, currency }, { full }) =>
      `استلمت ${full(amount)}\nمن ${payer}\nرصيدك${full(balance)} ${symbol(currency)}`,
  },
  {
    provider: 'sanad-test',
    name: 'test payment',
    sender: 'SanadTest',
    reference: { prefix: 'TEST-', digits: 8 },
    write: ({ amount, reference, currency }, { grouped }) =>
      `Test payment of ${grouped(amount)} ${currency}, reference ${reference}.`,
  },
]

export const providerNames: readonly ProviderName[] = [...new Set(wordings.map((wording) => wording.provider))]

/** The wording for a payment with, or without, a reference; undefined: the wallet sends no such alert. */
export const wordingOf = (provider: ProviderName, withReference: boolean): Wording | undefined =>
  wordings.find((wording) => wording.provider === provider && (wording.reference !== undefined) === withReference)

export const writeAlert = (wording: Wording, payment: PaymentFacts, style: Style = {}): string => {
  const spelling = style.separators ? { short: grouped, full: grouped, grouped } : spellings
  return restyle(wording.write(payment, spelling), style)
}

const NUMBER = /\d(?:[\d.,]*\d)?/g

/** The text as it may arrive, with the same meaning. */
export const restyle = (text: string, { digits, marks, newlines }: Style): string => {
  let styled = text
  if (newlines) styled = styled.replace(/ (?=\S*\d)/g, '\n')
  // Each number is isolated as left-to-right text, and a mark makes the line right-to-left.
  if (marks) styled = `\u200f${styled.replace(NUMBER, '\u2066$&\u2069')}\u200f`
  if (digits === 'arabic') styled = styled.replace(NUMBER, arabic)
  return styled
}

const arabic = (number: string): string =>
  number
    .replaceAll('.', '\u066b')
    .replaceAll(',', '\u066c')
    .replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)))
