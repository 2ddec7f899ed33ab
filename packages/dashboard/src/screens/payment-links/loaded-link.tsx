/** Loads a payment link for a screen. Until it is loaded, the loading state or the error is shown. */
import type { ReactNode } from 'react'
import { useApi } from '../../api/use-api.ts'
import { LoadFailed } from '../../parts/page/load-failed.tsx'
import { Loading } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import type { ShownLink } from './link.tsx'

export const LoadedLink = ({ id, children }: { id: string; children: (link: ShownLink) => ReactNode }) => {
  const { t } = useWords()
  const link = useApi('showPaymentLink', { path: { id }, kinds: ['payment_link', 'checkout', 'intent'] })
  if (link.isError)
    return (
      <LoadFailed
        list="/payment-links"
        title={t('frame.paymentLinks')}
        problem={link.error}
        retry={() => void link.refetch()}
      />
    )
  if (link.data === undefined) return <Loading rows={10} />
  return children(link.data)
}
