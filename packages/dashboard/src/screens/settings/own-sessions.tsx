/** The browsers and tokens that act as the user, with a button to end each. */
import { Badge, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { Confirm } from '../../parts/form/confirm.tsx'
import { Problem } from '../../parts/form/problem.tsx'
import { Code, When } from '../../parts/format/figures.tsx'
import { type Column, Rows } from '../../parts/list/rows.tsx'
import { Loading } from '../../parts/page/page.tsx'
import { Section } from '../../parts/page/section.tsx'
import { useWords } from '../../words/language.ts'
import { settingsWords } from '../../words/screens/settings.ts'

type Session = Answer<'listSessions'>[number]

export const OwnSessions = () => {
  const { t } = useWords(settingsWords)
  const sessions = useApi('listSessions', { kinds: ['session', 'user', 'counter'] })
  const end = useApiMutation('endSession', ['session', 'counter'])
  const endOthers = useApiMutation('endOtherSessions', ['session'])
  const [ending, setEnding] = useState<Session | 'others' | undefined>(undefined)
  const close = (): void => {
    end.reset()
    endOthers.reset()
    setEnding(undefined)
  }
  const nameOf = ({ kind, name, browser, system }: Session): string => {
    if (kind === 'counter') return t('you.sessionCounter', { name })
    if (kind === 'token') return t('you.sessionToken')
    if (browser !== '' && system !== '') return t('you.sessionOf', { browser, system })
    return browser || system || t('you.sessionUnknown')
  }
  const columns: Column<Session>[] = [
    {
      head: t('you.session'),
      cell: (session) => (
        <Group gap="xs">
          <span title={session.agent}>{nameOf(session)}</span>
          {session.current && <Badge variant="light">{t('you.sessionThis')}</Badge>}
        </Group>
      ),
    },
    { head: t('field.networkAddress'), cell: ({ address }) => <Code>{address}</Code> },
    { head: t('field.lastUsed'), cell: ({ last_used_at }) => <When at={last_used_at} /> },
    { head: t('field.since'), cell: ({ created_at }) => <When at={created_at} /> },
    {
      head: t('part.actions'),
      quiet: true,
      end: true,
      blank: ({ current }) => current,
      cell: (session) =>
        session.current ? null : (
          <Button variant="default" size="compact-sm" onClick={() => setEnding(session)}>
            {t('act.end')}
          </Button>
        ),
    },
  ]
  const others = sessions.data?.filter(({ current, kind }) => !current && kind !== 'counter').length ?? 0
  return (
    <Section
      title={t('you.sessions')}
      actions={
        others > 1 && (
          <Button variant="default" onClick={() => setEnding('others')}>
            {t('you.sessionsEnd')}
          </Button>
        )
      }
    >
      {sessions.isError && <Problem problem={sessions.error} retry={() => void sessions.refetch()} />}
      {sessions.isPending && <Loading rows={2} />}
      {sessions.data !== undefined && (
        <Rows label={t('you.sessions')} rows={sessions.data} columns={columns} keyOf={({ id }) => id} />
      )}
      {ending !== undefined && ending !== 'others' && (
        <Confirm
          title={t('act.end')}
          submitLabel={t('act.end')}
          danger
          call={end}
          no={close}
          yes={() => end.mutate({ path: { id: ending.id } }, { onSuccess: close })}
        >
          <Text>{t('you.sessionEndSure', { browser: nameOf(ending) })}</Text>
        </Confirm>
      )}
      {ending === 'others' && (
        <Confirm
          title={t('you.sessionsEnd')}
          submitLabel={t('you.sessionsEnd')}
          danger
          call={endOthers}
          no={close}
          yes={() => endOthers.mutate({}, { onSuccess: close })}
        >
          <Text>{t('you.sessionsEndSure', { count: others })}</Text>
        </Confirm>
      )}
    </Section>
  )
}
