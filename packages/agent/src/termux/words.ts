/** Every sentence that the agent prints, in English and Arabic. Pure. */
import type { Language } from './environment.ts'
import type { PairingRefusal } from './pairing-link.ts'
import type { FaultKind } from './phone/run-program.ts'
import type { ReleaseRefusal } from './release/check-release.ts'

type Words = {
  readonly usage: string
  readonly needsNode: (found: string) => string
  readonly notPaired: string
  readonly pasteLink: string
  readonly pairing: Readonly<Record<PairingRefusal, string>>
  readonly pairingFailed: (why: string) => string
  readonly paired: (origin: string) => string
  readonly identityUnreadable: (why: string) => string
  readonly smsWorks: string
  readonly smsFails: Readonly<Record<FaultKind | 'changing', string>>
  readonly notificationsWork: string
  readonly notificationsFail: Readonly<Record<FaultKind, string>>
  readonly bootWritten: string
  readonly jobScheduled: string
  readonly jobFailed: string
  readonly wakeLockFailed: string
  readonly remaining: readonly string[]
  readonly started: string
  readonly alreadyRuns: string
  readonly runs: string
  readonly runsNot: string
  readonly sweptAt: (ago: string) => string
  readonly neverSwept: string
  readonly contactAt: (ago: string) => string
  readonly neverContact: string
  readonly unsent: (count: number) => string
  readonly allSent: string
  readonly senders: (names: string) => string
  readonly noSenders: string
  readonly revoked: (ago: string) => string
  readonly unreachable: string
  readonly answered: (status: string) => string
  readonly switchedOff: string
  readonly queueFull: (most: number) => string
  readonly refused: (count: number) => string
  readonly missed: (count: number) => string
  readonly rebuilt: (ago: string) => string
  readonly damaged: string
  readonly healthy: string
  readonly unpaired: string
  readonly unsentKept: (count: number, path: string) => string
  readonly round: (unsent: number) => string
  readonly busy: string
  readonly testSent: string
  readonly testUnsent: string
  readonly failed: (why: string) => string
  readonly updateFrom: string
  readonly noAgentThere: (origin: string) => string
  readonly damagedDownload: string
  readonly updated: (version: string) => string
  readonly updatedUnsigned: string
  readonly notUpdated: string
  /** Why a release is refused. `path`: the file with the remembered key. */
  readonly release: (path: string) => Readonly<Record<ReleaseRefusal, string>>
  readonly ago: (ms: number) => string
}

