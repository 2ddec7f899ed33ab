/** Today: what arrived, what waits, what needs somebody. */
import { Page } from '../../parts/page.tsx'
import { useWords } from '../../words/language.ts'

const Today = () => {
  const { t } = useWords()
  return <Page title={t('frame.today')}>{null}</Page>
}

export default Today
