/** The field for the sentence, with its error below. */
import { Text, Textarea } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWords } from '../../words/language.ts'
import { templatesWords } from '../../words/screens/templates.ts'
import { faultText } from '../../words/template-faults.ts'

export const SentenceField = (props: {
  sentence: string
  fault: { readonly at: number; readonly detail: string } | null
  onChange: (sentence: string) => void
  children?: ReactNode
}) => {
  const { t, language } = useWords(templatesWords)
  return (
    <div>
      <Textarea
        label={t('field.sentence')}
        description={t('templates.sentenceLead')}
        dir="auto"
        autosize
        minRows={2}
        maxLength={2000}
        value={props.sentence}
        onChange={(event) => props.onChange(event.currentTarget.value)}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        error={
          props.fault === null ? undefined : (
            <Text inherit dir="auto" component="span">
              {faultText(props.fault.detail, language)}
            </Text>
          )
        }
      />
      {props.children}
    </div>
  )
}
