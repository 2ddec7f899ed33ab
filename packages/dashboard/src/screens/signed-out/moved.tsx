/**
 * The account is used at another address of the service. The page says where, and leads there with the path and the token of the link that
 * was opened. It does not go there by itself: who signs in should see at which address.
 */
import { Anchor, Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useWords } from '../../words/language.ts'
import { signedOutWords } from '../../words/screens/signed-out.ts'
import { SignedOutPage } from './signed-out-page.tsx'

/** `stay`: shows another account of this address, or its sign-in page. */
const Moved = ({ origin, stay }: { origin: string; stay: () => Promise<void> }) => {
  const { t } = useWords(signedOutWords)
  const [isLeaving, setIsLeaving] = useState(false)
  const { pathname, search, hash } = window.location
  const goOn = (): void => {
    setIsLeaving(true)
    void stay().finally(() => setIsLeaving(false))
  }
  return (
    <SignedOutPage title={t('moved.title')} lead={t('moved.lead')}>
      <Text>
        <bdi dir="ltr">{origin}</bdi>
      </Text>
      <Button component="a" href={`${origin}${pathname}${search}${hash}`} fullWidth size="md">
        {t('moved.go')}
      </Button>
      <Text c="dimmed" size="sm">
        {t('moved.again')}
      </Text>
      <Anchor component="button" type="button" size="sm" onClick={goOn} aria-disabled={isLeaving}>
        {t('moved.stay')}
      </Anchor>
    </SignedOutPage>
  )
}

export default Moved
