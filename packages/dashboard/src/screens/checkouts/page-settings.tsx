/** Settings of the account's payment pages: name, colour, contact, logo, and sites that may frame them. With a preview. */
import { Alert, Button, FileButton, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { bindText } from '../../parts/form/bind.ts'
import { ColorInput, TagsInput } from '../../parts/form/lazy-overlays.tsx'
import { fieldProblem, Problem } from '../../parts/form/problem.tsx'
import { Loading } from '../../parts/page/page.tsx'
import { Section } from '../../parts/page/section.tsx'
import { useWords } from '../../words/language.ts'
import { checkoutsWords } from '../../words/screens/checkouts.ts'
import { SavedNote } from '../settings/saved-note.tsx'
import classes from './checkouts.module.css'
import { PagePreview } from './page-preview.tsx'
import { MissingContact } from './shop-contact.tsx'
import { shrinkPicture } from './shrink-picture.ts'

type Settings = Answer<'showCheckoutPage'>

export const PageSettings = () => {
  const page = useApi('showCheckoutPage', { kinds: ['account'] })
  const { may } = useMe()
  const { t } = useWords(checkoutsWords)
  if (page.isError) return <Problem problem={page.error} retry={() => void page.refetch()} />
  if (page.data === undefined) return <Loading />
  if (!may('account.write'))
    return (
      <Section title={t('page.look')} lead={t('page.readOnly')}>
        <PagePreview settings={page.data} />
      </Section>
    )
  return (
    <Stack gap="md">
      <MissingContact isHere />
      <Look settings={page.data} />
      <Logo logo={page.data.logo} />
    </Stack>
  )
}

const Look = ({ settings }: { settings: Settings }) => {
  const { t } = useWords(checkoutsWords)
  const change = useApiMutation('changeCheckoutPage', ['account'])
  const [name, setName] = useState(settings.shop_name)
  const [color, setColor] = useState(settings.color)
  const [whatsapp, setWhatsapp] = useState(settings.whatsapp)
  const [phone, setPhone] = useState(settings.phone)
  const [origins, setOrigins] = useState<string[]>(settings.frame_origins)
  const typed = { shop_name: name, color: color.toUpperCase(), whatsapp, phone, frame_origins: origins }
  const isSame = (Object.keys(typed) as (keyof typeof typed)[]).every(
    (field) => String(typed[field]) === String(settings[field]),
  )
  const errorOf = (attr: string) => fieldProblem(change.error, attr, t)
  const send = (event: FormEvent): void => {
    event.preventDefault()
    change.mutate({ body: typed })
  }
  return (
    <Section title={t('page.look')} lead={t('page.lookLead')}>
      <div className={classes.look}>
        <form onSubmit={send}>
          <Stack gap="sm">
            {change.error !== null && !Object.keys(typed).some(errorOf) && <Problem problem={change.error} />}
            <TextInput
              label={t('page.shopName')}
              description={t('page.shopNameLead')}
              maxLength={100}
              {...bindText(name, setName)}
              error={errorOf('shop_name')}
            />
            <ColorInput
              label={t('field.colour')}
              description={t('page.colorLead')}
              format="hex"
              dir="ltr"
              withEyeDropper={false}
              value={color}
              onChange={setColor}
              error={errorOf('color')}
            />
            <TextInput
              label={t('field.whatsapp')}
              description={t('page.whatsappLead')}
              inputMode="tel"
              dir="ltr"
              {...bindText(whatsapp, setWhatsapp)}
              error={errorOf('whatsapp')}
            />
            <TextInput
              label={t('page.phone')}
              description={t('page.phoneLead')}
              inputMode="tel"
              dir="ltr"
              {...bindText(phone, setPhone)}
              error={errorOf('phone')}
            />
            <TagsInput
              label={t('page.frames')}
              description={t('page.framesLead')}
              dir="ltr"
              value={origins}
              onChange={setOrigins}
              error={errorOf('frame_origins')}
            />
            <Group>
              <Button type="submit" loading={change.isPending} disabled={isSame}>
                {t('part.save')}
              </Button>
              <SavedNote when={change.isSuccess && isSame} />
            </Group>
          </Stack>
        </form>
        <PagePreview settings={{ ...typed, logo: settings.logo }} />
      </div>
    </Section>
  )
}

const Logo = ({ logo }: { logo: Settings['logo'] }) => {
  const { t } = useWords(checkoutsWords)
  const set = useApiMutation('setCheckoutLogo', ['account'])
  const remove = useApiMutation('removeCheckoutLogo', ['account'])
  const [isUnreadable, setUnreadable] = useState(false)
  const choose = async (file: File | null): Promise<void> => {
    if (file === null) return
    const image = await shrinkPicture(file)
    setUnreadable(image === undefined)
    if (image !== undefined) set.mutate({ body: { image } })
  }
  const problem = set.error ?? remove.error
  return (
    <Section title={t('page.logo')} lead={t('page.logoLead')}>
      {isUnreadable && (
        <Alert color="red" role="alert">
          {t('page.logoUnreadable')}
        </Alert>
      )}
      {problem !== null && <Problem problem={problem} />}
      <Group>
        {logo !== null && (
          <img className={classes.logo} src={logo.url} width={logo.width} height={logo.height} alt={t('page.logo')} />
        )}
        <FileButton accept="image/*" onChange={(file) => void choose(file)}>
          {(props) => (
            <Button {...props} variant="default" loading={set.isPending}>
              {t(logo === null ? 'page.chooseLogo' : 'page.changeLogo')}
            </Button>
          )}
        </FileButton>
        {logo !== null && (
          <Button variant="subtle" color="red" loading={remove.isPending} onClick={() => remove.mutate({})}>
            {t('page.removeLogo')}
          </Button>
        )}
      </Group>
    </Section>
  )
}
