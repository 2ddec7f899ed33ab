/**
 * The emails about the sign-in and the membership of a user: to the owners of their accounts, and to the user. What happened, from
 * where and when, and how to undo it. Pure.
 */
import type {
  FactorChange,
  NoticeFacts,
  OwnerNotice,
  OwnerNoticeKind,
  UserNotice,
  UserNoticeKind,
} from '../accounts/notices/owner-notice.ts'
import type { MemberRole } from '../accounts/people/permission.ts'
import { isolate, nameInEmail, roleWords } from '../accounts/people/user-emails.ts'
import type { Instant } from '../core/clock.ts'
import type { Zone } from '../core/zone.ts'
import {
  type Bilingual,
  emailOf,
  fact,
  factIfKnown,
  moment,
  nameOrNothing,
  same,
  type Unaddressed,
} from './email-lines.ts'

/** What owners are told about a member, or about what members need. */
export const aboutMember = [
  'sign_in_new',
  'sign_in_wrong',
  'second_factor_changed',
  'owner_added',
  'owner_removed',
  'factor_rule_changed',
  'pins_guessed',
] as const satisfies readonly OwnerNoticeKind[]
export type AboutMember = (typeof aboutMember)[number]

type Content = { readonly subject: Bilingual; readonly sentence: Bilingual; readonly undo: Bilingual }

export const factorSentences: Readonly<Record<FactorChange, Bilingual>> = {
  app_on: { ar: 'فُعّل التحقق بخطوتين بتطبيق الرموز.', en: 'A second factor was switched on, with an app for codes.' },
  app_off: {
    ar: 'أُوقف التحقق بخطوتين بتطبيق الرموز.',
    en: 'The second factor with an app for codes was switched off.',
  },
  passkey_added: { ar: 'أُضيف مفتاح مرور.', en: 'A passkey was added.' },
  passkey_removed: { ar: 'حُذف مفتاح مرور.', en: 'A passkey was removed.' },
  recovery_codes_made: {
    ar: 'أُنشئت رموز استرداد جديدة، ولم تعد الرموز السابقة تعمل.',
    en: 'New recovery codes were made; the ones from before work no more.',
  },
  recovery_code_used: {
    ar: 'استُعمل رمز استرداد بدل رمز التحقق.',
    en: 'A recovery code was used instead of a code of the app.',
  },
  ended_by_operator: {
    ar: 'أوقف مشغّل الخدمة التحقق بخطوتين.',
    en: 'The operator of the service switched the second factor off.',
  },
}

/** From where: address, browser and system, and how often it happened again. */
const clientLines = ({ address, browser, system, script, more = 0 }: NoticeFacts): Bilingual[] => [
  ...(script === true ? [fact({ ar: 'بواسطة', en: 'From' }, 'script (API token)')] : []),
  ...factIfKnown({ ar: 'المتصفح', en: 'Browser' }, [browser, system].filter(Boolean).join(', ')),
  ...factIfKnown({ ar: 'عنوان الشبكة', en: 'Network address' }, address),
  ...(more === 0 ? [] : [fact({ ar: 'تكرر بعد ذلك', en: 'It happened again' }, more)]),
]

const roleLine = (name: Bilingual, role: MemberRole | undefined): Bilingual[] =>
  role === undefined ? [] : [{ ar: `${name.ar}: ${roleWords[role].ar}`, en: `${name.en}: ${roleWords[role].en}` }]

const roleLines = ({ role, role_before: before }: NoticeFacts): Bilingual[] => [
  ...roleLine({ ar: 'الصلاحية السابقة', en: 'Role before' }, before),
  ...roleLine({ ar: 'الصلاحية الآن', en: 'Role now' }, role),
]

const removeMember: Bilingual = {
  ar: 'اسأل العضو. إن لم يكن هو من فعل ذلك: احذفه من الحساب الآن فتنتهي جلساته، ثم ادعه من جديد بعد أن يغيّر كلمة مروره:',
  en: 'Ask the member. If it was not them: remove them from the account now, which ends their sessions, and invite them again when they have a new password:',
}

