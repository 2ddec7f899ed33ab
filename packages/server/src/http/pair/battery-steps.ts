/**
 * The screens on which the makers of phones stop apps in the background, and what to choose there. Menus differ between
 * versions: where two are known, both are named. From dontkillmyapp.com and the makers' manuals, read in 2026; not tried on
 * phones. `{app}` is the name of the app. Pure.
 */
import type { Translated } from './pair-words.ts'

export type BatterySteps = {
  readonly maker: string
  readonly name: Translated
  /** A regular expression for the models of this maker in a browser's user agent. */
  readonly models: string
  readonly steps: readonly Translated[]
}

const translated = (en: string, ar: string): Translated => ({ en, ar })

const unrestricted = translated(
  'Settings → Apps → {app} → Battery → “Unrestricted”.',
  'الإعدادات ← التطبيقات ← {app} ← البطارية ← «غير مقيّد».',
)
const keepPermissions = translated(
  'On the same screen turn off “Pause app activity if unused”.',
  'في الشاشة نفسها أوقف «إيقاف نشاط التطبيق مؤقتًا عند عدم استخدامه».',
)
const lock = translated(
  'Open the list of recent apps, hold {app} and touch the lock.',
  'افتح قائمة التطبيقات الأخيرة، واضغط مطولًا على {app} ثم اضغط القفل.',
)
const phoneMaster = translated(
  'Phone Master → Toolbox → “Auto-start management”: turn {app} on.',
  'تطبيق Phone Master ← الأدوات ← «إدارة التشغيل التلقائي»: فعّل {app}.',
)
const powerSaving = translated(
  'Settings → Battery: turn off “Power Marathon” and “Ultra power”, and do not let {app} be cleaned in the background.',
  'الإعدادات ← البطارية: أوقف «Power Marathon» ووضع التوفير الفائق، ولا تسمح بتنظيف {app} في الخلفية.',
)

export const batterySteps: readonly BatterySteps[] = [
  {
    maker: 'samsung',
    name: translated('Samsung', 'سامسونج'),
    models: 'SAMSUNG|SM-[A-Z]',
    steps: [
      translated(
        'Settings → Battery (or Device care → Battery) → Background usage limits → “Never sleeping apps”: add {app}.',
        'الإعدادات ← البطارية (أو العناية بالجهاز ← البطارية) ← حدود الاستخدام في الخلفية ← «تطبيقات لا تدخل في وضع السكون»: أضف {app}.',
      ),
      translated(
        'One screen back turn off “Put unused apps to sleep”.',
        'ارجع شاشة واحدة وأوقف «وضع التطبيقات غير المستخدمة في السكون».',
      ),
      unrestricted,
    ],
  },
  {
    maker: 'xiaomi',
    name: translated('Xiaomi, Redmi, Poco', 'شاومي، ريدمي، بوكو'),
    models: 'XIAOMI|REDMI|POCO|\\bMI |\\bM20\\d\\d|\\b2[0-9]{3,}[A-Z0-9]{4,}',
    steps: [
      translated(
        'Settings → Apps → Manage apps → {app}: turn on “Autostart”. On newer phones: App permissions → “Background autostart”.',
        'الإعدادات ← التطبيقات ← إدارة التطبيقات ← {app}: فعّل «التشغيل التلقائي». في الهواتف الأحدث: أذونات التطبيق ← «التشغيل التلقائي في الخلفية».',
      ),
      translated(
        'On the same screen: Battery saver → “No restrictions”.',
        'في الشاشة نفسها: توفير البطارية ← «بلا قيود».',
      ),
      lock,
    ],
  },
  {
    maker: 'huawei',
    name: translated('Huawei, Honor', 'هواوي، هونر'),
    models: 'HUAWEI|HONOR|\\b[A-Z]{3}-(?:L|LX|AL|TL|NX)\\d',
    steps: [
      translated(
        'Settings → Battery (or Apps) → App launch → {app}: turn off “Manage automatically”, then turn on auto-launch, secondary launch and run in background.',
        'الإعدادات ← البطارية (أو التطبيقات) ← تشغيل التطبيقات ← {app}: أوقف «الإدارة تلقائيًا»، ثم فعّل التشغيل التلقائي والتشغيل الثانوي والتشغيل في الخلفية.',
      ),
      translated(
        'Settings → Apps → {app} → Battery → Battery optimisation: “Don’t allow”.',
        'الإعدادات ← التطبيقات ← {app} ← البطارية ← تحسين البطارية: «عدم السماح».',
      ),
      lock,
    ],
  },
  {
    maker: 'oppo',
    name: translated('Oppo, Realme', 'أوبو، ريلمي'),
    models: 'OPPO|REALME|\\bCPH\\d{4}|\\bRMX\\d{4}',
    steps: [
      translated(
        'Settings → Apps → Auto launch: turn {app} on.',
        'الإعدادات ← التطبيقات ← التشغيل التلقائي: فعّل {app}.',
      ),
      translated(
        'Settings → Apps → {app} → Battery usage: allow auto launch and background activity. Not there? Settings → Battery → App battery management.',
        'الإعدادات ← التطبيقات ← {app} ← استخدام البطارية: اسمح بالتشغيل التلقائي والنشاط في الخلفية. إن لم تجده: الإعدادات ← البطارية ← إدارة بطارية التطبيقات.',
      ),
      lock,
    ],
  },
  {
    maker: 'tecno',
    name: translated('Tecno', 'تكنو'),
    models: 'TECNO',
    steps: [phoneMaster, unrestricted, powerSaving],
  },
  {
    maker: 'infinix',
    name: translated('Infinix', 'إنفينكس'),
    models: 'INFINIX',
    steps: [phoneMaster, unrestricted, powerSaving],
  },
  {
    maker: 'other',
    name: translated('Another maker', 'شركة أخرى'),
    models: '(?!)',
    steps: [unrestricted, keepPermissions, lock],
  },
]
