/** On the start page: the changes that wait for an owner. */
import { Anchor, Divider, Group, Stack, Text, Title } from '@mantine/core'
import { firstPage } from '@sanad/contract/dashboard/first-queries'
import { Link } from 'wouter'
import { usePagedList } from '../../api/use-api.ts'
import { Card } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import { approvalsWords } from '../../words/screens/approvals.ts'
import { ApprovalCard } from './approval-card.tsx'

export const OpenApprovals = () => {
  const { t } = useWords(approvalsWords)
  const { rows = [] } = usePagedList('listApprovals', { query: firstPage.openApprovals, kinds: ['approval'] })
  if (rows.length === 0) return null
  return (
    <Card>
      <Stack gap="md">
        <Group justify="space-between" gap="xs">
          <div>
            <Title order={2}>{t('approvals.waiting')}</Title>
            <Text c="dimmed" size="sm">
              {t('approvals.lead')}
            </Text>
          </div>
          <Anchor component={Link} href="/approvals" underline="always">
            {t('approvals.all')}
          </Anchor>
        </Group>
        {rows.map((approval, place) => (
          <Stack key={approval.id} gap="md">
            {place > 0 && <Divider />}
            <ApprovalCard approval={approval} />
          </Stack>
        ))}
      </Stack>
    </Card>
  )
}
