/** What the set-up page says, in Arabic and English. The steps of the apps are in app-steps.ts. Pure. */
export type Language = 'ar' | 'en'

/** A text in both languages. */
export type Said = Readonly<Record<Language, string>>

const en = {
  title: 'Connect this phone',
  lead: 'This page connects the phone that gets the wallet’s messages. It takes about five minutes. Open it on that phone.',
  other: 'العربية',
  opening: 'Opening the code …',
  noScript: 'This page needs JavaScript. Turn it on in the browser, or open the link in Chrome.',
  codeTitle: 'Enter the connection code',
  codeLead:
    'On the dashboard: Phones, then “Add a phone”. Scan the code shown there with this phone’s camera, or type it here.',
  codeLabel: 'Connection code',
  codeGo: 'Continue',
  codeUsed:
    'This code no longer works. A code works once, for ten minutes. On the dashboard open the phone, touch “New code”, and scan the new one.',
  codeLimit: 'Too many tries from here. Wait a few minutes, then scan a new code.',
  ended: 'This set-up has ended (it lasts an hour). On the dashboard open the phone, touch “New code”, and scan it.',
  accessLimit: 'Too many addresses were created here. On the dashboard touch “New code”, and scan it.',
  offline: 'No connection to the server. It is tried again by itself.',
  failed: 'That did not work. Try again.',
  retry: 'Try again',
  phoneOf: 'Phone “{phone}” of {account}',
  stepOf: 'Step {n} of 5',
  step1: 'Which app?',
  step1Lead: 'One app passes the wallet’s messages on to Sanad. If you are not sure, take the first.',
  recommended: 'Recommended',
  step2: 'Install',
  step2Lead: 'Download only from these addresses:',
  step2Unknown:
    'Android asks whether the browser may install apps: allow it. From Android 13 an app from outside the Play Store must also be allowed its permissions: Settings → Apps → the app → ⋮ → “Allow restricted settings”. From Android 15 some phones refuse it altogether: then take another app or phone.',
  installed: 'It is installed',
  step3: 'Settings',
  step3Lead: 'Touch “Copy”, then paste it into the app. Nothing is typed.',
  sendersAre: 'Only messages of these senders are passed on: {senders}',
  sendersAll:
    'This app passes on all messages of the phone. Those that are not of your wallets’ senders ({senders}) are hidden, and deleted after a day.',
  sendersNone: 'No wallet is bound to this phone yet. Messages of unknown senders are hidden, and deleted after a day.',
  copy: 'Copy',
  copied: 'Copied',
  saveFile: 'Save the settings file',
  shareFile: 'Share the file',
  byHand: 'Without the file: enter it by hand',
  showLine: 'Show the line',
  lineUntil: 'The second line works once, until {time}.',
  newAccess: 'Create it again',
  newAccessLead: 'The address before stops working.',
  waitRegistered: 'Waiting for the app to sign up …',
  registered: 'The app has signed up ({time})',
  waitConfigured: 'Waiting for the app to take its settings …',
  configured: 'The app has taken its settings ({time})',
  settingsDone: 'Done, next',
  step4: 'Battery',
  step4Lead:
    'Android stops apps in the background. These screens prevent it: without them messages are missed after some days.',
  maker: 'Maker of this phone',
  batteryDone: 'Done, next',
  always: 'Keep it on the charger, and keep mobile data or Wi-Fi on.',
  step5: 'Try it',
  surest: 'The surest test is a real one: send 1 riyal to the wallet, or wait for the next payment.',
  nothing: 'Nothing arrives?',
  nothing1: 'Is the phone on the internet? Open any other page in this browser.',
  nothing2: 'May the app read messages? Settings → Apps → the app → Permissions → SMS: allow.',
  nothing3: 'Is the app running, and is the value pasted whole? Go back to “Settings” and compare.',
  nothing4: 'Still nothing: go back, create the settings again, and enter the new ones.',
  needsHttps:
    'This server is reached by http. SMS Gateway sends only to https: ask whoever hosts Sanad, or take another app.',
  status: 'Progress',
  sOpened: 'Opened on this phone',
  sApp: 'App chosen',
  sContact: 'Connected',
  sMessage: 'A message arrived',
  waiting: 'not yet',
  doneTitle: 'The phone is connected',
  doneLead:
    'A message has arrived. You can close this page. The dashboard shows from now on whether the phone reports.',
  back: 'Back',
}

