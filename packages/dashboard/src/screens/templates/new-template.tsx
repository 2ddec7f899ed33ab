/**
 * A new template from a message: the provider, the message, and its parts. The sentence is made from the marks or written
 * by hand. Its reading of this message and of every stored one is shown at once.
 */
import { Alert, Button, Group, Stack, Text, Textarea, Title } from '@mantine/core'
import { usualCurrency } from '@sanad/contract/currency'
import { type FormEvent, useState } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import type { Answer } from '../../api/call.ts'
import { call } from '../../api/call.ts'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { fieldProblem, Problem } from '../../parts/form/problem.tsx'
import { Select } from '../../parts/form/select.tsx'
import { providerOptions } from '../../parts/format/provider-name.ts'
import { Quiet } from '../../parts/format/quiet.tsx'
import { BackTo } from '../../parts/page/back-to.tsx'
import { Card, Loading, Page } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import { templatesWords } from '../../words/screens/templates.ts'
import { MarkList } from './mark-list.tsx'
import type { Mark } from './marks.ts'
import { Message } from './message.tsx'
import { Preview } from './preview.tsx'
import { ProviderForm } from './provider-form.tsx'
import { ReadingView } from './reading-view.tsx'
import { SentenceField } from './sentence-field.tsx'
import { expectedOf, type Wording } from './template.ts'
import { useDebounced } from './use-debounced.ts'
import { WordingFields } from './wording-fields.tsx'

const pause_ms = 250

/** `?alert=ID`: the form starts with the text of this alert, which no template could read, once it is loaded. */
export const NewTemplate = () => {
  const { t } = useWords(templatesWords)
  const [params] = useSearchParams()
  const id = params.get('alert')
  const alert = useApi('showAlert', { path: { id: id ?? '' }, when: id !== null })
  const wallets = useApi('listWallets', { when: id !== null })
  const providers = useApi('listProviders', { query: { page_size: 200 }, kinds: ['provider'] })
  if (alert.isError) return <Problem problem={alert.error} retry={() => void alert.refetch()} />
  if (providers.isError) return <Problem problem={providers.error} retry={() => void providers.refetch()} />
  const isLoading = id !== null && (alert.data === undefined || (wallets.data === undefined && !wallets.isError))
  if (providers.data === undefined || isLoading)
    return (
      <Page title={t('act.newTemplate')}>
        <Loading rows={8} />
      </Page>
    )
  const all = providers.data.results
  const wallet = wallets.data?.results.find(({ id: walletId }) => walletId === alert.data?.wallet?.id)
  const sender = alert.data?.sender ?? ''
  const providerOfSender = all.find(({ sender_names }) => sender_names.includes(sender))
  return (
    <Composer
      providers={all}
      provider={wallet?.provider.id ?? providerOfSender?.id ?? null}
      text={alert.data?.text ?? ''}
      senders={sender === '' ? [] : [sender]}
      currency={wallet?.currency ?? usualCurrency}
    />
  )
}

