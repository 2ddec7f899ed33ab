/** One thing that could not be shown: why, and the way back to those that are there. */

import { Problem } from '../form/problem.tsx'
import { BackTo } from './back-to.tsx'
import { Page } from './page.tsx'

/** `list`: where things of its kind are, and what that place is called. */
export const LoadFailed = (props: { list: string; title: string; problem: Error; retry: () => void }) => (
  <Page title={props.title}>
    <BackTo href={props.list} name={props.title} />
    <Problem problem={props.problem} retry={props.retry} />
  </Page>
)
