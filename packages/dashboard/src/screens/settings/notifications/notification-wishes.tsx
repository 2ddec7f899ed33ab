/** What a member is notified of, and when not. Each choice is saved at once; quiet hours by their button. */
import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Answer } from '../../../api/call.ts'
import { useApiMutation } from '../../../api/use-api.ts'
import { bindText } from '../../../parts/form/bind.ts'
import { fieldProblem, Problem } from '../../../parts/form/problem.tsx'
import { useWords } from '../../../words/language.ts'
import { notificationsWords } from '../../../words/notifications.ts'
import { SavedNote } from '../saved-note.tsx'

/** A line is 44 px high, to be touched. */
const touchable = { body: { alignItems: 'center' }, label: { paddingBlock: 12 } } as const

type ShownNotifications = Answer<'showNotifications'>

export const NotificationWishes = ({ shown }: { shown: ShownNotifications }) => {
  const { t } = useWords(notificationsWords)
  const choose = useApiMutation('changeNotifications', ['user'])
  const change = useApiMutation('changeNotifications', ['user'])
  const [from, setFrom] = useState(shown.quiet_from)
  const [until, setUntil] = useState(shown.quiet_until)
  const isUnchanged = from === shown.quiet_from && until === shown.quiet_until
  const errorOf = (attr: string) => fieldProblem(change.error, attr, t)
  const save = (event: FormEvent): void => {
    event.preventDefault()
    change.mutate({ body: { quiet_from: from, quiet_until: until } })
  }
  return (
    <Stack gap="md">
      {choose.error !== null && <Problem problem={choose.error} />}
      <Checkbox.Group
        label={t('push.kinds')}
        description={t('push.kindsLead')}
        value={
          choose.variables?.body?.kinds === undefined || choose.isError ? shown.kinds : [...choose.variables.body.kinds]
        }
        onChange={(kinds) => choose.mutate({ body: { kinds: kinds as ShownNotifications['kinds'] } })}
      >
        <Stack gap={0} pt={4}>
          {shown.possible_kinds.map((kind) => (
            <Checkbox key={kind} value={kind} label={t(`push.kind.${kind}`)} styles={touchable} />
          ))}
        </Stack>
      </Checkbox.Group>
      <form onSubmit={save}>
        <Stack gap="xs" component="fieldset" p={0} m={0} bd="none">
          <Text component="legend" fw={600} fz="sm" p={0}>
            {t('push.quiet')}
          </Text>
          <Text c="dimmed" fz="sm">
            {t('push.quietLead', { zone: shown.time_zone })}
          </Text>
          {change.error !== null && !['quiet_from', 'quiet_until'].some(errorOf) && <Problem problem={change.error} />}
          <Group gap="sm" align="flex-end">
            <TextInput
              type="time"
              dir="ltr"
              label={t('field.from')}
              {...bindText(from, setFrom)}
              error={errorOf('quiet_from')}
            />
            <TextInput
              type="time"
              dir="ltr"
              label={t('field.until')}
              {...bindText(until, setUntil)}
              error={errorOf('quiet_until')}
            />
            <Button type="submit" variant="default" loading={change.isPending} disabled={isUnchanged}>
              {t('part.save')}
            </Button>
            <SavedNote when={change.isSuccess && isUnchanged} />
          </Group>
        </Stack>
      </form>
    </Stack>
  )
}
