/** How a buyer pays with a provider: one step per line, in each language. An empty field means the general steps. */
import { Textarea } from '@mantine/core'
import { useWords } from '../../words/language.ts'

export type PayStepsText = { readonly ar: string; readonly en: string }

type Steps = { readonly ar: readonly string[]; readonly en: readonly string[] }

export const stepsText = (provider: { readonly pay_steps: Steps; readonly own_pay_steps: boolean } | undefined) =>
  provider?.own_pay_steps
    ? { ar: provider.pay_steps.ar.join('\n'), en: provider.pay_steps.en.join('\n') }
    : { ar: '', en: '' }

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export const stepsOf = ({ ar, en }: PayStepsText) => ({ ar: linesOf(ar), en: linesOf(en) })

type Props = {
  readonly value: PayStepsText
  readonly change: (steps: PayStepsText) => void
  /** The general steps, shown as placeholders. */
  readonly general: Steps | undefined
  readonly errorOf: (attr: string) => string | undefined
}

export const PayStepsFields = ({ value, change, general, errorOf }: Props) => {
  const { t } = useWords()
  return (['ar', 'en'] as const).map((language) => (
    <Textarea
      key={language}
      label={t(`part.steps.${language}`)}
      description={t('part.stepsLead')}
      placeholder={general?.[language].join('\n') ?? ''}
      dir={language === 'ar' ? 'rtl' : 'ltr'}
      autosize
      minRows={3}
      maxRows={6}
      maxLength={1300}
      value={value[language]}
      onChange={(event) => change({ ...value, [language]: event.currentTarget.value })}
      error={errorOf(`pay_steps.${language}`)}
    />
  ))
}
