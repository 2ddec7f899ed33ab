/**
 * The catalogue of errors as Markdown: every code of the merchant's APIs with its cause and its remedy, from the table of
 * the contract; and every refusal of the dashboard's API with its sentence, from the table of refusals.
 */
import { catalogue } from '@sanad/contract/error-catalogue'
import { checkoutErrors, knownErrors } from '@sanad/contract/errors'
import { refusalAnswers } from '../dashboard/refusals.ts'
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

const tableWords = {
  en: { code: 'Code', status: 'Status', says: 'What it says' },
  ar: { code: 'الرمز', status: 'الحالة', says: 'نص الخطأ' },
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

/** Facts that fill a sentence with their own names, such as `{most}`. */
const namedFacts: Readonly<Record<string, string>> = new Proxy({}, { get: (_, name) => `{${String(name)}}` })

/** A table of the refusals of the dashboard's API, with their sentences. */
export const refusalTable = (language: Language): string => {
  // The sentences are English: in an Arabic table they keep their direction.
  const [before, after] = language === 'ar' ? ['\u2066', '\u2069'] : ['', '']
  const rows = new Map(
    Object.entries(refusalAnswers).flatMap(([refused, answer]) => {
      const { status, errors } = answer(namedFacts, refused)
      return errors.map(({ code, detail }) => [
        code,
        `| \`${code}\` | ${status} | ${before}${detail.replaceAll('|', '\\|')}${after} |`,
      ])
    }),
  )
  // Codes of the catalogue are left out.
  const dashboardOnly = [...rows]
    .filter(([code]) => !Object.hasOwn(catalogue, code))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const { code, status, says } = tableWords[language]
  return [`| ${code} | ${status} | ${says} |`, '|---|---|---|', ...dashboardOnly.map(([, row]) => row)].join('\n')
}
