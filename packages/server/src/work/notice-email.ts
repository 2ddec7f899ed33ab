/**
 * The emails to owners: what happened, by whom and when, and what to do. Arabic first, then English, as in all emails. One fact
 * a line, so that names, addresses and times are readable in either writing direction. Pure.
 */

import { forwardingAppNames } from '@sanad/contract/forwarding-apps'
import type { OwnerReason } from '@sanad/contract/kinds'
import type { OwnerNotice, OwnerNoticeKind } from '../accounts/notices/owner-notice.ts'
import { isolate, nameInEmail } from '../accounts/people/user-emails.ts'
import type { Zone } from '../core/zone.ts'
import {
  type Bilingual,
  emailOf,
  fact,
  factIfKnown,
  moment,
  nameOrNothing,
  namesFact,
  same,
  type Unaddressed,
} from './email-lines.ts'
import { type AboutMember, aboutMember, memberNoticeEmail } from './member-notice-email.ts'

const phone = { ar: 'الهاتف', en: 'Phone' }
const key = { ar: 'المفتاح', en: 'Key' }
const template = { ar: 'نموذج الرسالة', en: 'Template' }
const endpoint = { ar: 'عنوان الاستقبال', en: 'Endpoint' }

type ActionKind = Exclude<
  OwnerNoticeKind,
  | 'webhook_failing'
  | 'webhook_disabled'
  | 'webhook_gone'
  | 'secrets_lost'
  | 'member_request'
  | 'booked_short'
  | AboutMember
>
type Content = {
  readonly subject: Bilingual
  readonly sentence: Bilingual
  readonly label: Bilingual
  readonly undo: Bilingual
}

const phoneUndo = {
  ar: 'إن لم يكن ذلك منك أو بعلمك: أوقف الهاتف من لوحة التحكم، واربطه من جديد، وغيّر كلمات مرور المالكين:',
  en: 'If neither you nor somebody you trust did this: switch the phone off in the dashboard, pair it again, and change the passwords of the owners:',
}
const webhookUndo = {
  ar: 'إن لم يكن ذلك منك أو بعلمك: أوقف عنوان الاستقبال من لوحة التحكم، وغيّر قيم الترويسات على خادمك، وكلمات مرور المالكين:',
  en: 'If neither you nor somebody you trust did this: disable the endpoint in the dashboard, change the header values at your server, and the passwords of the owners:',
}
const keyUndo = {
  ar: 'إن لم يكن ذلك منك أو بعلمك: ألغِ المفتاح من لوحة التحكم، وغيّر كلمات مرور المالكين:',
  en: 'If neither you nor somebody you trust did this: revoke the key in the dashboard, and change the passwords of the owners:',
}

const approvalUndo = {
  ar: 'راجع الطلب في لوحة التحكم ثم أكّده أو ارفضه. لا يتغير شيء قبل تأكيدك:',
  en: 'Look at it in the dashboard and confirm or decline it. Nothing changes before you confirm:',
}

/** What a manager asks an owner to confirm, by the codes of the approval. */
const approvalReasons: Readonly<Record<OwnerReason, Bilingual>> = {
  sender: { ar: 'احتساب رسائل مرسل جديد', en: 'messages of a new sender would count' },
  app: { ar: 'احتساب إشعارات تطبيق آخر', en: 'notifications of another app would count' },
  low_trust_limit: { ar: 'قبول رسائل غير موقّعة بمبلغ أكبر', en: 'larger unsigned payments would be accepted' },
  review_above: {
    ar: 'رفع حد المراجعة أو إلغاؤه',
    en: 'the amount above which payments wait would be raised or removed',
  },
  review_broken_chains: { ar: 'إيقاف التحقق من الرصيد', en: 'the check of the balance would be switched off' },
  review_later_messages: {
    ar: 'إيقاف السؤال عن رسالة لاحقة قد تكون للدفعة نفسها',
    en: 'a later message of the same payment would not be asked about',
  },
}

const reasonsFact = (reasons: string | undefined): Bilingual[] => {
  const known = (reasons ?? '').split(',').flatMap((code) => approvalReasons[code as OwnerReason] ?? [])
  if (known.length === 0) return []
  return [
    {
      ar: `المطلوب: ${known.map(({ ar }) => ar).join('، ')}`,
      en: `Asked for: ${known.map(({ en }) => en).join('; ')}`,
    },
  ]
}

