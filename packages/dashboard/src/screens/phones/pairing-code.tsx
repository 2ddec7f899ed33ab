/**
 * The code that connects a phone, to scan or to type. Shown once; the dialog closes when the phone has used the code.
 */
import { Center, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useApi } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { ShownOnce } from '../../parts/form/shown-once.tsx'
import { useNow } from '../../parts/format/clock.ts'
import { clockTime } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { phonesWords } from '../../words/screens/phones.ts'
import type { Pairing } from './phone.ts'

/** An SVG received as text, shown as an image: no script in it can run. */
const asImage = (svg: string): string => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`

export const PairingCode = ({ id, pairing, done }: { id: string; pairing: Pairing; done: () => void }) => {
  const { t, language } = useWords(phonesWords)
  const { zone } = useMe()
  const phone = useApi('showPhone', { path: { id }, kinds: ['phone'], every_ms: 5000 })
  const now = useNow()
  const wasOpen = useRef(false)
  const isOpen = phone.data === undefined ? undefined : phone.data.pairing_until !== null
  // Closed before it expired: the phone has used it.
  useEffect(() => {
    if (wasOpen.current && isOpen === false && now < Date.parse(pairing.until)) done()
    if (isOpen !== undefined) wasOpen.current = isOpen
  }, [isOpen, pairing.until, now, done])
  return (
    <ShownOnce
      title={t('phones.pairTitle')}
      secrets={[{ label: t('phones.pairCode'), value: pairing.code }]}
      done={done}
    >
      <Text>{t('phones.pairLead', { when: clockTime(pairing.until, language, zone) })}</Text>
      <Center bg="white" p="md" style={{ borderRadius: 8 }}>
        <img src={asImage(pairing.qr_svg)} width={220} height={220} alt={t('phones.pairTitle')} />
      </Center>
    </ShownOnce>
  )
}
