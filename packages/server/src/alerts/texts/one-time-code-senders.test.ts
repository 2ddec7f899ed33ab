/**
 * A third list of messages, ordered by sender: wallets and banks of Yemen, Google, WhatsApp, Telegram and other apps, and
 * telephone companies. Sixty codes that must be hidden, and sixty payments, debits and notices that must not be. Written as
 * such senders write; names and numbers are made up.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { looksLikeCode, maskCode } from './one-time-code.ts'

const codes: readonly string[] = [
  // Wallets.
  'جيب: رمز الدخول 7391. احذر من مشاركته مع أي شخص.',
  'عزيزي عميل جيب رمز التفعيل لمرة واحدة 739124',
  'جوالي: كلمة المرور لمرة واحدة الخاصة بك هي 739124 وتنتهي خلال دقيقتين',
  'جوالي - رقم التأكيد السري 739124 لتحويل 15,000 ريال. لا تفصح عنه',
  'فلوسك: رمز تحقق تسجيل الدخول من جهاز جديد: 739124',
  'فلوسك | كود إعادة تعيين الرقم السري 7391',
  'محفظتي ام فلوس: رمز التحقق ٧٣٩١٢٤ صالح لمدة ٥ دقائق فقط',
  'ون كاش: رمز OTP الخاص بك 7391 لا تشاركه مع أحد حتى موظفي ون كاش',
  'ONE Cash: Your OTP is 7391. Do not share it with anyone.',
  'Jawali: 739124 is your one time password. Valid 2 minutes.',
  'Floosak: use code 739124 to activate your wallet on this device',
  'Jaib login code 7391',
  'رمز التحقق لربط محفظتك بمتجر المثال هو 739124',
  'طلب شراء بمبلغ 12,500 ر.ي من متجر المثال. للموافقة أدخل رمز التحقق: 739124',
  'رمز تأكيد الشراء 739124 بمبلغ 12,500 ر.ي لا تعطه لأحد',
  'لإكمال السحب من الوكيل أعط الوكيل رمز التحقق 739124 صالح حتى 10:45',
  'كود السحب النقدي الخاص بك 739124 صالح لمدة ساعة. لا تشاركه إلا مع الوكيل',
  'الرمز السري للمحفظة تم تعيينه مؤقتا إلى 7391 يرجى تغييره',
  'رقمك السري المؤقت هو 7391',
  'رمز التحقق من رقم الجوال: 73-91-24',
  // Banks.
  'بنك الكريمي: رمز التحقق لخدمة كريمي جوال 739124',
  'KuraimiMB: رمز الدخول لمرة واحدة 739124 لا تطلع عليه أحدا',
  'عميلنا العزيز، رمز المصادقة لعملية التحويل بين الحسابات بمبلغ 200,000 ريال هو 739124',
  'بنك التضامن: كلمة السر المؤقتة للإنترنت البنكي 7391AB24',
  'بنك اليمن والكويت رمز الأمان 739124 لعملية شراء عبر الإنترنت بقيمة USD 25.00',
  'كاك بنك: رمز تفعيل البطاقة 7391',
  'CAC Bank: OTP 739124 for online purchase of USD 25.00 at EXAMPLE. Never share it.',
  'Your card ending 4410: one-time passcode 739124 to approve SAR 95.00',
  'Dear Customer, your activation key is 739124. Do not disclose it.',
  'Your internet banking temporary password is 73912468',
  'كود التحقق لإضافة المستفيد سالم المثال: 739124',
  'رمز التحقق لتغيير رقم الهاتف المربوط بحسابك 739124. إن لم تطلبه اتصل بنا فورا',
  'رمز الاعتماد 739124 لعملية الحوالة رقم 5582. لا تشاركه',
  // Google, WhatsApp, Telegram and others.
  'G-739124 هو رمز التحقق من Google.',
  'رمز التحقق في Google هو 739124',
  'Google: 739124 is your backup verification code',
  '739124 is your Google verification code. Don’t share it with anyone.',
  'رمز واتساب: 739-124\nأو اضغط على هذا الرابط لتأكيد رقمك: v.whatsapp.com/739124',
  'WhatsApp code 739-124. You can also tap on this link to verify your phone: v.whatsapp.com/739124',
  'حساب WhatsApp Business الخاص بك يُسجَّل على جهاز جديد. لا تشارك الرمز مع أحد. رمزك: 739-124',
  'Telegram code: 73912\n\nYou can also tap on this link to log in:\nhttps://t.me/login/73912',
  'رمز الدخول إلى تيليجرام: 73912. لا تعطِ هذا الرمز لأي شخص',
  'Login code: 73912. Do not give this code to anyone, even if they say they are from Telegram!',
  'IMO verification code: 7391',
  'Your imo code: 7391. Please do not share it.',
  'رمز تأكيد فيسبوك الخاص بك هو 73912468',
  '739124 هو كود تأكيد حساب انستقرام',
  'Snapchat Code: 739124. Happy Snapping!',
  'Microsoft access code: 7391',
  'Use 739124 as your Example Mail password reset code',
  'BINANCE: رمز التحقق الخاص بك هو: 739124. تأكد من أنك على الموقع الصحيح',
  // Telephone companies.
  'يمن موبايل: كلمة المرور الخاصة بك لتطبيق يمن موبايل هي 739124',
  'رمز التحقق للدخول إلى تطبيق يمن نت هو 7391',
  'سبأفون: رمز التفعيل الخاص بخدمتك 739124',
  'YOU: رمز الدخول لمرة واحدة 7391 ينتهي بعد 3 دقائق',
  'يو: كود التحقق من الملكية 739124',
  'Yemen Mobile: your verification PIN 7391',
  'MTN: Your MoMo activation code is 739124. Do not share.',
  'عزيزي المشترك رمز تأكيد نقل الرقم 739124 لا تشاركه مع أي جهة',
  'لتأكيد استبدال الشريحة أرسل أو أدخل الرمز 739124',
]

const payments: readonly string[] = [
  // Wallets.
  'أضيف 30000ر.ي مشتريات رص:220611.7ر.ي من 1234567 م:73912468135792',
  'اضيف 500ر.ي تحويل مشترك رص:5680ر.ي من سالم المثال-771000000',
  'جيب: أضيف 12,000ر.ي إلى محفظتك برمز دفع 739124 رص:18,500ر.ي',
  'استلمت مبلغ 1500 YER من 771000000 رصيدك هو 258113.19',
  'لقد استلمت 36000 YER كقيمة مشتريات بمرجع 739124681357 من سالم المثال',
  'جوالي: استلمت 36000 YER عبر كود نقطة البيع 73912 بمرجع 739124681357',
  'استلمت حوالة من سالم المثال بمبلغ 250.00 ر.ي رصيدك 250.00 ر.ي',
  'فلوسك: تمت إضافة 4,000 ر.ي. كود العملية 7391246. تأكد أنك لا تشارك رمز الدخول مع أحد',
  'تم إيداع مبلغ 300.00 YER من: سالم المثال المرجع:739124681',
  'ام فلوس: إيداع 300.00 YER كود التاجر 7391 المرجع:739124681',
  'استلمت 500.00\nمن سالم المثال\nرصيدك500.00 ر.ي',
  'ون كاش: وصلك 500.00 ر.ي من سالم المثال رمز المعاملة 739124',
  'تم استلام دفعة بمبلغ 5,000 ر.ي من العميل سالم المثال. رمز الفاتورة 7391',
  'دفع العميل 5,000 ر.ي برمز QR. رقم العملية 73912468',
  'عملية شراء ناجحة بمبلغ 5000 ر.ي، رمز العملية 739124، الرصيد 7000 ر.ي',
  'تم تحويل مبلغ 5000 ر.ي الى 771000000 رقم العملية 73912468 رصيدك 7000 ر.ي',
  'خصم 500 ر.ي رسوم خدمة الرسائل رصيدك 7000 ر.ي',
  'تم سحب 5000 ر.ي من الوكيل رقم 7391 رصيدك 7000 ر.ي',
  'حوالة واردة من سالم المثال بمبلغ 40,000 ر.ي رقم الحوالة 739124681 استلمها برقم الهوية',
  'حوالتكم رقم 7391246 بمبلغ 40,000 ريال جاهزة للاستلام من أي فرع',
  // Banks.
  'أودع/سالم المثال لحسابك50,000.00\n51,245.30YERرصيدك',
  'أودع/سالم المثال لحسابك50,000.00\n51,245.30YERرصيدك\nكود الوكيل 7391',
  'الكريمي: خصم من حسابك 5,000.00 YER مقابل تحويل رقم 73912468 رصيدك 46,245.30YER',
  'بنك التضامن: قيد دائن 100,000.00 ريال في حسابك رقم ***4410 رمز القيد 739124',
  'كاك بنك: إيداع راتب 150,000 ريال في حسابك 4410',
  'تم إضافة حوالة بمبلغ 75,000 ريال لحسابكم رمز الفرع 0739',
  'CAC Bank: USD 25.00 debited from card ending 4410 at EXAMPLE. Auth code 739124. Bal USD 110.00',
  'POS purchase SAR 95.00 card 4410 approved, approval code 739124, balance SAR 210.00',
  'Your account 4410 was credited with YER 100,000.00 ref 73912468',
  'Salary YER 150,000 credited. Transaction code 739124',
  'Transfer received: YER 75,000 from Salem Example. Code 73912468. Balance YER 90,000',
  'Cheque 739124 for YER 75,000 was deposited to your account',
  'You received SAR 500.00 from Salem Example, MTCN 7391246813',
  'Western Union: a transfer of USD 200.00 is waiting for you. MTCN 7391246813',
  'تم استلام شيك رقم 739124 بمبلغ 75,000 ريال',
  'قسط قرض بمبلغ 20,000 ريال خُصم من حسابك 4410 رصيدك 30,000 ريال',
  // Apps and telephone companies: notices that are no code.
  'تم تعبئة رصيدك بمبلغ 1000 ريال. رصيدك الحالي 1250 ريال صالح لمدة 30 يوما',
  'يمن موبايل: تم خصم 500 ريال قيمة باقة 2 جيجا. صالحة لمدة 30 يوما',
  'سبأفون: رصيدك 1250 ريال. لمعرفة الباقات اطلب *111#',
  'YOU: تم تحويل رصيد 500 ريال من 731000000 إلى رقمك',
  'عزيزي المشترك لديك فاتورة رقم 739124 بمبلغ 8,000 ريال. للسداد عبر المحافظ كود الخدمة 7391',
  'تم سداد فاتورة الإنترنت للرقم 01739124 بمبلغ 8,000 ريال',
  'باقتك تنتهي بعد 3 أيام. جدد الآن عبر التطبيق أو اطلب *7391#',
  'للاشتراك أرسل 1 إلى 7391',
  'لا تشارك بياناتك مع أحد. البنك لن يتصل بك. للشكاوى 8007391',
  'احذر الاحتيال: لا تعط رمز التحقق لأي متصل',
  'WhatsApp will never ask you for your verification code by phone.',
  'Google: a new sign-in on your account. If this was not you, check your activity.',
  'Your parcel 73912468 is out for delivery',
  'طلبيتك رقم 739124 في الطريق إليك، المندوب 771000000',
  'Order 739124 received: YER 5,000 paid with Example Wallet',
  'رقم دورك 7391 في فرع المثال',
  'Recharge successful: YER 1,000. New balance YER 1,250. Receipt code 739124',
  'استلمت 5000 ر.ي هدية من سالم المثال كود الهدية 739124',
  'كسبت 500 نقطة. رصيد نقاطك 7391 نقطة',
  'خصم 20% بكود الخصم EID7391 حتى نهاية الشهر',
  'Use promo code EID7391 and save 20%',
  'اجتماع الجمعية العمومية يوم الأحد قاعة 7391',
  'تم استلام مبلغ 5000 ريال رسوم دراسية للطالب رمز الطالب 739124',
  'تم توريد 5,000 ريال إلى صندوقك كود الصندوق 7391 رقم السند 88123',
]

test('every code of the third list is recognised, and its mask shows no digit', () => {
  assert.equal(codes.length, 60)
  assert.deepEqual(
    codes.filter((text) => !looksLikeCode(text)),
    [],
  )
  for (const text of codes) assert.doesNotMatch(maskCode(text), /\p{N}/u, text)
})

test('no payment and no notice of the third list is taken for a code', () => {
  assert.equal(payments.length, 60)
  assert.deepEqual(
    payments.filter((text) => looksLikeCode(text)),
    [],
  )
})