const templateUndo = {
  ar: 'إن لم يكن ذلك بعلمك: أوقف النموذج من لوحة التحكم، وراجع المرسل المسجل في محافظك:',
  en: 'If you do not know of this: retire the template in the dashboard, and check the senders of your wallets:',
}

/** The content of a notice about an action of a user. `whose`: the name of the account. */
const actionContent = (kind: ActionKind, again: boolean, whose: string): Content => {
  const inAccount = { ar: `في حساب «${isolate(whose)}»`, en: `of the account "${whose}"` }
  switch (kind) {
    case 'phone_paired':
      return {
        subject: again
          ? { ar: `رُبط هاتف من جديد: ${whose}`, en: `A phone was paired again: ${whose}` }
          : { ar: `رُبط هاتف: ${whose}`, en: `A phone was paired: ${whose}` },
        sentence: {
          ar: `رُبط هاتف ${again ? 'من جديد ' : ''}${inAccount.ar}. ما يرسله من رسائل المحافظ يُعتمد في إثبات الدفعات.`,
          en: `A phone ${inAccount.en} was paired${again ? ' again' : ''}. The wallet messages that it sends now prove payments.`,
        },
        label: phone,
        undo: phoneUndo,
      }
    case 'app_let_in':
      return {
        subject: { ar: `سُمح لتطبيق نقل الرسائل: ${whose}`, en: `A forwarding app was given access: ${whose}` },
        sentence: {
          ar: `سُمح لتطبيق نقل الرسائل بإرسال رسائل هاتف ${inAccount.ar}.`,
          en: `A forwarding app may send the messages of a phone ${inAccount.en}.`,
        },
        label: phone,
        undo: phoneUndo,
      }
    case 'signing_key_set':
      return {
        subject: { ar: `تغيّر مفتاح توقيع هاتف: ${whose}`, en: `The signing key of a phone was changed: ${whose}` },
        sentence: {
          ar: `تغيّر مفتاح توقيع رسائل هاتف ${inAccount.ar}.`,
          en: `The key that signs the messages of a phone ${inAccount.en} was changed.`,
        },
        label: phone,
        undo: phoneUndo,
      }
    case 'webhook_created':
      return {
        subject: { ar: `أُضيف عنوان استقبال: ${whose}`, en: `An endpoint was added: ${whose}` },
        sentence: {
          ar: `تُرسل إشعارات المتجر ${inAccount.ar} إلى عنوان جديد.`,
          en: `Payment notices ${inAccount.en} are sent to a new address.`,
        },
        label: endpoint,
        undo: webhookUndo,
      }
    case 'webhook_moved':
      return {
        subject: { ar: `نُقل عنوان الاستقبال: ${whose}`, en: `An endpoint was moved: ${whose}` },
        sentence: {
          ar: `إشعارات المتجر ${inAccount.ar} تُرسل الآن إلى عنوان آخر.`,
          en: `Payment notices ${inAccount.en} are now sent to another address.`,
        },
        label: { ar: 'العنوان الجديد', en: 'New address' },
        undo: webhookUndo,
      }
    case 'webhook_rotated':
      return {
        subject: { ar: `سر جديد لعنوان الاستقبال: ${whose}`, en: `An endpoint has a new secret: ${whose}` },
        sentence: {
          ar: `جُدّد سر توقيع إشعارات المتجر ${inAccount.ar}.`,
          en: `The secret that signs payment notices ${inAccount.en} was renewed.`,
        },
        label: endpoint,
        undo: webhookUndo,
      }
    case 'key_created':
      return {
        subject: { ar: `مفتاح API جديد: ${whose}`, en: `An API key was made: ${whose}` },
        sentence: {
          ar: `أُنشئ مفتاح API ${inAccount.ar}.`,
          en: `An API key ${inAccount.en} was made.`,
        },
        label: key,
        undo: keyUndo,
      }
    case 'template_published':
      return {
        subject: { ar: `نُشر نموذج رسالة: ${whose}`, en: `A template was published: ${whose}` },
        sentence: {
          ar: `نُشر نموذج رسالة ${inAccount.ar}. الرسائل التي يقرؤها تُعتمد في إثبات الدفعات.`,
          en: `A template ${inAccount.en} was published. The messages that it reads now prove payments.`,
        },
        label: template,
        undo: templateUndo,
      }
    case 'template_retired':
      return {
        subject: { ar: `أُوقف نموذج رسالة: ${whose}`, en: `A template was retired: ${whose}` },
        sentence: {
          ar: `أُوقف نموذج رسالة ${inAccount.ar}. الرسائل التي كان يقرؤها لم تعد تُعتمد.`,
          en: `A template ${inAccount.en} was retired. The messages that it read prove no payment any more.`,
        },
        label: template,
        undo: {
          ar: 'إن لم يكن ذلك بعلمك: أنشئ منه نسخة جديدة وانشرها من لوحة التحكم:',
          en: 'If you do not know of this: draft its next version in the dashboard, and publish it:',
        },
      }
    case 'trust_changed':
      return {
        subject: { ar: `تغيّر ما يُعتمد في إثبات الدفعات: ${whose}`, en: `Other messages prove payments now: ${whose}` },
        sentence: {
          ar: `تغيّر ${inAccount.ar} أي الرسائل تُعتمد في إثبات الدفعات، أو خُفف حد من حدود المراجعة.`,
          en: `Which messages prove payments ${inAccount.en} was changed, or a limit of review was loosened.`,
        },
        label: { ar: 'على', en: 'Of' },
        undo: {
          ar: 'إن لم يكن ذلك منك أو بعلمك: أعد الإعداد كما كان من لوحة التحكم، وغيّر كلمات مرور المالكين:',
          en: 'If neither you nor somebody you trust did this: set it back in the dashboard, and change the passwords of the owners:',
        },
      }
    case 'approval_asked':
      return {
        subject: { ar: `طلب موافقة: ${whose}`, en: `An approval is asked for: ${whose}` },
        sentence: {
          ar: `طلب مدير ${inAccount.ar} تغييرًا يحتاج إلى موافقة المالك، لأنه يحدد أي الرسائل تُعتمد في إثبات الدفعات.`,
          en: `A manager ${inAccount.en} asks for a change that needs an owner, because it decides which messages prove payments.`,
        },
        label: { ar: 'على', en: 'About' },
        undo: approvalUndo,
      }
    case 'key_loosened':
      return {
        subject: { ar: `خُففت حدود مفتاح API: ${whose}`, en: `An API key may do more: ${whose}` },
        sentence: {
          ar: `خُففت حدود مفتاح API ${inAccount.ar}: يستطيع الآن أكثر من قبل.`,
          en: `The limits of an API key ${inAccount.en} were loosened: it may do more than before.`,
        },
        label: key,
        undo: keyUndo,
      }
    case 'key_rotated':
      return {
        subject: { ar: `سر جديد لمفتاح API: ${whose}`, en: `An API key has a new secret: ${whose}` },
        sentence: {
          ar: `جُدّد سر مفتاح API ${inAccount.ar}.`,
          en: `The secret of an API key ${inAccount.en} was renewed.`,
        },
        label: key,
        undo: keyUndo,
      }
  }
}

