/**
 * The words by which one-time codes are recognised (one-time-code.ts). They are written in the form of `foldWords`: lower case, ا for
 * أ إ آ, ي for ى, ه for ة, digits 0 to 9.
 */

/** Phrases that occur beside a number only in messages with a one-time code. */
export const codePhrases: readonly string[] = [
  '(?:رمز|كود|رقم) (?:ال)?(?:تحقق|دخول|تفعيل|امان|توثيق|مصادقه|ولوج|استعاده)',
  '(?:رمز|كود) (?:ال)?(?:سري|مؤقت|حمايه|تسجيل|otp)',
  'رقم (?:ال)?تاكيد (?:ال)?سري',
  'رقم(?:ك|كم)? (?:ال)?سري (?:ال)?مؤقت',
  '(?:رمز|كود) (?:اعاده|تغيير|استرجاع)',
  '(?:رمز|كود) (?:ال)?(?:مره|استخدام) (?:ال)?واحد(?:ه)?',
  '(?:كلمه|كلمة) (?:ال)?(?:مرور|سر) (?:ل?مره|ال?مؤقته|مؤقته|المتغيره)',
  '(?:كلمه|رمز|كود) (?:ال)?(?:مرور|سر)? ?لمره واحده',
  'كلمه المرور المؤقته',
  'رمز المرور',
  '(?:رمز|كود) (?:ال)?otp',
  'otp',
  'o\\.t\\.p',
  'one[- ]?time (?:pass(?:word|code)?|pin|code|key)',
  '(?:verification|verify|security|log[- ]?in|sign[- ]?in|access|activation|authentication|authorization|authorisation|auth|reset|registration|temporary|2fa) (?:code|pin|password|number)',
  'passcode',
  'temporary (?:pin|password|passcode)',
  'two[- ]factor',
  'mpin reset',
  // "Use the code 1234": not "use the discount code 1234".
  '(?:استخدم|ادخل|اكتب) (?:هذا )?(?:ال)?(?:رمز|كود)(?=:? ?\\d)',
  '(?:enter|use) (?:the |this )?(?:code|pin)(?=:? ?\\d)',
  // "Use 123456 to verify".
  '(?:استخدم|ادخل|اكتب) (?=\\d[\\d -]{3,8} لل?(?:تحقق|تاكيد|توثيق|تسجيل|دخول|تفعيل))',
  '(?:use|enter) (?=\\d[\\d -]{3,8} to (?:verify|confirm|log|sign|reset|authenticate|activate))',
]

/** Phrases for a confirmation code. In a text with an amount they count only if advice follows the number. */
export const confirmPhrases: readonly string[] = ['(?:رمز|كود) (?:ال)?(?:تاكيد|موافقه)', 'confirmation (?:code|pin)']

/** Phrases that occur in other messages too. They count only in a text without money. */
export const weakPhrases: readonly string[] = [
  ...confirmPhrases,
  '(?:رمز|الرمز|رمزك|كود|الكود|كودك)(?: الخاص بك| هو| هذا)?',
  '(?:الرقم|رقمك|رقمكم) السري',
  'كلمه (?:المرور|السر)',
  '(?:your|the|this|use|enter)? ?(?:code|m?pin|password)',
]

/**
 * Advice that comes with a code. In a text without money it counts with any number of a code's length. In a text with an
 * amount, but without words for received or paid money, it counts after the number of a confirmation code.
 */
export const codeAdvice: readonly string[] = [
  'لا (?:تشارك|تعط|تفصح|تخبر|ترسل|تطلع|تكشف)',
  'عدم مشارك',
  'صالح(?:ه)? (?:لمده|حتي|ل)',
  'تنتهي صلاحيت',
  '(?:do not|don.?t|never) (?:share|disclose|give|tell|forward)',
  '(?:valid|expires?|expiring) (?:for|in|within)',
  'if (?:you did not|you didn.?t|this was not|this wasn.?t)',
  'اذا لم (?:تقم|تطلب|تكن)',
]

/** Words after "code" that make it the code of a payment, a voucher or a place, not a secret. */
export const otherCodes =
  '(?:ال|لل|ل|ب)?(?:عمليه|حواله|حوالتك|معامله|مرجع|مرجعي|تحويل|سند|فاتوره|طلب|عميل|تاجر|وكيل|نقطه|خصم|كوبون|قسيمه|بريدي|دوله|فرع|منتج|اشتراك|شحن)'
export const otherCodesBefore =
  '(?:transaction|trx|txn|reference|ref|transfer|receipt|promo|promotion|coupon|voucher|discount|zip|postal|country|branch|merchant|agent|till|order|product|item|swift|qr|bar|ussd|short)[- ]?'

/** Before a number these make it a reference, a balance, an account or a phone number, not a code. "Set to 1234" is a code. */
export const otherNumbers =
  '(?:رقم (?:ال)?(?:عمليه|حواله|مرجع|معامله|سند|فاتوره|حساب|طلب)|(?<!(?:تحقق|تفعيل|توثيق) (?:من |ل)?)رقم (?:ال)?(?:هاتف|جوال)|(?:رمز|كود) (?:ال)?(?:عمليه|حواله|مرجع|معامله|سند|فاتوره)|(?:ال|بال|ب)?مرجع|رصيد(?:ك|كم)?|الرصيد|مبلغ|بمبلغ|حساب(?:ك)?|هاتف|اتصل(?: ب)?|على|م|رص|ref(?:erence)?|trx ?id|txn ?id|transaction(?: id| no| number| code)?|balance|amount|account|a/c|call|from|(?<!(?:set|changed)(?: \\S+){0,3} )to|من|(?<!(?:تعيين|تغيير)\\S*(?: \\S+){0,3} )الي|لرقم|لل?(?:شكاوي|شكوي|استفسار|تواصل|ابلاغ)|خدمه العملاء|complaints|support|hotline)'

export const currencies =
  '(?:ر\\.? ?ي|ر\\.? ?س|ريال|yer|y\\.r|sar|usd|egp|kes|ksh|bdt|tk|دولار|جنيه|درهم|نقطه|نقاط|\\$|£|€)'

export const balanceWords = '(?:رصيد|رص:|balance|bal\\b)'
/** Words for money that was received or paid. */
export const paymentWords =
  '(?:استلمت|استلم|اضيف|اضيفت|اودع|ايداع|وصلك|وصلتك|وردت|حواله وارد|received|credited|deposited|خصم|سحب|تحويل مبلغ|حولت|سداد|دفعت|debited|withdrawn|paid)'
