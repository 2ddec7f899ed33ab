/**
 * What Android does with an app from outside the Play Store, by its version: shown before the download, so that nobody installs an app
 * that the phone then refuses. Pure.
 */
import type { Translated } from './pair-words.ts'

export type InstallWarning = {
  /** The first Android to which it applies. */
  readonly from: number
  readonly text: Translated
}

/** The versions to choose from: the first of each group that has the same warnings. */
export const androidGroups: readonly { readonly from: number; readonly name: Translated }[] = [
  { from: 0, name: { en: 'Android 12 or older', ar: 'أندرويد 12 أو أقدم' } },
  { from: 13, name: { en: 'Android 13 or 14', ar: 'أندرويد 13 أو 14' } },
  { from: 15, name: { en: 'Android 15 or newer', ar: 'أندرويد 15 أو أحدث' } },
]

export const installWarnings: readonly InstallWarning[] = [
  {
    from: 0,
    text: {
      en: 'Android asks whether the browser may install apps: allow it.',
      ar: 'يسأل أندرويد هل يُسمح للمتصفح بتثبيت التطبيقات: اسمح بذلك.',
    },
  },
  {
    from: 0,
    text: {
      en: 'Google Play Protect may stop the installation, because the app reads messages. Then: Play Store → your picture → Play Protect → ⚙ → turn off “Scan apps with Play Protect”. Install, then turn it on again.',
      ar: 'قد توقف حماية Google Play التثبيت لأن التطبيق يقرأ الرسائل. عندها: متجر Play ← صورتك ← Play Protect ← ⚙ ← أوقف «فحص التطبيقات». ثبّت التطبيق، ثم فعّل الفحص من جديد.',
    },
  },
  {
    from: 13,
    text: {
      en: 'After installing, before its permissions: Settings → Apps → the app → ⋮ → “Allow restricted settings”. Without it Android refuses the permission to read messages.',
      ar: 'بعد التثبيت وقبل منح الأذونات: الإعدادات ← التطبيقات ← التطبيق ← ⋮ ← «السماح بالإعدادات المقيّدة». بدونها يرفض أندرويد إذن قراءة الرسائل.',
    },
  },
  {
    from: 15,
    text: {
      en: 'Android hides from apps the notifications that it takes for sensitive: do not rely on notifications, take SMS. Some phones refuse the app altogether: then take another app or phone.',
      ar: 'يخفي أندرويد عن التطبيقات الإشعارات التي يعدّها حساسة: لا تعتمد على الإشعارات، اعتمد على رسائل SMS. وبعض الهواتف ترفض التطبيق تمامًا: عندها اختر تطبيقًا آخر أو هاتفًا آخر.',
    },
  },
]

/** For apps that read both. */
export const smsFirst: Translated = {
  en: 'If the company sends an SMS and a notification, take the SMS: Android hides and delays notifications.',
  ar: 'إذا كانت الشركة ترسل رسالة SMS وإشعارًا، فاعتمد على الرسالة: أندرويد يخفي الإشعارات ويؤخرها.',
}