const english: Words = {
  usage: `sanad-agent: reports the wallet messages of this phone to Sanad.

  sanad-agent setup [link]   connect this phone; paste the link of the pairing page
  sanad-agent status         what works and what does not
  sanad-agent run            run until it is stopped (started by setup and at boot)
  sanad-agent once           one round (for the job scheduler)
  sanad-agent test           send a test message, for the self-test of the dashboard
  sanad-agent update         install the agent that the service has now (--key: the key that must have signed it)
  sanad-agent unpair         disconnect this phone

  --lang en|ar               the language of the output`,
  needsNode: (found) =>
    `Node ${found} is too old: 22.13 or later is needed. Run: pkg upgrade -y && pkg install -y nodejs-lts`,
  notPaired: 'This phone is not connected. Run: sanad-agent setup',
  pasteLink: 'Paste the link of the pairing page and press Enter:',
  pairing: {
    no_address: 'This is a code without an address. Paste the whole link of the pairing page.',
    no_code: 'This is not a link of the pairing page. Copy it there again: it ends in #c= and ten characters.',
    not_encrypted: 'This link begins with http: others could read the secret on the way. It must begin with https.',
  },
  pairingFailed: (why) => `Not connected. ${why}`,
  paired: (origin) => `Connected to ${origin}.`,
  identityUnreadable: (why) => `The agent's file cannot be read: ${why}. Run: sanad-agent setup`,
  smsWorks: 'Messages (SMS): can be read.',
  smsFails: {
    missing: 'Messages (SMS): cannot be read. Run: pkg install -y termux-api',
    refused: 'Messages (SMS): not allowed. Allow Termux:API the permissions SMS and Contacts in the phone settings.',
    silent: 'Messages (SMS): no answer. Install the app Termux:API from F-Droid and open it once.',
    unreadable: 'Messages (SMS): the answer cannot be read. Run: pkg upgrade -y',
    changing: 'Messages (SMS): the inbox is changing. It is read again in a minute.',
  },
  notificationsWork: 'Notifications: can be read.',
  notificationsFail: {
    missing: 'Notifications: cannot be read. Run: pkg install -y termux-api',
    refused: 'Notifications: not allowed. Allow Termux:API the notification access in the phone settings.',
    silent:
      'Notifications: not connected. Switch the notification access of Termux:API off and on in the phone settings.',
    unreadable: 'Notifications: the answer cannot be read. Run: pkg upgrade -y',
  },
  bootWritten: 'Starts by itself when the phone starts (needs the app Termux:Boot).',
  jobScheduled: 'Android starts it again every 15 minutes if it was ended.',
  jobFailed: 'Android could not be asked to start it again: install Termux:API from F-Droid, then run setup again.',
  wakeLockFailed: 'The wake lock could not be taken: the phone may put the agent to sleep.',
  remaining: [
    'What only you can do, in the phone settings:',
    '  1. Install Termux:API and Termux:Boot from F-Droid (not from Google Play) and open each once.',
    '  2. Apps > Termux, Termux:API and Termux:Boot > Battery: Unrestricted.',
    '  3. Apps > Termux:API > Permissions: SMS and Contacts. If Android refuses: the menu at the top of that page >',
    '     Allow restricted settings, then again.',
    '  4. For wallets that notify by their app: Notification access > Termux:API.',
    '  5. Keep the notification of Termux, and keep the phone charged.',
  ],
  started: 'The agent is running.',
  alreadyRuns: 'The agent already runs. One round was made.',
  runs: 'Agent: running.',
  runsNot: 'Agent: not running. Run: sanad-agent run',
  sweptAt: (ago) => `Messages were last read ${ago}.`,
  neverSwept: 'Messages were never read.',
  contactAt: (ago) => `Sanad last answered ${ago}.`,
  neverContact: 'Sanad has never answered.',
  unsent: (count) => `Unsent messages: ${count}. They are kept and sent later.`,
  allSent: 'All messages are sent.',
  senders: (names) => `Reported senders: ${names}.`,
  noSenders: 'No wallet is bound to this phone yet, so no message is reported. Bind one in the dashboard.',
  revoked: (ago) =>
    `Sanad does not accept this phone (noticed ${ago}). Messages are kept. Make a new pairing code and run: sanad-agent setup`,
  unreachable: 'Sanad cannot be reached. It is tried again by itself.',
  answered: (status) => `Sanad answered with an error (${status}). It is tried again by itself.`,
  switchedOff: 'This phone is switched off in the dashboard: its messages are held there.',
  queueFull: (most) => `The queue is full (${most}). Further messages wait in the inbox: do not delete them there.`,
  refused: (count) => `Sanad refused ${count} messages. They are kept; tell the support.`,
  missed: (count) => `${count} notifications were not stored, because the queue was full.`,
  rebuilt: (ago) =>
    `The queue file was damaged or missing ${ago}. Messages of the last 30 days were read again; none counts twice.`,
  damaged: 'The queue file is damaged. The next round begins a new one and reads the inbox again.',
  healthy: 'Everything works.',
  unpaired: 'This phone is disconnected. Revoke it in the dashboard too.',
  unsentKept: (count, path) =>
    `${count} unsent messages are kept in ${path}. To delete them: sanad-agent unpair --discard`,
  round: (unsent) => `One round is done. Unsent messages: ${unsent}.`,
  busy: 'The agent is already at work.',
  testSent: 'A test message was sent. The self-test in the dashboard shows it.',
  testUnsent: 'The test message is not sent yet: sanad-agent status says why.',
  failed: (why) => `It failed: ${why}`,
  updateFrom: 'The address of the service is missing or wrong. Run: sanad-agent update --from https://...',
  noAgentThere: (origin) => `There is no agent at ${origin}.`,
  damagedDownload: 'The download is damaged: its checksum is wrong.',
  updated: (version) =>
    `The agent ${version} is installed. Its signature is right. It is used when the agent starts next.`,
  updatedUnsigned:
    'The agent is installed. No signature was checked: no key was given. It is used when the agent starts next.',
  notUpdated: 'Nothing was installed.',
  release: (path) => ({
    wrong_key: `The key, given or remembered in ${path}, is no public key of minisign: 56 characters that begin with RW.`,
    changed_key: `This is another key than the one that signed the installed agent. If you trust it, delete ${path} and the file sanad-agent.mjs.minisig beside it.`,
    no_signature:
      'The service has no signature of the agent, or it could not be downloaded. A key was given: without a signature the agent is refused.',
    unreadable: 'The signature is not in the format of minisign.',
    other_key: 'The agent is signed with another key than yours.',
    forged: 'The signature is wrong: the agent was changed after it was signed.',
    other_file: 'The signature names another file, or no version.',
    older: 'The agent of the service is older than the installed one.',
  }),
  ago: (ms) => {
    const minutes = Math.max(0, Math.round(ms / 60_000))
    if (minutes < 1) return 'just now'
    if (minutes === 1) return '1 minute ago'
    if (minutes < 120) return `${minutes} minutes ago`
    const hours = Math.round(minutes / 60)
    return hours < 48 ? `${hours} hours ago` : `${Math.round(hours / 24)} days ago`
  },
}