const Composer = (props: {
  providers: Answer<'listProviders'>['results']
  provider: string | null
  text: string
  senders: readonly string[]
  currency: string
}) => {
  const { t, language } = useWords(templatesWords)
  const [, go] = useLocation()
  const [provider, setProvider] = useState(props.provider)
  const [adding, setAdding] = useState(false)
  const [text, setText] = useState(props.text)
  const [marks, setMarks] = useState<Mark[]>([])
  /** The sentence written by hand; undefined: the one made from the marks. */
  const [handwritten, setHandwritten] = useState<string | undefined>(undefined)
  const [fields, setFields] = useState<Omit<Wording, 'sentence'>>({
    name: '',
    sender_names: [...props.senders],
    direction: 'credit',
    currency: props.currency,
  })
  const create = useApiMutation('createTemplate', ['template', 'provider'])

  const marked = useDebounced({ text, marks }, pause_ms)
  const fromMarks = useApi('makeSentence', { body: marked, when: marked.marks.length > 0, keep: true })
  const sentence = handwritten ?? (marks.length > 0 ? (fromMarks.data?.sentence ?? '') : '')
  const wording: Wording = { ...fields, sentence }
  const tried = useDebounced({ sentence, text, direction: fields.direction, currency: fields.currency }, pause_ms)
  const read = useApi('readText', {
    body: tried,
    when: tried.sentence.trim() !== '' && tried.text.trim() !== '',
    keep: true,
  })
  const fault =
    handwritten === undefined ? (marks.length > 0 ? (fromMarks.data?.error ?? null) : null) : (read.data?.error ?? null)
  const isValid = sentence.trim() !== '' && fault === null
  const reading = isValid ? (read.data?.reading ?? null) : null

  const changeMarks = (next: Mark[]): void => {
    setMarks(next)
    setHandwritten(undefined)
  }
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (provider === null) return
    // The shown result may belong to the sentence of a moment ago.
    const { direction, currency } = fields
    const readNow =
      text.trim() === ''
        ? null
        : await call('readText', { body: { sentence, text, direction, currency } }).catch(() => null)
    const samples = readNow?.reading == null ? [] : [{ text, expect: expectedOf(readNow.reading) }]
    create.mutate({ body: { ...wording, provider, samples } }, { onSuccess: ({ id }) => go(`/templates/${id}`) })
  }
  const chosenProvider = props.providers.find(({ id }) => id === provider)
  const hasFieldProblem = ['name', 'sender_names', 'currency', 'provider', 'sentence'].some((attr) =>
    fieldProblem(create.error, attr, t),
  )

  return (
    <Page title={t('act.newTemplate')}>
      <BackTo href="/templates" name={t('frame.templates')} />
      <form onSubmit={(event) => void save(event)}>
        <Stack gap="lg">
          <Textarea
            label={t('templates.message')}
            description={t('templates.pasteLead')}
            dir="auto"
            autosize
            minRows={2}
            maxRows={6}
            maxLength={1000}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value)
              // Marks of another text have no meaning.
              changeMarks([])
            }}
          />
          {text.trim() !== '' && (
            <Stack gap="sm">
              <Title order={2}>{t('templates.mark')}</Title>
              <Message key={text} text={text} marks={marks} onMarks={changeMarks} />
              <MarkList text={text} marks={marks} onMarks={changeMarks} />
              <SentenceField sentence={sentence} fault={fault} onChange={setHandwritten}>
                {handwritten !== undefined && (
                  <Group gap="xs" mt={4}>
                    <Quiet>{t('templates.byHand')}</Quiet>
                    {marks.length > 0 && (
                      <Button size="compact-sm" variant="subtle" onClick={() => setHandwritten(undefined)}>
                        {t('templates.backToMarks')}
                      </Button>
                    )}
                  </Group>
                )}
              </SentenceField>
              {isValid && (
                <Card>
                  <Title order={3} mb="xs">
                    {t('templates.readsNow')}
                  </Title>
                  {reading === null ? <Text>{t('templates.readsNothing')}</Text> : <ReadingView reading={reading} />}
                </Card>
              )}
            </Stack>
          )}
          <Title order={2}>{t('templates.about')}</Title>
          <Group align="flex-end" gap="xs">
            <Select
              label={t('field.provider')}
              required
              flex={1}
              miw={220}
              data={providerOptions(props.providers, language)}
              value={provider}
              onChange={(chosen) => {
                setProvider(chosen)
                const senders = props.providers.find(({ id }) => id === chosen)?.sender_names ?? []
                // The user has not entered senders: those of the provider are filled in.
                setFields((now) =>
                  now.sender_names.length === 0 ? { ...now, sender_names: senders.slice(0, 20) } : now,
                )
              }}
              error={fieldProblem(create.error, 'provider', t)}
            />
            <Button variant="default" onClick={() => setAdding(true)}>
              {t('templates.newProvider')}
            </Button>
          </Group>
          <WordingFields
            wording={wording}
            known={chosenProvider?.sender_names ?? []}
            problem={create.error}
            onChange={(changes) => setFields((now) => ({ ...now, ...changes }))}
          />
          {create.error !== null && !hasFieldProblem && <Problem problem={create.error} />}
          {!isValid && <Alert color="gray">{t('templates.notYet')}</Alert>}
          <Group justify="flex-end">
            <Button component={Link} href="/templates" variant="default">
              {t('part.cancel')}
            </Button>
            <Button type="submit" disabled={!isValid || provider === null} loading={create.isPending}>
              {t('templates.saveDraft')}
            </Button>
          </Group>
        </Stack>
      </form>
      <Preview provider={provider} wording={wording} isValid={isValid} />
      {adding && (
        <ProviderForm
          saved={({ id }) => {
            setProvider(id)
            setAdding(false)
          }}
          close={() => setAdding(false)}
        />
      )}
    </Page>
  )
}
