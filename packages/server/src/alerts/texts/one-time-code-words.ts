/**
 * The words by which one-time codes are recognised (one-time-code.ts), and samples of codes and of other messages. Words are
 * written in the form of `foldWords`: lower case, ا for أ إ آ, ي for ى, ه for ة, digits 0 to 9.
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

export type CodeSample = { readonly text: string; readonly why: string }

/** Made-up texts, worded like real ones. */
export const codeSamples: readonly CodeSample[] = [
  { why: 'verification', text: 'رمز التحقق الخاص بك هو 482913' },
  { why: 'Arabic digits', text: 'رمز التحقق: ٤٨٢٩١٣ لا تشاركه مع أحد' },
  { why: 'Persian digits and letter', text: 'کود التفعيل ۴۸۲۹۱۳' },
  { why: 'sign in', text: 'رمز الدخول إلى محفظتك 7302' },
  { why: 'confirmation', text: 'رمز التأكيد 774411 لعملية الدخول' },
  { why: 'confirmation, spelled without hamza', text: 'كود التاكيد: 4432' },
  { why: 'activation', text: 'كود التفعيل الخاص بك 918273' },
  { why: 'one-time password', text: 'كلمة المرور لمرة واحدة هي 662084' },
  { why: 'one-time password', text: 'كلمة السر لمرة واحدة: 6620' },
  { why: 'OTP in Arabic', text: 'رمز OTP الخاص بعملية الشراء بمبلغ 5,000 ريال هو 552211' },
  { why: 'amount beside it', text: 'رمز التحقق لعملية شراء بمبلغ 5000 ريال هو 123456' },
  { why: 'advice alone', text: 'لا تشارك هذا الرقم مع أحد 394812' },
  { why: 'number first', text: '394812 هو رمز التحقق الخاص بك' },
  { why: 'use', text: 'استخدم 394812 كرمز تحقق لتسجيل الدخول' },
  { why: 'bare code', text: 'الرمز: 394812' },
  { why: 'bare code', text: 'كودك هو 3948' },
  { why: 'secret number', text: 'الرقم السري المؤقت 3948' },
  { why: 'resetting', text: 'رمز إعادة تعيين كلمة المرور 394-812' },
  { why: 'nothing but the number', text: '394812' },
  { why: 'second part', text: '394812 صالح لمدة 5 دقائق' },
  { why: 'marks that nobody sees', text: 'رمز\u200f التحقق\u200e: \u2066394812\u2069' },
  { why: 'lengthened letters', text: 'رمـــز التحقــق ٣٩٤٨١٢' },
  { why: 'verification', text: 'Your Jawali verification code is 482913' },
  { why: 'verification', text: '482913 is your verification code.' },
  { why: 'letter before it', text: 'G-482913 is your Google verification code.' },
  { why: 'one-time password', text: 'Your one-time password is 662084. Do not share it with anyone.' },
  { why: 'one time PIN', text: 'Your one time PIN is 4829' },
  { why: 'OTP', text: 'OTP: 4829' },
  { why: 'OTP with an amount', text: 'Your OTP for the payment of YER 5,000.00 is 482913. Never share it.' },
  { why: 'payment request', text: 'You have received a payment request of 5,000 YER. OTP 482913' },
  { why: 'passcode', text: 'Use passcode 482 913 to sign in' },
  { why: 'login code', text: 'Login code: 48291. Do not give this code to anyone.' },
  { why: 'security code', text: 'Enter security code 482913 to continue' },
  { why: 'confirmation code', text: 'Your confirmation code: 482913' },
  { why: 'letters and digits', text: 'Your activation code is A4B7K9' },
  { why: 'valid for', text: '482913 (valid for 10 minutes)' },
  { why: 'bare code', text: 'Your code is 4829' },
  { why: 'bank card', text: 'رمز التحقق لبطاقتك المنتهية بـ 4821 هو 730925' },
  { why: 'online purchase', text: 'استخدم الرمز 730925 لإتمام الشراء من متجر المثال بمبلغ 12,000 ريال ولا تشاركه' },
  { why: 'new phone', text: 'رمز تفعيل الجهاز الجديد 730925. إذا لم تطلبه تواصل مع البنك' },
  { why: 'adding a payee', text: 'رمز التأكيد لإضافة مستفيد جديد: 730925' },
  { why: 'withdrawal without a card', text: 'الرقم السري للسحب بدون بطاقة 730925 صالح لمدة 30 دقيقة' },
  { why: 'password reset', text: 'لاستعادة كلمة المرور أدخل الرمز 7309' },
  { why: 'chat app', text: 'كود واتساب الخاص بك: 730-925 لا تطلع أحداً عليه' },
  { why: 'line break', text: 'بنك المثال\nرمز الدخول\n730925\nلا تشاركه مع أحد' },
  { why: 'digits apart', text: 'رمز التحقق 7 3 0 9 2 5' },
  { why: 'quoted', text: 'رمز التحقق هو "730925"' },
  { why: 'glued', text: 'رمز التحقق730925' },
  { why: 'approval of a payment', text: 'رمز الموافقة على الدفع 730925 لا تعطه لأحد' },
  {
    why: 'bank card',
    text: 'Example Bank: 730925 is the OTP for your card ending 4821 at EXAMPLE SHOP for YER 12,000.00',
  },
  { why: 'app', text: 'Your ExampleApp code: 730925. Don’t share it.' },
  { why: 'hash at the end', text: '<#> Your ExampleApp code is 730925\nFA+9qCX9VSu' },
  { why: 'device', text: 'Use 730925 to verify your new device. It expires in 10 minutes.' },
  { why: 'transfer approval', text: 'To approve the transfer of 12,000 YER enter authorization code 730925.' },
  { why: 'reset', text: 'Password reset code 730925. If you did not request it, ignore this message.' },
  { why: 'two factor', text: 'Two-factor code: 730 925' },
  { why: 'PIN', text: 'Your temporary PIN is 7309. Change it now.' },
  { why: 'set to', text: 'Your wallet PIN was set to 7309. Change it now.' },
  { why: 'set to', text: 'تم تعيين رقمك السري إلى 7309 يرجى تغييره' },
  { why: 'pairs of digits', text: 'رمز التحقق 73-09-25' },
]

