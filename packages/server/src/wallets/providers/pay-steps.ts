/**
 * How a buyer pays with a provider: a few short sentences in each language. A provider without steps of its own gets
 * general ones, which name no menu of an app and so fit every app. Pure.
 */

export type PaySteps = { readonly ar: readonly string[]; readonly en: readonly string[] }

type NamedProvider = {
  readonly displayName: string
  readonly displayNameArabic: string
  readonly paySteps: PaySteps
}

export const hasOwnSteps = ({ ar, en }: PaySteps): boolean => ar.length > 0 || en.length > 0

/** A language without steps of its own gets the general ones, so that no buyer sees steps in the other language. */
export const payStepsOf = ({ displayName, displayNameArabic, paySteps }: NamedProvider): PaySteps => ({
  ar: paySteps.ar.length > 0 ? paySteps.ar : stepsInArabic(displayNameArabic || displayName),
  en: paySteps.en.length > 0 ? paySteps.en : stepsInEnglish(displayName),
})

const stepsInArabic = (provider: string): string[] => [
  `افتح تطبيق ${provider} واختر التحويل أو الدفع.`,
  'أدخل رقم الحساب والمبلغ كما هما هنا بالضبط.',
  'أكمل التحويل. رقم العملية يظهر لك في رسالة المحفظة.',
]

const stepsInEnglish = (provider: string): string[] => [
  `Open the ${provider} app and choose to send or to pay.`,
  'Enter the account number and the amount exactly as shown here.',
  'Send it, and keep the transaction number that you are shown.',
]
