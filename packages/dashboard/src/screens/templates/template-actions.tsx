/** Publish, retire, next version and delete. Each confirmation says what happens to stored messages. */
import { Button, Skeleton, Text } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { Confirm } from '../../parts/form/confirm.tsx'
import { Problem } from '../../parts/form/problem.tsx'
import { useWords } from '../../words/language.ts'
import { templatesWords } from '../../words/screens/templates.ts'
import { AskOwner, ownerReasons } from '../approvals/ask-owner.tsx'
import type { Template } from './template.ts'

/** `changed`: there are unsaved changes. */
export const TemplateActions = ({ template, changed }: { template: Template; changed: boolean }) => {
  const { t } = useWords(templatesWords)
  const [, go] = useLocation()
  const [dialog, setDialog] = useState<'publish' | 'retire' | 'remove' | undefined>(undefined)
  const bench = useApi('showBench', {
    path: { id: template.id },
    kinds: ['template'],
    when: template.status === 'draft',
  })
  const follow = useApiMutation('draftNextVersion', ['template'])
  const retire = useApiMutation('retireTemplate', ['template', 'provider', 'wallet'])
  const remove = useApiMutation('deleteTemplate', ['template', 'provider'])
  const close = (): void => setDialog(undefined)
  const path = { id: template.id }
  const isOwn = !template.shared
  return (
    <>
      {follow.error !== null && <Problem problem={follow.error} />}
      {template.status !== 'draft' && (
        <Button
          variant="default"
          loading={follow.isPending}
          onClick={() => follow.mutate({ path }, { onSuccess: ({ id }) => go(`/templates/${id}`) })}
        >
          {t(isOwn ? 'templates.nextVersion' : 'templates.copy')}
        </Button>
      )}
      {isOwn && template.status === 'active' && (
        <Button variant="subtle" color="red" onClick={() => setDialog('retire')}>
          {t('act.retire')}
        </Button>
      )}
      {isOwn && template.status === 'draft' && (
        <>
          <Button variant="subtle" color="red" onClick={() => setDialog('remove')}>
            {t('templates.remove')}
          </Button>
          <Button disabled={changed || bench.data?.green !== true} onClick={() => setDialog('publish')}>
            {t('act.publish')}
          </Button>
        </>
      )}
      {dialog === 'publish' && <Publish template={template} close={close} />}
      {dialog === 'retire' && (
        <Confirm
          title={t('act.retire')}
          submitLabel={t('act.retire')}
          danger
          call={retire}
          no={close}
          yes={() => retire.mutate({ path }, { onSuccess: close })}
        >
          <Text>{t('templates.retireSure')}</Text>
        </Confirm>
      )}
      {dialog === 'remove' && (
        <Confirm
          title={t('templates.remove')}
          submitLabel={t('templates.remove')}
          danger
          call={remove}
          no={close}
          yes={() => remove.mutate({ path }, { onSuccess: () => go('/templates') })}
        >
          <Text>{t('templates.removeSure')}</Text>
        </Confirm>
      )}
    </>
  )
}

const mostCounted = 500

const Publish = ({ template, close }: { template: Template; close: () => void }) => {
  const { t } = useWords(templatesWords)
  const publish = useApiMutation('publishTemplate', ['template', 'provider', 'wallet', 'alert'])
  const ask = useApiMutation('askPublishing', ['approval', 'notice'])
  const needed = ownerReasons(publish.error)
  const { id, provider, sender_names, sentence, direction, currency } = template
  const preview = useApi('previewTemplate', {
    body: { provider, replaces: id, sender_names, sentence, direction, currency, limit: mostCounted },
    kinds: ['alert', 'template'],
  })
  const newlyRead = preview.data?.results.filter(
    ({ is, would_be }) => is.kind !== 'read' && would_be.kind === 'read',
  ).length
  return (
    <Confirm
      title={t('act.publish')}
      submitLabel={t('act.publish')}
      call={{ isPending: publish.isPending, error: needed.length === 0 ? publish.error : null }}
      ready={needed.length === 0}
      no={close}
      yes={() => publish.mutate({ path: { id } }, { onSuccess: close })}
    >
      <Text>{t('templates.publishSure')}</Text>
      {newlyRead === undefined && !preview.isError && <Skeleton height={20} />}
      {newlyRead !== undefined && (
        <Text fw={600}>
          {newlyRead === 0 ? t('templates.readAnewNone') : t('templates.readAnew', { count: newlyRead })}
        </Text>
      )}
      {template.version > 1 && <Text>{t('templates.publishRetires')}</Text>}
      {needed.length > 0 && (
        <AskOwner
          reasons={needed}
          isAsked={ask.isSuccess}
          busy={ask.isPending}
          problem={ask.error}
          ask={() => ask.mutate({ path: { id } })}
        />
      )}
    </Confirm>
  )
}
