/** Forwarding apps in place of our own app: each gets its own URL, shown once with the settings to enter. */
import { Alert, Button, Group, List, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { useApiMutation } from '../../api/use-api.ts'
import { Problem } from '../../parts/form/problem.tsx'
import { Select } from '../../parts/form/select.tsx'
import { Copyable, ShownOnce } from '../../parts/form/shown-once.tsx'
import { Card } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import { phonesWords } from '../../words/screens/phones.ts'

const apps = ['sms-to-url', 'smsgate', 'sms-forwarder', 'text'] as const
type App = (typeof apps)[number]
type Access = Answer<'letAppIn'>

export const ForwardingApps = ({ id }: { id: string }) => {
  const { t } = useWords(phonesWords)
  const letIn = useApiMutation('letAppIn', ['phone'])
  const [app, setApp] = useState<App>('sms-to-url')
  const [access, setAccess] = useState<Access | undefined>(undefined)
  return (
    <Card>
      <Stack gap="sm">
        <Title order={2}>{t('phones.apps')}</Title>
        <Text>{t('phones.appsLead')}</Text>
        {letIn.error !== null && <Problem problem={letIn.error} />}
        <Group align="flex-end" gap="xs">
          <Select
            label={t('phones.app')}
            data={apps.map((one) => ({ value: one, label: t(`phones.app.${one}`) }))}
            value={app}
            onChange={(chosen) => setApp((chosen ?? 'sms-to-url') as App)}
            flex="1 1 240px"
          />
          <Button
            variant="default"
            loading={letIn.isPending}
            onClick={() => letIn.mutate({ path: { id }, body: { app } }, { onSuccess: setAccess })}
          >
            {t('phones.letIn')}
          </Button>
        </Group>
        <Text size="sm" c="dimmed">
          {t('phones.letInLead')}
        </Text>
        <Title order={3}>{t('phones.guide')}</Title>
        <List type="ordered" spacing={4}>
          <List.Item>{t(`phones.guide.${app}.1`)}</List.Item>
          <List.Item>{t(`phones.guide.${app}.2`)}</List.Item>
          <List.Item>{t('phones.guide.last')}</List.Item>
        </List>
      </Stack>
      {access !== undefined && <Settings access={access} done={() => setAccess(undefined)} />}
    </Card>
  )
}

const Settings = ({ access, done }: { access: Access; done: () => void }) => {
  const { t } = useWords(phonesWords)
  const save = (): void => {
    if (access.rule_file === null) return
    const address = URL.createObjectURL(new Blob([access.rule_file.content], { type: 'application/json' }))
    const link = document.createElement('a')
    link.href = address
    link.download = access.rule_file.name
    link.click()
    URL.revokeObjectURL(address)
  }
  return (
    <ShownOnce
      title={t(`phones.app.${access.app}`)}
      // Values that are among the app's settings are not shown twice.
      secrets={[
        { label: t('phones.url'), value: access.url },
        ...(access.signing_key === null ? [] : [{ label: t('phones.signingKey'), value: access.signing_key }]),
      ].filter(({ value }) => !access.settings.some((setting) => setting.value === value))}
      done={done}
    >
      {access.signing_key === null && <Alert color="yellow">{t('phones.unsigned')}</Alert>}
      {access.settings.map(({ label, value }) => (
        <Copyable key={label} label={label} value={value} />
      ))}
      {access.rule_file !== null && (
        <Button variant="default" onClick={save}>
          {t('phones.ruleFile')}
        </Button>
      )}
    </ShownOnce>
  )
}
