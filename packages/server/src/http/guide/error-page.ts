/** The catalogue of errors as Markdown, made from the tables of the contract: every code with its cause and its cure. Pure. */
import { catalogue } from '@sanad/contract/error-catalogue'
import { checkoutErrors, knownErrors } from '@sanad/contract/errors'
import type { Language } from './guide-words.ts'

const words = {
  en: {
    merchant: 'Codes of the merchant API',
    checkout: 'Codes of the checkout API alone',
    status: 'Status',
    cause: 'Cause',
    cure: 'Cure',
  },
  ar: {
    merchant: 'رموز الأخطاء في API التاجر',
    checkout: 'رموز تخص صفحات الدفع فقط',
    status: 'الحالة',
    cause: 'السبب',
    cure: 'الحل',
  },
} as const satisfies Record<Language, Record<string, string>>

export const errorPage = (language: Language): string => {
  const { merchant, checkout, status: statusWord, cause, cure } = words[language]
  const entry = ({ status, code }: { readonly status: number; readonly code: keyof typeof catalogue }): string => {
    const text = catalogue[code][language]
    return [
      `### \`${code}\``,
      `${statusWord}: \`${status}\``,
      `**${cause}:** ${text.cause}`,
      `**${cure}:** ${text.cure}`,
    ].join('\n\n')
  }
  return [`## ${merchant}`, ...knownErrors.map(entry), `## ${checkout}`, ...checkoutErrors.map(entry)].join('\n\n')
}
