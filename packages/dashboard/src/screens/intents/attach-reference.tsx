/** A form that attaches the reference that the buyer was shown. */
import { Button, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useApiMutation } from '../../api/use-api.ts'
import { bindText } from '../../parts/form/bind.ts'
import { fieldProblem, Problem } from '../../parts/form/problem.tsx'
import { useWords } from '../../words/language.ts'
import { intentsWords } from '../../words/screens/intents.ts'

export const AttachReference = ({ id }: { id: string }) => {
  const { t } = useWords(intentsWords)
  const attach = useApiMutation('attachReference', ['intent', 'alert'])
  const [reference, setReference] = useState('')
  const send = (event: FormEvent): void => {
    event.preventDefault()
    attach.mutate({ path: { id }, body: { reference } })
  }
  const fieldError = fieldProblem(attach.error, 'reference', t)
  return (
    <form onSubmit={send}>
      <Stack gap="xs">
        {attach.error !== null && fieldError === undefined && <Problem problem={attach.error} />}
        <Group align="flex-end" gap="xs">
          <TextInput
            label={t('field.reference')}
            description={t('intent.attachLead')}
            dir="auto"
            required
            flex="1 1 240px"
            {...bindText(reference, setReference)}
            error={fieldError}
          />
          <Button type="submit" loading={attach.isPending}>
            {t('intent.attach')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
