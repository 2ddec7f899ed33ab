/** The fields for the values that must be read in a text. An empty field means that the value must be absent. */

import { SimpleGrid, TextInput } from '@mantine/core'
import { sampleFields } from '@sanad/contract/kinds'
import { useWords } from '../../words/language.ts'
import { templatesWords } from '../../words/screens/templates.ts'
import type { Expected } from './template.ts'

/** The values without the empty fields, as they are sent. */
export const withoutEmptyFields = (expected: Expected): Expected => {
  const filled = Object.entries(expected).flatMap(([field, value]) =>
    value.trim() === '' ? [] : [[field, value.trim()]],
  )
  return { amount: '', ...Object.fromEntries(filled) }
}

/** The expected values in one line. */
export const useExpectedText = (): ((expected: Expected) => string) => {
  const { t } = useWords(templatesWords)
  return (expected) =>
    sampleFields
      .filter((field) => expected[field] !== undefined)
      .map((field) => `${t(`templates.slot.${field}`)}: \u2068${expected[field]}\u2069`)
      .join(' · ')
}

export const ExpectedFields = ({ expected, set }: { expected: Expected; set: (expected: Expected) => void }) => {
  const { t } = useWords(templatesWords)
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {sampleFields.map((field) => (
        <TextInput
          key={field}
          label={t(`templates.slot.${field}`)}
          required={field === 'amount'}
          dir={field === 'payer' ? 'auto' : 'ltr'}
          maxLength={200}
          placeholder={field === 'amount' ? '1500.00' : ''}
          value={expected[field] ?? ''}
          onChange={(event) => set({ ...expected, [field]: event.currentTarget.value })}
        />
      ))}
    </SimpleGrid>
  )
}