/** Texts with "code", "share", "valid" or a number that are not one-time codes. */
export const notCodes: readonly CodeSample[] = [
  { why: 'reference called code', text: 'تم إيداع مبلغ 5000 ريال في محفظتك رمز العملية 123456' },
  { why: 'reference called code, no amount', text: 'تمت العملية بنجاح رمز العملية 123456' },
  { why: 'transfer code', text: 'وصلتك حوالة من علي المثال رمز الحوالة 12345678' },
  { why: 'advice under a payment', text: 'استلمت 5000 ر.ي من علي المثال. رصيدك 9000 ر.ي. لا تشارك رمز التحقق مع أحد' },
  { why: 'advice under a payment', text: 'استلمت 5,000 ر.ي رقم العملية 123456. لا تشارك رقمك السري مع احد' },
  { why: 'advice without a number', text: 'لا تشارك رمز التحقق مع أي شخص' },
  { why: 'promotion', text: 'استخدم كود الخصم 123456 واحصل على تخفيض' },
  { why: 'valid until', text: 'العرض صالح لمدة 3 أيام' },
  { why: 'payment without a template', text: 'استلمت مبلغ 1500 YER من 770000000 رصيدك هو 258113.19' },
  { why: 'cut payment', text: 'أضيف 30000ر.ي مشتريات رص:220611.7' },
  { why: 'greeting', text: 'عيد مبارك من محفظتك' },
  { why: 'call', text: 'للاستفسار اتصل على 8000000' },
  { why: 'complaints', text: 'لا تشارك بياناتك مع أحد. للشكاوى 8000000' },
  { why: 'reference', text: 'Payment complete. Transaction code 48291377' },
  { why: 'reference', text: 'You have received Tk 1,500.00. TrxID 9AB1C2D3E4. Never share your PIN or OTP.' },
  { why: 'promotion', text: 'Use promo code 482913 and pay less' },
  { why: 'advice without a number', text: 'Never share your one-time password with anyone.' },
  { why: 'payment', text: 'Received 5,000.00 YER from Ali Example. Balance 9,000.00 YER. Do not share your OTP.' },
  { why: 'operation code', text: 'تم إضافة 12,000 ريال إلى محفظتك كود العملية 73092581' },
  { why: 'transfer code', text: 'حوالة واردة 12000 ريال من علي المثال كود الحوالة 73092581' },
  { why: 'receipt code', text: 'تم استلام دفعة 12000 YER رمز السند 730925' },
  { why: 'invoice code', text: 'سداد فاتورة 12000 ر.ي رمز الفاتورة 730925' },
  { why: 'merchant code', text: 'دفع علي المثال 12000 ر.ي لنقطة البيع رمز التاجر 730925' },
  { why: 'agent code', text: 'إيداع 12000 ر.ي عبر الوكيل رمز الوكيل 7309 رصيدك 15000 ر.ي' },
  { why: 'reference code', text: 'استلمت 12000 YER الرمز المرجعي 73092581' },
  { why: 'order code', text: 'استلمت 12000 YER مقابل الطلب كود الطلب 730925' },
  { why: 'payment code', text: 'استلمت 12000 YER برمز الدفع 73092581' },
  { why: 'customer code', text: 'أودع 12000 ر.ي رمز العميل 730925 الرصيد 15000 ر.ي' },
  { why: 'transfer password', text: 'حوالتك جاهزة للاستلام رمز الحوالة 73092581 المبلغ 12000 ريال' },
  { why: 'advice about codes', text: 'تم إيداع 12,000 ريال. رصيدك 15,000 ريال. البنك لا يطلب رمز التحقق منك أبدا' },
  { why: 'advice about codes', text: 'أضيف 12000ر.ي رص:15000ر.ي تحذير: لا تعط كود التفعيل لأحد' },
  { why: 'operation code', text: 'Payment of YER 12,000.00 received. Confirmation code 7H2K9P' },
  { why: 'operation code', text: 'You have received 12,000 YER. Transaction code: 73092581.' },
  { why: 'receipt', text: '7H2K9PQ4XZ Confirmed. You have received Ksh300.00 from ALI EXAMPLE. Never share your PIN.' },
  { why: 'agent code', text: 'Deposit of YER 12,000 at agent code 730925. Balance YER 15,000' },
  { why: 'till number', text: 'Received YER 12,000 at till code 730925 from Ali Example' },
  { why: 'voucher', text: 'Voucher code 730925 was credited: YER 500' },
  { why: 'order code', text: 'Order code 730925 is paid: 12,000 YER received' },
  { why: 'reference', text: 'Credited YER 12,000. Ref code 73092581. Bal YER 15,000' },
  { why: 'QR', text: 'QR code payment of 12,000 YER received from Ali Example, ref 73092581' },
  {
    why: 'advice',
    text: 'Received 12,000 YER, balance 15,000 YER. We never ask for your verification code or PIN. Call 8000000',
  },
  { why: 'reference', text: 'تم تحويل مبلغ 12000 ريال إليك بنجاح، رقم مرجع العملية 73092581' },
  { why: 'USSD', text: 'استلمت 12000 ر.ي. للاستعلام عن الرصيد اطلب الكود *150#' },
]
