/** The card of one message, opened from the roll: by its id, whatever the search finds. */
import { useApi } from '../../api/use-api.ts'
import { Problem } from '../../parts/form/problem.tsx'
import { Loading } from '../../parts/page/page.tsx'
import { alertHit } from './answer.ts'
import { MoneyHere, WrongAmount } from './one-answer.tsx'

export const MoneyCard = ({ id }: { id: string }) => {
  const alert = useApi('showAlert', { path: { id }, kinds: ['alert', 'intent'] })
  if (alert.isError) return <Problem problem={alert.error!} retry={() => void alert.refetch()} />
  if (alert.data === undefined) return <Loading rows={5} />
  const hit = alertHit(alert.data)
  return hit.kind === 'wrong_amount' ? <WrongAmount hit={hit} /> : <MoneyHere hit={hit} />
}