const pages = {
  phone: '/phones/',
  webhook: '/webhooks/',
  key: '/keys',
  template: '/templates/',
  approval: '/approvals/',
  account: '/phones',
  member: '/settings/members',
  intent: '/intents/',
  user: '/settings/members',
  wallet: '/wallets/',
  provider: '/wallets',
} as const

const isAboutMember = (kind: OwnerNoticeKind): kind is AboutMember => (aboutMember as readonly string[]).includes(kind)

/** `origin`: the URL of the dashboard. */
export const noticeEmail = (notice: OwnerNotice, account: string, zone: Zone, origin: string): Unaddressed => {
  const whose = nameInEmail(account)
  const { kind, facts, objectKind, objectId } = notice
  const hasOwnPage = pages[objectKind].endsWith('/')
  const page = same(`${origin}${pages[objectKind]}${hasOwnPage ? objectId : ''}`)
  if (kind === 'member_request') return memberRequestEmail(notice, whose, zone, page)
  if (kind === 'secrets_lost') return secretsLostEmail(notice, whose, zone, page)
  if (kind === 'booked_short') return bookedShortEmail(notice, whose, zone, page)
  if (kind === 'webhook_failing' || kind === 'webhook_disabled' || kind === 'webhook_gone')
    return endpointHealthEmail(kind, notice, whose, zone, page)
  if (isAboutMember(kind)) return memberNoticeEmail(kind, notice, whose, zone, `${origin}/settings/members`)
  const { subject, sentence, label, undo } = actionContent(kind, facts.again === true, whose)
  return emailOf(kind.replaceAll('_', ' '), subject, [
    sentence,
    ...factIfKnown(label, nameOrNothing(facts.name) ?? facts.to),
    ...factIfKnown({ ar: 'العنوان السابق', en: 'Address before' }, facts.from),
    ...factIfKnown({ ar: 'الطراز', en: 'Model' }, nameOrNothing(facts.model)),
    ...factIfKnown({ ar: 'التطبيق', en: 'App' }, nameOrNothing(forwardingAppNames[facts.app ?? ''] ?? facts.app)),
    ...namesFact({ ar: 'المرسل', en: 'Senders' }, facts.senders, facts.more_senders),
    ...namesFact({ ar: 'التطبيقات', en: 'Apps' }, facts.packages, facts.more_packages),
    ...reasonsFact(facts.reasons),
    ...factIfKnown({ ar: 'بواسطة', en: 'By' }, nameOrNothing(notice.by)),
    fact({ ar: 'الوقت', en: 'At' }, moment(zone, notice.at)),
    undo,
    page,
  ])
}

