/** The page of a record that could not be loaded: the error, and the link back to the list. */

import { Problem } from '../form/problem.tsx'
import { BackTo } from './back-to.tsx'
import { Page } from './page.tsx'

/** `list`: the path of the list; `title`: its name. */
export const LoadFailed = (props: { list: string; title: string; problem: Error; retry: () => void }) => (
  <Page title={props.title}>
    <BackTo href={props.list} name={props.title} />
    <Problem problem={props.problem} retry={props.retry} />
  </Page>
)
