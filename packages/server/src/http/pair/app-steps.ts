/**
 * The apps that the set-up page offers: the advantages of each, where it is downloaded, its settings in the order and with
 * the labels of its own screens, and how to try it. Taken from the apps' public sources in 2026. `[[...]]` encloses Latin
 * text, which is written from left to right. Pure.
 */
import type { SetupApp } from '../../wallets/phones/phone-setup.ts'
import type { Translated } from './pair-words.ts'

/** `about_mb`: the size, where it is known. The page of a store shows it otherwise. */
export type Download = { readonly name: string; readonly address: string; readonly about_mb?: number }

/**
 * What the agent downloads, in kB and MB: its own file as it is served, which a test compares; Termux for all processors; Node with its
 * libraries. The sources are in docs/agent.md.
 */
export const agentSizes = { ownFile_kb: 18, termux_mb: 100, node_mb: 23 } as const

export type SetupStep = {
  readonly text: Translated
  /** The key of a setting in app-guide.ts whose value the user copies. */
  readonly field?: string
  /** The value is chosen in the app, not pasted. */
  readonly pick?: true
  /** Apps to download at this step. */
  readonly links?: readonly Download[]
  /** The progress that the page shows below the step while it waits. */
  readonly live?: 'registered' | 'configured'
}

export type AppSteps = {
  readonly app: SetupApp
  readonly name: Translated
  /** The name of the app on the phone, if it differs. */
  readonly installedAs?: string
  readonly good: Translated
  /** How long the whole set-up takes, as measured by phone-walk.slow.test.ts. */
  readonly minutes: number
  readonly warning?: Translated
  /** It reads the notifications of wallet apps too. */
  readonly readsNotifications?: true
  readonly install: readonly Download[]
  readonly installNote?: Translated
  /** The steps for importing the settings from a file. `settings` are then for users who enter them by hand. */
  readonly byFile?: readonly Translated[]
  readonly settings: readonly SetupStep[]
  /** A setting that is no part of the file, for everybody. */
  readonly afterwards?: SetupStep
  /** The app's secret or code is created only when the user touches a button, because it expires. */
  readonly onDemand?: true
  /** A note below the battery steps. */
  readonly batteryNote?: Translated
  readonly trial: Translated
}

const step = (en: string, ar: string, more: Omit<SetupStep, 'text'> = {}): SetupStep => ({ text: { en, ar }, ...more })

