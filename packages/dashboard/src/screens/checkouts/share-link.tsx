/** A link to share: copied, sent by WhatsApp or the phone's own menu, opened, or scanned from the screen. */

import { Button, Stack } from '@mantine/core'
import { IconBrandWhatsapp, IconExternalLink, IconShare } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { canShare, share, whatsappAddress } from '../../parts/form/sharing.ts'
import { Copyable } from '../../parts/form/shown-once.tsx'
import { QrImage } from '../../parts/format/qr-image.tsx'
import { useWords } from '../../words/language.ts'
import { checkoutsWords } from '../../words/screens/checkouts.ts'
import classes from './checkouts.module.css'

/** `text`: goes before the link in a message. `children`: more buttons. */
export const ShareLink = (props: { url: string; qr: string; text: string; children?: ReactNode }) => {
  const { t } = useWords(checkoutsWords)
  const { url, qr, text } = props
  return (
    <div className={classes.share}>
      <Stack>
        <Copyable label={t('field.link')} value={url} />
        <div className={classes.buttons}>
          {canShare() && (
            <Button leftSection={<IconShare size={16} aria-hidden />} onClick={() => share(text, url)}>
              {t('act.share')}
            </Button>
          )}
          <Button
            component="a"
            variant={canShare() ? 'default' : 'filled'}
            href={whatsappAddress(text, url)}
            target="_blank"
            rel="noopener noreferrer"
            leftSection={<IconBrandWhatsapp size={16} aria-hidden />}
          >
            {t('field.whatsapp')}
          </Button>
          <Button
            component="a"
            variant="default"
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            leftSection={<IconExternalLink size={16} aria-hidden />}
          >
            {t('share.open')}
          </Button>
          {props.children}
        </div>
      </Stack>
      <QrImage svg={qr} alt={t('share.picture')} />
    </div>
  )
}
