/** Publish, retire, next version and delete. Each confirmation says what happens to stored messages. */
import { Button, Skeleton, Text } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { Confirm } from '../../parts/form/confirm.tsx'
import { Problem } from '../../parts/form/problem.tsx'
import { useWords } from '../../words/language.ts'
import { templatesWords } from '../../words/screens/templates.ts'
import type { Template } from './template.ts'

/** `changed`: there are unsaved changes. */
export const TemplateActions = ({ template, changed }: { template: Template; changed: boolean }) => {
  const { t } = useWords(templatesWords)
  const [, go] = useLocation()
  const [asks, setAsks] = useState<'publish' | 'retire' | 'remove' | undefined>(undefined)
  const bench = useApi('showBench', {
    path: { id: template.id },
    kinds: ['template'],
    when: template.status === 'draft',
  })
  const follow = useApiMutation('draftNextVersion', ['template'])
  const retire = useApiMutation('retireTemplate', ['template', 'provider', 'wallet'])
  const remove = useApiMutation('deleteTemplate', ['template', 'provider'])
  const close = (): void => setAsks(undefined)
  const path = { id: template.id }
  const own = !template.shared
  return (
    <>
      {follow.error !== null && <Problem problem={follow.error} />}
      {template.status !== 'draft' && (
        <Button
          variant="default"
          loading={follow.isPending}
          onClick={() => follow.mutate({ path }, { onSuccess: ({ id }) => go(`/templates/${id}`) })}
        >
          {t(own ? 'templates.nextVersion' : 'templates.copy')}
        </Button>
      )}
      {own && template.status === 'active' && (
        <Button variant="subtle" color="red" onClick={() => setAsks('retire')}>
          {t('templates.retire')}
        </Button>
      )}
      {own && template.status === 'draft' && (
        <>
          <Button variant="subtle" color="red" onClick={() => setAsks('remove')}>
            {t('templates.remove')}
          </Button>
          <Button disabled={changed || bench.data?.green !== true} onClick={() => setAsks('publish')}>
            {t('templates.publish')}
          </Button>
        </>
      )}
      {asks === 'publish' && <Publish template={template} done={close} />}
      {asks === 'retire' && (
        <Confirm
          title={t('templates.retire')}
          go={t('templates.retire')}
          danger
          busy={retire.isPending}
          problem={retire.error}
          no={close}
          yes={() => retire.mutate({ path }, { onSuccess: close })}
        >
          <Text>{t('templates.retireSure')}</Text>
        </Confirm>
      )}
      {asks === 'remove' && (
        <Confirm
          title={t('templates.remove')}
          go={t('templates.remove')}
          danger
          busy={remove.isPending}
          problem={remove.error}
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

const Publish = ({ template, done }: { template: Template; done: () => void }) => {
  const { t } = useWords(templatesWords)
  const publish = useApiMutation('publishTemplate', ['template', 'provider', 'wallet', 'alert'])
  const { id, provider, sender_names, sentence, direction, currency } = template
  const preview = useApi('previewTemplate', {
    body: { provider, replaces: id, sender_names, sentence, direction, currency, limit: mostCounted },
    kinds: ['alert', 'template'],
  })
  const anew = preview.data?.results.filter(({ is, would_be }) => is.kind !== 'read' && would_be.kind === 'read').length
  return (
    <Confirm
      title={t('templates.publish')}
      go={t('templates.publish')}
      busy={publish.isPending}
      problem={publish.error}
      no={done}
      yes={() => publish.mutate({ path: { id } }, { onSuccess: done })}
    >
      <Text>{t('templates.publishSure')}</Text>
      {anew === undefined && !preview.isError && <Skeleton height={20} />}
      {anew !== undefined && (
        <Text fw={600}>{anew === 0 ? t('templates.readAnewNone') : t('templates.readAnew', { count: anew })}</Text>
      )}
      {template.version > 1 && <Text>{t('templates.publishRetires')}</Text>}
    </Confirm>
  )
}