const ar: Readonly<Record<keyof typeof en, string>> = {
  title: 'ربط هذا الهاتف',
  lead: 'هذه الصفحة تربط الهاتف الذي تصله رسائل المحفظة. تحتاج نحو خمس دقائق. افتحها على ذلك الهاتف نفسه.',
  other: 'English',
  opening: 'جارٍ فتح الرمز …',
  noScript: 'هذه الصفحة تحتاج JavaScript. فعّله في المتصفح، أو افتح الرابط في Chrome.',
  codeTitle: 'إدخال رمز الربط',
  codeLead: 'في لوحة سند: الهواتف، ثم «إضافة هاتف». صوّر الرمز بكاميرا هذا الهاتف، أو اكتبه هنا.',
  codeLabel: 'رمز الربط',
  codeGo: 'متابعة',
  codeUsed:
    'هذا الرمز لم يعد يعمل. الرمز يعمل مرة واحدة خلال عشر دقائق. افتح الهاتف في لوحة سند، واضغط «رمز ربط جديد»، ثم صوّره بالكاميرا.',
  codeLimit: 'محاولات كثيرة من هنا. انتظر بضع دقائق، ثم صوّر رمزًا جديدًا.',
  ended: 'انتهت مدة هذا الإعداد (ساعة واحدة). افتح الهاتف في لوحة سند، واضغط «رمز ربط جديد»، ثم صوّره بالكاميرا.',
  accessLimit: 'أُنشئت هنا عناوين كثيرة. في لوحة سند اضغط «رمز ربط جديد»، ثم صوّره بالكاميرا.',
  offline: 'لا يوجد اتصال بالخادم. تُعاد المحاولة تلقائيًا.',
  failed: 'لم تنجح العملية. حاول مرة أخرى.',
  retry: 'إعادة المحاولة',
  phoneOf: 'الهاتف «{phone}» في {account}',
  stepOf: 'الخطوة {n} من 5',
  step1: 'أي تطبيق؟',
  step1Lead: 'تطبيق واحد ينقل رسائل المحفظة إلى سند. إن لم تكن متأكدًا فاختر الأول.',
  recommended: 'الأنسب',
  step2: 'التثبيت',
  step2Lead: 'حمّله من هذه العناوين فقط:',
  step2Unknown:
    'يسأل أندرويد هل يُسمح للمتصفح بتثبيت التطبيقات: اسمح بذلك. من أندرويد 13 يحتاج التطبيق من خارج متجر Play إذنًا إضافيًا: الإعدادات ← التطبيقات ← التطبيق ← ⋮ ← «السماح بالإعدادات المقيّدة». ومن أندرويد 15 ترفضه بعض الهواتف تمامًا: عندها اختر تطبيقًا آخر أو هاتفًا آخر.',
  installed: 'تم التثبيت',
  step3: 'الإعدادات',
  step3Lead: 'اضغط «نسخ» ثم الصق في التطبيق. لا تكتب شيئًا بيدك.',
  sendersAre: 'تُنقل رسائل هؤلاء المرسلين فقط: {senders}',
  sendersAll: 'هذا التطبيق ينقل كل رسائل الهاتف. ما ليس من مرسلي محافظك ({senders}) يُخفى ويُحذف بعد يوم.',
  sendersNone: 'لا توجد محفظة مربوطة بهذا الهاتف بعد. رسائل المرسلين غير المعروفين تُخفى وتُحذف بعد يوم.',
  copy: 'نسخ',
  copied: 'تم النسخ',
  saveFile: 'حفظ ملف الإعدادات',
  shareFile: 'مشاركة الملف',
  byHand: 'بدون الملف: إدخالها يدويًا',
  showLine: 'عرض السطر',
  lineUntil: 'السطر الثاني يعمل مرة واحدة، حتى {time}.',
  newAccess: 'إنشاؤه من جديد',
  newAccessLead: 'العنوان السابق يتوقف.',
  waitRegistered: 'بانتظار تسجيل التطبيق …',
  registered: 'سجّل التطبيق ({time})',
  waitConfigured: 'بانتظار أن يأخذ التطبيق إعداداته …',
  configured: 'أخذ التطبيق إعداداته ({time})',
  settingsDone: 'تم، التالي',
  step4: 'البطارية',
  step4Lead: 'أندرويد يوقف التطبيقات في الخلفية. هذه الشاشات تمنع ذلك: بدونها تضيع رسائل بعد أيام.',
  maker: 'الشركة المصنّعة لهذا الهاتف',
  batteryDone: 'تم، التالي',
  always: 'أبقِ الهاتف على الشاحن، وأبقِ بيانات الجوال أو الواي فاي مفعّلة.',
  step5: 'التجربة',
  surest: 'أوثق تجربة هي الحقيقية: حوّل 1 ريال إلى المحفظة، أو انتظر الدفعة القادمة.',
  nothing: 'لم يصل شيء؟',
  nothing1: 'هل الهاتف متصل بالإنترنت؟ افتح أي صفحة أخرى في هذا المتصفح.',
  nothing2: 'هل يُسمح للتطبيق بقراءة الرسائل؟ الإعدادات ← التطبيقات ← التطبيق ← الأذونات ← الرسائل: سماح.',
  nothing3: 'هل التطبيق مفعّل، وهل لُصقت القيمة كاملة؟ ارجع إلى «الإعدادات» وقارن.',
  nothing4: 'ما زال لا يصل شيء: ارجع وأنشئ الإعدادات من جديد، ثم أدخل الجديدة.',
  needsHttps:
    'هذا الخادم يعمل بـ http، وتطبيق SMS Gateway لا يرسل إلا إلى https: اسأل من يستضيف سند، أو اختر تطبيقًا آخر.',
  status: 'سير الربط',
  sOpened: 'فُتحت الصفحة على هذا الهاتف',
  sApp: 'اختيار التطبيق',
  sContact: 'متصل',
  sMessage: 'وصلت رسالة',
  waiting: 'ليس بعد',
  doneTitle: 'تم ربط الهاتف',
  doneLead: 'وصلت رسالة. يمكنك إغلاق هذه الصفحة. لوحة سند تعرض من الآن هل تصل رسائل من هذا الهاتف.',
  back: 'رجوع',
}

export type PairWords = Readonly<Record<keyof typeof en, string>>

export const pairWords: Readonly<Record<Language, PairWords>> = { ar, en }

/** The first of the two that the browser names; Arabic if it names neither. */
export const languageFor = (chosen: string | undefined, accepts: string): Language => {
  if (chosen === 'ar' || chosen === 'en') return chosen
  const first = /(?:^|[,\s])(ar|en)\b/i.exec(accepts)?.[1]?.toLowerCase()
  return first === 'en' ? 'en' : 'ar'
}
