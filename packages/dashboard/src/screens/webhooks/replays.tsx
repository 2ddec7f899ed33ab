/** Sends the events of a period again: the user counts them first, then starts, stops and resumes the replay. */
import { Button, Checkbox, Group, Progress, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { fieldProblem, Problem } from '../../parts/form/problem.tsx'
import { Card } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import { webhooksWords } from '../../words/screens/webhooks.ts'

export const Replays = ({ id }: { id: string }) => {
  const { t } = useWords(webhooksWords)
  const list = useApi('listReplays', { path: { id }, kinds: ['webhook', 'delivery'], every_ms: 5000 })
  const count = useApiMutation('countReplay', [])
  const start = useApiMutation('startReplay', ['webhook', 'delivery'])
  const stop = useApiMutation('stopReplay', ['webhook'])
  const resume = useApiMutation('resumeReplay', ['webhook'])
  const [from, setFrom] = useState('')
  const [onlyUndelivered, setOnlyUndelivered] = useState(true)
  // A local time without an offset is in the time zone of the account.
  const body = { from, only_undelivered: onlyUndelivered }
  const problem = count.error ?? start.error ?? stop.error ?? resume.error
  const fieldError = fieldProblem(problem, 'from', t)
  return (
    <Card>
      <Stack gap="sm">
        <Title order={2}>{t('webhooks.replay')}</Title>
        <Text>{t('webhooks.replayLead')}</Text>
        {problem !== null && fieldError === undefined && <Problem problem={problem} />}
        <Group align="flex-end" gap="xs">
          <TextInput
            type="datetime-local"
            label={t('webhooks.from')}
            value={from}
            onChange={(event) => {
              setFrom(event.currentTarget.value)
              count.reset()
            }}
            error={fieldError}
          />
          <Button
            variant="default"
            disabled={from === ''}
            loading={count.isPending}
            onClick={() => count.mutate({ path: { id }, body })}
          >
            {t('webhooks.count')}
          </Button>
          {count.data !== undefined && (
            <Button loading={start.isPending} onClick={() => start.mutate({ path: { id }, body })}>
              {t('webhooks.replayGo')}
            </Button>
          )}
        </Group>
        <Checkbox
          label={t('webhooks.onlyUndelivered')}
          checked={onlyUndelivered}
          onChange={(event) => {
            setOnlyUndelivered(event.currentTarget.checked)
            count.reset()
          }}
        />
        {count.data !== undefined && (
          <Text role="status">
            {t('webhooks.counted', { count: count.data.count })}
            {count.data.more ? ' +' : ''}
          </Text>
        )}
        {list.data?.results.slice(0, 3).map((replay) => (
          <Stack key={replay.id} gap={4}>
            <Progress
              value={replay.total === 0 ? 100 : (replay.done / replay.total) * 100}
              aria-label={t('webhooks.replay')}
            />
            <Group justify="space-between">
              <Text size="sm">{t(`webhooks.replay.${replay.state}`, { done: replay.done, total: replay.total })}</Text>
              {replay.state !== 'done' && (
                <Button
                  variant="subtle"
                  size="compact-sm"
                  onClick={() =>
                    (replay.state === 'running' ? stop : resume).mutate({ path: { id, replay: replay.id } })
                  }
                >
                  {t(replay.state === 'running' ? 'act.stop' : 'webhooks.resume')}
                </Button>
              )}
            </Group>
          </Stack>
        ))}
      </Stack>
    </Card>
  )
}