/** A user whose address was not proved has proved it by a new password. */
const memberRequestEmail = ({ facts, at }: OwnerNotice, whose: string, zone: Zone, page: Bilingual): Unaddressed =>
  emailOf('member request', { ar: `عضو بانتظار تأكيدك: ${whose}`, en: `A member waits for you: ${whose}` }, [
    {
      ar: `صاحب هذا البريد أثبت أنه له بكلمة مرور جديدة، وكان عضوًا في حساب «${isolate(whose)}» قبل أن يثبته. حتى تؤكد أنت، لا يدخل إلى الحساب.`,
      en: `The owner of this address proved it by a new password, and it was a member of the account "${whose}" before that. Until you confirm, it gives no access to the account.`,
    },
    ...factIfKnown({ ar: 'البريد', en: 'Address' }, nameOrNothing(facts.name)),
    fact({ ar: 'الوقت', en: 'At' }, moment(zone, at)),
    {
      ar: 'إن كنت تعرف صاحب البريد فأكّد عضويته، وإلا فارفضها:',
      en: 'If you know who owns the address, confirm the membership; otherwise decline it:',
    },
    page,
  ])

/** A member booked less to an order than was asked, or accepted less. */
const bookedShortEmail = ({ facts, by, at }: OwnerNotice, whose: string, zone: Zone, page: Bilingual): Unaddressed => {
  const money = (amount = ''): string => `${amount} ${facts.currency ?? ''}`.trim()
  const test = facts.test === true ? { ar: ' (محفظة تجريبية)', en: ' (test wallet)' } : { ar: '', en: '' }
  return emailOf(
    'booked short',
    {
      ar: `سُجّل أقل من مبلغ الطلبية${test.ar}: ${whose}`,
      en: `Less than the order was booked${test.en}: ${whose}`,
    },
    [
      {
        ar: `سُجّل على طلبية في حساب «${isolate(whose)}» أقل مما طُلب${test.ar}، واعتُبرت مدفوعة. لم يصل الباقي: تم التجاوز عنه.`,
        en: `Less than was asked was booked to an order of the account "${whose}"${test.en}, and the order counts as paid. The rest did not arrive: it was forgiven.`,
      },
      ...factIfKnown({ ar: 'الطلبية', en: 'Order' }, nameOrNothing(facts.order)),
      ...factIfKnown({ ar: 'رقم طلب الدفع', en: 'Payment code' }, facts.payment),
      fact({ ar: 'المطلوب', en: 'Asked' }, money(facts.asked_amount)),
      fact({ ar: 'الواصل', en: 'Arrived' }, money(facts.arrived_amount)),
      fact({ ar: 'المتجاوز عنه', en: 'Forgiven' }, money(facts.forgiven_amount)),
      ...factIfKnown({ ar: 'بواسطة', en: 'By' }, nameOrNothing(by)),
      fact({ ar: 'الوقت', en: 'At' }, moment(zone, at)),
      { ar: 'إن لم تكن تعرف بهذا، فراجع من سجّله:', en: 'If you do not know of this, ask whoever booked it:' },
      page,
    ],
  )
}

