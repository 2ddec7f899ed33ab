/** The requests of the last 90 days, the newest first: of all members, or a cashier's own. */
import { Stack } from '@mantine/core'
import { firstPage } from '@sanad/contract/dashboard/first-queries'
import { usePagedList } from '../../api/use-api.ts'
import { GrowingList } from '../../parts/list/growing-list.tsx'
import { Lead } from '../../parts/page/lead.tsx'
import { Card, Empty, Page } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import { requestsWords } from '../../words/requests.ts'
import { RequestCard } from './request-card.tsx'

const Requests = () => {
  const { t } = useWords(requestsWords)
  const list = usePagedList('listRequests', { query: firstPage.requests, kinds: ['request'] })
  return (
    <Page title={t('frame.limitRequests')}>
      <Lead>{t('requests.lead')}</Lead>
      <GrowingList list={list} empty={<Empty>{t('requests.none')}</Empty>}>
        {(rows) => (
          <Stack gap="md">
            {rows.map((request) => (
              <Card key={request.id}>
                <RequestCard request={request} />
              </Card>
            ))}
          </Stack>
        )}
      </GrowingList>
    </Page>
  )
}

export default Requests
