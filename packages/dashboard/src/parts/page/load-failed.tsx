/** One thing that could not be shown: why, and the way back to those that are there. */

import { Trouble } from '../form/problem.tsx'
import { BackTo } from './back-to.tsx'
import { Page } from './page.tsx'

/** `list`: where things of its kind are, and what that place is called. */
export const Lost = (given: { list: string; title: string; problem: Error; again: () => void }) => (
  <Page title={given.title}>
    <BackTo href={given.list} name={given.title} />
    <Trouble problem={given.problem} again={given.again} />
  </Page>
)