/** The master key was lost, and with it everything that it sealed. */
const secretsLostEmail = ({ facts, at }: OwnerNotice, whose: string, zone: Zone, page: Bilingual): Unaddressed =>
  emailOf('secrets lost', { ar: `فُقدت أسرار الحساب: ${whose}`, en: `Secrets were lost: ${whose}` }, [
    {
      ar: `فُقد المفتاح الذي تُحفظ به أسرار حساب «${isolate(whose)}»، ووُضع مفتاح جديد بواسطة مشغّل الخدمة. الدفعات وطلبات الدفع لم تتغير.`,
      en: `The key that seals the secrets of the account "${whose}" was lost, and the operator of the service has set a new one. Payments and intents did not change.`,
    },
    fact({ ar: 'هواتف يجب ربطها من جديد', en: 'Phones to pair again' }, facts.phones ?? 0),
    fact(
      { ar: 'عناوين استقبال يجب تجديد سرها وترويساتها', en: 'Endpoints that need a new secret and headers' },
      facts.endpoints ?? 0,
    ),
    fact({ ar: 'أعضاء بلا تحقق بخطوتين الآن', en: 'Members without a second factor now' }, facts.second_factors ?? 0),
    ...((facts.pins ?? 0) > 0
      ? [fact({ ar: 'أعضاء يلزمهم رمز جديد للكاشير', en: 'Members who need a new PIN for the counter' }, facts.pins!)]
      : []),
    fact({ ar: 'الوقت', en: 'At' }, moment(zone, at)),
    {
      ar: 'حتى يُربط الهاتف من جديد لا تُثبت رسائله أي دفعة، وحتى يُجدَّد السر لا يستطيع خادمك التحقق من الإشعارات:',
      en: 'Until a phone is paired again its messages prove no payment, and until its secret is renewed your server cannot verify notices:',
    },
    page,
  ])

/** An endpoint fails and will be disabled, or was disabled. */
const endpointHealthEmail = (
  kind: 'webhook_failing' | 'webhook_disabled' | 'webhook_gone',
  { facts, at }: OwnerNotice,
  whose: string,
  zone: Zone,
  page: Bilingual,
): Unaddressed => {
  const address = fact(endpoint, facts.to ?? '')
  const lines = [
    address,
    fact({ ar: 'منذ', en: 'Since' }, moment(zone, facts.failing_since ?? at)),
    fact({ ar: 'عدد المحاولات الفاشلة', en: 'Failed attempts' }, facts.failures ?? 0),
  ]
  if (kind === 'webhook_failing')
    return emailOf(
      'webhook failing',
      { ar: `إشعارات المتجر لا تصل: ${whose}`, en: `Payment notices do not arrive: ${whose}` },
      [
        {
          ar: `إشعارات المتجر لحساب «${isolate(whose)}» لا تصل إلى خادمك.`,
          en: `Payment notices of the account "${whose}" do not reach your server.`,
        },
        ...lines,
        fact(
          { ar: 'إن استمر ذلك يتوقف عنوان الاستقبال في', en: 'If that goes on, the endpoint is disabled on' },
          moment(zone, facts.disables_at ?? at),
        ),
        {
          ar: 'تحقق من أن خادمك يعمل ويرد بالحالة 200. ما ردّ به تجده في سجل الإرسال:',
          en: 'Check that your server is running and answers 200. What it answered is in the delivery log:',
        },
        page,
      ],
    )
  const gone = {
    ar: `أُوقف إرسال إشعارات المتجر لحساب «${isolate(whose)}» لأن خادمك ردّ بالحالة 410، أي أنه لا يريد المزيد.`,
    en: `Payment notices of the account "${whose}" were disabled, because your server answered 410: it wants no more.`,
  }
  const failed = {
    ar: `أُوقف إرسال إشعارات المتجر لحساب «${isolate(whose)}» لأن شيئًا منها لم يصل إلى خادمك.`,
    en: `Payment notices of the account "${whose}" were disabled, because none of them reached your server.`,
  }
  return emailOf(
    'webhook disabled',
    { ar: `أُوقفت إشعارات المتجر: ${whose}`, en: `Payment notices were disabled: ${whose}` },
    [
      ...(kind === 'webhook_gone' ? [gone, address] : [failed, ...lines]),
      {
        ar: 'تبقى الأحداث محفوظة. بعد إصلاح الخادم فعّل عنوان الاستقبال من لوحة التحكم، وأعد إرسال ما فاته:',
        en: 'Events are kept. When your server is well, enable the endpoint in the dashboard, and have sent what it missed:',
      },
      page,
    ],
  )
}