const toOwners = (kind: AboutMember, facts: NoticeFacts, whose: string): Content => {
  const inAccount = { ar: `في حساب «${isolate(whose)}»`, en: `of the account "${whose}"` }
  switch (kind) {
    case 'sign_in_new':
      return {
        subject: { ar: `دخول من متصفح جديد: ${whose}`, en: `A sign-in from a new browser: ${whose}` },
        sentence: {
          ar: `سُجّل دخول عضو ${inAccount.ar} من متصفح لم يُستعمل من قبل.`,
          en: `A member ${inAccount.en} signed in from a browser that was not used before.`,
        },
        undo: removeMember,
      }
    case 'sign_in_wrong':
      return {
        subject: { ar: `محاولات دخول خاطئة: ${whose}`, en: `Wrong sign-ins: ${whose}` },
        sentence: {
          ar: `تكررت محاولات دخول خاطئة باسم عضو ${inAccount.ar}. لم يدخل أحد بها.`,
          en: `Somebody tries in vain to sign in as a member ${inAccount.en}. None of these tries got in.`,
        },
        undo: {
          ar: 'اطلب من العضو كلمة مرور لا يستعملها في مكان آخر وتفعيل التحقق بخطوتين. تستطيع أن تجعله إلزاميًا للجميع:',
          en: 'Ask the member for a password that they use nowhere else, and to set up a second factor. You can require one of all members:',
        },
      }
    case 'second_factor_changed':
      return {
        subject: { ar: `تغيّر التحقق بخطوتين لعضو: ${whose}`, en: `A member's second factor was changed: ${whose}` },
        sentence: {
          ar: `تغيّر التحقق بخطوتين لعضو ${inAccount.ar}. ${factorSentences[facts.change ?? 'app_on'].ar}`,
          en: `The second factor of a member ${inAccount.en} was changed. ${factorSentences[facts.change ?? 'app_on'].en}`,
        },
        undo: removeMember,
      }
    case 'owner_added':
      return {
        subject: { ar: `مالك جديد: ${whose}`, en: `A new owner: ${whose}` },
        sentence: {
          ar: `أُضيف مالك ${inAccount.ar}. المالك يستطيع كل شيء.`,
          en: `There is a new owner ${inAccount.en}. An owner may do everything.`,
        },
        undo: {
          ar: 'إن لم يكن ذلك منك أو بعلمك: غيّر صلاحيته أو احذفه الآن، وغيّر كلمات مرور المالكين:',
          en: 'If neither you nor somebody you trust did this: give them another role or remove them now, and change the passwords of the owners:',
        },
      }
    case 'owner_removed':
      return {
        subject: { ar: `مالك أقل: ${whose}`, en: `An owner was removed: ${whose}` },
        sentence: {
          ar: `لم يعد أحد المالكين مالكًا ${inAccount.ar}.`,
          en: `Somebody is no owner ${inAccount.en} any more.`,
        },
        undo: {
          ar: 'إن لم يكن ذلك بعلمك: أرسل إليه دعوة جديدة كمالك، وغيّر كلمات مرور المالكين:',
          en: 'If you do not know of this: invite them again as an owner, and change the passwords of the owners:',
        },
      }
    case 'pins_guessed':
      return {
        subject: { ar: `أرقام سرية خاطئة عند الكاشير: ${whose}`, en: `Wrong PINs at a counter: ${whose}` },
        sentence: {
          ar: `تكرر إدخال أرقام سرية خاطئة عند جهاز كاشير ${inAccount.ar}. لم يدخل أحد بها.`,
          en: `Somebody entered wrong PINs again and again at a counter ${inAccount.en}. None of them got in.`,
        },
        undo: {
          ar: 'اسأل من يعمل على الجهاز. إن لم يكن خطأ كتابة: أعطِ الكاشير رقمًا سريًا جديدًا، وأنهِ الجهاز إن لم يعد عندك:',
          en: 'Ask who works there. If nobody mistyped: give the cashier a new PIN, and end the counter if it is no longer yours:',
        },
      }
    case 'factor_rule_changed':
      return facts.on === true
        ? {
            subject: { ar: `التحقق بخطوتين إلزامي: ${whose}`, en: `A second factor is required: ${whose}` },
            sentence: {
              ar: `أصبح التحقق بخطوتين إلزاميًا لكل الأعضاء ${inAccount.ar}.`,
              en: `Every member ${inAccount.en} needs a second factor from the time below on.`,
            },
            undo: { ar: 'يمكن إيقاف ذلك من لوحة التحكم:', en: 'It can be switched off in the dashboard:' },
          }
        : {
            subject: { ar: `التحقق بخطوتين لم يعد إلزاميًا: ${whose}`, en: `A second factor is not required: ${whose}` },
            sentence: {
              ar: `لم يعد التحقق بخطوتين إلزاميًا للأعضاء ${inAccount.ar}.`,
              en: `Members ${inAccount.en} need no second factor any more.`,
            },
            undo: {
              ar: 'إن لم يكن ذلك منك أو بعلمك: اجعله إلزاميًا من جديد، وغيّر كلمات مرور المالكين:',
              en: 'If neither you nor somebody you trust did this: require it again, and change the passwords of the owners:',
            },
          }
  }
}

