/**
 * The cause of every error code and what to do about it, in English and Arabic, for the guide. A code that is missing
 * here does not compile. Programs decide by the code; these texts are for developers.
 */
import { collectedCodes } from './currency.ts'
import type { ErrorCode } from './errors.ts'

type Text = { readonly cause: string; readonly cure: string }
export type CatalogueEntry = { readonly en: Text; readonly ar: Text }

const entry = (
  [cause, cure]: readonly [cause: string, cure: string],
  [causeAr, cureAr]: readonly [cause: string, cure: string],
): CatalogueEntry => ({ en: { cause, cure }, ar: { cause: causeAr, cure: cureAr } })

export const catalogue: Readonly<Record<ErrorCode, CatalogueEntry>> = {
  required: entry(
    [
      'A field that must be there is missing. On `amount`: neither `amount` nor `items` was sent.',
      'Send the field that `attr` names.',
    ],
    [
      'حقل مطلوب غير موجود. إذا كان `attr` هو `amount` فأنت لم ترسل `amount` ولا `items`.',
      'أرسل الحقل المذكور في `attr`.',
    ],
  ),
  null: entry(
    ['A field was sent as `null`.', 'Leave an optional field out instead of sending `null`.'],
    ['أُرسل الحقل بقيمة `null`.', 'إذا كان الحقل اختياريًا فلا ترسله أصلًا بدل إرسال `null`.'],
  ),
  blank: entry(
    [
      'A text is empty, or consists only of spaces and invisible marks. On `reference`: the buyer’s field was empty.',
      'Check the form before you call: ask the buyer for the number again.',
    ],
    [
      'النص فارغ، أو كله مسافات وعلامات غير مرئية. في `reference` يعني أن المشتري ترك الخانة فارغة.',
      'تحقق من الخانة قبل الاستدعاء، واطلب الرقم من المشتري مرة أخرى.',
    ],
  ),
  invalid: entry(
    [
      'The value is of another kind than the field asks for: an amount with a comma, an id that is no UUID, a date that cannot be read.',
      'Send amounts as `"1500.00"`, ids as you got them, times in ISO 8601. In a query write `+` as `%2B`.',
    ],
    [
      'القيمة ليست من النوع المطلوب: مبلغ فيه فاصلة، أو معرّف ليس UUID، أو تاريخ غير مقروء.',
      'أرسل المبالغ بالشكل `"1500.00"`، والمعرّفات كما وصلتك، والأوقات بصيغة ISO 8601. داخل العنوان اكتب `+` هكذا: `%2B`.',
    ],
  ),
  max_length: entry(
    [
      'A text or a list is too long: order number, reference and idempotency key 128 characters, notes 500, items 500 lines.',
      'Shorten it. Keep long texts on your side under your order number.',
    ],
    [
      'النص أو القائمة أطول من الحد: رقم الطلبية ورقم العملية ومفتاح منع التكرار `128` حرفًا، والملاحظات `500`، والأصناف `500` سطر.',
      'اختصر النص، واحفظ النصوص الطويلة عندك تحت رقم الطلبية.',
    ],
  ),
  null_characters_not_allowed: entry(
    ['A text holds the character NUL.', 'Remove it. It usually comes from a wrong conversion of text.'],
    ['في النص حرف NUL.', 'احذفه. يأتي عادةً من تحويل خاطئ للترميز.'],
  ),
  surrogate_characters_not_allowed: entry(
    [
      'A text holds half of a character: an emoji was cut in the middle.',
      'Cut texts by characters, not by UTF-16 units.',
    ],
    ['في النص نصف حرف: قُصّ رمز تعبيري من منتصفه.', 'قصّ النصوص بعدد الحروف، وليس بوحدات UTF-16.'],
  ),
  min_value: entry(
    [
      'An amount is below 0.01, a quantity below 1, or the items add up to nothing.',
      'Check the basket before you call: an order that costs nothing needs no payment.',
    ],
    [
      'المبلغ أقل من `0.01`، أو الكمية أقل من `1`، أو مجموع الأصناف صفر.',
      'تحقق من السلة قبل الاستدعاء: الطلبية المجانية لا تحتاج دفعًا.',
    ],
  ),
  max_value: entry(
    ['A quantity is above 2147483647.', 'Send the real quantity.'],
    ['الكمية أكبر من `2147483647`.', 'أرسل الكمية الصحيحة.'],
  ),
  max_decimal_places: entry(
    [
      'An amount has more than two decimals. It is never rounded for you.',
      'Round on your side, by your own rule, and send two decimals.',
    ],
    ['في المبلغ أكثر من خانتين عشريتين. سند لا يقرّب المبالغ بدلًا عنك.', 'قرّب المبلغ عندك حسب قاعدتك، وأرسله بخانتين.'],
  ),
  max_whole_digits: entry(
    [
      'An amount has more than 12 digits before the point.',
      'Check the unit: amounts are in riyals, not in a smaller unit.',
    ],
    ['في المبلغ أكثر من `12` رقمًا قبل الفاصلة.', 'تأكد من الوحدة: المبالغ بالريال.'],
  ),
  max_digits: entry(
    ['An amount, or the total of the items, has more than 14 digits.', 'Check prices and quantities.'],
    ['في المبلغ أو مجموع الأصناف أكثر من `14` رقمًا.', 'راجع الأسعار والكميات.'],
  ),
  max_string_length: entry(
    ['A number was sent as a text of more than 1000 characters.', 'Send the number itself.'],
    ['أُرسل الرقم كنص أطول من `1000` حرف.', 'أرسل الرقم نفسه.'],
  ),
  not_a_list: entry(
    ['`items` is not a list.', 'Send `[ … ]`, also for one line.'],
    ['الحقل `items` ليس قائمة.', 'أرسل `[ … ]` حتى لو كان صنفًا واحدًا.'],
  ),
  invalid_choice: entry(
    [
      `The value is not one of those that are possible: another currency than ${collectedCodes}, or a status that does not exist.`,
      'Statuses are in capitals and separated by commas: `VERIFIED,WRONG_AMOUNT`.',
    ],
    [
      `القيمة ليست من القيم المسموحة: عملة غير ${collectedCodes}، أو حالة غير موجودة.`,
      'الحالات بحروف كبيرة وبينها فواصل: `VERIFIED,WRONG_AMOUNT`.',
    ],
  ),
  does_not_exist: entry(
    [
      'The wallet is unknown, closed, or of another account.',
      'Take ids from `GET /wallets/`; do not keep them for weeks. Check that key and wallet are of the same account.',
    ],
    [
      'المحفظة غير معروفة، أو مغلقة، أو تتبع حسابًا آخر.',
      'خذ المعرّفات من `GET /wallets/` ولا تحفظها أسابيع. تأكد أن المفتاح والمحفظة من نفس الحساب.',
    ],
  ),
  wallet_not_monitored: entry(
    [
      'No phone reports this wallet now: none is connected, it is off, or the sender is not set.',
      'Offer the buyer another wallet from `GET /wallets/`, and connect or switch on the phone in the dashboard.',
    ],
    [
      'لا يوجد هاتف يراقب هذه المحفظة الآن: لا هاتف مربوط بها، أو الهاتف متوقف، أو اسم المرسل غير محدد.',
      'اعرض على المشتري محفظة أخرى من `GET /wallets/`، واربط الهاتف أو فعّله من لوحة التحكم.',
    ],
  ),
  currency_mismatch: entry(
    ['The currency is not that of the wallet.', 'Leave `currency` out, or send the wallet’s.'],
    ['العملة ليست عملة المحفظة.', 'لا ترسل `currency`، أو أرسل عملة المحفظة.'],
  ),
  quota_exceeded: entry(
    [
      'The account has created as many intents this month as the operator allows.',
      'Ask the operator for more. Check that you do not create an intent for each visit of the page: one for each attempt is enough.',
    ],
    [
      'وصل الحساب إلى حد طلبات الدفع لهذا الشهر كما حدده مشغّل الخدمة.',
      'اطلب زيادة الحد من المشغّل. وتأكد أنك لا تنشئ طلب دفع مع كل فتح للصفحة: طلب واحد لكل محاولة يكفي.',
    ],
  ),
  intent_not_pending: entry(
    [
      'The intent has ended, or its hour has passed. Perhaps your first call already verified it and its answer was lost.',
      'Read the intent (`GET /intents/{id}/`) and go on by its `status`. After EXPIRED or CANCELLED begin a new attempt.',
    ],
    [
      'انتهى طلب الدفع، أو مرّت مهلة الساعة. وربما نجح استدعاؤك الأول وضاع جوابه.',
      'اقرأ طلب الدفع (`GET /intents/{id}/`) وتصرّف حسب `status`. بعد EXPIRED أو CANCELLED ابدأ محاولة جديدة.',
    ],
  ),
  reference_already_used: entry(
    [
      'Another intent of this wallet has this reference, or its money has already paid an order.',
      'Ask the buyer to check the number. If they are sure, a user looks at the payment in the dashboard: perhaps the buyer paid an older order.',
    ],
    [
      'رقم العملية هذا مرفق بطلب دفع آخر في نفس المحفظة، أو أن مبلغه دفع طلبية أخرى.',
      'اطلب من المشتري مراجعة الرقم. إذا كان متأكدًا، يراجع أحد أعضاء المتجر العملية في لوحة التحكم: ربما دفع المشتري طلبية أقدم.',
    ],
  ),
  reference_limit: entry(
    [
      'The intent has had 20 different references: somebody is guessing numbers.',
      'Let a user of the shop look at it. For an honest buyer begin a new attempt.',
    ],
    [
      'جُرّب على طلب الدفع `20` رقمًا مختلفًا: هناك من يخمّن الأرقام.',
      'ليراجعه أحد أعضاء المتجر. وللمشتري الصادق ابدأ محاولة جديدة.',
    ],
  ),
  idempotency_key_reused: entry(
    [
      'The idempotency key came before with another body.',
      'One key for each attempt: a new one when amount, wallet or items change.',
    ],
    [
      'استُخدم مفتاح منع التكرار من قبل مع محتوى آخر.',
      'مفتاح واحد لكل محاولة: استخدم مفتاحًا جديدًا إذا تغيّر المبلغ أو المحفظة أو الأصناف.',
    ],
  ),
  parse_error: entry(
    ['The body is not JSON in UTF-8.', 'Let a library write the JSON. Look at what was really sent.'],
    ['المحتوى ليس JSON بترميز UTF-8.', 'اترك مكتبة JSON تكتب المحتوى، وانظر إلى ما أُرسل فعلًا.'],
  ),
  not_authenticated: entry(
    [
      'The header `Authorization: Bearer …` is missing; at `/token`, one of the two headers of the key.',
      'Send it. Some proxies remove headers: check yours.',
    ],
    [
      'الترويسة `Authorization: Bearer …` غير موجودة، أو تنقص إحدى ترويستي المفتاح عند `/token`.',
      'أرسلها. بعض الخوادم الوسيطة تحذف الترويسات، فتحقق من خادمك.',
    ],
  ),
  authentication_failed: entry(
    [
      'The token is wrong or has expired, or the key was rotated or revoked.',
      'Get a new token once and repeat the call. If `/token` answers the same, the key itself is wrong: create or rotate it in the dashboard.',
    ],
    [
      'رمز الوصول خاطئ أو انتهى، أو أن المفتاح تغيّر أو أُلغي.',
      'خذ رمزًا جديدًا مرة واحدة وأعد الاستدعاء. إذا ظهر الخطأ من `/token` أيضًا فالمفتاح نفسه خاطئ: أنشئه أو جدّده من لوحة التحكم.',
    ],
  ),
  permission_denied: entry(
    [
      'The token is that of a dashboard user; or a limit of the key refuses the call, and the detail says which: it may only read, or may not be used from this address.',
      'Use a token from `POST /token` with an API key; or let an owner change the limits of the key in the dashboard.',
    ],
    [
      'رمز الوصول لمستخدم لوحة التحكم وليس لمفتاح API؛ أو أن حدود المفتاح تمنع الاستدعاء، والتفصيل يقول أي حد: للقراءة فقط، أو غير مسموح من هذا العنوان.',
      'استخدم رمزًا من `POST /token` بمفتاح API؛ أو يغيّر المالك حدود المفتاح من لوحة التحكم.',
    ],
  ),
  not_found: entry(
    [
      'The path, the intent or the page does not exist, or the intent is of another account.',
      'Check the id and which key you use. Follow `next` instead of counting pages.',
    ],
    [
      'المسار أو طلب الدفع أو الصفحة غير موجودة، أو أن طلب الدفع لحساب آخر.',
      'تأكد من المعرّف ومن المفتاح المستخدم. واتبع `next` بدل عدّ الصفحات.',
    ],
  ),
  method_not_allowed: entry(
    [
      'The path does not have this method.',
      'Use one of those in the header `Allow`. The reference is attached with `PATCH`.',
    ],
    ['المسار لا يقبل هذه الطريقة.', 'استخدم إحدى الطرق المذكورة في ترويسة `Allow`. إرفاق رقم العملية يكون بـ `PATCH`.'],
  ),
  idempotency_in_progress: entry(
    [
      'The first request with this key has been running for ten seconds.',
      'Send the same request again after `Retry-After`.',
    ],
    ['الاستدعاء الأول بنفس المفتاح ما زال يعمل منذ عشر ثوانٍ.', 'أعد نفس الاستدعاء بعد المدة في `Retry-After`.'],
  ),
  request_too_large: entry(
    ['The body is larger than 1 MiB.', 'Send fewer items, or the amount alone.'],
    ['حجم المحتوى أكبر من `1 MiB`.', 'أرسل أصنافًا أقل، أو أرسل المبلغ فقط.'],
  ),
  unsupported_media_type: entry(
    ['The body is not announced as JSON.', 'Send `Content-Type: application/json`.'],
    ['لم يُذكر أن المحتوى JSON.', 'أرسل الترويسة `Content-Type: application/json`.'],
  ),
  throttled: entry(
    [
      'Too many calls in a minute or a day with this key.',
      'Wait for `Retry-After` seconds. Keep the token for its hour; wait for the webhook instead of reading every second.',
    ],
    [
      'استدعاءات كثيرة بهذا المفتاح في دقيقة أو في يوم.',
      'انتظر عدد الثواني في `Retry-After`. احتفظ برمز الوصول ساعته كاملة، وانتظر الـ webhook بدل القراءة كل ثانية.',
    ],
  ),
  error: entry(
    [
      'A fault of the service.',
      'Send the same request again, a create with the same key. If it stays, give the operator the header `X-Request-Id`.',
    ],
    [
      'خلل في الخدمة.',
      'أعد نفس الاستدعاء، والإنشاء بنفس المفتاح. إذا استمر الخلل فأرسل للمشغّل قيمة الترويسة `X-Request-Id`.',
    ],
  ),
  unavailable: entry(
    [
      'The database is not available for a moment. The request may or may not have been carried out.',
      'Send the same request again after `Retry-After`, a create with the same key.',
    ],
    [
      'قاعدة البيانات غير متاحة للحظة. ربما تمت العملية وربما لم تتم.',
      'أعد نفس الاستدعاء بعد `Retry-After`، والإنشاء بنفس المفتاح.',
    ],
  ),
  checkout_not_open: entry(
    [
      'The checkout is paid, expired or cancelled already: it cannot be cancelled.',
      'Read it and go on by its `status`. If it is `COMPLETE`, the buyer was faster: pay the money back by hand if you must.',
    ],
    [
      'صفحة الدفع مدفوعة أو منتهية أو ملغاة، فلا يمكن إلغاؤها.',
      'اقرأها وتصرّف حسب `status`. إذا كانت `COMPLETE` فقد سبقك المشتري بالدفع: أعد المبلغ يدويًا إذا لزم.',
    ],
  ),
  link_limit: entry(
    ['The account has 1,000 payment links.', 'Use one link for many buyers, or make a checkout for each order.'],
    ['وصل الحساب إلى `1,000` رابط دفع.', 'استخدم رابطًا واحدًا لمشترين كثيرين، أو أنشئ صفحة دفع لكل طلبية.'],
  ),
}
