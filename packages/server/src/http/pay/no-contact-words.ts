/**
 * The words of the page of a shop that has stored no WhatsApp number and no phone number. A sentence that tells the buyer to
 * contact the shop would lead nowhere: here each of these sentences says the same without it. Pure data.
 */
import { currencies } from '@sanad/contract/currency'
import type { Locale } from '../../checkouts/checkout.ts'
import { type PageTexts, type PageWords, pageWords } from './page-words.ts'

const arabic: Partial<PageTexts> = {
  help: 'رقم طلب الدفع {code}: احتفظ به واذكره للمتجر عند أي مشكلة.',
  helpPlain: '',
  none: 'لا توجد محفظة متاحة للدفع الآن. حاول بعد قليل.',
  closedSent: 'حوّلت المبلغ قبل ذلك؟ هو محفوظ: أرسل رقم العملية هنا.',
  closedSentExact: 'حوّلت المبلغ قبل ذلك؟ هو محفوظ: المتجر يراه.',
  closedLooking: 'أوقف المتجر هذه المحفظة، فقد يتأخر التأكيد. المبلغ الذي حوّلته محفوظ.',
  claimed:
    'رقم العملية {reference} مُدخل لطلبية أخرى أيضًا. أبلغنا المتجر وهو من يقرر، وتتغير هذه الصفحة عند قراره. إن كان الرقم خطأ فأدخل الرقم الصحيح. وإن كان صحيحًا فاحتفظ برسالة التحويل، ولا تحوّل المبلغ مرة أخرى.',
  wrongSafe: 'المبلغ الذي حوّلته محفوظ: المتجر يراه.',
  endedSent: 'إن كنت قد حوّلت المبلغ فهو محفوظ. لا تحوّله مرة أخرى: اختر المحفظة نفسها وأدخل رقم العملية.',
  notLost: 'إن كنت قد حوّلت المبلغ فهو محفوظ: المتجر يراه. لا تحوّل مرة أخرى.',
  paidTwiceLong: 'المبلغ الثاني محفوظ: المتجر يراه.',
  errorUsed: 'هذا الرقم مسجّل لعملية دفع أخرى. راجع الرقم، وإن كان صحيحًا فاحتفظ برسالة التحويل.',
  errorTries: 'أُرسلت أرقام كثيرة، فلا يُقبل هنا رقم آخر. احتفظ برسالة التحويل.',
  errorRest: 'لا يمكن دفع الباقي هنا. ربما سجّل المتجر المبلغ.',
  errorQuota: 'لا يستطيع المتجر استقبال دفعات جديدة الآن. حاول لاحقًا.',
  closedLong: 'لا تحوّل أي مبلغ.',
  linkOff: 'هذا الرابط متوقف.',
  linkInUse: 'بدأ الدفع بهذا الرابط بمبلغ آخر. لمتابعته اكتب المبلغ نفسه.',
}

const english: Partial<PageTexts> = {
  help: 'Payment code {code}: keep it, and give it to the shop if there is a problem.',
  helpPlain: '',
  none: 'No wallet can take payments now. Try again soon.',
  closedSent: 'Have you sent the money already? It is not lost: send the transaction number here.',
  closedSentExact: 'Have you sent the money already? It is not lost: the shop sees it.',
  closedLooking: 'The shop has stopped this wallet, so confirmation may be late. The money that you sent is not lost.',
  claimed:
    'The number {reference} was given for another order too. The shop has been told and decides; this page changes when it does. If the number is wrong, enter the right one. If it is right, keep the message of the transfer; do not send the amount again.',
  wrongSafe: 'The money that you sent is not lost: the shop sees it.',
  endedSent:
    'If you have sent the money, it is not lost. Do not send it again: choose the same wallet and enter the transaction number.',
  notLost: 'If you have sent money it is not lost: the shop sees it. Do not send it again.',
  paidTwiceLong: 'The second payment is not lost: the shop sees it.',
  errorUsed:
    'This number belongs to another payment. Check the number; if it is right, keep the message of the transfer.',
  errorTries: 'Too many numbers were sent: no other number is accepted here. Keep the message of the transfer.',
  errorRest: 'The rest cannot be paid here. The shop may have handled the money.',
  errorQuota: 'The shop cannot take new payments now. Try again later.',
  closedLong: 'Do not send money.',
  linkOff: 'This link is switched off.',
  linkInUse: 'A payment of another amount was started with this link. Enter that amount to continue it.',
}

const noContactWords: Readonly<Record<Locale, PageTexts>> = {
  ar: { ...pageWords.ar, ...arabic },
  en: { ...pageWords.en, ...english },
}

export type ShopContact = { readonly whatsapp: string; readonly phone: string }

/** The words with those of a currency, made once: a page is shown often, and its words are many. */
const inEachCurrency = (locale: Locale, texts: PageTexts): ReadonlyMap<string, PageWords> =>
  new Map(Object.entries(currencies).map(([code, word]) => [code, { ...texts, currency: word[locale] }]))
const withContact = { ar: inEachCurrency('ar', pageWords.ar), en: inEachCurrency('en', pageWords.en) }
const withoutContact = { ar: inEachCurrency('ar', noContactWords.ar), en: inEachCurrency('en', noContactWords.en) }

/** The words for the buyers of a shop, who pay in this currency. */
export const wordsFor = (locale: Locale, { whatsapp, phone }: ShopContact, currency: string): PageWords => {
  const hasContact = whatsapp !== '' || phone !== ''
  const known = (hasContact ? withContact : withoutContact)[locale].get(currency)
  return known ?? { ...(hasContact ? pageWords : noContactWords)[locale], currency }
}

/** For a page with one message, which does not know the shop: it shows no contact and no amount. */
export const wordsOfNotice = (locale: Locale): PageTexts => noContactWords[locale]