const at = (zone: Zone, when: Instant): Bilingual => fact({ ar: 'الوقت', en: 'At' }, moment(zone, when))

/** To the owners of an account. `page`: where the members are. */
export const memberNoticeEmail = (
  kind: AboutMember,
  notice: OwnerNotice,
  whose: string,
  zone: Zone,
  page: string,
): Unaddressed => {
  const { facts, by } = notice
  const { subject, sentence, undo } = toOwners(kind, facts, whose)
  return emailOf(kind.replaceAll('_', ' '), subject, [
    sentence,
    ...factIfKnown({ ar: 'العضو', en: 'Member' }, nameOrNothing(facts.name)),
    ...factIfKnown({ ar: 'جهاز الكاشير', en: 'Counter' }, nameOrNothing(facts.counter)),
    ...(facts.count === undefined ? [] : [countLine(kind, facts.count)]),
    ...clientLines(facts),
    ...roleLines(facts),
    ...(facts.due_at === undefined ? [] : [fact({ ar: 'ابتداءً من', en: 'From' }, moment(zone, facts.due_at))]),
    ...(notice.objectKind === 'user' ? [] : factIfKnown({ ar: 'بواسطة', en: 'By' }, nameOrNothing(by))),
    at(zone, notice.at),
    undo,
    same(page),
  ])
}

const countLine = (kind: OwnerNoticeKind | UserNoticeKind, count: number): Bilingual =>
  kind === 'sign_in_wrong' || kind === 'pins_guessed'
    ? fact({ ar: 'عدد المحاولات', en: 'Tries' }, count)
    : fact({ ar: 'رموز الاسترداد الباقية', en: 'Recovery codes left' }, count)

const ownSettings = '/settings/you'

const newPassword: Bilingual = {
  ar: 'إن لم تكن أنت من فعل ذلك: اطلب كلمة مرور جديدة الآن، فتنتهي كل الجلسات المفتوحة، وأخبر مالك الحساب:',
  en: 'If it was not you: ask for a new password now, which ends all sessions, and tell the owner of the account:',
}

