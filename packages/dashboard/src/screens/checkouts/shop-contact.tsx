/**
 * Asks the shop for the contact that buyers see on the payment page, while it has none: as a form in the steps of setting up, which
 * can be skipped, and as a reminder elsewhere. Only for members who may change the page.
 */
import { Alert, Anchor, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconMessageCircle } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { bindText } from '../../parts/form/bind.ts'
import { fieldProblem, Problem } from '../../parts/form/problem.tsx'
import { Card } from '../../parts/page/page.tsx'
import { contactWords } from '../../words/contact.ts'
import { useWords } from '../../words/language.ts'
import { readPreference, savePreference } from '../../words/preferences.ts'
import { contactNumber } from './contact-number.ts'

/** Whether the page of the account shows no contact; false also while it is not known, and for who may not change it. */
const useHasNoContact = (): boolean => {
  const { may } = useMe()
  const page = useApi('showCheckoutPage', { kinds: ['account'], when: may('account.write') })
  return page.data?.whatsapp === '' && page.data.phone === ''
}

const skipped = 'contact-skipped'

/** A step of setting up. "Not now" is remembered in this browser; the reminders stay. */
export const AskContact = () => {
  const { t } = useWords(contactWords)
  const isMissing = useHasNoContact()
  const [isSkipped, setSkipped] = useState(() => readPreference(skipped) === '1')
  // Here and not in the form: when the page is read again, the form may be gone before the answer is handled.
  const change = useApiMutation('changeCheckoutPage', ['account'])
  if (change.isSuccess)
    return (
      <Alert role="status" color="green">
        {t('contact.saved')}
      </Alert>
    )
  if (!isMissing || isSkipped) return null
  const skip = (): void => {
    savePreference(skipped, '1')
    setSkipped(true)
  }
  return (
    <Card>
      <ContactForm change={change} skip={skip} />
    </Card>
  )
}

type Change = ReturnType<typeof useApiMutation<'changeCheckoutPage'>>

const ContactForm = ({ change, skip }: { change: Change; skip: () => void }) => {
  const { t } = useWords(contactWords)
  const [whatsapp, setWhatsapp] = useState('')
  const [phone, setPhone] = useState('')
  const errorOf = (attr: string) => fieldProblem(change.error, attr, t)
  const send = (event: FormEvent): void => {
    event.preventDefault()
    change.mutate({ body: { whatsapp: contactNumber(whatsapp), phone: phone.trim() } })
  }
  const isEmpty = whatsapp.trim() === '' && phone.trim() === ''
  return (
    <form onSubmit={send}>
      <Stack gap="sm">
        <Title order={2}>{t('contact.title')}</Title>
        <Text c="dimmed">{t('contact.lead')}</Text>
        {change.error !== null && !['whatsapp', 'phone'].some(errorOf) && <Problem problem={change.error} />}
        <TextInput
          label={t('contact.whatsapp')}
          inputMode="tel"
          autoComplete="tel"
          dir="ltr"
          maxLength={32}
          {...bindText(whatsapp, setWhatsapp)}
          error={errorOf('whatsapp')}
        />
        <TextInput
          label={t('contact.phone')}
          inputMode="tel"
          dir="ltr"
          maxLength={32}
          {...bindText(phone, setPhone)}
          error={errorOf('phone')}
        />
        <Group>
          <Button type="submit" loading={change.isPending} disabled={isEmpty}>
            {t('part.save')}
          </Button>
          <Button variant="subtle" onClick={skip}>
            {t('contact.skip')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** A reminder with a link to the settings; on the settings themselves without it. */
export const MissingContact = ({ isHere = false }: { isHere?: boolean }) => {
  const { t } = useWords(contactWords)
  if (!useHasNoContact()) return null
  return (
    <Alert role="note" icon={<IconMessageCircle size={18} aria-hidden />}>
      {t('contact.none')}{' '}
      {!isHere && (
        <Anchor component={Link} href="/settings/payment-page">
          {t('contact.add')}
        </Anchor>
      )}
    </Alert>
  )
}
