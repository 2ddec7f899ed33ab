/** The user's name. */
import { Button, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { bindText } from '../../parts/form/bind.ts'
import { fieldProblem, Problem } from '../../parts/form/problem.tsx'
import { Section } from '../../parts/page/section.tsx'
import { useWords } from '../../words/language.ts'
import { settingsWords } from '../../words/screens/settings.ts'
import { SavedNote } from './saved-note.tsx'

export const OwnName = () => {
  const { t } = useWords(settingsWords)
  const { me } = useMe()
  const change = useApiMutation('changeMe', ['user', 'member'])
  const [name, setName] = useState(me.user.name)
  const send = (event: FormEvent): void => {
    event.preventDefault()
    change.mutate({ body: { name } })
  }
  const fieldError = fieldProblem(change.error, 'name', t)
  return (
    <Section title={t('field.yourName')} lead={`${t('you.nameLead')} ${t('you.email', { email: me.user.email })}`}>
      <form onSubmit={send}>
        <Stack gap="sm" maw={400}>
          {change.error !== null && fieldError === undefined && <Problem problem={change.error} />}
          <TextInput
            aria-label={t('field.yourName')}
            autoComplete="name"
            required
            maxLength={200}
            {...bindText(name, setName)}
            error={fieldError}
          />
          <Group>
            <Button type="submit" variant="default" loading={change.isPending} disabled={name === me.user.name}>
              {t('part.save')}
            </Button>
            <SavedNote when={change.isSuccess && name === me.user.name} />
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
