/** On the start page and above the queue: the requests that wait. */
import { Anchor, Divider, Group, Stack, Text, Title } from '@mantine/core'
import { firstPage } from '@sanad/contract/dashboard/first-queries'
import { Link } from 'wouter'
import { usePagedList } from '../../api/use-api.ts'
import { Card } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import { requestsWords } from '../../words/requests.ts'
import { RequestCard } from './request-card.tsx'

export const OpenRequests = () => {
  const { t } = useWords(requestsWords)
  const { rows = [] } = usePagedList('listRequests', { query: firstPage.openRequests, kinds: ['request'] })
  if (rows.length === 0) return null
  return (
    <Card>
      <Stack gap="md">
        <Group justify="space-between" gap="xs">
          <div>
            <Title order={2}>{t('requests.waiting')}</Title>
            <Text c="dimmed" size="sm">
              {t('requests.lead')}
            </Text>
          </div>
          <Anchor component={Link} href="/requests" underline="always">
            {t('requests.all')}
          </Anchor>
        </Group>
        {rows.map((request, place) => (
          <Stack key={request.id} gap="md">
            {place > 0 && <Divider />}
            <RequestCard request={request} />
          </Stack>
        ))}
      </Stack>
    </Card>
  )
}
