/** Whether every member of the account needs a second factor, and after how many days. Only an owner sees it. */
import { Anchor, Button, Checkbox, Group, NumberInput, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import type { Answer } from '../../../api/call.ts'
import { useApi, useApiMutation } from '../../../api/use-api.ts'
import { useMe } from '../../../frame/session-context.ts'
import { fieldProblem, Problem } from '../../../parts/form/problem.tsx'
import { Loading } from '../../../parts/page/page.tsx'
import { Section } from '../../../parts/page/section.tsx'
import { useWords } from '../../../words/language.ts'
import { settingsWords } from '../../../words/screens/settings.ts'
import { SavedNote } from '../saved-note.tsx'

type Rule = Answer<'showFactorRule'>

export const FactorRule = () => {
  const { t } = useWords(settingsWords)
  const rule = useApi('showFactorRule', { kinds: ['account'] })
  return (
    <Section title={t('rule.title')} lead={t('rule.lead')}>
      {rule.isError && <Problem problem={rule.error} retry={() => void rule.refetch()} />}
      {rule.isPending && <Loading rows={1} />}
      {rule.data !== undefined && <RuleForm key={`${rule.data.required} ${rule.data.grace_days}`} rule={rule.data} />}
    </Section>
  )
}

const RuleForm = ({ rule }: { rule: Rule }) => {
  const { t } = useWords(settingsWords)
  const { me } = useMe()
  const change = useApiMutation('setFactorRule', ['account', 'notice'])
  const [required, setRequired] = useState(rule.required)
  const [days, setDays] = useState<number | string>(rule.grace_days)
  const isUnchanged = required === rule.required && Number(days) === rule.grace_days
  const daysError = fieldProblem(change.error, 'grace_days', t)
  const mayRequire = me.user.second_factor || rule.required
  const send = (event: FormEvent): void => {
    event.preventDefault()
    change.mutate({ body: { required, grace_days: Number(days) } })
  }
  return (
    <form onSubmit={send}>
      <Stack gap="sm" maw={400}>
        {change.error !== null && daysError === undefined && <Problem problem={change.error} />}
        {!mayRequire && (
          <Text>
            <span>{t('rule.ownFirst')}</span>{' '}
            <Anchor component={Link} href="/settings/you" underline="always">
              {t('you.factorSetUp')}
            </Anchor>
          </Text>
        )}
        <Checkbox
          label={t('rule.required')}
          checked={required}
          disabled={!mayRequire}
          onChange={(event) => setRequired(event.currentTarget.checked)}
        />
        {required && (
          <NumberInput
            label={t('rule.days')}
            description={t('rule.daysLead')}
            min={1}
            max={30}
            allowDecimal={false}
            hideControls
            required
            value={days}
            onChange={setDays}
            error={daysError}
          />
        )}
        <Group>
          <Button
            type="submit"
            variant="default"
            loading={change.isPending}
            disabled={isUnchanged || !mayRequire || days === ''}
          >
            {t('part.save')}
          </Button>
          <SavedNote when={change.isSuccess && isUnchanged} />
        </Group>
      </Stack>
    </form>
  )
}
