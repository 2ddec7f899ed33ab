/**
 * The emails about invitations and links: plain text, Arabic and then English in one email, because the
 * reader's language is not known. No other emails contain links with tokens. Pure.
 */
import type { Email } from '../../core/email.ts'
import { withoutLinks } from '../../core/plain-name.ts'
import { emailOf } from './email-address.ts'
import type { MemberRole } from './permission.ts'

export const roleWords: Readonly<Record<MemberRole, { readonly ar: string; readonly en: string }>> = {
  owner: { ar: 'مالك', en: 'owner' },
  manager: { ar: 'مدير', en: 'manager' },
  cashier: { ar: 'كاشير', en: 'cashier' },
  viewer: { ar: 'مشاهد', en: 'viewer' },
}

/** Names are chosen by users: they must not begin a new line. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()

/** A name as an email shows it: one line without a link. The address of a user stays as it is: `Amal <amal@shop.example>`. */
export const nameInEmail = (name: string): string => {
  const line = oneLine(name)
  if (emailOf(line) !== undefined) return line
  const [, own, address] = /^(.*?)( <[^<>]*>)$/.exec(line) ?? []
  return address !== undefined && emailOf(address.slice(2, -1)) !== undefined
    ? `${withoutLinks(own!)}${address}`
    : withoutLinks(line)
}

/**
 * A value inside an Arabic line: it keeps its own direction, and does not change the order of the rest. The marks cannot be seen,
 * but they are copied: an address, which is copied or made a link, stands alone on its line instead.
 */
export const isolate = (text: string | number): string => `\u2068${text}\u2069`

/** An email without its recipient. */
export const bilingualEmail = (
  kind: string,
  subject: string,
  arabic: readonly string[],
  english: readonly string[],
): Omit<Email, 'to'> => ({
  kind,
  subject: oneLine(subject),
  text: `${arabic.join('\n')}\n\n----------\n\n${english.join('\n')}\n`,
})

const emailTo = (
  kind: string,
  to: string,
  subject: string,
  arabic: readonly string[],
  english: readonly string[],
): Email => ({ to, ...bilingualEmail(kind, subject, arabic, english) })

/** A link to the dashboard page that reads the token. The token is after the `#`, so that no server and no log sees it. */
export const invitationLink = (origin: string, token: string): string => `${origin}/invitation#${token}`
export const proofLink = (origin: string, token: string): string => `${origin}/address#${token}`
export const resetLink = (origin: string, token: string): string => `${origin}/password#${token}`

export const invitationEmail = (about: {
  readonly to: string
  readonly account: string
  readonly role: MemberRole
  readonly by: string
  readonly link: string
}): Email => {
  const account = nameInEmail(about.account)
  const by = nameInEmail(about.by)
  const role = roleWords[about.role]
  return emailTo(
    'invitation',
    about.to,
    `دعوة إلى ${account} في سند / An invitation to ${account} on Sanad`,
    [
      `${by === '' ? 'وصلتك دعوة' : `وصلتك دعوة من ${isolate(by)}`} للانضمام إلى حساب «${isolate(account)}» في سند بصلاحية ${role.ar}.`,
      'لقبول الدعوة افتح هذا الرابط. يعمل مرة واحدة ولمدة سبعة أيام:',
      about.link,
      'إن كنت لا تتوقع هذه الدعوة فتجاهل هذه الرسالة.',
    ],
    [
      `${by === '' ? 'You are invited' : `${by} invites you`} to join the account "${account}" on Sanad as ${role.en}.`,
      'To accept, open this link. It works once, for seven days:',
      about.link,
      'If you did not expect this, ignore this email.',
    ],
  )
}

export const resetEmail = (to: string, link: string): Email =>
  emailTo(
    'password reset',
    to,
    'كلمة مرور جديدة في سند / A new password on Sanad',
    [
      'طلب أحدهم كلمة مرور جديدة لحسابك في سند. إن كنت أنت فافتح هذا الرابط. يعمل مرة واحدة ولمدة ساعة:',
      link,
      'إن لم تطلب ذلك فتجاهل هذه الرسالة: لم يتغير شيء.',
    ],
    [
      'Somebody asked for a new password for you on Sanad. If it was you, open this link. It works once, for an hour:',
      link,
      'If it was not you, ignore this email: nothing has changed.',
    ],
  )

/** A link that works only for whoever is signed in with this address: others are told what to do instead. */
export const proofEmail = (to: string, link: string): Email =>
  emailTo(
    'address proof',
    to,
    'تأكيد بريدك في سند / Your address on Sanad',
    [
      'للتأكيد أن هذا البريد لك، افتح هذا الرابط وأنت مسجّل الدخول في سند. يعمل مرة واحدة ولمدة يوم:',
      link,
      'إن كان هناك من سجّل بريدك في سند ولست أنت، فلا تفتح الرابط. اطلب كلمة مرور جديدة من صفحة الدخول: بعدها لا يدخل به غيرك.',
    ],
    [
      'To prove that this address is yours, open this link while you are signed in to Sanad. It works once, for a day:',
      link,
      'If somebody else registered your address on Sanad, do not open it. Ask for a new password at the sign-in page: then nobody but you can sign in with it.',
    ],
  )
