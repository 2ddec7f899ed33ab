/**
 * The self-test of a phone: a window of ten minutes in which every message that its app forwards counts. The server keeps
 * the window, so it is also there after a reload and for other members. If no message comes, it ends and says what to check.
 */
import { Button, Group, Loader, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { Problem } from '../../parts/form/problem.tsx'
import { Card } from '../../parts/page/page.tsx'
import { clockTime } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { hiddenWords } from '../../words/screens/hidden.ts'
import { phonesWords } from '../../words/screens/phones.ts'
import type { Phone } from './phone.ts'

/** Apps that forward every message. The others forward only messages of wallets, so a private message does not arrive. */
const forwardsAll: readonly Phone['app'][] = ['', 'smsgate', 'text']

export const SelfTest = ({ phone }: { phone: Pick<Phone, 'id' | 'app' | 'self_test_until'> }) => {
  const { id, app } = phone
  const { t, language } = useWords(hiddenWords, phonesWords)
  const { may, zone } = useMe()
  const begin = useApiMutation('beginSelfTest', ['phone'])
  // The start of a test that was begun in this browser.
  const [since, setSince] = useState<string | undefined>(undefined)
  const openTest = useApi('showSelfTest', {
    path: { id },
    kinds: ['phone'],
    when: since === undefined && phone.self_test_until !== null,
  })
  const began = since ?? (openTest.data?.until == null ? undefined : openTest.data.since)
  const test = useApi('showSelfTest', {
    path: { id },
    query: { since: began },
    kinds: ['alert', 'phone'],
    when: began !== undefined,
    every_ms: 3000,
  })
  const state = began === undefined ? undefined : test.data?.state
  const isOver = state === 'arrived' || state === 'ended'
  const send = (): void => begin.mutate({ path: { id } }, { onSuccess: (answer) => setSince(answer.since) })
  return (
    <Card>
      <Stack gap="sm">
        <Title order={2}>{t('phones.test')}</Title>
        <Text>{t(`phones.testLead.${forwardsAll.includes(app) ? 'any' : app === 'agent' ? 'agent' : 'button'}`)}</Text>
        {state !== undefined && test.data !== undefined && (
          <Stack gap={4} role="status">
            <Group gap="xs" wrap="nowrap">
              {!isOver && <Loader size="xs" />}
              <Text
                c={state === 'arrived' ? 'var(--sanad-verified)' : state === 'ended' ? 'var(--sanad-wrong)' : 'dimmed'}
                fw={isOver ? 600 : 400}
              >
                {test.data.alert?.hidden === 'stranger'
                  ? t('hidden.arrived')
                  : t(`phones.test.${state}`, { sender: test.data.alert?.sender ?? '' })}
              </Text>
            </Group>
            {!isOver && test.data.until !== null && (
              <Text c="dimmed">{t('phones.test.until', { when: clockTime(test.data.until, language, zone) })}</Text>
            )}
            {state === 'ended' && <Text>{t('phones.test.endedLead')}</Text>}
          </Stack>
        )}
        {begin.error !== null && <Problem problem={begin.error} />}
        {may('phones.write') && (state === undefined || isOver) && (
          <Group>
            <Button variant="default" loading={begin.isPending || (began !== undefined && !isOver)} onClick={send}>
              {t(isOver ? 'phones.testAgain' : 'phones.testGo')}
            </Button>
          </Group>
        )}
      </Stack>
    </Card>
  )
}
