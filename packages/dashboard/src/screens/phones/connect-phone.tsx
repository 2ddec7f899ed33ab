/**
 * The code that connects a phone: scanned with the phone's camera, or sent as a link. On a phone it can also be opened right there,
 * by an owner whose only phone is the shop's. It is shown once. When the phone has opened it, the dialog shows the progress of
 * the page on the phone.
 */
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { Modal } from '../../parts/form/lazy-overlays.tsx'
import { Problem } from '../../parts/form/problem.tsx'
import { Copyable } from '../../parts/form/shown-once.tsx'
import { useNow } from '../../parts/format/clock.ts'
import { QrImage } from '../../parts/format/qr-image.tsx'
import { Quiet } from '../../parts/format/quiet.tsx'
import { useIsNarrow } from '../../parts/list/is-narrow.ts'
import { clockTime } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { phonesWords } from '../../words/screens/phones.ts'
import type { Pairing } from './phone.ts'
import { SetupProgress } from './setup-progress.tsx'
import { UnsignedApp } from './unsigned-app.tsx'

/** How long a code is valid (wallets/phones/pairing-code.ts): a page that was opened earlier belongs to another code. */
const lifetime_ms = 600_000

export const ConnectPhone = (props: {
  id: string
  pairing: Pairing
  /** The names of wallets that could not be bound to the phone. */
  unbound?: readonly string[]
  close: () => void
}) => {
  const { t } = useWords(phonesWords)
  const { id, close } = props
  const [pairing, setPairing] = useState(props.pairing)
  const renew = useApiMutation('pairPhone', ['phone'])
  const phone = useApi('showPhone', { path: { id }, kinds: ['phone', 'alert'], every_ms: 3000 })
  const now = useNow()
  const until = Date.parse(pairing.until)
  const setup = phone.data?.setup ?? null
  const isOpened = setup !== null && Date.parse(setup.opened_at) >= until - lifetime_ms
  const isExpired = now >= until
  const isConnected = phone.data !== undefined && (phone.data.paired || phone.data.forwards !== 'no')
  const wasOffered = useRef(false)
  const isOffered = phone.data === undefined ? undefined : phone.data.pairing_until !== null
  // The code was used before it expired, but not by the page: a program of the native protocol has connected.
  useEffect(() => {
    if (wasOffered.current && isOffered === false && !isOpened && !isExpired) close()
    if (isOffered !== undefined) wasOffered.current = isOffered
  }, [isOffered, isOpened, isExpired, close])
  const arrived = isOpened && setup.message_at !== null
  const collects = phone.data?.wallets.some(({ active }) => active) ?? false
  return (
    <Modal opened onClose={close} title={t('phones.pairTitle')} closeOnClickOutside={false}>
      <Stack>
        {renew.error !== null && <Problem problem={renew.error} />}
        {props.unbound !== undefined && props.unbound.length > 0 && (
          <Alert color="yellow">{t('phones.unbound', { wallets: props.unbound.join(', ') })}</Alert>
        )}
        {!isOpened && !isExpired && (
          <>
            <Code pairing={pairing} />
            {isConnected && <Alert color="yellow">{t('phones.oneWay')}</Alert>}
          </>
        )}
        {!isOpened && isExpired && (
          <>
            <Text>{t('phones.codeExpired')}</Text>
            <Button
              loading={renew.isPending}
              onClick={() => renew.mutate({ path: { id } }, { onSuccess: (answer) => setPairing(answer.pairing) })}
            >
              {t('phones.pairAgain')}
            </Button>
          </>
        )}
        {isOpened && (
          <>
            <Text role="status" fw={600} c={arrived ? 'var(--sanad-verified)' : 'var(--mantine-color-text)'}>
              {t(arrived ? 'phones.setup.done' : 'phones.setup.follow')}
            </Text>
            <SetupProgress setup={setup} />
            {phone.data !== undefined && <UnsignedApp phone={phone.data} />}
            {arrived && collects && (
              <>
                <Text>{t('phones.setup.next')}</Text>
                <Button component={Link} href="/intents?new=1">
                  {t('phones.setup.nextGo')}
                </Button>
              </>
            )}
          </>
        )}
        <Button variant={arrived && !collects ? 'filled' : 'default'} onClick={close}>
          {t(arrived ? 'part.stored' : 'part.close')}
        </Button>
      </Stack>
    </Modal>
  )
}

const Code = ({ pairing }: { pairing: Pairing }) => {
  const { t, language } = useWords(phonesWords)
  const { zone } = useMe()
  // The dashboard may be open on the phone that is to be connected: an owner who has one phone.
  const isPhone = useIsNarrow() || /Android/.test(navigator.userAgent)
  const share = (): void => void navigator.share({ url: pairing.uri, title: t('phones.pairTitle') }).catch(() => {})
  return (
    <>
      {isPhone && (
        <>
          <Button component="a" href={pairing.uri} target="_blank" rel="noopener">
            {t('phones.samePhone')}
          </Button>
          <Quiet>{t('phones.samePhoneLead')}</Quiet>
        </>
      )}
      <Text>{t('phones.pairLead', { when: clockTime(pairing.until, language, zone) })}</Text>
      <QrImage svg={pairing.qr_svg} alt={t('phones.pairTitle')} size={220} />
      <details>
        <summary style={{ cursor: 'pointer', minHeight: 32 }}>{t('phones.noCamera')}</summary>
        <Stack gap="xs" mt="xs">
          <Quiet>{t('phones.noCameraLead')}</Quiet>
          <Copyable label={t('field.link')} value={pairing.uri} />
          <Copyable label={t('phones.pairCode')} value={pairing.code} />
          {'share' in navigator && (
            <Group>
              <Button variant="default" onClick={share}>
                {t('phones.share')}
              </Button>
            </Group>
          )}
        </Stack>
      </details>
    </>
  )
}
