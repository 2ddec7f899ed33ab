/** One API call: the request, how to repair it, the answer if it failed, and the call as a curl command. */
import { Code as Block, Button, CopyButton, Stack, Text, Title } from '@mantine/core'
import { SideDrawer } from '../../parts/form/side-drawer.tsx'
import { Code, When } from '../../parts/format/figures.tsx'
import { indentedJson } from '../../parts/format/indented-json.ts'
import { Quiet } from '../../parts/format/quiet.tsx'
import { DetailRow } from '../../parts/list/detail-row.tsx'
import { useWords } from '../../words/language.ts'
import { callsWords } from '../../words/screens/calls.ts'
import { type ApiCall, curlNeeds, curlText } from './curl-text.ts'
import { shownNames } from './ignored-names.ts'

export const OneCall = ({ shown, close }: { shown: ApiCall; close: () => void }) => {
  const { t } = useWords(callsWords)
  const curl = curlText(shown, window.location.origin)
  return (
    <SideDrawer title={t('calls.one')} wide close={close}>
      <Stack>
        <dl style={{ margin: 0, display: 'grid', gap: 8 }}>
          <DetailRow name={t('calls.call')} value={<Code>{`${shown.method} ${shown.path}`}</Code>} />
          <DetailRow name={t('calls.status')} value={<Code>{`${shown.status} ${shown.code}`.trim()}</Code>} />
          <DetailRow name={t('calls.took')} value={t('calls.ms', { ms: shown.took_ms })} />
          <DetailRow name={t('field.when')} value={<When at={shown.at} />} />
          <DetailRow name={t('calls.requestId')} value={<Code>{shown.request_id}</Code>} />
          <DetailRow name={t('calls.key')} value={<Code>{shown.client_id}</Code>} />
        </dl>
        {shown.hint !== '' && (
          <div>
            <Title order={3} mb={4}>
              {t('calls.hint')}
            </Title>
            <Text dir="ltr" lang="en">
              {shown.hint}
            </Text>
          </div>
        )}
        {shown.ignored !== '' && (
          <div>
            <Title order={3} mb={4}>
              {t('calls.ignored')}
            </Title>
            <Code>{shownNames(shown.ignored)}</Code>
          </div>
        )}
        {shown.status === 401 && <Quiet>{t('calls.unproved')}</Quiet>}
        {shown.error_body !== '' && <Body name={t('field.answer')} text={indentedJson(shown.error_body)} />}
        {shown.request_body !== '' && <Body name={t('field.sent')} text={indentedJson(shown.request_body)} />}
        <Body name={t('calls.curl')} text={curl} />
        <CopyButton value={curl}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy} aria-live="polite">
              {copied ? t('part.copied') : t('calls.copyCurl')}
            </Button>
          )}
        </CopyButton>
        {curlNeeds(shown).map((need) => (
          <Text key={need} size="sm" c="dimmed">
            {t(`calls.curl.${need}`)}
          </Text>
        ))}
      </Stack>
    </SideDrawer>
  )
}

const Body = ({ name, text }: { name: string; text: string }) => (
  <div>
    <Title order={3} mb={4}>
      {name}
    </Title>
    <Block block dir="ltr" tabIndex={0}>
      {text}
    </Block>
  </div>
)
