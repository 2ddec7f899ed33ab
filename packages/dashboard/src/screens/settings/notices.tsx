/** All notices of the last 90 days, seen or not. A notice that the user has not confirmed has a mark, and a button that confirms it. */
import { Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { firstPage } from '@sanad/contract/dashboard/first-queries'
import { Link } from 'wouter'
import { useApiMutation, usePagedList } from '../../api/use-api.ts'
import { Problem } from '../../parts/form/problem.tsx'
import { When } from '../../parts/format/figures.tsx'
import { Quiet } from '../../parts/format/quiet.tsx'
import { Card, Empty } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import { noticesWords } from '../../words/screens/notices.ts'
import { noticeLink, noticeSentence, noticeUndo } from '../today/notice-sentence.ts'
import classes from '../today/today.module.css'

export const Notices = () => {
  const { t, language } = useWords(noticesWords)
  const { rows, more, busy, problem } = usePagedList('listNotices', { query: firstPage.notices, kinds: ['notice'] })
  const markSeen = useApiMutation('markNoticeSeen', ['notice'])
  if (problem !== null) return <Problem problem={problem} />
  if (rows?.length === 0) return <Empty>{t('notices.none')}</Empty>
  return (
    <Card>
      <Stack gap="sm">
        <Quiet>{t('notices.allLead')}</Quiet>
        {markSeen.error !== null && <Problem problem={markSeen.error} />}
        <ul className={classes.notices}>
          {(rows ?? []).map((notice) => (
            <li key={notice.id} className={classes.notice}>
              <div className={classes.noticeText}>
                <Group gap="xs">
                  {!notice.seen && <Badge variant="light">{t('notices.new')}</Badge>}
                  <Text className="named">{noticeSentence(notice, t, language)}</Text>
                </Group>
                {noticeUndo(notice, t) !== '' && <Text size="sm">{noticeUndo(notice, t)}</Text>}
                <Quiet>
                  <When at={notice.at} /> ·{' '}
                  <Anchor component={Link} href={noticeLink(notice)} size="sm" underline="always">
                    {t('act.show')}
                  </Anchor>
                </Quiet>
              </div>
              {!notice.seen && (
                <Button
                  variant="default"
                  size="xs"
                  disabled={markSeen.isPending}
                  aria-label={`${t('notices.seen')}: ${noticeSentence(notice, t, language)}`}
                  onClick={() => markSeen.mutate({ path: { id: notice.id }, body: { older: false } })}
                >
                  {t('notices.seen')}
                </Button>
              )}
            </li>
          ))}
        </ul>
        {more !== undefined && (
          <Button variant="default" onClick={more} loading={busy} style={{ alignSelf: 'flex-start' }}>
            {t('part.more')}
          </Button>
        )}
      </Stack>
    </Card>
  )
}
