/**
 * Finds the reference in what a buyer typed or pasted: the number alone, or the whole message of the wallet. The phrases that stand
 * before a reference in buyers' messages are data, with samples. A number counts only where one such phrase names it: amounts,
 * balances and phone numbers are never taken for a reference. If two phrases name different numbers, none is chosen. The buyer
 * always sees what was read before it is sent. Pure.
 */
import { asciiDigits } from '../../core/digits.ts'

export type BuyerMessage =
  /** Typed as it is. */
  | { readonly kind: 'reference'; readonly reference: string }
  /** Found in a message: to be confirmed. */
  | { readonly kind: 'found'; readonly reference: string }
  | { readonly kind: 'not found' }
  | { readonly kind: 'too long' }

export const longestMessage = 2_000
const longestReference = 128

/** Phrases before a reference, by what they are called in the wallets' messages. Arabic letters are compared in one spelling. */
const phrases: readonly string[] = [
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
  'م :',
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

const invisible = /[\p{Cf}\u0640\u064b-\u0652]/gu

/** One spelling for letters that people and companies write differently. */
const plain = (text: string): string =>
  asciiDigits(text.normalize('NFKC'))
    .replace(invisible, '')
    .replace(/[أإآٱ]/g, 'ا')
    .replace(/ة/g, 'ه')
    .replace(/ى/g, 'ي')
    .replace(/\s+/g, ' ')
    .trim()

// A reference has a digit, and ends where no letter or digit follows.
const number = '(?=[A-Za-z]*\\d)([A-Za-z0-9][A-Za-z0-9-]{3,62}[A-Za-z0-9])(?![A-Za-z0-9-])'
const named = new RegExp(
  `(?:^|[^\\p{L}\\p{N}])(?:${phrases.map((phrase) => phrase.replaceAll(' ', ' ?')).join('|')})\\.? ?(?:هو|هي|is)? ?[:#.=-]* ?${number}`,
  'giu',
)
const alone = /^(?=.*\d)[\p{L}\p{N}][\p{L}\p{N}/_.-]*$/u

export const readBuyerMessage = (sent: string): BuyerMessage => {
  if (sent.length > longestMessage) return { kind: 'too long' }
  const text = plain(sent)
  // Wallets group the digits of a long number.
  const joined = /^[\d ]+$/.test(text) ? text.replaceAll(' ', '') : text
  if (alone.test(joined) && joined.length <= longestReference) return { kind: 'reference', reference: joined }
  const found = new Set([...text.matchAll(named)].map((match) => match[1]!.toUpperCase()))
  const [reference] = found
  return found.size === 1 ? { kind: 'found', reference: reference! } : { kind: 'not found' }
}

/** Samples of buyers' messages, as they are tested. Names and numbers are made up. */
export const buyerSamples: readonly { readonly text: string; readonly reference: string | null }[] = [
  {
    text: 'تم تحويل مبلغ 1500 YER الى 770000000 رقم العملية 220700001234 رصيدك هو 256613.19',
    reference: '220700001234',
  },
  { text: 'تم سداد مبلغ 36000 YER كقيمة مشتريات بمرجع 123456789012 رصيدك هو 100.00', reference: '123456789012' },
  { text: 'خصم 3,000ر.ي مشتريات رص:2180ر.ي من 1234567 م:12345678901236', reference: '12345678901236' },
  { text: 'تم دفع ١٥٠٠ ر.ي لمتجر المثال، رقم العملية: ٢٢٠٧٠٠٠٠١٢٣٤', reference: '220700001234' },
  { text: 'You sent 1,500 YER to 770000000. Ref: AB12CD34EF. Balance 20,000', reference: 'AB12CD34EF' },
  { text: 'Transaction ID 998877665544 completed. Amount 1500', reference: '998877665544' },
  { text: 'خصم 500ر.ي تحويل مشترك رص:5180ر.ي الى علي صالح المثال-770000000', reference: null },
  { text: 'رمز التحقق 482913 لا تشاركه مع احد', reference: null },
  { text: 'رقم العملية 111122223333 ورقم المرجع 444455556666', reference: null },
]
