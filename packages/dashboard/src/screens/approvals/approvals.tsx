/** All approvals of the last 90 days, the newest first. */
import { Stack } from '@mantine/core'
import { firstPage } from '@sanad/contract/dashboard/first-queries'
import { usePagedList } from '../../api/use-api.ts'
import { GrowingList } from '../../parts/list/growing-list.tsx'
import { Lead } from '../../parts/page/lead.tsx'
import { Card, Empty, Page } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import { approvalsWords } from '../../words/screens/approvals.ts'
import { ApprovalCard } from './approval-card.tsx'

const Approvals = () => {
  const { t } = useWords(approvalsWords)
  const list = usePagedList('listApprovals', { query: firstPage.approvals, kinds: ['approval'] })
  return (
    <Page title={t('frame.approvals')}>
      <Lead>{t('approvals.lead')}</Lead>
      <GrowingList list={list} empty={<Empty>{t('approvals.none')}</Empty>}>
        {(rows) => (
          <Stack gap="md">
            {rows.map((approval) => (
              <Card key={approval.id}>
                <ApprovalCard approval={approval} />
              </Card>
            ))}
          </Stack>
        )}
      </GrowingList>
    </Page>
  )
}

export default Approvals
