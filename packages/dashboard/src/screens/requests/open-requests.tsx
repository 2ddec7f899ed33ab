/** On the start page and above the queue: the requests that wait. */
import { firstPage } from '@sanad/contract/dashboard/first-queries'
import { usePagedList } from '../../api/use-api.ts'
import { WaitingCards } from '../../parts/list/waiting-cards.tsx'
import { useWords } from '../../words/language.ts'
import { requestsWords } from '../../words/requests.ts'
import { RequestCard } from './request-card.tsx'

export const OpenRequests = () => {
  const { t } = useWords(requestsWords)
  const { rows = [] } = usePagedList('listRequests', { query: firstPage.openRequests, kinds: ['request'] })
  return (
    <WaitingCards
      title={t('requests.waiting')}
      lead={t('requests.lead')}
      all={t('requests.all')}
      href="/requests"
      rows={rows}
      card={(request) => <RequestCard request={request} />}
    />
  )
}