const plural = new Intl.PluralRules('ar')

/** A number with its noun, as Arabic counts: `one` and `two` need no number; zero is counted as a hundred is. */
const counted = (count: number, one: string, two: string, few: string, many: string, other: string): string => {
  const form = plural.select(count)
  if (form === 'one') return one
  if (form === 'two') return two
  if (form === 'few') return `${count} ${few}`
  return `${count} ${form === 'many' ? many : other}`
}

const messages = (count: number): string => counted(count, 'رسالة واحدة', 'رسالتان', 'رسائل', 'رسالة', 'رسالة')

const arabic: Words = {
  usage: `sanad-agent: يرسل رسائل المحفظة من هذا الهاتف إلى سند.

  sanad-agent setup [الرابط]   ربط هذا الهاتف: الصق رابط صفحة الربط
  sanad-agent status           ما يعمل وما لا يعمل
  sanad-agent run              تشغيل مستمر (يبدأ مع الربط ومع تشغيل الهاتف)
  sanad-agent once             جولة واحدة (للجدولة)
  sanad-agent test             إرسال رسالة اختبار لتظهر في لوحة التحكم
  sanad-agent update           تحديث البرنامج من الخدمة (--key: المفتاح الذي يجب أن يوقّعه)
  sanad-agent unpair           إلغاء ربط هذا الهاتف

  --lang en|ar                 اللغة`,
  needsNode: (found) =>
    `إصدار Node ${found} قديم، والمطلوب 22.13 أو أحدث. نفّذ: pkg upgrade -y && pkg install -y nodejs-lts`,
  notPaired: 'هذا الهاتف غير مربوط. نفّذ: sanad-agent setup',
  pasteLink: 'الصق رابط صفحة الربط ثم اضغط Enter:',
  pairing: {
    no_address: 'هذا رمز بلا عنوان. الصق رابط صفحة الربط كاملًا.',
    no_code: 'هذا ليس رابط صفحة الربط. انسخه منها مرة أخرى: ينتهي بـ ‎#c=‎ وعشرة أحرف.',
    not_encrypted: 'الرابط يبدأ بـ http ويمكن لغيرك قراءة السر في الطريق. يجب أن يبدأ بـ https.',
  },
  pairingFailed: (why) => `لم يتم الربط. ${why}`,
  paired: (origin) => `تم الربط مع ${origin}.`,
  identityUnreadable: (why) => `تعذرت قراءة ملف البرنامج: ${why}. نفّذ: sanad-agent setup`,
  smsWorks: 'رسائل SMS: القراءة تعمل.',
  smsFails: {
    missing: 'رسائل SMS: لا يمكن قراءتها. نفّذ: pkg install -y termux-api',
    refused: 'رسائل SMS: غير مسموح. اسمح لتطبيق Termux:API بإذن الرسائل وجهات الاتصال من إعدادات الهاتف.',
    silent: 'رسائل SMS: لا رد. ثبّت تطبيق Termux:API من F-Droid وافتحه مرة واحدة.',
    unreadable: 'رسائل SMS: تعذرت قراءة الرد. نفّذ: pkg upgrade -y',
    changing: 'رسائل SMS: صندوق الرسائل يتغيّر الآن، وستُعاد القراءة بعد دقيقة.',
  },
  notificationsWork: 'إشعارات التطبيقات: القراءة تعمل.',
  notificationsFail: {
    missing: 'إشعارات التطبيقات: لا يمكن قراءتها. نفّذ: pkg install -y termux-api',
    refused: 'إشعارات التطبيقات: غير مسموح. اسمح لتطبيق Termux:API بالوصول إلى الإشعارات من إعدادات الهاتف.',
    silent: 'إشعارات التطبيقات: غير متصلة. أوقف وصول Termux:API إلى الإشعارات ثم فعّله من إعدادات الهاتف.',
    unreadable: 'إشعارات التطبيقات: تعذرت قراءة الرد. نفّذ: pkg upgrade -y',
  },
  bootWritten: 'يبدأ تلقائيًا مع تشغيل الهاتف (يحتاج تطبيق Termux:Boot).',
  jobScheduled: 'إذا أوقفه أندرويد يعيد تشغيله كل 15 دقيقة.',
  jobFailed: 'تعذرت جدولة إعادة التشغيل: ثبّت Termux:API من F-Droid ثم نفّذ setup مرة أخرى.',
  wakeLockFailed: 'تعذر منع سكون الهاتف: قد يوقف الهاتف البرنامج.',
  remaining: [
    'بقيت خطوات لا يعملها غيرك، من إعدادات الهاتف:',
    '  1. تثبيت Termux:API و Termux:Boot من F-Droid (ليس من Google Play) وفتح كل منهما مرة واحدة.',
    '  2. التطبيقات > Termux و Termux:API و Termux:Boot > البطارية: غير مقيّد.',
    '  3. التطبيقات > Termux:API > الأذونات: الرسائل وجهات الاتصال. إذا رفض أندرويد: القائمة أعلى الصفحة >',
    '     السماح بالإعدادات المقيّدة، ثم المحاولة مرة أخرى.',
    '  4. للمحافظ التي تُشعر عبر تطبيقها: الوصول إلى الإشعارات > Termux:API.',
    '  5. إبقاء إشعار Termux ظاهرًا، وإبقاء الهاتف مشحونًا.',
  ],
  started: 'البرنامج يعمل الآن.',
  alreadyRuns: 'البرنامج يعمل من قبل. تمت جولة واحدة.',
  runs: 'البرنامج: يعمل.',
  runsNot: 'البرنامج: متوقف. نفّذ: sanad-agent run',
  sweptAt: (ago) => `آخر قراءة للرسائل: ${ago}.`,
  neverSwept: 'لم تُقرأ الرسائل بعد.',
  contactAt: (ago) => `آخر رد من سند: ${ago}.`,
  neverContact: 'لم يصل رد من سند بعد.',
  unsent: (count) => `رسائل لم تُرسل: ${messages(count)}. محفوظة وستُرسل لاحقًا.`,
  allSent: 'كل الرسائل أُرسلت.',
  senders: (names) => `المرسلون المطلوبون: ${names}.`,
  noSenders: 'لا توجد محفظة على هذا الهاتف بعد، فلا تُرسل أي رسالة. أضف المحفظة من لوحة التحكم.',
  revoked: (ago) => `سند لا يقبل هذا الهاتف (${ago}). الرسائل محفوظة. أنشئ رمز ربط جديدًا ثم نفّذ: sanad-agent setup`,
  unreachable: 'تعذر الوصول إلى سند. ستُعاد المحاولة تلقائيًا.',
  answered: (status) => `ردّ سند بخطأ (${status}). ستُعاد المحاولة تلقائيًا.`,
  switchedOff: 'هذا الهاتف متوقف في لوحة التحكم: رسائله محفوظة هناك دون استخدام.',
  queueFull: (most) => `قائمة الإرسال ممتلئة (${most}). بقية الرسائل تنتظر في صندوق الرسائل: لا تحذفها.`,
  refused: (count) => `رسائل رفضها سند: ${messages(count)}. محفوظة هنا؛ أبلغ الدعم.`,
  missed: (count) =>
    `لم يُحفظ لأن القائمة كانت ممتلئة: ${counted(count, 'إشعار واحد', 'إشعاران', 'إشعارات', 'إشعارًا', 'إشعار')}.`,
  rebuilt: (ago) =>
    `كان ملف القائمة تالفًا أو مفقودًا (${ago}). قُرئت رسائل آخر 30 يومًا من جديد، ولا تُحتسب أي رسالة مرتين.`,
  damaged: 'ملف القائمة تالف. في الجولة القادمة يُنشأ ملف جديد وتُقرأ الرسائل من جديد.',
  healthy: 'كل شيء يعمل.',
  unpaired: 'تم إلغاء ربط هذا الهاتف. ألغه من لوحة التحكم أيضًا.',
  unsentKept: (count, path) =>
    `رسائل لم تُرسل: ${messages(count)}. محفوظة في ${path}. لحذفها: sanad-agent unpair --discard`,
  round: (unsent) => `تمت جولة واحدة. رسائل لم تُرسل: ${messages(unsent)}.`,
  busy: 'البرنامج مشغول الآن.',
  testSent: 'أُرسلت رسالة اختبار، وتظهر في اختبار الهاتف في لوحة التحكم.',
  testUnsent: 'لم تُرسل رسالة الاختبار بعد. السبب في: sanad-agent status',
  failed: (why) => `تعذر التنفيذ: ${why}`,
  updateFrom: 'عنوان الخدمة غير موجود أو غير صحيح. نفّذ: sanad-agent update --from https://...',
  noAgentThere: (origin) => `لا يوجد البرنامج في ${origin}.`,
  damagedDownload: 'الملف وصل تالفًا.',
  updated: (version) => `تم تثبيت الإصدار ${version}، وتوقيعه صحيح. يُستخدم عند بدء البرنامج القادم.`,
  updatedUnsigned: 'تم التثبيت دون فحص التوقيع، لأن المفتاح لم يُعطَ. يُستخدم عند بدء البرنامج القادم.',
  notUpdated: 'لم يُثبَّت شيء.',
  release: (path) => ({
    wrong_key: `المفتاح، المُعطى أو المحفوظ في ${path}، ليس مفتاح minisign عامًا: 56 حرفًا تبدأ بـ RW.`,
    changed_key: `هذا مفتاح غير الذي وقّع البرنامج المثبّت. إن كنت تثق به فاحذف ${path} والملف sanad-agent.mjs.minisig بجانبه.`,
    no_signature: 'لا يوجد توقيع للبرنامج في الخدمة، أو تعذر تنزيله. أُعطي مفتاح، فلا يُقبل البرنامج بلا توقيع.',
    unreadable: 'التوقيع ليس بصيغة minisign.',
    other_key: 'البرنامج موقّع بمفتاح غير مفتاحك.',
    forged: 'التوقيع غير صحيح: تغيّر البرنامج بعد توقيعه.',
    other_file: 'التوقيع لملف آخر، أو بلا رقم إصدار.',
    older: 'الإصدار في الخدمة أقدم من المثبّت.',
  }),
  ago: (ms) => {
    const minutes = Math.max(0, Math.round(ms / 60_000))
    if (minutes < 1) return 'الآن'
    if (minutes < 120) return `قبل ${counted(minutes, 'دقيقة', 'دقيقتين', 'دقائق', 'دقيقة', 'دقيقة')}`
    const hours = Math.round(minutes / 60)
    if (hours < 48) return `قبل ${counted(hours, 'ساعة', 'ساعتين', 'ساعات', 'ساعة', 'ساعة')}`
    return `قبل ${counted(Math.round(hours / 24), 'يوم', 'يومين', 'أيام', 'يومًا', 'يوم')}`
  },
}

export const wordsIn = (language: Language): Words => (language === 'ar' ? arabic : english)
