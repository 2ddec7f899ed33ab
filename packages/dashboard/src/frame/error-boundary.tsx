/**
 * Shows an error in place of a screen that failed, and offers to reload the page; the frame around it stays. The frame
 * has one too, for files that cannot be loaded: a page that stayed open during an update asks for files that no longer
 * exist.
 */
import { Alert, Button, Text } from '@mantine/core'
import { Component, type ReactNode } from 'react'
import { useWords } from '../words/language.ts'

/** `place`: the current path; a new path renders the children again. Left out: they are not rendered again. */
type Props = { readonly place?: string; readonly children: ReactNode }

export class ErrorBoundary extends Component<Props, { readonly failedAt: string | undefined }> {
  override state = { failedAt: undefined as string | undefined }

  static getDerivedStateFromError(): { failedAt: string } {
    return { failedAt: window.location.pathname }
  }

  override render(): ReactNode {
    const { failedAt } = this.state
    const { place = failedAt, children } = this.props
    return failedAt !== undefined && failedAt === place ? <Failed /> : children
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
