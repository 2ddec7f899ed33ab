/** One approval: what it changes and why it needs an owner. An owner confirms or declines; who asked may withdraw it. */
import { Button, Group, Stack, Text } from '@mantine/core'
import { useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { Problem } from '../../parts/form/problem.tsx'
import { Code, Moment, When } from '../../parts/format/figures.tsx'
import { Quiet } from '../../parts/format/quiet.tsx'
import { userName } from '../../parts/format/user-name.ts'
import { DetailRow } from '../../parts/list/detail-row.tsx'
import { useWords } from '../../words/language.ts'
import { approvalsWords } from '../../words/screens/approvals.ts'
import { type Approval, approvalTitle, type NameGroup, reasonsText, shownChanges } from './approval.ts'

const changed = ['approval', 'wallet', 'provider', 'template', 'alert', 'notice'] as const

/** Every name on a line of its own, none left out: a comma may be part of a name. */
const NameGroups = ({ name, groups }: { name: string; groups: readonly NameGroup[] }) => (
  <div>
    <Text component="dt" c="dimmed">
      {name}
    </Text>
    {groups.map(({ title, names }) => (
      <dd key={title} style={{ margin: 0 }}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <ul style={{ margin: 0, paddingInlineStart: 20 }}>
          {names.map((each) => (
            <li key={each}>
              <Code free>{each}</Code>
            </li>
          ))}
        </ul>
      </dd>
    ))}
  </div>
)

export const ApprovalCard = ({ approval }: { approval: Approval }) => {
  const { t, language } = useWords(approvalsWords)
  const { may } = useMe()
  const confirm = useApiMutation('confirmApproval', changed)
  const decline = useApiMutation('declineApproval', changed)
  const withdraw = useApiMutation('withdrawApproval', changed)
  const path = { id: approval.id }
  const problem = confirm.error ?? decline.error ?? withdraw.error
  const isOpen = approval.state === 'open'
  const isBusy = confirm.isPending || decline.isPending || withdraw.isPending
  return (
    <Stack gap="xs" component="article" aria-label={approvalTitle(approval, t)}>
      <Text fw={600} className="named">
        {approvalTitle(approval, t)}
      </Text>
      <Text>{t('approvals.needsOwner', { reasons: reasonsText(approval.reasons, t) })}</Text>
      <dl style={{ margin: 0 }}>
        {shownChanges(approval, t, language).map((change) =>
          'groups' in change ? (
            <NameGroups key={change.field} name={change.name} groups={change.groups} />
          ) : (
            <DetailRow key={change.field} name={change.name} value={<bdi>{change.text}</bdi>} />
          ),
        )}
      </dl>
      <Quiet>
        <bdi>{t('approvals.askedBy', { by: userName(approval.asked_by) })}</bdi> · <When at={approval.asked_at} />
        {isOpen ? (
          <>
            {' '}
            · {t('request.until')} <Moment at={approval.expires_at} />
          </>
        ) : (
          <>
            {' '}
            · {t(`approvals.state.${approval.state}`)}
            {approval.decided_by !== '' && <> {t('request.decidedBy', { by: userName(approval.decided_by) })}</>}
          </>
        )}
      </Quiet>
      {problem !== null && <Problem problem={problem} />}
      {isOpen && (
        <Group gap="xs">
          {may('approvals.decide') && (
            <>
              <Button loading={confirm.isPending} disabled={isBusy} onClick={() => confirm.mutate({ path })}>
                {t('act.confirm')}
              </Button>
              <Button
                variant="default"
                loading={decline.isPending}
                disabled={isBusy}
                onClick={() => decline.mutate({ path })}
              >
                {t('act.decline')}
              </Button>
            </>
          )}
          {approval.own && !may('approvals.decide') && (
            <Button
              variant="default"
              loading={withdraw.isPending}
              disabled={isBusy}
              onClick={() => withdraw.mutate({ path })}
            >
              {t('act.withdraw')}
            </Button>
          )}
        </Group>
      )}
    </Stack>
  )
}
