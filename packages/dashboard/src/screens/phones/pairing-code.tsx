/** The code that pairs a phone, to scan or to type. Shown once. */
import { Center, Text } from '@mantine/core'
import { useMe } from '../../frame/me.ts'
import { ShownOnce } from '../../parts/secret.tsx'
import { clockTime } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import type { Pairing } from './phone.ts'

/** A picture that came as text: shown as an image, in which nothing can run. */
const asImage = (svg: string): string => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`

export const PairingCode = ({ pairing, done }: { pairing: Pairing; done: () => void }) => {
  const { t, language } = useWords()
  const { zone } = useMe()
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
