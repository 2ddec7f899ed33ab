/**
 * One Arabic word for one thing: wordings that readers misunderstood are not used again, in the dashboard, on the pages of buyers and of
 * phones, in emails and in the guide. The words to use are in docs/glossary.md.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'

const root = resolve(import.meta.dirname, '../../../..')
const places = [
  'packages/dashboard/src/{words,screens}/**/*.{ts,tsx}',
  'packages/dashboard/public/service-worker.js',
  'packages/server/src/http/{pay,pair,voucher,guide}/**/*.ts',
  'packages/server/src/work/*-email.ts',
  'packages/server/src/accounts/people/user-emails.ts',
  'packages/agent/src/termux/words.ts',
  'docs/guide/ar/*.md',
]
const lines = globSync(places, { cwd: root })
  .filter((path) => !path.endsWith('.test.ts'))
  .flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .filter((line) => /[\u0600-\u06ff]/.test(line))
      .map((line) => ({ path, line })),
  )

/** The wording, and why it is not used. */
const retired: Readonly<Record<string, string>> = {
  'رمز الدفع': 'sounds like a PIN: رقم طلب الدفع',
  'نعم، إرسال': 'sending money? نعم، هذا هو الرقم',
  'كتابة أي رقم': 'رقم العملية',
  'تم دفع هذا الرابط': 'تم الدفع بهذا الرابط',
  'ربما تم الدفع': 'money at risk: ربما وصل المبلغ',
  'لم يتصل بعد': 'reads "called": لم يُربط بعد',
  'تم التصرف في هذا المبلغ': 'reads "spent": سُجّل أو استُبعد',
  'أين ذهبت المبالغ': 'حالة المبالغ',
  'تسجيل على نسخة': 'على طلب دفع جديد',
  'تُنشأ نسخة': 'يُنشأ طلب دفع جديد',
  'تعذّرت قراءتها': 'لم تُفهم',
  'تطبيق تحويل': 'reads "transfer of money": تطبيق نقل الرسائل',
  'أخذ المحفظة': 'الدخول إلى المحفظة',
  دورك: 'reads "your turn": صلاحيتك',
  'إلى الكاشير': 'reads a person: إلى شاشة الكاشير',
  'سر العميل': 'العميل is a customer: سر المفتاح',
  'معرّف العميل': 'معرّف المفتاح',
  'فتح السند': 'the product’s name: فتح الإيصال',
  'سند الدفع': 'إيصال الدفع',
  'سجّل التطبيق': 'reads an imperative: تم تسجيل التطبيق',
  تخضر: 'تصبح خضراء',
  'الذي توقَّع به': 'reads "expected"',
  'لوحة سند': 'لوحة التحكم',
  'طلب API': 'استدعاء',
  'رمز دخول': 'رمز الوصول',
  جواب: 'رد',
  'إشعارات الدفع': 'إشعارات المتجر',
  مدفوعات: 'دفعات',
  'يُحسب ': 'يُحتسب',
  'موقوف مؤقتًا': 'وصل والهاتف متوقف',
  متفق: 'of a balance: مضبوط',
  الزبون: 'المشتري',
  العاملين: 'أعضاء المتجر',
  'فارغ: ': 'إن تُرك فارغًا',
  'نُسخ ': 'تم النسخ',
  القران: 'ربط هاتف',
  امسح: 'of a code: صوّر الرمز بالكاميرا',
  مُثبت: 'مدفوع',
  'بلا صاحب': 'مبالغ بلا طلبية',
  نُحّي: 'استبعاد',
  المزوّد: 'شركة المحفظة',
  'نقطة الاستقبال': 'عنوان الاستقبال',
  مطّلع: 'مشاهد',
  'لم يضع': 'محفوظ',
  لـطلبية: 'للطلبية',
  'رقم عمليتها': 'رقم العملية',
  'أعرف بها': 'تم الاطلاع',
  'يُحسم طلب': 'يُعتمد',
  'مدفوع به': 'سُجّل على طلبية',
  'حوّل 1 ريال': 'ريالًا واحدًا',
  'أرسلت المبلغ': 'of money: حوّلت',
  'ترسل المبلغ': 'of money: تحوّل',
  'إرسال المبلغ': 'looks like a button: حوّل المبلغ',
  'منذ دقيقتان': 'دقيقتين',
  'كل ساعتان': 'ساعتين',
}

/** Other uses of these letters, by a part of the line, and why. */
const exceptions: readonly string[] = [
  // The row has no value.
  '`paid_by` فارغ',
]

test('wordings that readers misunderstood are not used', () => {
  assert.ok(lines.length > 2_000, `${lines.length} lines`)
  const found = lines.flatMap(({ path, line }) =>
    Object.entries(retired)
      .filter(([wording]) => line.includes(wording) && !exceptions.some((part) => line.includes(part)))
      .map(([wording, instead]) => `${path}: «${wording}» (${instead}): ${line.trim().slice(0, 120)}`),
  )
  assert.deepEqual(found, [])
})

test('an exception is still needed', () => {
  for (const part of exceptions)
    assert.ok(
      lines.some(({ line }) => line.includes(part)),
      part,
    )
})
