/** Notices that the user has not confirmed, each with how to undo it and a link to its record. Confirmed, it is hidden here. */
import { ActionIcon, Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { firstPage } from '@sanad/contract/dashboard/first-queries'
import { IconCheck, IconShieldExclamation } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { Answer } from '../../api/call.ts'
import { useApiMutation, usePagedList } from '../../api/use-api.ts'
import { Problem } from '../../parts/form/problem.tsx'
import { When } from '../../parts/format/figures.tsx'
import { Card } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import { noticesWords } from '../../words/screens/notices.ts'
import { noticeLink, noticeSentence, noticeUndo } from './notice-sentence.ts'
import classes from './today.module.css'

type Notice = Answer<'listNotices'>['results'][number]

export const OwnerNotices = () => {
  const { t, language } = useWords(noticesWords)
  const { rows = [], more, busy } = usePagedList('listNotices', { query: firstPage.unseenNotices, kinds: ['notice'] })
  const markSeen = useApiMutation('markNoticeSeen', ['notice'])
  const [newest] = rows
  if (newest === undefined) return null
  const confirm = (notice: Notice, older: boolean) => markSeen.mutate({ path: { id: notice.id }, body: { older } })
  return (
    <Card>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <div>
            <Title order={2}>{t('notices.title')}</Title>
            <Text c="dimmed" size="sm">
              {t('notices.lead')}
            </Text>
          </div>
          {/* Only notices that were shown can be confirmed. */}
          {rows.length > 1 && more === undefined && (
            <Button variant="default" loading={markSeen.isPending} onClick={() => confirm(newest, true)}>
              {t('notices.allSeen')}
            </Button>
          )}
        </Group>
        {markSeen.error !== null && <Problem problem={markSeen.error} />}
        <ul className={classes.notices}>
          {rows.map((notice) => (
            <li key={notice.id} className={classes.notice}>
              <IconShieldExclamation size={20} color="var(--sanad-wrong)" aria-hidden style={{ flexShrink: 0 }} />
              <div className={classes.noticeText}>
                <Text className="named">{noticeSentence(notice, t, language)}</Text>
                {noticeUndo(notice, t) !== '' && <Text size="sm">{noticeUndo(notice, t)}</Text>}
                <Text size="sm" c="dimmed">
                  <When at={notice.at} /> ·{' '}
                  <Anchor component={Link} href={noticeLink(notice)} size="sm" underline="always">
                    {t('act.show')}
                  </Anchor>
                </Text>
              </div>
              <ActionIcon
                variant="default"
                size={36}
                aria-label={`${t('notices.seen')}: ${noticeSentence(notice, t, language)}`}
                title={t('notices.seen')}
                disabled={markSeen.isPending}
                onClick={() => confirm(notice, false)}
              >
                <IconCheck size={18} aria-hidden />
              </ActionIcon>
            </li>
          ))}
        </ul>
        <Group gap="md">
          {more !== undefined && (
            <Button variant="default" onClick={more} loading={busy}>
              {t('part.more')}
            </Button>
          )}
          <Anchor component={Link} href="/settings/notices" size="sm" underline="always">
            {t('notices.all')}
          </Anchor>
        </Group>
      </Stack>
    </Card>
  )
}
