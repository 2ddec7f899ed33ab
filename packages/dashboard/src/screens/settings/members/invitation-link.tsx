/**
 * The link of a new invitation, shown once to the member who made it: to scan, to share, or to copy. Anyone with the link
 * can join.
 */

import { Button, Group, Text } from '@mantine/core'
import { IconBrandWhatsapp, IconShare } from '@tabler/icons-react'
import type { Answer } from '../../../api/call.ts'
import { useMe } from '../../../frame/session-context.ts'
import { canShare, share, whatsappAddress } from '../../../parts/form/sharing.ts'
import { ShownOnce } from '../../../parts/form/shown-once.tsx'
import { QrImage } from '../../../parts/format/qr-image.tsx'
import { dayName } from '../../../words/format.ts'
import { useWords } from '../../../words/language.ts'
import { settingsWords } from '../../../words/screens/settings.ts'

export const InvitationLink = ({
  invitation,
  close,
}: {
  invitation: Answer<'createInvitation'>
  close: () => void
}) => {
  const { t, language } = useWords(settingsWords)
  const { me, zone } = useMe()
  const { email, role, link, qr_svg, mailed, expires_at } = invitation
  const text = t('members.linkText', { account: me.account?.name ?? '', role: t(`role.${role}`) })
  return (
    <ShownOnce
      title={t('members.linkTitle', { email })}
      secrets={[{ label: t('members.link'), value: link }]}
      close={close}
    >
      <Group gap="xs" grow>
        {canShare() && (
          <Button leftSection={<IconShare size={16} aria-hidden />} onClick={() => share(text, link)}>
            {t('act.share')}
          </Button>
        )}
        <Button
          component="a"
          variant="default"
          href={whatsappAddress(text, link)}
          target="_blank"
          rel="noopener noreferrer"
          leftSection={<IconBrandWhatsapp size={16} aria-hidden />}
        >
          {t('field.whatsapp')}
        </Button>
      </Group>
      <QrImage svg={qr_svg} alt={t('members.linkPicture')} />
      <Text>
        {t('members.linkLead', { role: t(`role.${role}`), when: dayName(expires_at, language, zone) })}
        {mailed && ` ${t('members.linkMailed', { email })}`}
      </Text>
    </ShownOnce>
  )
}
