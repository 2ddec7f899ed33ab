/**
 * Shows an error in place of a screen that failed, and offers to reload the page; the frame around it stays. The frame has
 * an error boundary too, for files that cannot be loaded: a page that stayed open during an update requests files that no
 * longer exist. If a file did not arrive because there was no connection, the page reloads itself when the connection is
 * back.
 */
import { Alert, Button, Text } from '@mantine/core'
import { Component, type ReactNode } from 'react'
import { FileNeedsReload } from '../api/load-file.ts'
import { useWords } from '../words/language.ts'
import { reloadOnce } from './reload-once.ts'

/** `place`: the current path; a new path renders the children again. Left out: they are not rendered again. */
type Props = { readonly place?: string; readonly children: ReactNode }
type State = { readonly failedAt: string | undefined; readonly needsReload: boolean }

export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failedAt: undefined, needsReload: false }

  static getDerivedStateFromError(fault: unknown): State {
    return { failedAt: window.location.pathname, needsReload: fault instanceof FileNeedsReload }
  }

  override componentDidCatch(): void {
    if (this.state.needsReload && !reloadOnce()) this.setState({ needsReload: false })
  }

  override render(): ReactNode {
    const { failedAt, needsReload } = this.state
    const { place = failedAt, children } = this.props
    if (failedAt === undefined || failedAt !== place) return children
    return needsReload ? null : <Failed />
  }
}

const Failed = () => {
  const { t } = useWords()
  return (
    <Alert color="red" variant="light" title={t('problem.title')} role="alert">
      <Text size="md" mb="sm">
        {t('problem.screen')}
      </Text>
      <Button variant="default" size="xs" onClick={() => window.location.reload()}>
        {t('problem.reload')}
      </Button>
    </Alert>
  )
}
