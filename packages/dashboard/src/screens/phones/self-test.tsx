/** Tests whether a message that is sent to the phone arrives: started by hand, polled until it has. */
import { Button, Group, Loader, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useApi } from '../../api/use-api.ts'
import { Card } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import { hiddenWords } from '../../words/screens/hidden.ts'
import { phonesWords } from '../../words/screens/phones.ts'
import type { Phone } from './phone.ts'

/** Apps that pass every message on. With the others a message of a friend does not arrive: their rule stops it. */
const passesAll: readonly Phone['app'][] = ['', 'smsgate', 'text']

export const SelfTest = ({ phone }: { phone: Pick<Phone, 'id' | 'app'> }) => {
  const { id, app } = phone
  const { t } = useWords(hiddenWords, phonesWords)
  const [since, setSince] = useState<string | undefined>(undefined)
  const test = useApi('showSelfTest', {
    path: { id },
    query: { since },
    kinds: ['alert', 'phone'],
    when: since !== undefined,
    every_ms: 3000,
    keep: true,
  })
  const begin = async (): Promise<void> => setSince((await call('showSelfTest', { path: { id } })).checked_at)
  const arrived = test.data?.state === 'arrived'
  return (
    <Card>
      <Stack gap="sm">
        <Title order={2}>{t('phones.test')}</Title>
        <Text>{t(`phones.testLead.${passesAll.includes(app) ? 'any' : app === 'agent' ? 'company' : 'button'}`)}</Text>
        {since === undefined || arrived ? (
          <Group>
            <Button variant="default" onClick={() => void begin()}>
              {t('phones.testGo')}
            </Button>
          </Group>
        ) : null}
        {test.data !== undefined && since !== undefined && (
          <Group gap="xs" role="status">
            {!arrived && <Loader size="xs" />}
            <Text c={arrived ? 'var(--sanad-verified)' : 'dimmed'} fw={arrived ? 600 : 400}>
              {test.data.alert?.hidden === 'stranger'
                ? t('hidden.arrived')
                : t(`phones.test.${test.data.state}`, { sender: test.data.alert?.sender ?? '' })}
            </Text>
          </Group>
        )}
      </Stack>
    </Card>
  )
}