export const appSteps: readonly AppSteps[] = [
  {
    app: 'smsgate',
    name: { en: 'SMS Gateway (SMSGate)', ar: 'SMS Gateway (SMSGate)' },
    good: {
      en: 'Free and signed. If the phone stops, you see it within minutes.',
      ar: 'مجاني، ورسائله موقّعة. إذا توقف الهاتف عرفت خلال دقائق.',
    },
    minutes: 6,
    install: [
      {
        name: 'GitHub',
        address: 'https://github.com/capcom6/android-sms-gateway/releases/latest/download/app-release.apk',
      },
    ],
    installNote: {
      en: 'Touch it: the file is downloaded. Open the file and touch “Install”.',
      ar: 'اضغطه فيبدأ التحميل. افتح الملف واضغط «تثبيت».',
    },
    settings: [
      step(
        'In the app: Settings → Cloud server… → API URL. Delete what is there and paste this:',
        'في التطبيق: الإعدادات ← خادم السحاب… ← رابط API. احذف الموجود والصق هذا:',
        { field: 'url' },
      ),
      step(
        'On Home: turn on “Cloud server” and “Start on boot”.',
        'في الرئيسية: فعّل «خادم السحاب» و«بدء التشغيل عند إقلاع النظام».',
      ),
      step(
        'Touch the button at the bottom (“Offline”), then “Sign Up”, then “Continue”, and allow it to read messages.',
        'اضغط الزر في الأسفل («غير متصل»)، ثم «إنشاء حساب»، ثم «استمرار»، واسمح بقراءة الرسائل.',
        { live: 'registered' },
      ),
      step(
        'Stop the app with that button, wait until it says “Offline”, then start it again.',
        'أوقف التطبيق بالزر نفسه، وانتظر حتى يظهر «غير متصل»، ثم شغّله.',
        { live: 'configured' },
      ),
    ],
    // The app pings every minute only after one more start: at the start before, it only received that setting.
    batteryNote: {
      en: 'At the end restart the phone once: the app starts by itself and takes its last setting.',
      ar: 'في الآخر أعد تشغيل الهاتف مرة واحدة: يبدأ التطبيق تلقائيًا وتصله آخر إعداداته.',
    },
    trial: {
      en: 'Send any SMS to this phone from another one.',
      ar: 'أرسل أي رسالة SMS إلى هذا الهاتف من هاتف آخر.',
    },
  },
  {
    app: 'agent',
    name: { en: 'Sanad agent (Termux)', ar: 'برنامج سند (Termux)' },
    installedAs: 'Termux',
    readsNotifications: true,
    good: {
      en: 'Our own program, signed. Finds messages that came while it was stopped, and reads notifications of wallet apps. Downloads about 130 MB (mostly Termux; the program itself is 18 kB).',
      ar: 'برنامج سند نفسه، ورسائله موقّعة. يجد الرسائل التي وصلت وهو متوقف، ويقرأ إشعارات تطبيقات المحافظ. يحمّل نحو 130 ميجابايت (أكثره Termux؛ والبرنامج نفسه 18 كيلوبايت).',
    },
    minutes: 9,
    install: [
      {
        name: 'Termux (F-Droid)',
        address: 'https://f-droid.org/packages/com.termux/',
        about_mb: agentSizes.termux_mb,
      },
    ],
    installNote: {
      en: 'Use Wi-Fi. Touch “Download APK”, then open the file. The Termux of the Play Store cannot read messages.',
      ar: 'استخدم الواي فاي. اضغط [[Download APK]] ثم افتح الملف. نسخة متجر Play لا تقرأ الرسائل.',
    },
    settings: [
      step(
        'Copy this line. Open Termux, hold the screen, touch “Paste”, then Enter:',
        'انسخ هذا السطر. افتح Termux واضغط مطولًا على الشاشة ثم Paste ثم Enter:',
        { field: 'setup' },
      ),
      step(
        'While it works (about 25 MB), install these two in the same way, and open Termux:Boot once:',
        'أثناء عمله (نحو 25 ميجابايت) ثبّت هذين بالطريقة نفسها، وافتح Termux:Boot مرة واحدة:',
        {
          links: [
            { name: 'Termux:API (F-Droid)', address: 'https://f-droid.org/packages/com.termux.api/' },
            { name: 'Termux:Boot (F-Droid)', address: 'https://f-droid.org/packages/com.termux.boot/' },
          ],
        },
      ),
      step(
        'Allow Termux:API to read messages. For notifications: Settings → Notifications → Notification access → Termux:API.',
        'اسمح لـ Termux:API بقراءة الرسائل. ولقراءة الإشعارات: الإعدادات ← الإشعارات ← الوصول إلى الإشعارات ← Termux:API.',
      ),
    ],
    onDemand: true,
    batteryNote: { en: 'The same for Termux:API and Termux:Boot.', ar: 'وكذلك لـ Termux:API و Termux:Boot.' },
    trial: {
      en: 'Wait a minute: “Connected” turns green. The agent passes on only messages of your wallets’ companies: ask one for the balance by SMS.',
      ar: 'انتظر دقيقة حتى تصبح علامة «متصل» خضراء. البرنامج ينقل رسائل شركات محافظك فقط: اطلب الرصيد من الشركة برسالة.',
    },
  },
  {
    app: 'sms-to-url',
    name: { en: 'Incoming SMS to URL Forwarder', ar: 'Incoming SMS to URL Forwarder' },
    good: {
      en: 'Set up by one file, signed. With its heartbeat (from version 2.4.0) a stopped phone is noticed within minutes.',
      ar: 'إعداده بملف واحد، ورسائله موقّعة. ومع نبض التطبيق (من الإصدار 2.4.0) تعرف توقف الهاتف خلال دقائق.',
    },
    minutes: 6,
    warning: {
      en: 'Play Protect removes it from some phones: then take SMS Gateway.',
      ar: 'حماية Google Play تحذفه من بعض الهواتف: عندها اختر SMS Gateway.',
    },
    install: [
      { name: 'F-Droid', address: 'https://f-droid.org/packages/tech.bogomolov.incomingsmsgateway/' },
      { name: 'GitHub', address: 'https://github.com/bogkonstantin/android_income_sms_gateway_webhook/releases' },
    ],
    installNote: {
      en: 'On the page of F-Droid touch “Download APK”, then open the file and touch “Install”.',
      ar: 'في صفحة F-Droid اضغط [[Download APK]]، ثم افتح الملف واضغط «تثبيت».',
    },
    byFile: [
      { en: 'Save the file:', ar: 'احفظ الملف:' },
      {
        en: 'In the app: Settings → Backup → Import, and choose the file (in Downloads, its name begins with “sanad”).',
        ar: 'في التطبيق: [[Settings → Backup → Import]]، واختر الملف (في التنزيلات، اسمه يبدأ بـ sanad).',
      },
      {
        en: 'Allow it to read messages: an “F” appears in the status bar. Then delete the file.',
        ar: 'اسمح له بقراءة الرسائل: يظهر حرف F في شريط الحالة. ثم احذف الملف.',
      },
    ],
    settings: [
      step('Touch “+”. Sender:', 'اضغط «+». خانة Sender:', { field: 'sender' }),
      step('“Sender is a regular expression”:', 'خانة [[Sender is a regular expression]]:', {
        field: 'regex',
        pick: true,
      }),
      step('Webhook URL:', 'خانة Webhook URL:', { field: 'url' }),
      step('Advanced parameters → Sim Slot:', 'ثم [[Advanced parameters → Sim Slot]]:', { field: 'sim', pick: true }),
      step('Json Payload Template:', 'خانة Json Payload Template:', { field: 'template' }),
      step('Turn on HMAC-SHA256 signing, and paste its secret:', 'فعّل التوقيع HMAC-SHA256 والصق السر:', {
        field: 'key',
      }),
    ],
    afterwards: step(
      'Then in the app’s settings turn on Heartbeat (from version 2.4.0), every 5 minutes, and paste this address:',
      'ثم فعّل Heartbeat في إعدادات التطبيق (من الإصدار 2.4.0) كل 5 دقائق، والصق هذا العنوان:',
      { field: 'heartbeat' },
    ),
    trial: {
      en: 'In the app touch the rule, then “Test”. A message from a friend is not passed on.',
      ar: 'في التطبيق اضغط على القاعدة ثم Test. رسالة من صديق لا تُنقل.',
    },
  },
  {
    app: 'sms-forwarder',
    name: { en: 'SmsForwarder', ar: 'SmsForwarder' },
    readsNotifications: true,
    good: {
      en: 'Also passes on the notifications of wallet apps.',
      ar: 'ينقل إشعارات تطبيقات المحافظ أيضًا.',
    },
    minutes: 7,
    warning: {
      en: 'Unsigned: every payment waits for the owner’s review, unless the owner raises the wallet’s limit for unsigned messages.',
      ar: 'رسائله غير موقّعة: كل دفعة تنتظر مراجعة المالك، إلا إذا رفع حد الرسائل غير الموقّعة في المحفظة.',
    },
    install: [{ name: 'GitHub', address: 'https://github.com/pppscn/SmsForwarder/releases' }],
    installNote: {
      en: 'In the newest release touch the file with “universal” in its name, open it and touch “Install”. If the app is in Chinese: the last tab at the bottom, then English.',
      ar: 'في أحدث إصدار اضغط الملف الذي في اسمه [[universal]]، ثم افتحه واضغط «تثبيت». إذا ظهر التطبيق بالصينية: آخر تبويب في الأسفل، ثم English.',
    },
    settings: [
      step(
        'Settings: turn on “Forward Sms” and allow it to read messages. Then Senders → “+” → Webhook. Channel Name:',
        'في Settings فعّل [[Forward Sms]] واسمح بقراءة الرسائل. ثم [[Senders → + → Webhook]]. خانة [[Channel Name]]:',
        { field: 'name' },
      ),
      step('Method: POST. Webhook Server:', 'خانة Method: اختر POST. خانة Webhook Server:', { field: 'url' }),
      step('Params (leave the rest empty, then Save):', 'خانة Params (اترك الباقي فارغًا ثم Save):', {
        field: 'template',
      }),
      step(
        'Rules → “+”: in Select Sender choose Sanad, in Field choose:',
        'ثم [[Rules → +]]: في [[Select Sender]] اختر Sanad، وفي Field اختر:',
        { field: 'field', pick: true },
      ),
      step('In Type choose:', 'في Type اختر:', { field: 'type', pick: true }),
      step('Value, then Save:', 'خانة Value ثم Save:', { field: 'sender' }),
    ],
    trial: {
      en: 'In the app open Senders → Sanad and touch “Test”. A message from a friend is not passed on.',
      ar: 'في التطبيق افتح [[Senders → Sanad]] واضغط Test. رسالة من صديق لا تُنقل.',
    },
  },
]