/** What a user reads, and the page where it can be undone. */
const toUser = (kind: UserNoticeKind, facts: NoticeFacts): Content & { readonly page: string } => {
  const account = nameInEmail(facts.account ?? '')
  switch (kind) {
    case 'sign_in_new':
      return {
        subject: { ar: 'دخول من متصفح جديد إلى سند', en: 'A sign-in to Sanad from a new browser' },
        sentence: {
          ar: 'سُجّل دخول ببريدك من متصفح لم يُستعمل من قبل.',
          en: 'Somebody signed in with your address from a browser that was not used before.',
        },
        undo: {
          ar: 'إن لم تكن أنت: أنهِ تلك الجلسة من إعداداتك الآن، وغيّر كلمة مرورك:',
          en: 'If it was not you: end that session in your settings now, and change your password:',
        },
        page: ownSettings,
      }
    case 'sign_in_wrong':
      return {
        subject: { ar: 'محاولات دخول خاطئة إلى سند', en: 'Wrong sign-ins to Sanad' },
        sentence: {
          ar: 'تكررت محاولات دخول خاطئة ببريدك. لم يدخل أحد بها.',
          en: 'Somebody tries in vain to sign in with your address. None of these tries got in.',
        },
        undo: {
          ar: 'إن لم تكن أنت: اختر كلمة مرور لا تستعملها في مكان آخر، وفعّل التحقق بخطوتين:',
          en: 'If it was not you: choose a password that you use nowhere else, and set up a second factor:',
        },
        page: ownSettings,
      }
    case 'second_factor_changed':
      return {
        subject: { ar: 'تغيير في التحقق بخطوتين في سند', en: 'Your second factor on Sanad was changed' },
        sentence: factorSentences[facts.change ?? 'app_on'],
        undo: newPassword,
        page: '/forgot',
      }
    case 'password_changed':
      return {
        subject: { ar: 'تغيير كلمة مرورك في سند', en: 'Your password on Sanad was changed' },
        sentence: { ar: 'تم تغيير كلمة مرورك في سند.', en: 'Your password on Sanad was changed.' },
        undo: newPassword,
        page: '/forgot',
      }
    case 'role_changed':
      return {
        subject: { ar: `تغيّرت صلاحيتك: ${account}`, en: `Your role was changed: ${account}` },
        sentence: {
          ar: `تغيّرت صلاحيتك في حساب «${isolate(account)}».`,
          en: `Your role in the account "${account}" was changed.`,
        },
        undo: {
          ar: 'إن لم تكن تتوقع ذلك فاسأل مالك الحساب، وهو يستطيع إعادتها:',
          en: 'If you did not expect this, ask an owner of the account, who can change it back:',
        },
        page: '/',
      }
    case 'membership_ended':
      return {
        subject: { ar: `لم تعد عضوًا: ${account}`, en: `You are no member any more: ${account}` },
        sentence: {
          ar: `انتهت عضويتك في حساب «${isolate(account)}».`,
          en: `Your membership in the account "${account}" has ended.`,
        },
        undo: {
          ar: 'إن لم تكن تتوقع ذلك فاسأل مالك الحساب، أو مشغّل الخدمة إن كنت المالك، ليدعوك من جديد:',
          en: 'If you did not expect this, ask an owner of the account to invite you again, or the operator of the service if it was yours:',
        },
        page: '/',
      }
    case 'operator_changed':
      return {
        subject: { ar: 'صلاحية مشغّل الخدمة في سند', en: 'Operator of the service on Sanad' },
        sentence:
          facts.on === true
            ? { ar: 'أصبحت مشغّلًا لهذه الخدمة.', en: 'You are an operator of this service now.' }
            : { ar: 'لم تعد مشغّلًا لهذه الخدمة.', en: 'You are no operator of this service any more.' },
        undo: {
          ar: 'إن لم تكن تتوقع ذلك فاسأل من يستضيف الخدمة. يُغيَّر بالأمر sanad operator على الخادم:',
          en: 'If you did not expect this, ask whoever hosts the service. The command `sanad operator` on the server changes it:',
        },
        page: '/',
      }
  }
}

/** To the user. `origin`: the URL of the dashboard. */
export const userNoticeEmail = (notice: UserNotice, zone: Zone, origin: string): Unaddressed => {
  const { kind, facts, by } = notice
  const { subject, sentence, undo, page } = toUser(kind, facts)
  return emailOf(kind.replaceAll('_', ' '), subject, [
    sentence,
    ...(facts.count === undefined ? [] : [countLine(kind, facts.count)]),
    ...clientLines(facts),
    ...roleLines(facts),
    ...(kind === 'role_changed' || kind === 'membership_ended' || kind === 'operator_changed'
      ? factIfKnown({ ar: 'بواسطة', en: 'By' }, nameOrNothing(by))
      : []),
    at(zone, notice.at),
    undo,
    same(`${origin}${page}`),
  ])
}
