/** The words of a voucher's public page in Arabic and English. `{name}` stands for a value. Pure data. */
import type { Locale } from '../../checkouts/checkout.ts'
import type { Status } from '../../intents/intent.ts'

const arabic = {
  title: 'إيصال من {shop}',
  otherLanguage: 'English',
  /** The first line, by state. */
  state: {
    VERIFIED: 'إيصال دفع',
    PENDING: 'غير مدفوع: بانتظار الدفع',
    WRONG_AMOUNT: 'غير مدفوع: وصل مبلغ غير مطابق',
    EXPIRED: 'غير مدفوع: انتهت المهلة',
    CANCELLED: 'غير مدفوع: ملغى',
  },
  testPaid: 'تجربة: لم يصل أي مبلغ حقيقي',
  testNot: 'تجربة، {state}',
  stamp: 'مدفوع',
  testStamp: 'تجربة',
  order: 'الطلبية',
  payer: 'من',
  arrived: 'المبلغ الواصل',
  asked: 'المطلوب',
  nothing: 'لا شيء',
  at: {
    VERIFIED: 'وقت الدفع',
    PENDING: 'وقت الإنشاء',
    WRONG_AMOUNT: 'وقت الوصول',
    EXPIRED: 'وقت الانتهاء',
    CANCELLED: 'وقت الإلغاء',
  },
  check: 'للتأكد من صحة الإيصال افتح رابطه: يعرض الرابط الحالة كما هي الآن.',
  image: 'مشاركة صورة',
  copy: 'نسخ الرابط',
  print: 'طباعة',
  copied: 'تم النسخ',
  saved: 'تم حفظ الصورة',
  failed: 'تعذّر إنشاء الصورة',
}

export type VoucherWords = typeof arabic

const english: VoucherWords = {
  title: 'Voucher of {shop}',
  otherLanguage: 'العربية',
  state: {
    VERIFIED: 'Payment voucher',
    PENDING: 'Not paid: waiting for the payment',
    WRONG_AMOUNT: 'Not paid: another amount arrived',
    EXPIRED: 'Not paid: expired',
    CANCELLED: 'Not paid: cancelled',
  } satisfies Record<Status, string>,
  testPaid: 'Test: no real money arrived',
  testNot: 'Test, {state}',
  stamp: 'PAID',
  testStamp: 'TEST',
  order: 'Order',
  payer: 'From',
  arrived: 'Arrived',
  asked: 'Asked',
  nothing: 'nothing',
  at: {
    VERIFIED: 'Paid at',
    PENDING: 'Made at',
    WRONG_AMOUNT: 'Arrived at',
    EXPIRED: 'Expired at',
    CANCELLED: 'Cancelled at',
  } satisfies Record<Status, string>,
  check: 'To check this voucher, open its link: the link shows the state as it is now.',
  image: 'Share image',
  copy: 'Copy link',
  print: 'Print',
  copied: 'Copied',
  saved: 'The image was saved',
  failed: 'The image could not be made',
}

export const voucherWords: Readonly<Record<Locale, VoucherWords>> = { ar: arabic, en: english }
