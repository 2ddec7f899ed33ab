/**
 * A screen that fails leaves the frame standing: it says so, and offers to load the page anew. So does the frame, when what
 * it is made of does not come: a page that stayed open while the service was updated asks for files that are gone.
 */
import { Alert, Button, Text } from '@mantine/core'
import { Component, type ReactNode } from 'react'
import { useWords } from '../words/language.ts'

/** `place`: where one is; another place is another try. Left out: there is no other. */
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
