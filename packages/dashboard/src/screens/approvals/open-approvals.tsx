/** On the start page: the changes that wait for an owner. */
import { firstPage } from '@sanad/contract/dashboard/first-queries'
import { usePagedList } from '../../api/use-api.ts'
import { WaitingCards } from '../../parts/list/waiting-cards.tsx'
import { useWords } from '../../words/language.ts'
import { approvalsWords } from '../../words/screens/approvals.ts'
import { ApprovalCard } from './approval-card.tsx'

export const OpenApprovals = () => {
  const { t } = useWords(approvalsWords)
  const { rows = [] } = usePagedList('listApprovals', { query: firstPage.openApprovals, kinds: ['approval'] })
  return (
    <WaitingCards
      title={t('approvals.waiting')}
      lead={t('approvals.lead')}
      all={t('approvals.all')}
      href="/approvals"
      rows={rows}
      card={(approval) => <ApprovalCard approval={approval} />}
    />
  )
}
